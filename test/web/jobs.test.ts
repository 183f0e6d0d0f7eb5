/** Pages of jobs in a real browser on a real stack: what a job did, cost and made, and what is never trusted. */
import { expect } from 'chai';

import { noopJob } from '../support/api.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

const EVIL = '<img src=x onerror="document.title=1">\u202eevil';

describe('jobs on the web', function () {
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

  it('shows a job with its failures first, its bill, its outputs with their digests, and a receipt that is proved in the page', async () => {
    const page = await visitor.signedIn('/jobs');
    const fail = [{ index: 2, kind: 'error' }];
    const { jobId } = await visitor.write('/jobs/submit', {
      ...noopJob(4, { seconds: 0, fail }),
      jobName: EVIL,
    });
    await page.goto(`/jobs/${jobId}`);
    await page.getByText('Partly done').waitFor({ timeout: 60_000 });
    await page.getByRole('heading', { name: EVIL }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Failed' }).waitFor();
    await page.getByRole('tab', { name: 'Bill' }).click();
    await page.getByText('1 task that failed').waitFor();
    const bill = await (await visitor.context.request.get(`/api/v1/jobs/${jobId}/bill`)).json();
    await page.getByText(`Charged in all: £0.0${String(bill.chargedCents)}`).waitFor();
    await page.getByRole('tab', { name: 'Outputs' }).click();
    const { outputs } = await (await visitor.context.request.get(`/api/v1/jobs/${jobId}/outputs`)).json();
    for (const { sha256 } of outputs.slice(0, 3)) await page.getByTitle(sha256).first().waitFor();
    await page.getByRole('tab', { name: 'Receipt' }).click();
    await page.getByText('Compared in this page').waitFor();
    expect(await page.getByText('As it says').count()).to.equal(3);
    await page.getByRole('tab', { name: 'Request' }).click();
    await page.getByRole('link', { name: 'Run again with changes' }).click();
    await page.getByText('unchanged').waitFor();
    expect(await page.title()).to.equal('New job · Dockyard');
  });

  it('makes one job of a draft, however often its button is pressed', async () => {
    const { page } = visitor;
    await page.goto('/jobs/new');
    await page.getByLabel('Job as JSON').fill(JSON.stringify({ ...noopJob(1), jobName: 'Once' }));
    await page.getByRole('button', { name: /^Run job/ }).dblclick();
    await page.getByRole('heading', { name: 'Once' }).waitFor({ timeout: 60_000 });
    const reply = await visitor.context.request.get('/api/v1/jobs?jobName=Once');
    expect((await reply.json()).jobs).to.have.length(1);
  });

  it('says on its own page what is not there', async () => {
    const { page } = visitor;
    expect((await page.goto('/nowhere'))?.status()).to.equal(404);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.goto('/jobs/0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11');
    await page.getByText('There is no such thing here').waitFor();
  });
});
