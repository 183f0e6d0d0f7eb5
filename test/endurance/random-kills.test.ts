/**
 * Random kills of every process during a docking job, from a seed. Whatever is killed, and however often: the job succeeds, each
 * ligand is charged once, the outputs are those of a job that nothing disturbed, and nothing is left.
 *
 * The moments of the kills are drawn over the progress of the job, so a slow machine has as many of them. On a quick machine a job may
 * end while a killed server is on its way back; the kills that are left then meet a further job. A plain run has the seeds of this file, so it may be repeated; `DOCKYARD_KILL_SEEDS=17,23` runs these alone, and `DOCKYARD_KILL_SEEDS=new` draws one. The seed
 * stands in the name of each test and beside its figures. `DOCKYARD_KILLS` and `DOCKYARD_KILL_LIGANDS` make a run shorter.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { isTerminal } from '../../src/domain/job-state.ts';
import type { JobState } from '../../src/domain/job-state.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { smilesLigand } from '../support/docking.ts';
import { leavesNothing } from '../support/faults/aftermath.ts';
import { standingOf, stateOf, tasksOf } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { Draws } from '../support/fleet/distributions.ts';
import { until } from '../support/until.ts';

const KILLS = Number(process.env['DOCKYARD_KILLS'] ?? 30);
const LIGANDS = Number(process.env['DOCKYARD_KILL_LIGANDS'] ?? 40);
/** The seed of a plain run, and further ones that have found a failure, which is mended. */
const FIXED: readonly number[] = [20_261_126];
const SEEDS = seedsOf(process.env['DOCKYARD_KILL_SEEDS']);

/** What is killed; `instance` is any instance of the job, and `compute` is the host of all of them. */
const TARGETS = [
  'api',
  'control',
  'instance',
  'instance',
  'compute',
  'gateway',
  'temporal',
  'postgres',
  'storage',
];
/** No kill waits for the last ligands, so that nearly every kill meets a job at work. */
const LAST_LIGANDS = 3;
const LONGEST_DELAY_MS = 1_000;
const JOB_MS = 15 * 60_000;
/** Small molecules, each of which docks in seconds. */
const RINGS = [
  'c1ccccc1',
  'c1ccncc1',
  'c1ccsc1',
  'c1ccoc1',
  'C1CCCCC1',
  'C1CCNCC1',
  'c1ccc2ccccc2c1',
  'c1cc[nH]c1',
];
const GROUPS = ['O', 'N', 'CO', 'CC(C)', 'CC(=O)N'];

/** A kill: of what, once so many ligands are verified, after so long. */
interface Kill {
  readonly target: string;
  readonly verified: number;
  readonly delayMs: number;
}

describe(`${String(KILLS)} random kills during a docking of ${String(LIGANDS)} ligands`, function () {
  this.timeout(2 * JOB_MS);
  let world: FaultWorld;
  let undisturbed: { readonly outputs: ReadonlyMap<string, unknown>; readonly chargedCents: number };

  before(async function () {
    this.timeout(JOB_MS + 120_000);
    world = await openFaultWorld({
      settings: { DOCKYARD_INSTANCE_SLOTS: '1', DOCKYARD_MAX_INSTANCES_PER_JOB: '2' },
    });
    const job = await dock(world);
    await hasEnded(job);
    const { status, cost } = await job.customer.client.status(job.jobId);
    expect(status).to.equal('SUCCEEDED');
    undisturbed = { outputs: await outputsOf(job), chargedCents: cost.chargedCents };
    expect(undisturbed.outputs.size, 'outputs').to.be.above(2 * LIGANDS);
  });

  /** Waits until the job has ended; the error after the time-out says where the job stands. */
  const hasEnded = async (job: FaultJob): Promise<void> => {
    await until(
      `job ${job.jobId} has ended`,
      async () => isTerminal(((await stateOf(world, job)) ?? 'SUBMITTED') as JobState),
      JOB_MS,
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${await standingOf(world, job)}`, { cause: error });
    });
  };

  /** The name of the process to kill; where no instance runs, the host is killed that would start one. */
  const processOf = async (job: FaultJob, target: string, draws: Draws): Promise<string> => {
    if (target !== 'instance') return target;
    const rows = await world.rows<{ provider_id: string }>(
      `select provider_id from instances where job_id = $1 and provider_id is not null and state <> 'TERMINATED' order by slot, generation`,
      [job.jobId],
    );
    const names = rows.map(({ provider_id: id }) => `instance/${id}`);
    const running = names.filter((name) => world.stack.pid(name) !== undefined);
    return running[Math.floor(draws.uniform() * running.length)] ?? 'compute';
  };

  const isVerified = async (job: FaultJob, count: number): Promise<boolean> =>
    (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED').length >= count;

  for (const seed of SEEDS)
    it(`of seed ${String(seed)} change nothing about the result, the charge and what is left`, async () => {
      const draws = new Draws(seed);
      const kills = killsOf(draws);
      const jobs = [await dock(world)];
      const startedAt = performance.now();
      const killed: string[] = [];
      for (const { target, verified, delayMs } of kills) {
        if (await isOver(jobs)) jobs.push(await dock(world));
        const job = lastOf(jobs);
        await until(
          `${String(verified)} ligands are verified after the kills ${killed.join(', ')}`,
          () => isVerified(job, verified),
          JOB_MS,
        ).catch(async (error: unknown) => {
          throw new Error(`${String(error)} ${await standingOf(world, job)}`, { cause: error });
        });
        await sleep(delayMs);
        const name = await processOf(job, target, draws);
        killed.push(name.split('/')[0] ?? name);
        await world.killAndRestart(name);
      }
      for (const job of jobs) await hasEnded(job);
      measured(`seed ${String(seed)}: ${killed.join(' ')}`, {
        ...{ kills: killed.length, jobs: jobs.length },
        seconds: (performance.now() - startedAt) / 1000,
      });
      for (const job of jobs) await endedWell(job);
    });

  const isOver = async (jobs: readonly FaultJob[]): Promise<boolean> =>
    isTerminal((await stateOf(world, lastOf(jobs))) ?? 'SUBMITTED');

  const endedWell = async (job: FaultJob): Promise<void> => {
    const { client } = job.customer;
    const { status, failures, progress, cost } = await client.status(job.jobId);
    expect(status, JSON.stringify(failures)).to.equal('SUCCEEDED');
    expect(progress.completed, 'verified ligands').to.equal(LIGANDS);
    expect(cost.chargedCents, 'charged').to.equal(undisturbed.chargedCents);
    const { executions } = await client.bill(job.jobId);
    const billed = executions.flatMap(({ lines }) => lines.map(({ tasks }) => tasks ?? 0));
    expect(
      billed.reduce((sum, tasks) => sum + tasks, 0),
      'ligands on the bill',
    ).to.equal(LIGANDS);
    await leavesNothing(world, job);
    expect((await client.balance()).held_cents, 'held').to.equal(0);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
    expect(await outputsOf(job)).to.deep.equal(undisturbed.outputs);
  };
});

function lastOf(jobs: readonly FaultJob[]): FaultJob {
  return jobs.at(-1) ?? expect.fail('no job');
}

function seedsOf(asked: string | undefined): readonly number[] {
  if (asked === undefined) return FIXED;
  return asked === 'new' ? [randomInt(1_000_000)] : asked.split(',').map(Number);
}

/** The kills of a seed, in the order of the progress at which they happen. */
function killsOf(draws: Draws): readonly Kill[] {
  const kills = Array.from({ length: KILLS }, () => ({
    target: TARGETS[Math.floor(draws.uniform() * TARGETS.length)] ?? 'instance',
    verified: Math.floor(draws.uniform() * Math.max(1, LIGANDS - LAST_LIGANDS)),
    delayMs: draws.uniform() * LONGEST_DELAY_MS,
  }));
  return kills.sort((one, other) => one.verified - other.verified);
}

/** Submits the docking for a customer of its own. A resumable job is not given up however often one ligand is hit. */
async function dock(world: FaultWorld): Promise<FaultJob> {
  const customer: Customer = await world.customer();
  const path = join(repositoryRoot, 'examples', '1a28', '1a28.pdb');
  const { storageKey } = await customer.client.upload({ path });
  const molecules = GROUPS.flatMap((group) => RINGS.map((ring) => `${group}${ring}`));
  const ligandLibrary = Array.from({ length: LIGANDS }, (_, n) =>
    smilesLigand(`ligand-${String(n)}`, molecules[n % molecules.length] ?? 'Oc1ccccc1'),
  );
  const { jobId, heldCents } = await customer.client.submit({
    ...{ jobType: 'simulation', simulator: 'autodock-vina', sceneFile: storageKey },
    recovery: { mode: 'resumable' },
    simulationParams: {
      ...{ receptorChains: ['A'], pocketLigand: 'STR', pocketLigandChain: 'A' },
      ...{ exhaustiveness: 4, numModes: 3, seed: 42, ligandLibrary },
    },
  });
  return { jobId, customer, heldPence: heldCents };
}

/**
 * Every output by its name: the digest of its bytes, and of a ligand's result, which says how long the docking took, what was
 * found. The manifest has the times of the job and is left out.
 */
async function outputsOf({ customer, jobId }: FaultJob): Promise<ReadonlyMap<string, unknown>> {
  const outputs = new Map<string, unknown>();
  for await (const { name, kind, sha256, url } of customer.client.outputs(jobId)) {
    if (kind === 'manifest') continue;
    if (!name.endsWith('/result.json')) outputs.set(name, sha256);
    else {
      const result: unknown = await (await fetch(url)).json();
      outputs.set(name, Reflect.get(Object(result), 'result'));
    }
  }
  return outputs;
}
