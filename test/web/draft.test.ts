/** The draft of a job becomes one job under one key, whatever is done while it is submitted, and after a payment that it had to wait for. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';

import { noopJob } from '../support/api.ts';
import { waitsForLock } from '../support/lock-waits.ts';
import { inLongRuns } from '../support/long.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

describe('the draft of a job on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  before(async () => {
    web = await sharedWeb();
  });
  beforeEach(async () => {
    visitor = await web.visitor();
  });
  afterEach(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  // oxlint-disable-next-line typescript/no-explicit-any
  const read = async (path: string): Promise<any> =>
    (await visitor.context.request.get(`/api/v1${path}`)).json();
  const field = (): Locator => visitor.page.getByLabel('Job as JSON');
  const run = (): Locator => visitor.page.getByRole('button', { name: /^Run job for at most/ });
  const title = (name: string): Promise<void> =>
    visitor.page.getByRole('heading', { level: 1, name }).waitFor();
  /** The draft that the tab keeps, with its key. */
  const kept = (): Promise<unknown> =>
    visitor.page.evaluate(`JSON.parse(sessionStorage.getItem('dockyard-job-draft'))`);
  /** Holds the balances of the account, so an admission waits until the answered function is called. */
  const holdBalances = async (): Promise<() => Promise<void>> => {
    const { account } = await read('/account');
    const runner = web.api.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from ledger_balances where account_id = $1 for no key update', [account.id]);
    return async () => {
      await runner.rollbackTransaction();
      await runner.release();
    };
  };

  it('is one job after a double click, Back and a reload, and is there with its key until then', async () => {
    const page = await visitor.signedIn('/jobs');
    await page.getByRole('link', { name: 'New job' }).first().click();
    const text = JSON.stringify({ ...noopJob(1), jobName: 'One', metadata: { project: 'free', noop: {} } });
    await field().fill(text);
    await run().waitFor();
    const before = await kept();
    const letGo = await holdBalances();
    try {
      await run().dblclick();
      await waitsForLock(web.api.db, 'ledger_reserve');
      await page.goBack();
      await title('Jobs');
      await page.goForward();
      await run().click();
      await page.reload();
      expect(await field().inputValue()).to.equal(text);
      expect(await kept()).to.deep.equal(before);
      await run().click();
    } finally {
      await letGo();
    }
    await title('One');
    expect((await read('/jobs')).jobs).to.have.length(1);
    await page.goBack();
    expect(await field().inputValue()).not.to.contain('One');
  });

  inLongRuns(it)(
    'leaves alone whoever goes on to another page, or to another draft, while it is submitted',
    async () => {
      const page = await visitor.signedIn('/jobs/new');
      const draft = (jobName: string): Promise<void> =>
        field().fill(JSON.stringify({ ...noopJob(1), jobName }));
      await draft('First');
      const answered = page.waitForResponse(/\/jobs\/submit$/);
      const letGo = await holdBalances();
      try {
        await run().click();
        await waitsForLock(web.api.db, 'ledger_reserve');
        await page.getByRole('link', { name: 'Jobs', exact: true }).click();
        await title('Jobs');
        await page.getByRole('link', { name: 'New job' }).first().click();
        await draft('Second');
      } finally {
        await letGo();
      }
      await (await answered).finished();
      await run().waitFor();
      expect(await kept())
        .to.have.property('text')
        .that.contains('Second');
      await page.reload();
      await run().click();
      await title('Second');
      expect((await read('/jobs')).jobs).to.have.length(2);
    },
  );

  it('waits for credits: they are bought, and the same draft becomes one job under the same key', async () => {
    const page = await visitor.signedIn('/jobs/new');
    await field().fill(JSON.stringify({ ...noopJob(110), jobName: 'Paid' }));
    await run().click();
    const before = await kept();
    await page.getByRole('link', { name: 'Top up credits' }).click();
    await page.getByRole('button', { name: 'Pay £10.00' }).click();
    await page.getByText('The payment is on its way').waitFor();
    const [topup] = (await read('/credits/topups')).topups;
    const { id } = web.stripe.complete(topup.id);
    const { body, signature } = web.stripe.event('checkout.session.completed', id);
    const headers = { 'stripe-signature': signature };
    const told = await fetch(`${web.api.stack.apiUrl}/hooks/stripe`, { method: 'POST', body, headers });
    expect(told.status).to.equal(200);
    await page.getByText('£10.00 of credits were added').waitFor();
    await page.getByRole('link', { name: 'Go on with your job' }).click();
    expect(await kept()).to.deep.equal(before);
    await run().click();
    await title('Paid');
    expect((await read('/jobs')).jobs).to.have.length(1);
  });

  it('begins with the request of another job, and keeps what was changed since after a reload', async () => {
    const page = await visitor.signedIn();
    const { jobId } = await visitor.write('/jobs/submit', { ...noopJob(1), jobName: 'Before' });
    await page.goto(`/jobs/new?from=${jobId}`);
    await page.getByText('unchanged').waitFor();
    await field().fill((await field().inputValue()).replace('Before', 'After'));
    const before = await kept();
    await page.reload();
    await page.getByText('Changed: jobName').waitFor();
    expect(await kept()).to.deep.equal(before);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await title('Sign in');
    expect(await kept()).to.equal(null);
  });
});
