/**
 * Scale: two hundred jobs at once, and one job of a hundred thousand tasks, against the rate of a job of ten thousand in the same
 * shards. The memory of the control worker, the lengths of histories, and what proving the job complete and writing its
 * manifest take.
 */
import { historiesOf } from './histories.ts';
import type { Histories } from './histories.ts';
import { noopJob } from './jobs.ts';
import { memoryRows, watchMemory } from './memory.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';

/** How much is measured. */
export interface ScaleSize {
  readonly jobs: number;
  readonly tasksOfJob: number;
  readonly baseTasks: number;
  readonly manyTasks: number;
}

const SHARD = 10;
const GOALS = { scale: 0.8, historyEvents: 10_000 };
const SETTINGS = { DOCKYARD_CAPACITY_VCPUS: '8', DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '8' };

/** Measures one job of many tasks. */
export async function measureManyTasks(size: ScaleSize): Promise<Row[]> {
  const bench = await openBenchStack(SETTINGS);
  try {
    const account = await bench.account();
    const watch = watchMemory(bench.stack);
    const base = await runJob(bench, account, size.baseTasks);
    const many = await runJob(bench, account, size.manyTasks);
    const memory = memoryRows(watch.stop(), size.manyTasks);
    const histories = await historiesOf(bench.stack, many.jobId);
    return [
      rateRow(size, many.tasksPerSecond, base.tasksPerSecond),
      historyRow(`one of ${String(size.manyTasks)} tasks`, histories, many.endSeconds),
      ...memory,
    ];
  } finally {
    await bench.close();
  }
}

/** Measures many jobs at once, sent by a client as customers have it: it repeats what a busy service puts off. */
export async function measureManyJobs(size: ScaleSize): Promise<Row[]> {
  const bench = await openBenchStack(SETTINGS);
  try {
    return await manyJobs(bench, await bench.account('patient'), size);
  } finally {
    await bench.close();
  }
}

async function manyJobs(bench: BenchStack, { client }: BenchAccount, size: ScaleSize): Promise<Row[]> {
  const watch = watchMemory(bench.stack);
  const startedAt = performance.now();
  const jobs = await Promise.all(
    Array.from({ length: size.jobs }, () =>
      client.submit(noopJob({ tasks: size.tasksOfJob, shardSize: SHARD })),
    ),
  );
  const acceptedSeconds = (performance.now() - startedAt) / 1000;
  const ends = await Promise.all(jobs.map(({ jobId }) => client.waitForEnd(jobId, { minIntervalMs: 5_000 })));
  const seconds = (performance.now() - startedAt) / 1000;
  const good = ends.filter(({ status }) => status === 'SUCCEEDED').length;
  const histories = await historiesOf(bench.stack, jobs.at(-1)?.jobId ?? '');
  return [
    {
      item: `${String(size.jobs)} jobs at once of ${String(size.tasksOfJob)} tasks`,
      measured: `accepted in ${acceptedSeconds.toFixed(1)} s, ${String(good)} succeeded in ${seconds.toFixed(0)} s`,
      baseline: '',
      ratio: '',
      goal: 'all',
      ok: good === size.jobs,
      figures: { acceptedSeconds, seconds, good },
    },
    historyRow('the last of them', histories, null),
    ...memoryRows(watch.stop(), size.jobs * size.tasksOfJob),
  ];
}

function rateRow(size: ScaleSize, rate: number, base: number): Row {
  return {
    item: `rate at ${String(size.manyTasks)} tasks, against ${String(size.baseTasks)}, shardSize ${String(SHARD)}`,
    measured: `${rate.toFixed(1)}/s`,
    baseline: `${base.toFixed(1)}/s`,
    ratio: (rate / base).toFixed(2),
    goal: `≥ ${String(GOALS.scale)}`,
    ok: rate >= GOALS.scale * base,
    figures: { rate, base },
  };
}

function historyRow(job: string, { longest, longestId }: Histories, endSeconds: number | null): Row {
  const ending = endSeconds === null ? '' : `; ${endSeconds.toFixed(1)} s from the last commit to the end`;
  return {
    item: `longest history of ${job}`,
    measured: `${String(longest)} events in ${longestId}${ending}`,
    baseline: '',
    ratio: '',
    goal: `< ${String(GOALS.historyEvents)}`,
    ok: longest < GOALS.historyEvents,
    figures: { longest, endSeconds },
  };
}

interface Run {
  readonly jobId: string;
  readonly tasksPerSecond: number;
  readonly endSeconds: number;
}

async function runJob({ db }: BenchStack, { client }: BenchAccount, tasks: number): Promise<Run> {
  const { jobId } = await client.submit(noopJob({ tasks, shardSize: SHARD }));
  const { status } = await client.waitForEnd(jobId, { minIntervalMs: 2_000 });
  if (status !== 'SUCCEEDED') throw new Error(`A job of ${String(tasks)} tasks ended ${status}.`);
  const [row] = await db.query<{ work: number; ending: number }[]>(
    `select extract(epoch from max(t.finished_at) - min(t.started_at))::float8 as work,
       extract(epoch from j.finished_at - max(t.finished_at))::float8 as ending
     from tasks t join jobs j on j.id = t.job_id where t.job_id = $1 and t.kind = 'task' group by j.id`,
    [jobId],
  );
  return { jobId, tasksPerSecond: tasks / (row?.work ?? Infinity), endSeconds: row?.ending ?? 0 };
}
