/** A fleet of 100 instances and the jobs of many accounts, from a seed to what was paid and what was idle. */
import { CapacityBook } from './capacity-book.ts';
import { Clock } from './clock.ts';
import { Draws, FIGURES } from './distributions.ts';
import type { FleetFigures } from './distributions.ts';
import { SimulatedJob } from './simulated-job.ts';
import type { JobSketch } from './simulated-job.ts';

const INSTANCES = 100;
const VCPUS = 8;
const ACCOUNTS = 12;
const JOBS = 60;
const INSTANCES_OF_JOB = [1, 32] as const;
const SLOTS = [1, 2, 4, 8] as const;
const MERGES = 0.3;
const MERGE_SECONDS = [5, 60] as const;

/** The jobs of a day: how many tasks each has, and within which time the jobs come. */
export interface Workload {
  readonly tasks: readonly [number, number];
  readonly arrivalsSeconds: number;
}

/** Screens that fill the fleet for hours, and jobs of some minutes, whose boots and ends weigh most. */
export const WORKLOADS: Readonly<Record<'large' | 'small', Workload>> = {
  large: { tasks: [40, 4_000], arrivalsSeconds: 2 * 3600 },
  small: { tasks: [10, 400], arrivalsSeconds: 1800 },
};

/** Result of a run of the fleet; times in seconds. */
export interface FleetReport {
  readonly paid: number;
  readonly booting: number;
  readonly idle: number;
  /** The share of paid time without a task: boots not counted, and counted. */
  readonly idleShare: number;
  readonly idleOrBootingShare: number;
  /** The share of the slots of booted instances that have a task. */
  readonly slotShare: number;
  readonly launches: number;
  /** Instances that were taken away while they worked. */
  readonly lost: number;
  /** Tasks that ended another number of times than once, and jobs that did not end. */
  readonly wrongTasks: number;
  readonly openJobs: number;
}

/** Runs a fleet from a seed. */
export function simulateFleet(
  seed: number,
  workload: Workload,
  figures: FleetFigures = FIGURES,
): FleetReport {
  const clock = new Clock();
  const draws = new Draws(seed);
  const limits = { totalVcpus: INSTANCES * VCPUS, accountVcpus: (INSTANCES * VCPUS) / 2 };
  const capacity = new CapacityBook(limits);
  const world = { clock, draws, figures, capacity, vcpusPerInstance: VCPUS };
  const jobs = Array.from(
    { length: JOBS },
    (_, n) => new SimulatedJob(sketchOf(n, draws, workload, figures), world),
  );
  clock.run();
  const uses = jobs.flatMap((job) => job.instances.map((instance) => instance.use));
  const sum = (of: (use: (typeof uses)[number]) => number): number =>
    uses.reduce((total, use) => total + of(use), 0);
  const [paid, booting, idle] = [sum((use) => use.paid), sum((use) => use.booting), sum((use) => use.idle)];
  return {
    ...{ paid, booting, idle, idleShare: idle / paid, idleOrBootingShare: (idle + booting) / paid },
    slotShare: sum((use) => use.slotSecondsAtWork) / sum((use) => use.slotSeconds),
    launches: uses.length,
    lost: jobs.reduce((total, job) => total + job.lostInstances, 0),
    wrongTasks: jobs.flatMap((job) => job.ended.filter((times) => times !== 1)).length,
    openJobs: jobs.filter((job) => job.endedAt === null).length,
  };
}

function sketchOf(n: number, draws: Draws, workload: Workload, figures: FleetFigures): JobSketch {
  const median = draws.logBetween(figures.task.medians);
  const slotsPerInstance = SLOTS[Math.floor(draws.uniform() * SLOTS.length)] ?? 1;
  const tasks = Array.from({ length: Math.round(draws.logBetween(workload.tasks)) }, () => {
    const seconds = draws.logNormal({ median, sigma: figures.task.sigma });
    return draws.uniform() < figures.tail.share ? seconds * draws.between(figures.tail.times) : seconds;
  });
  const wished = Math.round(draws.logBetween(INSTANCES_OF_JOB));
  return {
    jobId: `job ${String(n).padStart(3, '0')}`,
    accountId: `account ${String(Math.floor(draws.uniform() * ACCOUNTS))}`,
    at: draws.uniform() * workload.arrivalsSeconds,
    tasks,
    // As `machinesFor` plans: never more instances than the tasks fill.
    instances: Math.max(1, Math.min(wished, Math.ceil(tasks.length / slotsPerInstance))),
    slotsPerInstance,
    mergeSeconds: draws.uniform() < MERGES ? draws.between(MERGE_SECONDS) : null,
  };
}
