/**
 * A lost instance with the lease times of production: from `kill -9` of the instance to its tasks running again on its
 * successor, and how much of it passes before the instance is known to be lost. Jobs of their own are measured side by side,
 * because nearly all of the time is waiting; a submit that a busy machine does not admit in time is repeated, as clients do.
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
    const account = await bench.account('patient');
    const losses: Loss[] = [];
    while (losses.length < kills) {
      const some = Math.min(AT_ONCE, kills - losses.length);
      const found = Array.from({ length: some }, (_, n) => killOne(bench, account, n / AT_ONCE));
      losses.push(...(await Promise.all(found)));
    }
    const seconds = losses.map((loss) => loss.seconds);
    const found = losses.map((loss) => loss.foundSeconds);
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
      {
        item: 'until the loss is known',
        measured: describeSpread(spreadOf(found), 's', 1),
        ...{ baseline: '', ratio: '', goal: '', ok: null },
        figures: { seconds: found },
      },
    ];
  } finally {
    await bench.close();
  }
}

/** How long tasks stood still, and until their instance was known to be lost. */
interface Loss {
  readonly seconds: number;
  readonly foundSeconds: number;
}

/** Kills the instance of a new job at some moment between two heartbeats. */
async function killOne(bench: BenchStack, { client }: BenchAccount, phase: number): Promise<Loss> {
  const { jobId } = await client.submit(noopJob({ tasks: 2 * SLOTS, seconds: 600 }));
  const before = await untilRunning(bench, jobId, 1);
  await sleep(3_000 + phase * 12_000);
  const [row] = await bench.db.query<{ id: string; now: string }[]>(
    'select provider_id as id, clock_timestamp()::text as now from instances where job_id = $1 and fenced_at is null',
    [jobId],
  );
  const startedAt = performance.now();
  bench.stack.kill(`instance/${row?.id ?? ''}`);
  await untilRunning(bench, jobId, 2);
  const seconds = (performance.now() - startedAt) / 1000;
  if (before < SLOTS) throw new Error(`Only ${String(before)} tasks were running.`);
  const [lost] = await bench.db.query<{ seconds: number }[]>(
    `select extract(epoch from fenced_at - $2::timestamptz)::float8 as seconds
     from instances where job_id = $1 and fenced_at is not null order by generation limit 1`,
    [jobId, row?.now],
  );
  await client.cancel(jobId);
  await client.waitForEnd(jobId);
  return { seconds, foundSeconds: lost?.seconds ?? Infinity };
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
