/** Pages of jobs in a real browser on a real stack: what a job did, cost and made, and what is never trusted. */
import { expect } from 'chai';

import { noopJob } from '../support/api.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

/** So many that a job runs for half a minute. */
const TASKS = 60;
const EVIL = '<img src=x onerror="document.title=1">\u202eevil';

describe('jobs on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  before(async () => {
    web = await sharedWeb();
    visitor = await web.visitor();
    await visitor.signedIn('/jobs');
  });
  after(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  it('shows a job with its failures first, its bill, its outputs with their digests, and a receipt that is proved in the page', async () => {
    const { page } = visitor;
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

  inLongRuns(it)(
    'has few rows of 10,000 tasks in the page, leads to the last of them, and finds those that failed',
    async () => {
      const { page } = visitor;
      const { jobId } = await visitor.write('/jobs/submit', noopJob(2));
      await page.goto(`/jobs/${jobId}`);
      await page.getByText('Done', { exact: true }).first().waitFor();
      await web.api.db.query(
        `insert into tasks (job_id, kind, ordinal, item_id, state, failure_code, failure_message)
       select $1, 'task', n, 'item ' || n, case when n % 4000 = 0 then 'FAILED' else 'SUCCEEDED' end,
         case when n % 4000 = 0 then 'TOOL_FAILED' end, case when n % 4000 = 0 then 'The tool ended.' end
       from generate_series(2, 9999) n`,
        [jobId],
      );
      await web.api.db.query(
        'update jobs set task_total = 10000, tasks_verified = 9998, tasks_failed = 2, version = version + 1 where id = $1',
        [jobId],
      );
      await page.reload();
      const rows = page.getByRole('table').getByRole('row');
      await page.getByRole('button', { name: 'Failed (2)' }).waitFor();
      for (const item of ['item 4000', 'item 8000']) await rows.filter({ hasText: item }).waitFor();
      expect(await rows.count()).to.equal(3);
      await page.getByRole('button', { name: 'All (10,000)' }).click();
      const region = page.getByRole('region', { name: 'Tasks' });
      const last = rows.filter({ hasText: 'item 9999' });
      await until(
        'the last task is reached',
        async () => {
          await region.evaluate((box: { scrollTop: number; scrollHeight: number }) => {
            box.scrollTop = box.scrollHeight;
          });
          expect(await rows.count()).to.be.lessThan(100);
          return last.isVisible();
        },
        60_000,
      );
      await page.getByRole('button', { name: 'Cancelled' }).click();
      await page.getByText('No task is like this.').waitFor();
      await web.api.db.query('delete from tasks where job_id = $1', [jobId]);
      await web.api.db.query('update jobs set tasks_failed = 0, version = version + 1 where id = $1', [
        jobId,
      ]);
      await page.reload();
      await page.getByText('The job ended before it had a task.').waitFor();
    },
  );

  it('shows how far a job is on a slow line, where more happens than can be read', async () => {
    const { page, context } = visitor;
    const { jobId } = await visitor.write('/jobs/submit', noopJob(TASKS, { seconds: 0.6 }));
    await page.goto(`/jobs/${jobId}`);
    const verified = page.getByText(/\d+ of \d+ verified/);
    const shown = async (): Promise<number> => Number.parseInt((await verified.textContent()) ?? '', 10);
    await until('tasks are done', async () => (await shown()) > 0);
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 2_500, downloadThroughput: -1, uploadThroughput: -1 },
    });
    const before = await shown();
    await until('the page goes on', async () => (await shown()) > before + 1);
    const status = await (await context.request.get(`/api/v1/jobs/${jobId}/status`)).json();
    expect(status.status).to.equal('RUNNING');
    await visitor.write(`/jobs/${jobId}/cancel`, {});
    await line.detach();
  });

  it('says in words what a job waits for that was shown before it waited', async () => {
    const { page } = visitor;
    const { jobId } = await visitor.write('/jobs/submit', noopJob(12, { seconds: 3 }));
    const url = `**/api/v1/jobs/${jobId}/status`;
    let wait: object | null = null;
    await page.route(url, async (route) => {
      const answer = await route.fetch();
      const told = await answer.json();
      await route.fulfill({ response: answer, json: wait === null ? told : { ...told, ...wait } });
    });
    await page.goto(`/jobs/${jobId}`);
    await page.getByText('Running').first().waitFor();
    const license = { software: 'maya', seats: 2, used: 2 };
    wait = {
      ...{ status: 'QUEUED', statusReason: 'LICENSE_SEATS' },
      queue: { position: 1, reason: 'LICENSE_SEATS', license },
    };
    await page.getByText('All seats of the licensed software that the job runs are taken').waitFor();
    await page.getByText('2 of 2').waitFor();
    expect(await page.getByText('LICENSE_SEATS').count()).to.equal(0);
    wait = { status: 'PROVISIONING', statusReason: 'INSTANCE_STARTING' };
    await page.getByText('The instances of the job were launched and boot').waitFor();
    await page.unroute(url);
    await visitor.write(`/jobs/${jobId}/cancel`, {});
  });

  it('says on its own page what is not there', async () => {
    const { page } = visitor;
    expect((await page.goto('/nowhere'))?.status()).to.equal(404);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.goto('/jobs/0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11');
    await page.getByText('There is no such thing here').waitFor();
  });
});
