/**
 * Orchestration: tasks per second from the first start to the last commit, against the same number of bare activities
 * in one workflow with as many open at a time. The rounds take turns on the same servers. The time for starting the
 * instance is a row of its own, because a job pays it once.
 */
import type { DataSource } from 'typeorm';

import { openBaseline } from './baseline.ts';
import type { Baseline } from './baseline.ts';
import { historiesOf } from './histories.ts';
import type { Histories } from './histories.ts';
import { noopJob, OUTPUT_BYTES } from './jobs.ts';
import { memoryRows, watchMemory } from './memory.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface OrchestrationSize {
  readonly rounds: number;
  readonly tasks: number;
  readonly manyTasks: number;
  /** Rounds of a large job and a small one in turns, which show how the rate scales. */
  readonly manyRounds: number;
}

/** The shards that one local instance has open: two lanes of parts, each with a window of two. */
const WINDOW = 4;
const GOALS = { ratio: 0.5, scale: 0.8, historyEvents: 10_000 } as const;

interface Run {
  readonly jobId: string;
  readonly tasksPerSecond: number;
  readonly startSeconds: number;
}

/** Measures orchestration, memory, or both on the same large job. */
export async function measureWork(
  size: OrchestrationSize,
  wanted: { readonly orchestration: boolean; readonly memory: boolean },
): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    const account = await bench.account();
    await runJob(bench, account, size.tasks / 10, 1);
    const rows: Row[] = [];
    if (wanted.orchestration) await measureAgainstBare(bench, account, size, rows);
    const watch = watchMemory(bench.stack);
    const large = [await runJob(bench, account, size.manyTasks, 1)];
    const memory = watch.stop();
    if (wanted.orchestration) {
      const small = [await runJob(bench, account, size.tasks, 1)];
      while (large.length < size.manyRounds) {
        large.push(await runJob(bench, account, size.manyTasks, 1));
        small.push(await runJob(bench, account, size.tasks, 1));
      }
      rows.push(...(await scaleRows(bench, size, small, large)));
    }
    if (wanted.memory) rows.push(...memoryRows(memory, size.manyTasks));
    return rows;
  } finally {
    await bench.close();
  }
}

/** Measures rounds of bare activities, of shards of 1 and of shards of 10. */
async function measureAgainstBare(
  bench: BenchStack,
  account: BenchAccount,
  size: OrchestrationSize,
  rows: Row[],
): Promise<void> {
  const baseline = await openBaseline(bench);
  const rates: Readonly<Record<'bare' | 'one' | 'ten', number[]>> = { bare: [], one: [], ten: [] };
  const starts: number[] = [];
  try {
    await baseline.runTasks(size.tasks / 10, WINDOW, OUTPUT_BYTES);
    for (let round = 0; round < size.rounds; round += 1) {
      rates.bare.push(await runBare(baseline, size.tasks));
      const one = await runJob(bench, account, size.tasks, 1);
      const ten = await runJob(bench, account, size.tasks, 10);
      rates.one.push(one.tasksPerSecond);
      rates.ten.push(ten.tasksPerSecond);
      starts.push(one.startSeconds, ten.startSeconds);
    }
  } finally {
    await baseline.close();
  }
  rows.push(againstBare(1, rates.one, rates.bare), againstBare(10, rates.ten, rates.bare), startRow(starts));
}

function againstBare(shardSize: number, ours: readonly number[], bare: readonly number[]): Row {
  const [measured, base] = [spreadOf(ours), spreadOf(bare)];
  const ratio = spreadOf(ratiosOf(ours, bare));
  return {
    item: `tasks a second, shardSize ${shardSize}`,
    measured: describeSpread(measured, '/s'),
    baseline: describeSpread(base, '/s'),
    ratio: ratio.median.toFixed(2),
    goal: `≥ ${GOALS.ratio}`,
    ok: ratio.median >= GOALS.ratio,
    figures: { measured, baseline: base, ratio, window: WINDOW },
  };
}

function startRow(starts: readonly number[]): Row {
  const measured = spreadOf(starts);
  return {
    item: 'submit to first task (instance start)',
    measured: describeSpread(measured, 's', 2),
    baseline: '',
    ratio: '',
    goal: '',
    ok: null,
    figures: { measured },
  };
}

async function scaleRows(
  bench: BenchStack,
  size: OrchestrationSize,
  small: readonly Run[],
  large: readonly Run[],
): Promise<Row[]> {
  const rates = large.map(({ tasksPerSecond }) => tasksPerSecond);
  const bases = small.map(({ tasksPerSecond }) => tasksPerSecond);
  const [measured, base, ratio] = [spreadOf(rates), spreadOf(bases), spreadOf(ratiosOf(rates, bases))];
  const histories = await historiesOf(bench.stack, large[0]?.jobId ?? '');
  return [
    {
      item: `rate at ${size.manyTasks} tasks, against ${size.tasks}`,
      measured: describeSpread(measured, '/s'),
      baseline: describeSpread(base, '/s'),
      ratio: ratio.median.toFixed(2),
      goal: `≥ ${GOALS.scale}`,
      ok: ratio.median >= GOALS.scale,
      figures: { measured, baseline: base, ratio },
    },
    historyRow(histories),
    durableRow(histories, size.manyTasks),
  ];
}

function historyRow(histories: Histories): Row {
  return {
    item: 'longest history',
    measured: `${histories.longest} events in ${histories.longestId}`,
    baseline: '',
    ratio: '',
    goal: `< ${GOALS.historyEvents}`,
    ok: histories.longest < GOALS.historyEvents,
    figures: { ...histories },
  };
}

function durableRow(histories: Histories, tasks: number): Row {
  const events = histories.events / tasks;
  const activities = histories.activities / tasks;
  return {
    item: 'durable operations a task, shardSize 1',
    measured: `${events.toFixed(2)} events, ${activities.toFixed(2)} activities`,
    baseline: '',
    ratio: '',
    goal: '',
    ok: null,
    figures: { eventsPerTask: events, activitiesPerTask: activities, runs: histories.runs },
  };
}

async function runBare(baseline: Baseline, tasks: number): Promise<number> {
  const startedAt = performance.now();
  await baseline.runTasks(tasks, WINDOW, OUTPUT_BYTES);
  return tasks / ((performance.now() - startedAt) / 1000);
}

async function runJob(
  bench: BenchStack,
  { client }: BenchAccount,
  tasks: number,
  shardSize: number,
): Promise<Run> {
  const { jobId } = await client.submit(noopJob({ tasks, shardSize }));
  const last = await client.waitForEnd(jobId, { minIntervalMs: 1_000 });
  if (last.status !== 'SUCCEEDED') throw new Error(`A job of ${tasks} tasks ended ${last.status}.`);
  const span = await spanOf(bench.db, jobId);
  return {
    jobId,
    tasksPerSecond: tasks / span.workSeconds,
    startSeconds: span.startSeconds,
  };
}

/** The seconds from the first start of a task to the last commit, and those from the submit to the first start. */
export async function spanOf(
  db: DataSource,
  jobId: string,
): Promise<{ workSeconds: number; startSeconds: number }> {
  const [row] = await db.query<{ work: number; start: number }[]>(
    `select extract(epoch from max(t.finished_at) - min(t.started_at))::float8 as work,
       extract(epoch from min(t.started_at) - j.submitted_at)::float8 as start
     from tasks t join jobs j on j.id = t.job_id where t.job_id = $1 and t.kind = 'task' group by j.id`,
    [jobId],
  );
  if (row === undefined) throw new Error('The job has no tasks.');
  return { workSeconds: row.work, startSeconds: row.start };
}
