/**
 * A lost instance with the lease times of production: from `kill -9` of the instance to its tasks running again on its
 * successor. Jobs of their own are measured side by side, because nearly all of the time is waiting.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface LossesSize {
  readonly kills: number;
}

const AT_ONCE = 4;
const SLOTS = 2;
const GOAL_SECONDS = 15;
const LOOK_MS = 100;
const PATIENCE_MS = 180_000;
const SETTINGS = { DOCKYARD_CAPACITY_VCPUS: '64', DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '64' };

/** Measures how long the tasks of a killed instance stand still. */
export async function measureLosses({ kills }: LossesSize): Promise<Row[]> {
  const bench = await openBenchStack(SETTINGS);
  try {
    const account = await bench.account();
    const seconds: number[] = [];
    while (seconds.length < kills) {
      const some = Math.min(AT_ONCE, kills - seconds.length);
      const found = Array.from({ length: some }, (_, n) => killOne(bench, account, n / AT_ONCE));
      seconds.push(...(await Promise.all(found)));
    }
    const spread = spreadOf(seconds);
    return [
      {
        item: `kill -9 of an instance to its tasks running again, ${String(kills)} times`,
        measured: describeSpread(spread, 's', 1),
        baseline: '',
        ratio: '',
        goal: `median < ${String(GOAL_SECONDS)} s`,
        ok: spread.median < GOAL_SECONDS,
        figures: { seconds },
      },
    ];
  } finally {
    await bench.close();
  }
}

/** Kills the instance of a new job at some moment between two heartbeats. */
async function killOne(bench: BenchStack, { client }: BenchAccount, phase: number): Promise<number> {
  const { jobId } = await client.submit(noopJob({ tasks: 2 * SLOTS, seconds: 600 }));
  const before = await untilRunning(bench, jobId, 1);
  await sleep(3_000 + phase * 12_000);
  const [row] = await bench.db.query<{ id: string }[]>(
    'select provider_id as id from instances where job_id = $1 and fenced_at is null',
    [jobId],
  );
  const startedAt = performance.now();
  bench.stack.kill(`instance/${row?.id ?? ''}`);
  await untilRunning(bench, jobId, 2);
  const seconds = (performance.now() - startedAt) / 1000;
  if (before < SLOTS) throw new Error(`Only ${String(before)} tasks were running.`);
  await client.cancel(jobId);
  await client.waitForEnd(jobId);
  return seconds;
}

/** Waits until as many tasks as the instance has slots run in this attempt. */
async function untilRunning({ db }: BenchStack, jobId: string, attempt: number): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < PATIENCE_MS) {
    const [row] = await db.query<{ running: number }[]>(
      `select count(*)::int as running from tasks where job_id = $1 and state = 'RUNNING' and attempts = $2`,
      [jobId, attempt],
    );
    if ((row?.running ?? 0) >= SLOTS) return row?.running ?? 0;
    await sleep(LOOK_MS);
  }
  throw new Error(`The tasks of job ${jobId} did not run in attempt ${String(attempt)}.`);
}
