/** Credits in the browser: what the page says is what the API answers. */
import { expect } from 'chai';

import { noopJob } from '../support/api.ts';
import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

const NAME = '<img src=x onerror=alert(1)> ' + 'n'.repeat(400);

describe('credits on the web', function () {
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
  const pounds = (pence: number): string => `${pence < 0 ? '−' : ''}£${(Math.abs(pence) / 100).toFixed(2)}`;

  it('shows balance, usage and every movement as the API has them, and the statement as CSV', async () => {
    const page = await visitor.signedIn();
    const { jobId } = await visitor.write('/jobs/submit', { ...noopJob(3), jobName: NAME });
    const ended = async (): Promise<boolean> => (await read(`/jobs/${jobId}/status`)).status === 'SUCCEEDED';
    await until('the job has ended', ended, 60_000);
    await page.goto('/credits?by=job');
    const balance = await read('/credits/balance');
    const usage = await read('/credits/usage?by=job');
    expect(usage.spent_cents).to.be.greaterThan(0);
    await page
      .getByText(`${pounds(balance.available_cents)} available`)
      .first()
      .waitFor();
    const row = page.getByRole('row').filter({ hasText: NAME });
    await row.getByRole('cell', { name: pounds(usage.rows[0].spent_cents) }).waitFor();
    const sum = page.getByRole('row').filter({ hasText: 'In all' });
    await sum.getByRole('cell', { name: pounds(usage.spent_cents) }).waitFor();
    await page.getByRole('tab', { name: 'Transactions' }).click();
    const { transactions } = await read('/credits/transactions');
    const table = page.getByRole('region', { name: 'Transactions' });
    await table.getByRole('row').nth(transactions.length).waitFor();
    const amounts = await table.locator('tbody tr td:nth-child(4)').allInnerTexts();
    expect(amounts).to.deep.equal(
      transactions.map((each: { readonly amount_cents: number }) => pounds(each.amount_cents)),
    );
    await page.getByRole('tab', { name: 'Statements' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^The statement of/ }).click(),
    ]);
    expect(download.suggestedFilename()).to.match(/^statement-\d{4}-\d{2}\.csv$/);
  });

  it('sets and takes away limits, and refuses what is no amount at the field', async () => {
    const page = await visitor.signedIn('/credits?tab=limits');
    const ofJob = page.getByLabel('One job, in pounds');
    await ofJob.fill('five');
    await page.getByText('An amount in pounds').waitFor();
    await ofJob.fill('12.50');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Saved').waitFor();
    expect((await read('/settings/billing')).jobLimitCents).to.equal(1_250);
    await ofJob.fill('');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Saved').waitFor();
    expect((await read('/settings/billing')).jobLimitCents).to.equal(null);
  });
});
