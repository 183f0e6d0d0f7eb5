/** Cost of limits that processes share for a request, against limits that each process counts by itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { createProcessBuckets } from '../api/http/buckets.ts';
import { createRateLimiter } from '../api/http/rate-limiter.ts';
import type { Counted, RateLimiter } from '../api/http/rate-limiter.ts';
import { createSharedBuckets } from '../api/http/shared-buckets.ts';
import { openSharedBuckets } from '../src/adapters/limits/valkey.ts';
import { findTool } from '../src/stack/tools.ts';
import type { Row } from './report.ts';
import { describeSpread, spreadOf } from './statistics.ts';

const GOAL_MS = 1;
const AT_ONCE = 16;
const QUOTA = 1_000_000;
const WARM_UP = 200;

/** Counts requests of 16 callers at once, in turns in a store and in the process. */
export async function measureLimits({ requests }: { readonly requests: number }): Promise<Row[]> {
  const port = await freePort();
  const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const server = spawn(findTool('redis-server', process.env), options, { stdio: 'ignore' });
  const shared = openSharedBuckets(`redis://127.0.0.1:${port}`);
  let failures = 0;
  const alarm = { changed: () => void (failures += 1), away: () => undefined, back: () => undefined };
  try {
    while (shared.source() === 0) await sleep(20);
    const limiterOver = (store: Parameters<typeof createRateLimiter>[0]): RateLimiter =>
      createRateLimiter({ ...store, quotasPerMinute: { read: QUOTA } });
    const inStore = limiterOver({ store: createSharedBuckets(shared, createProcessBuckets(), alarm) });
    const inProcess = limiterOver({ store: createProcessBuckets() });
    const times: Readonly<Record<'inStore' | 'inProcess', number[]>> = { inStore: [], inProcess: [] };
    for (let round = 0; round * AT_ONCE < requests + WARM_UP; round += 1) {
      const [stored, own] = [await timesOf(inStore), await timesOf(inProcess)];
      if (round * AT_ONCE < WARM_UP) continue;
      times.inStore.push(...stored);
      times.inProcess.push(...own);
    }
    return [rowOf(times.inStore, times.inProcess, failures)];
  } finally {
    shared.close();
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }
}

async function timesOf(limiter: RateLimiter): Promise<number[]> {
  return Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const who: Counted = { kind: 'key', id: `key ${index}`, accountId: `account ${index}`, plan: 'free' };
      const startedAt = performance.now();
      await limiter.consume('read', who);
      return performance.now() - startedAt;
    }),
  );
}

function rowOf(inStore: readonly number[], inProcess: readonly number[], failures: number): Row {
  const [stored, own] = [spreadOf(inStore), spreadOf(inProcess)];
  const addedMs = stored.median - own.median;
  return {
    item: 'shared limit, against that of the process, 16 at once',
    measured: describeSpread(stored, 'ms', 2),
    baseline: describeSpread(own, 'ms', 2),
    ratio: `+${addedMs.toFixed(2)} ms`,
    goal: `≤ +${GOAL_MS} ms`,
    ok: addedMs <= GOAL_MS && failures === 0,
    figures: { inStore: stored, inProcess: own, failures },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
