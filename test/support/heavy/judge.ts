/**
 * Judges outputs that lie in a folder as a control worker does, several times at once, and prints what that cost as JSON.
 * A process of its own, so that nothing else takes memory or time: `node judge.ts FOLDER TIMES`.
 */
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ObjectStore } from '../../../src/adapters/storage/storage.ts';
import type { StagedOutput } from '../../../src/contracts/instance.ts';
import type { WorkKind } from '../../../src/contracts/job.ts';
import { createByteBudget } from '../../../src/services/stored-objects/byte-budget.ts';
import { READ_BYTES } from '../../../src/services/execution/commit/commit.ts';
import { judgeOutputs } from '../../../src/services/execution/commit/judge.ts';
import { NO_RECORDS } from '../../../src/services/execution/recorder.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import { TEST_TOOLS } from '../test-tools.ts';

/** Outputs that an instance hands in. */
export interface HandedIn {
  readonly toolId: string;
  readonly kind: WorkKind;
  readonly itemId: string;
  readonly outputs: readonly StagedOutput[];
}

/** Cost of judging. */
export interface Cost {
  readonly faults: readonly (string | null)[];
  /** How much the resident memory grew at most. */
  readonly grownBytes: number;
  /** The longest time for which the event loop computed without giving itself back. */
  readonly pauseMs: number;
  readonly seconds: number;
}

/** A chunk as a store sends it. */
const CHUNK_BYTES = 64 * 1024;
const SETTLE_MS = 200;

const [folder = '', times = '1'] = process.argv.slice(2);
const { toolId, kind, itemId, outputs } = JSON.parse(
  readFileSync(join(folder, 'handed-in.json'), 'utf8'),
) as HandedIn;
/** The key of a copy has the digest of its bytes. */
const indexOf = (key: string): number => outputs.findIndex(({ sha256 }) => key.includes(sha256));
const pathOf = (key: string): string => join(folder, String(indexOf(key)));
const store = {
  copy: async (_from: string, key: string) => ({ ...outputs[indexOf(key)] }),
  read: async (key: string) => ({
    stream: createReadStream(pathOf(key), { highWaterMark: CHUNK_BYTES }),
    byteSize: statSync(pathOf(key)).size,
    etag: null,
  }),
} as unknown as ObjectStore;
const tool = createToolRegistry({ testTools: TEST_TOOLS }).find(toolId);
const request = { jobId: 'job', execution: 1, slot: 0, generation: 1, kind, reports: [] };
const reads = createByteBudget(READ_BYTES);
const judge = async (): Promise<string | null> => {
  const report = { ordinal: 0, end: 'done', seconds: 1, summary: null, outputs } as const;
  const attempt = { accountId: 'account', tool, isDryRun: false, recorder: NO_RECORDS, request, mark: 'm' };
  const judged = await judgeOutputs({ store, reads }, attempt, report, { itemId, attempts: 1 });
  return judged.fault?.text ?? null;
};

await sleep(SETTLE_MS);
// From here on the system keeps the peak of the resident memory.
writeFileSync('/proc/self/clear_refs', '5');
const before = peakBytes();
let [pauseMs, last] = [0, threadMs()];
const timer = setInterval(() => {
  const now = threadMs();
  pauseMs = Math.max(pauseMs, now - last);
  last = now;
}, 1);
const began = performance.now();
const faults = await Promise.all(Array.from({ length: Number(times) }, judge));
const seconds = (performance.now() - began) / 1000;
await sleep(1);
clearInterval(timer);
process.stdout.write(
  JSON.stringify({ faults, grownBytes: peakBytes() - before, pauseMs, seconds } satisfies Cost),
);

/** The processor time of this thread, which other processes of a busy machine do not lengthen. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function peakBytes(): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}
