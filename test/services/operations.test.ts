import { expect } from 'chai';
import { Registry } from 'prom-client';

import { registerOperationsMetrics } from '../../src/bin/process/operations-metrics.ts';
import { inRound, noteSchedules } from '../../src/services/operations/rounds.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

describe('what operators watch', () => {
  const home = suiteHome();
  /** The value of a series now; undefined where there is none. */
  const valueOf = async (series: string): Promise<number | undefined> => {
    const registry = new Registry();
    registerOperationsMetrics(registry, home.db, 0);
    const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };
  beforeEach(() => home.db.query('update jobs set finished_at = now() where finished_at is null'));

  it('counts open jobs by state, and tells for how long the oldest has been there', async () => {
    expect(await valueOf('dockyard_jobs{state="RUNNING",reason=""}')).to.equal(0);
    const { jobId } = await runningJob(home);
    expect(await valueOf('dockyard_jobs{state="RUNNING",reason=""}')).to.equal(1);
    await home.db.query(`update jobs set status_at = now() - interval '31 minutes' where id = $1`, [jobId]);
    expect(await valueOf('dockyard_job_oldest_seconds{state="RUNNING",reason=""}')).to.be.within(1860, 1900);
    // A change of anything but the state leaves the time; a change of the state begins anew.
    await home.db.query('update jobs set version = version + 1 where id = $1', [jobId]);
    expect(await valueOf('dockyard_job_oldest_seconds{state="RUNNING",reason=""}')).to.be.above(1800);
    await home.db.query(`update jobs set status = 'RECOVERING' where id = $1`, [jobId]);
    expect(await valueOf('dockyard_job_oldest_seconds{state="RECOVERING",reason=""}')).to.be.below(60);
  });

  it('shows jobs that wait for an operator until they do so no more', async () => {
    const series = 'dockyard_jobs{state="PAUSED",reason="OPERATOR"}';
    const { jobId } = await runningJob(home);
    await home.db.query(`update jobs set status = 'PAUSED', pause_reason = 'OPERATOR' where id = $1`, [
      jobId,
    ]);
    expect(await valueOf(series)).to.equal(1);
    await home.db.query(`update jobs set status = 'RUNNING', pause_reason = null where id = $1`, [jobId]);
    expect(await valueOf(series)).to.equal(undefined);
  });

  it('shows the queue, and what is granted beside what is launched', async () => {
    const { jobId } = await runningJob(home);
    const [before] = await home.db.query<{ granted: number }[]>(
      `select coalesce(sum(vcpus), 0)::int as granted from capacity_requests where state = 'GRANTED'`,
    );
    await home.db.query(
      `insert into capacity_requests (job_id, execution, account_id, vcpus, priority, state, requested_at)
       select id, n, account_id, 3, 0, state, now() - interval '3 hours'
       from jobs, (values (7, 'WAITING'), (8, 'GRANTED')) as asked (n, state) where id = $1`,
      [jobId],
    );
    expect(await valueOf('dockyard_capacity_waiting{priority="low"}')).to.equal(1);
    expect(await valueOf('dockyard_capacity_waiting{priority="high"}')).to.equal(0);
    expect(await valueOf('dockyard_capacity_oldest_seconds{priority="low"}')).to.be.within(10_800, 10_900);
    expect(await valueOf('dockyard_capacity_granted_vcpus')).to.equal((before?.granted ?? 0) + 3);
    expect(await valueOf('dockyard_instances_vcpus')).to.be.at.least(1);
    await home.db.query(`update capacity_requests set state = 'RELEASED' where job_id = $1`, [jobId]);
    expect(await valueOf('dockyard_capacity_oldest_seconds{priority="low"}')).to.equal(0);
  });

  it('shows rounds of schedules that fail, and since when none has succeeded', async () => {
    const failing = (): Promise<unknown> =>
      inRound(home.db, 'sweep', () => Promise.reject(new Error('no'))).catch((error: unknown) => error);
    expect(await failing()).to.be.instanceOf(Error);
    await failing();
    expect(await valueOf('dockyard_schedule_failures{schedule="sweep"}')).to.equal(2);
    expect(await valueOf('dockyard_schedule_age_seconds{schedule="sweep"}')).to.equal(undefined);
    expect(await inRound(home.db, 'sweep', () => Promise.resolve('done'))).to.equal('done');
    expect(await valueOf('dockyard_schedule_failures{schedule="sweep"}')).to.equal(0);
    await home.db.query(`update schedule_rounds set succeeded_at = now() - interval '40 minutes'`);
    await failing();
    expect(await valueOf('dockyard_schedule_age_seconds{schedule="sweep"}')).to.be.within(2_400, 2_500);
  });

  it('counts a schedule that never made a round from when it was first known', async () => {
    await noteSchedules(home.db, ['alerts']);
    await home.db.query(
      `update schedule_rounds set succeeded_at = now() - interval '2 hours' where schedule = 'alerts'`,
    );
    await noteSchedules(home.db, ['alerts', 'allowances']);
    expect(await valueOf('dockyard_schedule_age_seconds{schedule="alerts"}')).to.be.above(7_000);
    expect(await valueOf('dockyard_schedule_age_seconds{schedule="allowances"}')).to.be.below(60);
  });

  it('sums the holds of open jobs', async () => {
    expect(await valueOf('dockyard_holds_open')).to.equal(0);
    const { jobId } = await runningJob(home);
    const [hold] = await home.db.query<{ held: number }[]>(
      'select held_pence::int as held from holds where job_id = $1',
      [jobId],
    );
    expect(await valueOf('dockyard_holds_open')).to.equal(1);
    expect(await valueOf('dockyard_holds_open_pence')).to.equal(hold?.held);
  });

  it('shows recoveries of the last hour by cause', async () => {
    const { jobId } = await runningJob(home);
    await home.db.query(
      `insert into recoveries (id, job_id, execution, slot, generation, cause, tasks_kept, tasks_requeued, seconds_lost, created_at)
       select gen_random_uuid(), $1, 1, 0, 10 + n, 'INSTANCE_SILENT', 0, 0, 0, now() - n * interval '50 minutes'
       from generate_series(0, 2) n`,
      [jobId],
    );
    expect(await valueOf('dockyard_recoveries_last_hour{cause="INSTANCE_SILENT"}')).to.equal(2);
  });

  it('has no values where the database does not answer, and no zero', async () => {
    const registry = new Registry();
    const away = { query: () => Promise.reject(new Error('away')) };
    registerOperationsMetrics(registry, away as never, 0);
    expect(await registry.metrics()).to.not.match(/^dockyard_[a-z_]+(\{.*\})? \d/m);
  });
});
