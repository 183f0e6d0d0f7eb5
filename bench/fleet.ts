/**
 * A fleet: 250 equal tasks on eight instances in one process, from the first start of a task to the last commit, against the
 * time that the slots would need without any pause. Tasks wait and compute nothing, so that two cores carry sixteen slots.
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
}

const INSTANCES = 8;
const SLOTS = 2;
const GOAL = 1.2;
const SETTINGS = {
  DOCKYARD_PROVIDER: 'inprocess',
  DOCKYARD_COMPUTE_MODE: 'inprocess',
  DOCKYARD_MAX_INSTANCES_PER_JOB: String(INSTANCES),
  DOCKYARD_INSTANCE_SLOTS: String(SLOTS),
  DOCKYARD_CAPACITY_VCPUS: String(INSTANCES * SLOTS),
  DOCKYARD_ACCOUNT_CAPACITY_VCPUS: String(INSTANCES * SLOTS),
};

/** Measures how well the instances of a job share its tasks. */
export async function measureFleet(size: FleetSize): Promise<Row[]> {
  const bench = await openBenchStack(SETTINGS);
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
    return [rowOf(size, seconds, used)];
  } finally {
    await bench.close();
  }
}

function rowOf(size: FleetSize, seconds: readonly number[], used: number): Row {
  const ideal = Math.ceil(size.tasks / (INSTANCES * SLOTS)) * size.seconds;
  const spread = spreadOf([...seconds]);
  const ratio = spread.median / ideal;
  return {
    item: `${size.tasks} equal tasks on ${INSTANCES} instances (${used} used)`,
    measured: describeSpread(spread, 's', 1),
    baseline: `${ideal.toFixed(1)} s`,
    ratio: ratio.toFixed(2),
    goal: `≤ ${GOAL}`,
    ok: ratio <= GOAL && used === INSTANCES,
    figures: { seconds, used },
  };
}
