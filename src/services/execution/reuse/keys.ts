/**
 * The keys of a job's tasks, by which verified tasks of earlier jobs are found. A key is of content, so the tool may want to read an
 * input before the tool can tell the key.
 */
import { createHash } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import type { ReuseFacts, ToolReuse } from '../../../tools/tool.ts';
import { readPinnedFiles } from '../../job-records/pinned-files.ts';
import type { StoredFile } from '../../job-records/pinned-files.ts';
import { loadJob } from '../../job-records/request.ts';
import type { LoadedJob } from '../../job-records/request.ts';
import type { Recorder, Recorders } from '../recorder.ts';

export interface ReuseDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
  readonly recorders: Recorders;
}

/** A job whose tasks have their keys. */
export interface Keyed {
  readonly recorder: Recorder;
  /** Names an output that stands for another item. */
  readonly outputName: ToolReuse['outputName'];
}

/** Writes the keys of a job whose preparation is known; null where the tool reuses nothing. */
export async function writeReuseKeys(
  { db, store, tools, recorders }: ReuseDependencies,
  jobId: string,
): Promise<Keyed | null> {
  const job = await loadJob(db, store, jobId);
  const tool = tools.find(job.toolId);
  const { reuse } = tool.inputs;
  if (reuse === undefined) return null;
  const pinned = await readPinnedFiles(db, job, tool);
  const { accountId, effectiveSeed, request }: LoadedJob = job;
  const byKey = new Map([...pinned.values()].map((file) => [file.storageKey, file]));
  const facts = {
    accountId,
    digests: new Map([...byKey].map(([storageKey, { sha256 }]) => [storageKey, sha256])),
    effectiveSeed,
    cacheKey: tool.inputs.preparation(request, pinned)?.cacheKey ?? null,
    ...(await machineOf(db, jobId)),
    toolchainSha256: tool.work.toolchainSha256(),
  };
  const keys = await reuse.keys(request, facts, (key) => readPinned(store, byKey.get(key)));
  await db.query(
    `update tasks t set reuse_key = k.key from unnest($2::text[]) with ordinality as k (key, place)
     where t.job_id = $1 and t.kind = 'task' and t.ordinal = k.place - 1 and t.reuse_key is distinct from k.key`,
    [jobId, [...keys]],
  );
  return { recorder: recorders(job.toolId), outputName: reuse.outputName };
}

/** The class of processors and the build of programs that the preparation has told; a job runs on one of each. */
async function machineOf(db: DataSource, jobId: string): Promise<Pick<ReuseFacts, 'cpuClass' | 'build'>> {
  const [row] = await db.query<{ cpu_class: string | null; build: string | null }[]>(
    `select summary ->> 'cpuClass' as cpu_class, summary ->> 'build' as build
     from tasks where job_id = $1 and kind = 'prepare' and state = 'SUCCEEDED'`,
    [jobId],
  );
  return { cpuClass: row?.cpu_class ?? null, build: row?.build ?? null };
}

/** The bytes of a pinned input; null where they are gone or have changed. */
async function readPinned(store: ObjectStore, file: StoredFile | undefined): Promise<Uint8Array | null> {
  const opened = file === undefined ? null : await store.read(file.storageKey);
  if (file === undefined || opened?.byteSize !== file.byteSize) {
    opened?.stream.destroy();
    return null;
  }
  const pieces: Buffer[] = [];
  for await (const piece of opened.stream) {
    const read: unknown = piece;
    if (read instanceof Uint8Array) pieces.push(Buffer.from(read));
  }
  const bytes = Buffer.concat(pieces);
  return createHash('sha256').update(bytes).digest('hex') === file.sha256 ? bytes : null;
}
