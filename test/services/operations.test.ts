import { expect } from 'chai';
import { Registry } from 'prom-client';

import { registerOperationsMetrics } from '../../src/bin/process/operations-metrics.ts';
import { watchFences, watchInstances, watchProvider } from '../../src/bin/process/watched.ts';
import { AppError } from '../../src/domain/errors.ts';
import { createFenceMetrics } from '../../src/metrics/fences.ts';
import { createInstanceMetrics } from '../../src/metrics/instances.ts';
import { createSweepMetrics } from '../../src/metrics/sweeps.ts';
import { replaceInstance } from '../../src/services/execution/instances/replace.ts';
import { inRound, noteFindings, noteSchedules } from '../../src/services/operations/rounds.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

const codeOf = (error: unknown): unknown => (error instanceof AppError ? error.code : error);

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
    expect(await valueOf('dockyard_capacity_waiting{priority="low",class="cpu"}')).to.equal(1);
    expect(await valueOf('dockyard_capacity_waiting{priority="high",class="cpu"}')).to.equal(0);
    expect(await valueOf('dockyard_capacity_oldest_seconds{priority="low",class="cpu"}')).to.be.within(
      10_800,
      10_900,
    );
    expect(await valueOf('dockyard_capacity_granted_vcpus')).to.equal((before?.granted ?? 0) + 3);
    expect(await valueOf('dockyard_instances_vcpus')).to.be.at.least(1);
    await home.db.query(`update capacity_requests set state = 'RELEASED' where job_id = $1`, [jobId]);
    expect(await valueOf('dockyard_capacity_oldest_seconds{priority="low",class="cpu"}')).to.equal(0);
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

  it('shows what instances do, and what became of the launches and grants of the last hour', async () => {
    await home.db.query(
      `update instances set state = 'TERMINATED', launched_at = now() - interval '2 hours'`,
    );
    await home.db.query(`update capacity_requests set granted_at = now() - interval '2 hours'`);
    const { jobId } = await runningJob(home);
    await home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus, last_contact_at, fenced_at, fence_cause, launched_at)
       select $1, slot, 1, 'local', gen_random_uuid(), state, 1, contact, fenced, cause, now() - age from (values
         (1, 'RUNNING', now(), null::timestamptz, null, interval '1 minute'), (2, 'RUNNING', null, null, null, interval '1 minute'),
         (3, 'TERMINATED', null, now(), 'INSTANCE_SILENT', interval '2 minutes'), (4, 'TERMINATED', null, now(), 'PAUSED', interval '2 minutes'),
         (5, 'TERMINATED', now(), now(), 'INSTANCE_SILENT', interval '2 minutes'), (6, 'TERMINATED', null, now(), 'INSTANCE_SILENT', interval '2 hours')
       ) as made (slot, state, contact, fenced, cause, age)`,
      [jobId],
    );
    await home.db.query(`update instances set last_contact_at = now() where job_id = $1 and slot = 0`, [
      jobId,
    ]);
    await home.db.query(
      `insert into capacity_requests (job_id, execution, account_id, vcpus, priority, state, granted_at)
       select id, 9, account_id, 1, 0, 'GRANTED', now() from jobs where id = $1`,
      [jobId],
    );
    const work = (name: string): Promise<number | undefined> =>
      valueOf(`dockyard_instances_by_work{work="${name}"}`);
    expect([await work('at_work'), await work('idle'), await work('starting')]).to.deep.equal([1, 1, 1]);
    expect(await valueOf('dockyard_launches_last_hour')).to.equal(6);
    expect(await valueOf('dockyard_launch_failures_last_hour{cause="INSTANCE_SILENT"}')).to.equal(1);
    expect(await valueOf('dockyard_launch_failures_last_hour{cause="INSTANCE_GONE"}')).to.equal(0);
    expect(await valueOf('dockyard_capacity_grants_last_hour')).to.equal(1);
    const registry = new Registry();
    registerOperationsMetrics(registry, home.db, 0);
    await registry.metrics();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [, seconds] = /seconds_total\{work="idle"\} (\S+)/.exec(await registry.metrics()) ?? [];
    expect(Number(seconds), 'one idle instance').to.be.within(0.05, 5);
  });

  it('shows the tasks that are run again, and what the last audit has found', async () => {
    const { jobId } = await runningJob(home);
    const before = (await valueOf('dockyard_tasks_redone_last_hour')) ?? 0;
    await replaceInstance(home.db, { jobId, slot: 0, generation: 1, execution: 1, cause: 'INSTANCE_GONE' });
    expect(await valueOf('dockyard_tasks_redone_last_hour')).to.equal(before + 1);
    const found = ['holds-cover', 'holds-cover', 'open-job-has-workflow'].map((check) => ({ check }));
    await noteFindings(home.db, 'ledger-audit', found);
    expect(await valueOf('dockyard_ledger_imbalance{check="holds-cover"}')).to.equal(2);
    expect(await valueOf('dockyard_ledger_imbalance{check="open-job-has-workflow"}')).to.equal(1);
    await noteFindings(home.db, 'ledger-audit', []);
    expect(await valueOf('dockyard_ledger_imbalance{check="holds-cover"}')).to.equal(undefined);
  });

  it('counts how inquiries, boots and calls of providers and instances end, and changes nothing of them', async () => {
    const registry = new Registry();
    const instances = createInstanceMetrics(registry);
    const { jobId } = await runningJob(home);
    const id = { jobId, slot: 0, generation: 1 };
    const verdicts = [
      { state: 'alive', cause: 'CONTACT' },
      { state: 'lost', cause: 'INSTANCE_SILENT' },
    ] as const;
    const answers = verdicts.values();
    const answer = (): Promise<unknown> => Promise.resolve(answers.next().value);
    const watched = watchInstances(
      { inquireInstance: answer, awaitInstance: () => Promise.resolve(verdicts[0]) } as never,
      home.db,
      instances,
    );
    expect(await watched.inquireInstance(id)).to.equal(verdicts[0]);
    expect(await watched.inquireInstance(id)).to.equal(verdicts[1]);
    expect(await watched.awaitInstance(id)).to.equal(verdicts[0]);
    const failing = { ensure: () => Promise.reject(new Error('no')), describe: () => Promise.resolve(null) };
    const provider = watchProvider(failing as never, instances);
    expect(await provider.ensure({} as never).catch((error: unknown) => String(error))).to.equal('Error: no');
    expect(await provider.describe('token')).to.equal(null);
    await replaceInstance(home.db, { ...id, execution: 1, cause: 'INSTANCE_SILENT' });
    const fenced = (): Promise<never> => Promise.reject(new AppError('FENCED', 'fenced'));
    const gateway = watchFences(
      { contact: fenced, claim: fenced } as never,
      home.db,
      createFenceMetrics(registry),
    );
    for (const claims of [id, { ...id, generation: 2 }])
      expect(await gateway.contact({ ...claims, expiresAt: 0 }, { running: [] }).catch(codeOf)).to.equal(
        'FENCED',
      );
    expect(await gateway.claim({ ...id, expiresAt: 0 }, {} as never).catch(codeOf)).to.equal('FENCED');
    const lines = (await registry.metrics()).split('\n');
    expect(lines).to.include.members([
      ...['dockyard_contacts_lost_total{end="back"} 1', 'dockyard_contacts_lost_total{end="silent"} 1'],
      ...['dockyard_contacts_lost_total{end="gone"} 0', 'dockyard_instance_boot_seconds_count 1'],
      ...['dockyard_provider_failures_total{call="ensure"} 1'],
      ...['dockyard_provider_failures_total{call="describe"} 1', 'dockyard_false_recoveries_total 1'],
      ...['dockyard_fence_refusals_total{call="contact"} 2', 'dockyard_fence_refusals_total{call="claim"} 1'],
    ]);
  });

  it('counts the steps of the sweep that failed by a closed list', async () => {
    const registry = new Registry();
    const count = createSweepMetrics(registry);
    for (const step of ['instances of local', 'instances of cloud', 'uploads', 'a new step']) count(step);
    const lines = (await registry.metrics()).split('\n');
    expect(lines).to.include.members([
      ...[
        'dockyard_sweep_failures_total{step="instances"} 2',
        'dockyard_sweep_failures_total{step="uploads"} 1',
      ],
      ...['dockyard_sweep_failures_total{step="other"} 1', 'dockyard_sweep_failures_total{step="events"} 0'],
    ]);
  });

  it('has no values where the database does not answer, and no zero', async () => {
    const registry = new Registry();
    const away = { query: () => Promise.reject(new Error('away')) };
    registerOperationsMetrics(registry, away as never, 0);
    expect(await registry.metrics()).to.not.match(/^dockyard_[a-z_]+(\{.*\})? \d/m);
  });
});
