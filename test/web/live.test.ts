/** A job of many tasks, as a list and its own page show it while it runs, and the api is killed meanwhile. */
import { expect } from 'chai';

import { grantCredits } from '../../src/services/ledger/index.ts';
import { noopJob } from '../support/api.ts';
import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

const TASKS = 300;

describe('a job of 300 tasks on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  before(async () => {
    web = await sharedWeb();
    visitor = await web.visitor();
  });
  after(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  it('goes on by itself on both pages when the api is killed, with each task once, a bill as the ledger, and right digests', async () => {
    const page = await visitor.signedIn('/jobs');
    // Its tasks cost more than the welcome credits.
    const { account } = await (await visitor.context.request.get('/api/v1/account')).json();
    const grant = { accountId: account.id, amountPence: 1_000, key: account.id, description: 'test' };
    await grantCredits(web.api.db, grant);
    const { jobId } = await visitor.write('/jobs/submit', noopJob(TASKS, { seconds: 0.3 }));
    const list = await visitor.context.newPage();
    await list.goto('/jobs');
    await page.goto(`/jobs/${jobId}`);
    for (const each of [page, list]) await each.evaluate('globalThis.isFirstLoad = true');
    await page.getByText(/[1-9]\d* of 300 verified/).waitFor();
    const isRunning = async (): Promise<boolean> => {
      const status = await (await visitor.context.request.get(`/api/v1/jobs/${jobId}/status`)).json();
      return status.status === 'RUNNING';
    };
    web.api.stack.kill('api');
    await web.api.stack.waitUntilRestarted('api');
    expect(await isRunning()).to.equal(true);
    const row = list.locator('tbody tr');
    await row.getByText('Done').waitFor();
    await page.getByText('300 of 300 verified').waitFor();
    await page.getByText('Done', { exact: true }).first().waitFor();
    expect(await row.count()).to.equal(1);
    for (const each of [page, list]) expect(await each.evaluate('globalThis.isFirstLoad')).to.equal(true);

    const table = page.getByRole('table');
    const region = page.getByRole('region', { name: 'Tasks' });
    const last = table
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: String(TASKS - 1), exact: true }) });
    await until('the last task is reached', async () => {
      await region.evaluate((box: { scrollTop: number; scrollHeight: number }) => {
        box.scrollTop = box.scrollHeight;
      });
      return last.first().isVisible();
    });
    expect(await table.getAttribute('aria-rowcount')).to.equal(String(TASKS + 1));

    const [charged] = await web.api.db.query<{ pence: number }[]>(
      `select sum(charged_pence)::int as pence from holds where job_id = $1`,
      [jobId],
    );
    const bill = await (await visitor.context.request.get(`/api/v1/jobs/${jobId}/bill`)).json();
    expect(bill.chargedCents).to.equal(charged?.pence);
    await page.getByRole('tab', { name: 'Bill' }).click();
    await page.getByText(`Charged in all: £${(bill.chargedCents / 100).toFixed(2)}`).waitFor();
    await page.getByRole('tab', { name: 'Receipt' }).click();
    await page.getByText('Compared in this page').waitFor();
    expect(await page.getByText('As it says').count()).to.equal(3);
  });
});
