/**
 * The keys of a job's tasks, by which verified results of earlier jobs are found. A key is of content, so the tool may want to read an
 * input before the tool can tell the key.
 */
import { createHash } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import type { ToolReuse } from '../../../tools/tool.ts';
import { readPinnedFiles } from '../../job-records/pinned-files.ts';
import type { StoredFile } from '../../job-records/pinned-files.ts';
import { loadJob } from '../../job-records/request.ts';
import type { LoadedJob } from '../../job-records/request.ts';

export interface ReuseDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
}

/** Name of an output that stands for another item. */
export type OutputName = ToolReuse['outputName'];

/** A job whose tasks have their keys. */
export interface Keyed {
  readonly toolchainSha256: string;
  readonly outputName: OutputName;
}

/** Writes the keys of a job whose preparation is known; null where the tool reuses nothing. */
export async function writeReuseKeys(
  { db, store, tools }: ReuseDependencies,
  { jobId }: { readonly jobId: string },
): Promise<Keyed | null> {
  const job = await loadJob(db, store, jobId);
  const tool = tools.find(job.toolId);
  const { reuse } = tool.inputs;
  if (reuse === undefined) return null;
  const pinned = await readPinnedFiles(db, job, tool);
  const identity = tool.inputs.preparation(job.request, pinned);
  if (identity === null) return null;
  const { accountId, effectiveSeed, request }: LoadedJob = job;
  const toolchainSha256 = tool.work.toolchainSha256();
  const facts = { accountId, effectiveSeed, cacheKey: identity.cacheKey, toolchainSha256 };
  const byKey = new Map([...pinned.values()].map((file) => [file.storageKey, file]));
  const keys = await reuse.keys(request, facts, (key) => readPinned(store, byKey.get(key)));
  await db.query(
    `update tasks t set reuse_key = k.key from unnest($2::text[]) with ordinality as k (key, place)
     where t.job_id = $1 and t.kind = 'task' and t.ordinal = k.place - 1 and t.reuse_key is distinct from k.key`,
    [jobId, [...keys]],
  );
  return { toolchainSha256, outputName: reuse.outputName };
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
