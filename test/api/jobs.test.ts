/** A job as its customer sees it: list, status, tasks, outputs, log, cancel. */
import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import type { OutputItem } from '../../src/client/index.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, sha256, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';

describe('jobs', () => {
  let api: TestApi;
  let owner: NewAccount;
  let stranger: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    [owner, stranger] = await Promise.all([api.account(), api.account()]);
  });
  const get = (path: string, headers: Record<string, string> = {}, key = owner.liveKey): Promise<Answer> =>
    api.call(key, 'GET', path, undefined, { headers });
  const start = async (body: Record<string, unknown>): Promise<string> => {
    const answer = await api.submit(owner.liveKey, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.jobId;
  };

  describe('a job that ends well in part', () => {
    let jobId: string;
    before(async () => {
      jobId = await start({
        ...noopJob(5, { seconds: 0.3, outputBytes: 50, fail: [{ index: 3, kind: 'error' }] }),
        jobName: 'five of them',
      });
      await api.reaches(owner.liveKey, jobId, 'PARTIALLY_SUCCEEDED');
    });

    it('names the key that submitted it', async () => {
      const [row] = await api.db.query<unknown[]>(
        `select j.caller_kind, k.environment, k.last4 from jobs j join api_keys k on k.id = j.caller_id where j.id = $1`,
        [jobId],
      );
      expect(row).to.deep.equal({ caller_kind: 'key', environment: 'live', last4: owner.liveKey.slice(-4) });
    });

    it('status tells counts, money and failures', async () => {
      const { body } = await get(`jobs/${jobId}/status`);
      expect(body).to.deep.include({
        jobId,
        jobType: 'simulation',
        jobName: 'five of them',
        execution: 1,
        provider: 'inprocess',
        pauseReason: null,
        queue: null,
        outputsAvailable: true,
        warnings: [],
      });
      expect(body.progress).to.deep.equal({
        unit: 'task',
        total: 5,
        completed: 4,
        failed: 1,
        running: 0,
        percent: 100,
        etaSeconds: null,
      });
      expect(body.cost).to.deep.equal({
        estimatedCost: 0.07,
        accruedCost: 0.06,
        currency: 'GBP',
        creditCurrency: 'GBP',
        fxRate: 1,
        heldCents: 7,
        chargedCents: 6,
        releasedCents: 1,
        limitCents: null,
        ...{ forecast: null, toFinishCents: 1, toFinishFailsAgain: true },
        toFinishAdvice:
          'Read the failures. What is missing has failed for its input, and a resume would end in the same way: submit it as a new job with another input.',
      });
      expect(body.failures).to.have.length(1);
      expect(body.failures[0]).to.include({ index: 3, id: '3', code: 'NOOP_ERROR', attempts: 1 });
      expect(body.recovery).to.deep.equal({
        mode: 'standard',
        ...{ resumable: true, resumableReason: null },
        recoveries: 0,
        tasksSetBack: 0,
        secondsLost: 0,
        chargedCents: 0,
        events: [],
      });
      for (const time of ['submittedAt', 'startedAt', 'updatedAt', 'finishedAt'])
        expect(Date.parse(body[time])).to.be.a('number').above(0);
    });

    it('its bill comes to what was charged, with the transfers that the list of transactions has', async () => {
      const { status, body } = await get(`jobs/${jobId}/bill`);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.include({ jobId, creditCurrency: 'GBP', chargedCents: 6 });
      const [execution] = body.executions;
      expect(execution).to.include({ execution: 1, outcome: 'PARTIALLY_SUCCEEDED', totalMicro: 60_000 });
      expect(execution).to.include({ dueCents: 6, chargedCents: 6, heldCents: 7, releasedCents: 1 });
      const { transactions } = (await get(`credits/transactions?jobId=${jobId}`)).body;
      const ids = transactions.map(({ id }: { id: string }) => id.split(':')[0]);
      for (const { transferId } of execution.transfers) expect(ids).to.include(transferId);
    });

    it('status answers 304 while nothing changes, and a long poll ends on time', async () => {
      const { headers } = await get(`jobs/${jobId}/status`);
      const etag = headers.get('etag') ?? '';
      expect((await get(`jobs/${jobId}/status`, { 'if-none-match': etag })).status).to.equal(304);
      const startedAt = performance.now();
      expect(
        (await get(`jobs/${jobId}/status`, { 'if-none-match': etag, prefer: 'wait=1' })).status,
      ).to.equal(304);
      expect(performance.now() - startedAt).to.be.within(900, 30_000);
    });

    it('tasks come by index, in pages', async () => {
      const first = await get(`jobs/${jobId}/tasks?limit=3`);
      expect(first.body.tasks.map((task: { index: number }) => task.index)).to.deep.equal([0, 1, 2]);
      expect(first.body.tasks[0]).to.include({
        id: '0',
        state: 'SUCCEEDED',
        attempts: 1,
        progressPercent: 100,
        failure: null,
      });
      const second = await get(`jobs/${jobId}/tasks?limit=100&cursor=${first.body.nextCursor}`);
      expect(second.body.tasks.map((task: { state: string }) => task.state)).to.deep.equal([
        'FAILED',
        'SUCCEEDED',
      ]);
      expect(second.body.tasks[0].failure).to.include({ code: 'NOOP_ERROR' });
      expect(second.body.nextCursor).to.equal(null);
      for (const other of ['jobs', `jobs/${jobId}/outputs`, 'credits/transactions', 'uploads']) {
        const refused = await get(`${other}?cursor=${first.body.nextCursor}`);
        expect(refused.status, other).to.equal(400);
        expect(refused.body.error).to.contain('Send nextCursor unchanged');
      }
    });

    it('outputs come in pages, with URLs that give the digested bytes, and a manifest', async () => {
      const first = await get(`jobs/${jobId}/outputs?limit=2&kind=result`);
      expect(first.body).to.deep.include({
        jobId,
        status: 'PARTIALLY_SUCCEEDED',
        complete: false,
        final: true,
        expected: 5,
        present: 4,
        failed: ['3'],
        failedCount: 1,
        missing: [],
        missingCount: 0,
      });
      const second = await get(`jobs/${jobId}/outputs?limit=2&kind=result&cursor=${first.body.nextCursor}`);
      const outputs = [...first.body.outputs, ...second.body.outputs];
      expect(outputs.map((output) => output.taskIndex)).to.deep.equal([0, 1, 2, 4]);
      expect(second.body.nextCursor).to.equal(null);
      for (const output of outputs) {
        const bytes = new Uint8Array(await (await fetch(output.url)).arrayBuffer());
        expect(sha256(bytes)).to.equal(output.sha256);
        expect(output).to.include({ name: 'result.bin', kind: 'result', byteSize: 50 });
      }
      const manifest = JSON.parse(await (await fetch(first.body.manifest.url)).text());
      expect(manifest.outputs).to.have.length(4);
    });

    it('outputs since a time are those committed after it, also by the time that an answer gave', async () => {
      const since = async (time: string, more = ''): Promise<Answer> =>
        get(`jobs/${jobId}/outputs?kind=result&since=${encodeURIComponent(time)}${more}`);
      const times = ({ body }: Answer): string[] =>
        body.outputs.map((output: { createdAt: string }) => output.createdAt);
      const all = times(await since('1970-01-01T00:00:00Z'));
      expect(all).to.have.length(4);
      expect(all, 'in the order of commits').to.deep.equal([...all].sort());
      for (const [index, time] of all.entries())
        expect(times(await since(time)), `since ${time}`).to.deep.equal(all.slice(index + 1));
      const first = await since(all[0] ?? '', '&limit=2');
      const second = await since(all[0] ?? '', `&limit=2&cursor=${first.body.nextCursor}`);
      expect([...times(first), ...times(second)]).to.deep.equal(all.slice(1));
      const inAnotherZone = (all[0] ?? '').replace('Z', '-00:00');
      expect(times(await since(inAnotherZone))).to.deep.equal(all.slice(1));
      expect((await since('yesterday')).body).to.include({ code: 'VALIDATION_ERROR' });
    });

    it('the log of a task is read whole and by ranges', async () => {
      const path = `jobs/${jobId}/tasks/3/log`;
      const whole = await get(path);
      expect(whole.status).to.equal(200);
      expect(whole.body).to.include('fails by error');
      const part = await get(path, { range: 'bytes=5-8' });
      expect(part.status).to.equal(206);
      expect(part.body).to.equal(whole.body.slice(5, 9));
      expect(part.headers.get('content-range')).to.equal(`bytes 5-8/${whole.body.length}`);
      expect((await get(path, { range: `bytes=${whole.body.length}-` })).status).to.equal(416);
      expect((await get(`jobs/${jobId}/tasks/0/log`)).body).to.equal('');
      expect((await get(`jobs/${jobId}/tasks/5/log`)).status).to.equal(404);
    });

    it('a cancel after the end changes nothing', async () => {
      const before = await get(`jobs/${jobId}/status`);
      const answer = await api.call(owner.liveKey, 'POST', `jobs/${jobId}/cancel`);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.include({ jobId, status: 'PARTIALLY_SUCCEEDED', cancelRequestedAt: null });
      expect((await get(`jobs/${jobId}/status`)).headers.get('etag')).to.equal(before.headers.get('etag'));
    });
  });

  describe('a job that runs', () => {
    it('is followed by a long poll, and its money is held until the end', async () => {
      const jobId = await start(noopJob(2, { seconds: 1.5 }));
      const seen: string[] = [];
      let etag = '';
      await until(
        'the job ends',
        async () => {
          const answer = await get(
            `jobs/${jobId}/status`,
            etag === '' ? {} : { 'if-none-match': etag, prefer: 'wait=10' },
          );
          if (answer.status === 304) return false;
          etag = answer.headers.get('etag') ?? '';
          if (seen.at(-1) !== answer.body.status) seen.push(answer.body.status);
          if (answer.body.status === 'RUNNING')
            expect(answer.body.cost).to.include({ heldCents: 4, chargedCents: 0, releasedCents: 0 });
          return answer.body.finishedAt !== null;
        },
        180_000,
      );
      expect(seen.at(-1)).to.equal('SUCCEEDED');
      expect(seen).to.include('RUNNING');
      const balance = await get('credits/balance');
      expect(balance.body.held_cents).to.equal(0);
    });

    it('is followed by its outputs until nothing more comes, although some never come', async () => {
      const jobId = await start(noopJob(3, { seconds: 2, fail: [{ index: 1, kind: 'error' }] }));
      const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.liveKey });
      const early = await client.listOutputs(jobId);
      expect(early).to.deep.include({ complete: false, final: false, expected: 3, present: 0 });
      expect(early.failedCount + early.missingCount).to.equal(3);

      const seen: OutputItem[] = [];
      for await (const output of client.followOutputs(jobId)) seen.push(output);
      const all = await client.listOutputs(jobId);
      expect(all).to.deep.include({ complete: false, final: true, expected: 3, present: 2, failed: ['1'] });
      expect(all).to.deep.include({ missing: [], missingCount: 0, nextCursor: null });
      expect(seen.map((one) => one.artifactId)).to.have.members(all.outputs.map((one) => one.artifactId));
      expect(seen.map((one) => one.kind).sort()).to.deep.equal(['manifest', 'result', 'result']);
    });

    it('stops when it is cancelled; complete outputs are kept and charged, the rest is released', async () => {
      const jobId = await start(noopJob(40, { seconds: 0.5 }));
      await until(
        'a task is verified',
        async () => (await get(`jobs/${jobId}/status`)).body.progress.completed > 0,
        30_000,
      );
      const answer = await api.call(owner.liveKey, 'POST', `jobs/${jobId}/cancel`, {
        reason: 'wrong receptor',
      });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(202);
      expect(answer.body.cancelRequestedAt).to.be.a('string');
      const repeat = await api.call(owner.liveKey, 'POST', `jobs/${jobId}/cancel`);
      expect(repeat.status).to.be.oneOf([200, 202]);
      expect(repeat.body.cancelRequestedAt).to.equal(answer.body.cancelRequestedAt);
      const { body } = await api.reaches(owner.liveKey, jobId, 'CANCELLED');
      const { heldCents, chargedCents, releasedCents } = body.cost as Record<string, number>;
      expect(chargedCents).to.equal(Number(body.progress.completed) + 2);
      expect(releasedCents).to.equal(Number(heldCents) - Number(chargedCents));
      const outputs = await get(`jobs/${jobId}/outputs?kind=result`);
      const completed = Number(body.progress.completed);
      expect(outputs.body.outputs).to.have.length(completed);
      expect(outputs.body).to.deep.include({ complete: false, final: true, failed: [], failedCount: 0 });
      expect(outputs.body).to.include({ expected: 40, present: completed, missingCount: 40 - completed });
      expect(outputs.body.missing, 'they were never run').to.have.length(40 - completed);
    });
  });

  describe('jobs that wait', () => {
    // `test/services/status.test.ts` shows the places by rows.
    inLongRuns(it)('are told their places in the order in which they are granted', async () => {
      const [busy, light, idle] = [await api.account(), await api.account(), await api.account()];
      await until(
        'the jobs of other tests have given their capacity back',
        async () =>
          (await api.db.query<unknown[]>(`select 1 from capacity_requests where state <> 'RELEASED'`))
            .length === 0,
        180_000,
      );
      const submitted: { readonly key: string; readonly jobId: string }[] = [];
      const submit = async ({ liveKey: key }: NewAccount): Promise<string> => {
        const { status, body } = await api.submit(key, noopJob(2, { seconds: 120 }));
        expect(status, JSON.stringify(body)).to.equal(200);
        submitted.push({ key, jobId: body.jobId });
        return body.jobId;
      };
      const queueOf = async ({ liveKey }: NewAccount, jobId: string): Promise<unknown> =>
        (await get(`jobs/${jobId}/status`, {}, liveKey)).body.queue;
      const isWaiting = (of: NewAccount, jobId: string): Promise<void> =>
        until('its reason is known', async () =>
          JSON.stringify(await queueOf(of, jobId)).includes('"CAPACITY"'),
        );
      try {
        // The jobs have two vCPUs each, eight in all.
        const running = [await submit(light), await submit(busy), await submit(busy), await submit(busy)];
        for (const [index, jobId] of running.entries())
          await api.reaches((index === 0 ? light : busy).liveKey, jobId, 'PROVISIONING', 'RUNNING');
        const older = await submit(light);
        await isWaiting(light, older);
        expect(await queueOf(light, older)).to.deep.equal({ position: 1, reason: 'CAPACITY' });
        const younger = await submit(idle);
        await isWaiting(idle, younger);
        expect(await queueOf(idle, younger)).to.deep.equal({ position: 1, reason: 'CAPACITY' });
        expect(await queueOf(light, older)).to.deep.equal({ position: 2, reason: 'CAPACITY' });

        await api.call(busy.liveKey, 'POST', `jobs/${running[1] ?? ''}/cancel`);
        await api.reaches(idle.liveKey, younger, 'PROVISIONING', 'RUNNING');
        await until(
          'the other one is the first',
          async () => JSON.stringify(await queueOf(light, older)) === '{"position":1,"reason":"CAPACITY"}',
        );
      } finally {
        await Promise.all(submitted.map(({ key, jobId }) => api.call(key, 'POST', `jobs/${jobId}/cancel`)));
      }
      await Promise.all(submitted.map(({ key, jobId }) => api.reaches(key, jobId, 'CANCELLED')));
    });
  });

  describe('GET /jobs', () => {
    it('lists newest first, in pages, with filters', async () => {
      const lister = await api.account();
      const ids: string[] = [];
      for (const jobName of ['alpha 1', 'alpha 2', 'beta 3']) {
        const answer = await api.submit(lister.liveKey, { ...noopJob(), jobName });
        ids.unshift(answer.body.jobId);
      }
      const list = (query: string): Promise<Answer> => get(`jobs?${query}`, {}, lister.liveKey);
      const idsOf = ({ body }: Answer): string[] => body.jobs.map((job: { jobId: string }) => job.jobId);
      expect(idsOf(await list(''))).to.deep.equal(ids);
      const first = await list('limit=2');
      expect(idsOf(first)).to.deep.equal(ids.slice(0, 2));
      const second = await list(`limit=2&cursor=${first.body.nextCursor}`);
      expect(idsOf(second)).to.deep.equal(ids.slice(2));
      expect(second.body.nextCursor).to.equal(null);
      expect(idsOf(await list('jobName=alpha'))).to.deep.equal(ids.slice(1));
      expect(idsOf(await list('simulator=NOOP&jobType=simulation'))).to.deep.equal(ids);
      expect(idsOf(await list('jobType=render'))).to.deep.equal([]);
      const times: string[] = (await list('')).body.jobs.map((job: { createdAt: string }) => job.createdAt);
      for (const [index, createdAt] of times.entries()) {
        const time = encodeURIComponent(createdAt);
        expect(idsOf(await list(`createdAfter=${time}`)), `after ${createdAt}`).to.deep.equal(
          ids.slice(0, index),
        );
        expect(idsOf(await list(`createdBefore=${time}`)), `before ${createdAt}`).to.deep.equal(
          ids.slice(index + 1),
        );
      }
      expect(
        idsOf(
          await list('createdAfter=2026-01-01T00:00:00%2B02:00&createdBefore=2100-01-01t00:00:00.1234567z'),
        ),
      ).to.deep.equal(ids);
      await Promise.all(ids.map((id) => api.reaches(lister.liveKey, id, 'SUCCEEDED')));
      const [done] = (await list('status=SUCCEEDED&limit=1')).body.jobs;
      expect(done).to.include({
        jobId: ids[0],
        jobName: 'beta 3',
        status: 'SUCCEEDED',
        simulator: 'noop',
        progressPercent: 100,
        estimatedCost: 0.03,
        currency: 'GBP',
        chargedCents: 3,
        creditCurrency: 'GBP',
      });
      for (const query of [
        'limit=0',
        'limit=101',
        'cursor=nonsense',
        'status=DONE',
        'createdAfter=yesterday',
        'createdAfter=2026-02-30T00:00:00Z',
        'createdAfter=2026-01-31T00:00:00',
        `status=SUCCEEDED&limit=2&cursor=${first.body.nextCursor}`,
        'colour=red',
      ]) {
        expect((await list(query)).body, query).to.include({ code: 'VALIDATION_ERROR' });
      }
    });
  });

  describe('POST /jobs/estimate', () => {
    it('prices with any key, and holds nothing', async () => {
      const job = { jobType: 'simulation', simulator: 'noop', taskCount: 40 };
      const answer = await api.call(stranger.testKey, 'POST', 'jobs/estimate', job);
      expect(answer.status).to.equal(200);
      const { quoteId: _quote, quoteExpiresAt: _end, ...price } = answer.body;
      expect(price).to.deep.equal({
        estimatedCost: 0.42,
        currency: 'GBP',
        hasLicenseFee: false,
        licenseNames: [],
        heldCents: 42,
        ceilingCents: 42,
        longestTaskSeconds: 11,
        creditCurrency: 'GBP',
        fxRate: 1,
        fxSource: null,
        fxDate: null,
        warnings: [],
        breakdown: { compute: 0.4, software: 0, storage: 0, egress: 0, startFee: 0.02 },
      });
      expect((await get('credits/balance', {}, stranger.testKey)).body.held_cents).to.equal(0);
    });
  });
});
