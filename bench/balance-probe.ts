/** Asks for the balance again and again, in a thread of its own, so that only the service can slow the answers down. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

import { createClient } from '../src/client/index.ts';

const INTERVAL_MS = 10;

const target: unknown = workerData;
if (!isTarget(target)) throw new Error('The probe needs an address and a key.');
const client = createClient({ ...target, retry: { attempts: 1 } });
for (;;) {
  const startedAt = performance.now();
  await client.balance();
  parentPort?.postMessage(performance.now() - startedAt);
  await sleep(INTERVAL_MS);
}

function isTarget(value: unknown): value is { readonly apiUrl: string; readonly apiKey: string } {
  return typeof value === 'object' && value !== null && 'apiUrl' in value && 'apiKey' in value;
}
