/**
 * A fleet: 250 equal tasks on eight instances in one process, from the first start of a task to the last commit, against the
 * time that the slots would need without any pause. Tasks wait and compute nothing, so that two cores carry sixteen slots. Then one
 * job on 64 instances, the most that a job may have: all of them are granted, launched and work.
 */
import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface FleetSize {
  readonly rounds: number;
  readonly tasks: number;
  readonly seconds: number;
  /** The tasks of the job on as many instances as a job may have; their time is ten times as long. */
  readonly largestTasks: number;
}

interface Fleet {
  readonly instances: number;
  readonly slots: number;
  /** The most that the time may be of the ideal time; null: it is only told. */
  readonly goal: number | null;
}

const FLEET: Fleet = { instances: 8, slots: 2, goal: 1.2 };
const LARGEST: Fleet = { instances: 64, slots: 1, goal: null };

/** Measures how well the instances of a job share its tasks. */
export async function measureFleet(size: FleetSize): Promise<Row[]> {
  const largest = { rounds: 1, tasks: size.largestTasks, seconds: 10 * size.seconds };
  return [...(await measureOne(FLEET, size)), ...(await measureOne(LARGEST, largest))];
}

async function measureOne(fleet: Fleet, size: Omit<FleetSize, 'largestTasks'>): Promise<Row[]> {
  const vcpus = String(fleet.instances * fleet.slots);
  const bench = await openBenchStack({
    DOCKYARD_PROVIDER: 'inprocess',
    DOCKYARD_COMPUTE_MODE: 'inprocess',
    DOCKYARD_MAX_INSTANCES_PER_JOB: String(fleet.instances),
    DOCKYARD_INSTANCE_SLOTS: String(fleet.slots),
    DOCKYARD_INSTANCE_VCPUS: String(fleet.slots),
    DOCKYARD_CAPACITY_VCPUS: vcpus,
    DOCKYARD_ACCOUNT_CAPACITY_VCPUS: vcpus,
  });
  try {
    const { client } = await bench.account();
    const seconds: number[] = [];
    let used = 0;
    for (let round = 0; round < size.rounds; round += 1) {
      const { jobId } = await client.submit(noopJob(size));
      await client.waitForEnd(jobId);
      const [row] = await bench.db.query<{ seconds: number; used: number }[]>(
        `select extract(epoch from max(finished_at) - min(started_at))::float8 as seconds, count(distinct slot)::int as used
         from tasks where job_id = $1 and kind = 'task' and state = 'SUCCEEDED'`,
        [jobId],
      );
      seconds.push(row?.seconds ?? Infinity);
      used = Math.max(used, row?.used ?? 0);
    }
    return [rowOf(fleet, size, { seconds, used })];
  } finally {
    await bench.close();
  }
}

function rowOf(
  { instances, slots, goal }: Fleet,
  size: Omit<FleetSize, 'largestTasks'>,
  { seconds, used }: { readonly seconds: readonly number[]; readonly used: number },
): Row {
  const ideal = Math.ceil(size.tasks / (instances * slots)) * size.seconds;
  const spread = spreadOf([...seconds]);
  const ratio = spread.median / ideal;
  return {
    item: `${size.tasks} equal tasks on ${instances} instances (${used} used)`,
    measured: describeSpread(spread, 's', 1),
    baseline: `${ideal.toFixed(1)} s`,
    ratio: ratio.toFixed(2),
    goal: goal === null ? `${instances} used` : `≤ ${goal}`,
    ok: (goal === null || ratio <= goal) && used === instances,
    figures: { seconds, used },
  };
}
