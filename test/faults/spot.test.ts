/**
 * What `recovery.mode` changes, on a provider with a spot market of one place: a standard job never asks for it; a resumable job is
 * priced by it, takes the place, waits for another one no longer than the setting says, and then gets an instance on demand at
 * the same price. A spot instance that is taken away is replaced.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { endsWell } from '../support/faults/aftermath.ts';
import { ledgerOf, standingOf, startsOf, submitNoop, untilVerified } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { takeAway } from '../support/faults/spot.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { tuned } from '../support/tuning.ts';

const WAIT_SECONDS = 2;
const TASKS = 24;
const NOTICE_SECONDS = 20;

interface InstanceRow {
  readonly slot: number;
  readonly generation: number;
  readonly market: string;
  readonly fence_cause: string | null;
  readonly provider_id: string | null;
}

describe('a provider with one spot place', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await openFaultWorld({
      settings: {
        DOCKYARD_COMPUTE_SPOT_PLACES: '1',
        ...tuned({ spotWaitSeconds: WAIT_SECONDS }),
        DOCKYARD_MAX_INSTANCES_PER_JOB: '2',
      },
    });
  });
  after(async function () {
    this.timeout(240_000);
    await endTestStack(world.stack);
  });

  const instancesOf = ({ jobId }: Pick<FaultJob, 'jobId'>): Promise<InstanceRow[]> =>
    world.rows(
      'select slot, generation, market, fence_cause, provider_id from instances where job_id = $1 order by slot, generation',
      [jobId],
    );
  const runningOf = async (job: FaultJob, market: string): Promise<InstanceRow | undefined> => {
    const rows = await instancesOf(job);
    return rows.find(
      (row) =>
        row.market === market &&
        row.fence_cause === null &&
        world.stack.pid(`instance/${String(row.provider_id)}`) !== undefined,
    );
  };
  /** Waits until an instance has drained and is fenced, and its successor has a row. That the row comes first is shown without a race in test/workflows. */
  const untilReplaced = (job: FaultJob, { slot, generation }: InstanceRow): Promise<void> =>
    until(
      'the instance that was taken away has drained',
      async () => {
        const [row] = await world.rows<{ readonly isDone: boolean }>(
          `select a.drained_at < a.fenced_at and b.generation is not null as "isDone" from instances a
           left join instances b on b.job_id = a.job_id and b.slot = a.slot and b.generation = a.generation + 1
           where a.job_id = $1 and a.slot = $2 and a.generation = $3`,
          [job.jobId, slot, generation],
        );
        return row?.isDone === true;
      },
      RECOVERY_MS,
    );
  /** Runs a command of the operator; answers its text, or its data where it is asked for JSON. */
  const admin = async (...args: string[]): Promise<string> => {
    const entry = join(repositoryRoot, 'src', 'bin', 'dockyard.ts');
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...KEPT_MODULES };
    const { stdout } = await promisify(execFile)(process.execPath, [entry, 'admin', ...args], {
      env: { ...env, DOCKYARD_HOME: world.stack.home },
    });
    return stdout;
  };

  it('gives a standard job instances on demand alone', async () => {
    const job = await submitNoop(world, { tasks: 4, seconds: 0.2 });
    await endsWell(world, job, 4);
    const markets = (await instancesOf(job)).map(({ market }) => market);
    expect(new Set(markets)).to.deep.equal(new Set(['ON_DEMAND']));
  });

  it('gives a resumable job its place, and one instance on demand after the wait; both at the price that was held', async () => {
    const job = await submitNoop(world, { tasks: TASKS, seconds: 1.5, mode: 'resumable' });
    const startedAt = performance.now();
    await until(
      'the spot place is taken',
      async () => (await runningOf(job, 'SPOT')) !== undefined,
      RECOVERY_MS,
    );
    await until(
      'the second instance is on demand',
      async () => (await runningOf(job, 'ON_DEMAND')) !== undefined,
      RECOVERY_MS,
    );
    const waited = (performance.now() - startedAt) / 1000;
    expect(waited, 'seconds until the instance on demand').to.be.at.least(WAIT_SECONDS);
    measured('no second spot place', { onDemandAfterSeconds: waited });

    const [listed, shown] = [await admin('instances', '--json'), await admin('jobs', 'show', job.jobId)];
    const { instances } = JSON.parse(listed) as { instances: { jobId: string; market: string }[] };
    const markets = instances.filter(({ jobId }) => jobId === job.jobId).map(({ market }) => market);
    expect(markets).to.include('SPOT').and.to.include('ON_DEMAND');
    expect(shown)
      .to.match(/MARKET/)
      .and.to.match(/ SPOT /)
      .and.to.match(/ ON_DEMAND /);

    const taken = await runningOf(job, 'SPOT');
    world.stack.kill(`instance/${String(taken?.provider_id)}`);
    await until('the loss is noticed', async () => (await ledgerOf(job)).length > 0, RECOVERY_MS);
    await endsWell(world, job, TASKS);

    const losses = await ledgerOf(job);
    expect(
      losses.map(({ kind, cause, instance }) => ({ kind, cause, market: instance?.market })),
    ).to.deep.equal([{ kind: 'LOSS', cause: 'INSTANCE_GONE', market: 'SPOT' }]);
    // The generation that waited for spot was given up without a loss, and was never launched.
    const given = (await instancesOf(job)).filter((row) => row.fence_cause === 'SPOT_UNAVAILABLE');
    expect(given.length).to.be.at.least(1);
    expect(given.map(({ provider_id: id }) => id)).to.deep.equal(given.map(() => null));
  });

  it('is told before its instance is taken away: the next one is asked for meanwhile, and nothing that is verified runs twice', async () => {
    const count = 40;
    const job = await submitNoop(world, { tasks: count, seconds: 0.5, mode: 'resumable' });
    const verifiedBefore = await untilVerified(world, job, 5);
    const spot = await runningOf(job, 'SPOT');
    if (spot === undefined) throw new Error('No spot instance runs.');
    await takeAway(world, spot.provider_id ?? '', NOTICE_SECONDS);
    await untilReplaced(job, spot).catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${await standingOf(world, job)}`);
    });
    await endsWell(world, job, count);
    const verified = new Set(verifiedBefore.map(({ ordinal }) => ordinal));
    const starts = (await startsOf(world, job)).filter(({ start }) => start === 'task');
    const again = starts.filter(({ ordinal = -1 }) => verified.has(ordinal)).length;
    expect(again, 'starts of what was verified at the notice').to.equal(verified.size);
    const losses = (await ledgerOf(job)).filter(({ instance }) => instance?.generation === spot.generation);
    const facts = losses.map(({ kind, cause, chargedCents }) => ({ kind, cause, chargedCents }));
    expect(facts).to.deep.equal([{ kind: 'LOSS', cause: 'PREEMPTED', chargedCents: 0 }]);
  });

  it('is what the price of a resumable job counts with, and the estimate says so', async () => {
    const { client } = await world.customer();
    const job = { jobType: 'simulation', simulator: 'autodock-vina', taskCount: 1_000 } as const;
    const standard = await client.estimate(job);
    const resumable = await client.estimate({ ...job, recovery: { mode: 'resumable' } });
    expect(resumable.estimatedCost).to.be.below(standard.estimatedCost / 2);
    expect(resumable.warnings.map(({ code }) => code)).to.include('SPOT_PRICED');
    expect(standard.warnings.map(({ code }) => code)).to.not.include('SPOT_PRICED');
  });
});
