/**
 * The gateway between instances and Temporal: activities a second of a worker through the gateway against one at Temporal itself, in
 * turns, and the memory of a gateway that holds the polls of many instances.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { COMPUTE_NAMESPACE } from '../src/contracts/instance.ts';
import { computeQueue } from '../src/contracts/names.ts';
import { isRecord } from '../src/domain/is-record.ts';
import { signInstanceToken } from '../src/services/execution/instances/token.ts';
import { openBaseline } from './baseline.ts';
import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface PassThroughSize {
  readonly rounds: number;
  readonly activities: number;
  readonly instances: number;
}

const FIRST_SLOT = 1_000;
const WINDOW = 6;
const POLLS = 2;
const GOALS = { rate: 0.9, heldMib: 400 };

/** Measures what the gateway costs between instances and Temporal. */
export async function measurePassThrough(size: PassThroughSize): Promise<Row[]> {
  const bench = await openBenchStack();
  const children: ChildProcess[] = [];
  try {
    const { client } = await bench.account();
    const { jobId } = await client.submit(noopJob({ tasks: 2, seconds: 3_600 }));
    while ((await client.status(jobId)).status !== 'RUNNING') await sleep(200);
    await bench.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus)
       select $1, slot, 1, 'local', $2 || slot, 'RUNNING', 2 from generate_series($3::int, $3::int + $4::int) slot`,
      [jobId, randomUUID(), FIRST_SLOT, size.instances],
    );
    return [await rateOf(bench, jobId, size, children), await heldBy(bench, jobId, size, children)];
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await bench.close();
  }
}

async function rateOf(
  bench: BenchStack,
  jobId: string,
  { rounds, activities, instances }: PassThroughSize,
  children: ChildProcess[],
): Promise<Row> {
  const { stack } = bench;
  const secret = stack.env['DOCKYARD_SECRET'] ?? '';
  const slot = FIRST_SLOT + instances;
  const expiresAt = Math.floor(Date.now() / 1000) + 7_200;
  const queues = { direct: `bench-${randomUUID()}`, through: computeQueue(jobId, slot, 1) };
  await start(children, 'pass-through-worker.ts', [
    ...[stack.temporalAddress, queues.direct, stack.temporalNamespace],
  ]);
  const bearer = signInstanceToken(secret, { jobId, slot, generation: 1, expiresAt });
  await start(children, 'pass-through-worker.ts', [
    ...[stack.gatewayUrl, queues.through, COMPUTE_NAMESPACE, bearer],
  ]);
  const baseline = await openBaseline(bench);
  try {
    const rate = async (queue: string, count: number): Promise<number> => {
      const startedAt = performance.now();
      await baseline.runOn(queue, count, WINDOW);
      return count / ((performance.now() - startedAt) / 1000);
    };
    for (const queue of Object.values(queues)) await rate(queue, WINDOW * 2);
    const [through, direct]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      // The two take turns to begin, so that neither has the warmer server.
      const order = round % 2 === 0 ? [through, direct] : [direct, through];
      for (const rates of order)
        rates.push(await rate(rates === through ? queues.through : queues.direct, activities));
    }
    const ratio = spreadOf(ratiosOf(through, direct)).median;
    return {
      item: 'activities a second through the gateway',
      measured: describeSpread(spreadOf(through), '/s'),
      baseline: describeSpread(spreadOf(direct), '/s'),
      ratio: ratio.toFixed(2),
      goal: `≥ ${String(GOALS.rate)}`,
      ok: ratio >= GOALS.rate,
      figures: { through, direct, ratio },
    };
  } finally {
    await baseline.close();
  }
}

async function heldBy(
  { stack }: BenchStack,
  jobId: string,
  { instances }: PassThroughSize,
  children: ChildProcess[],
): Promise<Row> {
  const pid = stack.pid('gateway') ?? 0;
  const idleMib = memoryOf(pid);
  const counts = [FIRST_SLOT, Math.ceil(instances / 2), POLLS].map(String);
  const rest = [FIRST_SLOT + Math.ceil(instances / 2), Math.floor(instances / 2), POLLS].map(String);
  const environment = { BENCH_SECRET: stack.env['DOCKYARD_SECRET'] ?? '' };
  await Promise.all(
    [counts, rest].map((numbers) =>
      start(children, 'held-polls.ts', [stack.gatewayUrl, jobId, ...numbers], environment),
    ),
  );
  const metrics = `${stack.home}/endpoints.json`;
  const urls: unknown = JSON.parse(readFileSync(metrics, 'utf8'));
  const url: unknown =
    isRecord(urls) && isRecord(urls['metricsUrls']) ? urls['metricsUrls']['gateway'] : null;
  const heldNow = async (): Promise<number> => {
    const text = await (await fetch(typeof url === 'string' ? url : '')).text();
    return Number(/^dockyard_pass_through_polls (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  let held = 0;
  let mostMib = 0;
  const endAt = performance.now() + 40_000;
  while (performance.now() < endAt) {
    await sleep(1_000);
    held = Math.max(held, await heldNow());
    mostMib = Math.max(mostMib, memoryOf(pid));
  }
  return {
    item: `memory of a gateway with ${String(instances)} workers of ${String(POLLS)} held polls`,
    measured: `${mostMib.toFixed(0)} MiB with ${String(held)} polls`,
    baseline: `${idleMib.toFixed(0)} MiB idle`,
    ratio: '',
    goal: `≤ ${String(GOALS.heldMib)} MiB`,
    ok: mostMib <= GOALS.heldMib && held >= instances * POLLS * 0.98,
    figures: { idleMib, mostMib, held },
  };
}

function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024;
}

async function start(
  children: ChildProcess[],
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  });
  children.push(child);
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${script} ended before it was ready.`);
    }),
  ]);
}
