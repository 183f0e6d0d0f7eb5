/**
 * What the sweep of instances ends, and what it leaves alone. The provider here lists what it is told to list and writes down what it
 * is to end; on a whole stack the sweep is in `test/faults/taken-up.test.ts`.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { InstanceDescription, InstanceProvider } from '../../src/adapters/instances/instances.ts';
import type { WorkflowEnd } from '../../src/adapters/temporal/client.ts';
import { sweepInstances } from '../../src/services/execution/instances/sweep.ts';
import type { SweepOptions } from '../../src/services/execution/instances/sweep.ts';
import { costOf } from '../../src/services/operations/instance-costs.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

const HOUR_MS = 3_600_000;

describe('the sweep of instances', () => {
  const home = suiteHome();
  let listed: InstanceDescription[] = [];
  let ended: string[] = [];
  let failing = new Set<string>();
  beforeEach(() => {
    [listed, ended, failing] = [[], [], new Set()];
  });

  const provider: Pick<InstanceProvider, 'name' | 'list' | 'terminate'> = {
    name: 'local',
    list: () => Promise.resolve(listed),
    terminate: async ({ token, providerId }) => {
      if (failing.has(token)) throw new Error('The provider is away.');
      expect(providerId).to.equal(`p-${token}`);
      ended.push(token);
      return true;
    },
  };
  const sweep = (options: SweepOptions = {}) =>
    sweepInstances(home.db, provider as InstanceProvider, options);
  const running = (token: string, ageMs = HOUR_MS): InstanceDescription => ({
    ...{ providerId: `p-${token}`, token, state: 'running' },
    launchedAt: new Date(Date.now() - ageMs).toISOString(),
  });
  /** A job with an instance that was launched an hour ago. */
  const withInstance = async (): Promise<{ jobId: string; token: string }> => {
    const { jobId } = await runningJob(home);
    const [row] = await home.db.query<{ launch_token: string }[]>(
      `with old as (update instances set launched_at = now() - interval '1 hour' where job_id = $1 returning launch_token)
       select * from old`,
      [jobId],
    );
    const token = row?.launch_token ?? '';
    listed.push(running(token));
    return { jobId, token };
  };
  const runs = (): Promise<WorkflowEnd | null> => Promise.resolve(null);

  it('leaves the current instance of an open job alone, whatever the clock of the provider says', async () => {
    const { token } = await withInstance();
    listed = [running(token, 30 * 24 * HOUR_MS)];
    expect(await sweep({ endOf: runs })).to.deep.equal([]);
    expect(ended).to.deep.equal([]);
  });

  it('ends what no row knows, once it is no launch under way any more', async () => {
    const [young, old] = [randomUUID(), randomUUID()];
    listed = [running(young, 60_000), running(old)];
    expect((await sweep({ endOf: runs })).map(({ token, cause }) => [token, cause])).to.deep.equal([
      [old, 'UNKNOWN'],
    ]);
    expect(ended).to.deep.equal([old]);
  });

  it('ends what is fenced, what has ended by its row, and what belongs to a job that rests', async () => {
    const [fenced, gone, paused] = [await withInstance(), await withInstance(), await withInstance()];
    await home.db.query(`update instances set fenced_at = now(), fence_cause = 'X' where job_id = $1`, [
      fenced.jobId,
    ]);
    await home.db.query(
      `update instances set state = 'TERMINATED', terminated_at = now(), fenced_at = now() where job_id = $1`,
      [gone.jobId],
    );
    await home.db.query(`update jobs set status = 'PAUSED', pause_reason = 'OPERATOR' where id = $1`, [
      paused.jobId,
    ]);
    const causes = new Map((await sweep({ endOf: runs })).map(({ token, cause }) => [token, cause]));
    expect(causes).to.deep.equal(
      new Map([
        [fenced.token, 'FENCED'],
        [gone.token, 'ENDED'],
        [paused.token, 'JOB_RESTS'],
      ]),
    );
    expect(ended).to.have.members([fenced.token, gone.token, paused.token]);
  });

  it('ends a drained instance five minutes after its notice, fenced as one that was taken away, and no sooner', async () => {
    const [late, early] = [await withInstance(), await withInstance()];
    const drain = (jobId: string, seconds: number): Promise<unknown> =>
      home.db.query('update instances set drained_at = now() - make_interval(secs => $2) where job_id = $1', [
        jobId,
        seconds,
      ]);
    await drain(late.jobId, 301);
    await drain(early.jobId, 290);
    const leaks = await sweep({ endOf: runs });
    expect(leaks.map(({ token, cause }) => [token, cause])).to.deep.equal([[late.token, 'DRAINED']]);
    expect(ended).to.deep.equal([late.token]);
    const [row] = await home.db.query<{ state: string; fence_cause: string; running: number }[]>(
      `select i.state, i.fence_cause, (select count(*)::int from tasks where job_id = $1 and state = 'RUNNING') as running
       from instances i where i.job_id = $1`,
      [late.jobId],
    );
    expect(row).to.deep.equal({ state: 'TERMINATED', fence_cause: 'PREEMPTED', running: 0 });
  });

  it('ends the instance of an open job that no workflow works on, fenced first, and its tasks are set back', async () => {
    const [lost, other] = [await withInstance(), await withInstance()];
    const asked: string[] = [];
    const endOf = async (jobId: string): Promise<WorkflowEnd | null> => {
      asked.push(jobId);
      return jobId === lost.jobId ? 'gone' : null;
    };
    const leaks = await sweep({ endOf });
    expect(leaks.map(({ token, cause }) => [token, cause])).to.deep.equal([[lost.token, 'WORKFLOW_GONE']]);
    expect(ended).to.deep.equal([lost.token]);
    expect(asked).to.have.members([lost.jobId, other.jobId]);
    const [row] = await home.db.query<
      { state: string; fence_cause: string; running: number; losses: number }[]
    >(
      `select i.state, i.fence_cause, (select count(*)::int from tasks where job_id = $1 and state = 'RUNNING') as running,
         (select count(*)::int from recoveries where job_id = $1 and cause = 'CONTROL_LOST') as losses
       from instances i where i.job_id = $1`,
      [lost.jobId],
    );
    expect(row).to.deep.equal({ state: 'TERMINATED', fence_cause: 'CONTROL_LOST', running: 0, losses: 1 });
  });

  it('keeps the instances of open jobs where Temporal does not answer, or is not asked', async () => {
    await withInstance();
    expect(await sweep()).to.deep.equal([]);
    const away = await sweep({ endOf: () => Promise.reject(new Error('Temporal is away.')) }).catch(
      (error: unknown) => error,
    );
    expect(away).to.include({ message: 'Temporal is away.' });
    expect(ended).to.deep.equal([]);
  });

  it('only tells what it would end with a dry run', async () => {
    const { jobId, token } = await withInstance();
    const unknown = randomUUID();
    listed.push(running(unknown));
    const told = await sweep({ dryRun: true, endOf: () => Promise.resolve('failed') });
    expect(told.map(({ cause }) => cause)).to.have.members(['WORKFLOW_GONE', 'UNKNOWN']);
    expect(ended).to.deep.equal([]);
    const [row] = await home.db.query<{ state: string; fenced: boolean }[]>(
      'select state, fenced_at is not null as fenced from instances where launch_token = $1 and job_id = $2',
      [token, jobId],
    );
    expect(row).to.deep.equal({ state: 'RUNNING', fenced: false });
  });

  it('ends all the others where one cannot be ended, over more than a page, and fails', async () => {
    const tokens = Array.from({ length: 1_200 }, () => randomUUID());
    listed = tokens.map((token) => running(token));
    failing = new Set(tokens.slice(0, 1));
    const error = await sweep().catch((thrown: unknown) => thrown);
    expect(error).to.include({ message: '1 instances of local could not be ended.' });
    expect(ended).to.have.members(tokens.slice(1));
  });
});

describe('what an instance costs', () => {
  const book = loadPriceBook();
  const launchedAt = new Date('2026-11-01T00:00:00Z');
  const now = new Date('2026-11-01T12:00:00Z');
  const [name, type] = Object.entries(book.instanceTypes)[0] ?? ['', undefined];
  const perHour = { ON_DEMAND: type?.onDemandMicroUsdPerHour ?? 0, SPOT: type?.spotMicroUsdPerHour ?? 0 };

  it('is the price of its type and market from launch to end, and that of a day while it lives', () => {
    for (const market of ['ON_DEMAND', 'SPOT'] as const) {
      const instance = { instanceType: name, market, launchedAt };
      expect(costOf({ ...instance, terminatedAt: null }, book, now)).to.deep.equal({
        ageSeconds: 43_200,
        costMicroUsd: 12 * perHour[market],
        costPerDayMicroUsd: 24 * perHour[market],
      });
      const terminatedAt = new Date('2026-11-01T01:00:00Z');
      expect(costOf({ ...instance, terminatedAt }, book, now)).to.deep.equal({
        ...{ ageSeconds: 3600, costMicroUsd: perHour[market], costPerDayMicroUsd: null },
      });
    }
    expect(perHour.SPOT).to.be.below(perHour.ON_DEMAND);
  });

  it('is not known of a type that the price book does not have', () => {
    for (const instanceType of [null, 'none.such'])
      expect(
        costOf({ instanceType, market: 'ON_DEMAND', launchedAt, terminatedAt: null }, book, now),
      ).to.include({ costMicroUsd: null, costPerDayMicroUsd: null });
  });
});
