/**
 * Keeps what a running task goes on from. As with outputs nothing is believed: what was staged is copied to where no instance may
 * write, size and digest of the copy are compared, and the task's row names the copy, in one statement that checks
 * the fence again. A checkpoint takes the place of the one before; it counts for nothing but the task's next attempt, and for what a
 * measured task costs: the row books the seconds of the tool that the checkpoint holds, so that a loss costs nobody more or less.
 * A task that has come further is given up for no loss before: only those count that follow each other without a new checkpoint.
 */
import { randomBytes } from 'node:crypto';

import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { Job } from '../../../../entities/jobs.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { CHECKPOINT_STAGED } from '../../../contracts/instance.ts';
import type { CheckpointRequest, InstanceClaims } from '../../../contracts/instance.ts';
import { checkpointKey, stagedKey } from '../../../contracts/names.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Row } from '../../row.ts';
import { rowsOf } from '../../transaction.ts';
import { fenced, fenceOf, UNFENCED } from '../fence.ts';
import type { FactsOf } from '../claim/job-facts.ts';
import type { KeptFile } from '../claim/job-files.ts';

const COPIES_AT_ONCE = 16;
const MARK_BYTES = 8;
const MEDIA_TYPE = 'application/octet-stream';

/** The attempt $6 of the task $5 of the kind $4, while it runs under the generation of the caller. */
const RUNS = `t.job_id = $1 and t.slot = $2 and t.generation = $3 and t.kind = $4 and t.ordinal = $5 and t.attempts = $6
    and t.state = 'RUNNING'`;

const FIND = `
  with fence as (select j.execution ${UNFENCED})
  select fence.execution, exists (select from tasks t where ${RUNS}) as runs from fence`;

/**
 * The milliseconds that the present run of the tool has worked since its start or its last checkpoint; 0 where nothing is measured.
 * A run counts no longer than the limit of the task, $8.
 */
const SINCE_KEPT_MS = `case when t.tool_run is null then 0 else floor(1000 * greatest(0, extract(epoch from
      least(clock_timestamp(), t.tool_started_at + make_interval(secs => $8)) - greatest(t.tool_started_at, t.checkpoint_at)))) end`;

// The row lock makes a fence that is being set wait for this statement, or this statement see the fence.
const KEEP = `
  with fence as (select 1 ${UNFENCED} for share of i),
  before as (select checkpoint from tasks where job_id = $1 and kind = $4 and ordinal = $5),
  kept as (update tasks t set checkpoint = $7::jsonb, checkpoint_at = clock_timestamp(), kept_ms = t.kept_ms + ${SINCE_KEPT_MS},
      losses = 0, kills = 0 from fence where ${RUNS} returning 1)
  select before.checkpoint as former from before where exists (select from kept)`;

/** The database, the store, and the facts of jobs. */
export interface CheckpointDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly factsOf: FactsOf;
}

/**
 * Keeps the staged files of a task.
 * @throws AppError FENCED; NOT_FOUND when the attempt does not run here, or the tool keeps nothing; PAYLOAD_TOO_LARGE beyond
 * the task's disk; VALIDATION_ERROR when the staged files are others than those named.
 */
export async function keepCheckpoint(
  { db, store, factsOf }: CheckpointDependencies,
  claims: InstanceClaims,
  { kind, ordinal, attempt, files }: CheckpointRequest,
): Promise<void> {
  const task = [...fenceOf(claims), kind, ordinal, attempt] as const;
  const [found] = await rowsOf<Row<Job, 'execution'> & { readonly runs: boolean }>(db, FIND, task);
  if (found === undefined) throw fenced();
  if (!found.runs) throw new AppError('NOT_FOUND', `No ${kind} ${ordinal} runs on this instance.`);
  const { tool, limits } = await factsOf(claims.jobId, found.execution);
  if (tool.work.checkpoint === null) throw new AppError('NOT_FOUND', 'The tool of this job keeps nothing.');
  const bytes = files.reduce((sum, { byteSize }) => sum + byteSize, 0);
  if (bytes > limits.diskBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', 'The checkpoint is larger than the task may have on disk.');
  const mark = randomBytes(MARK_BYTES).toString('hex');
  const kept: readonly KeptFile[] = files.map(({ name, byteSize, sha256 }) => ({
    name,
    byteSize,
    sha256,
    storageKey: checkpointKey({ jobId: claims.jobId, kind, ordinal }, mark, name),
  }));
  const stagedKeys = files.map(({ name }) =>
    stagedKey(...fenceOf(claims), kind, ordinal, `${CHECKPOINT_STAGED}/${name}`),
  );
  const fault = await copyAll(store, stagedKeys, kept);
  const [row] =
    fault === null
      ? await rowsOf<{ readonly former: readonly KeptFile[] | null }>(db, KEEP, [
          ...task,
          JSON.stringify(kept),
          limits.wallSeconds,
        ])
      : [];
  const unwanted = row === undefined ? kept : (row.former ?? []);
  await store.remove(unwanted.map(({ storageKey }) => storageKey)).catch(() => undefined);
  if (fault !== null) throw new AppError('VALIDATION_ERROR', fault);
  if (row === undefined) throw fenced();
}

/** Copies the staged files; answers what is wrong with them, or null. */
async function copyAll(
  store: ObjectStore,
  stagedKeys: readonly string[],
  kept: readonly KeptFile[],
): Promise<string | null> {
  const limit = pLimit(COPIES_AT_ONCE);
  const faults = await Promise.all(
    kept.map(({ name, storageKey, byteSize, sha256 }, index) =>
      limit(async () => {
        const copy = await store.copy(stagedKeys[index] ?? '', storageKey, MEDIA_TYPE);
        if (copy === null) return `${name} was not staged.`;
        const size = copy.byteSize ?? (await store.head(storageKey))?.byteSize;
        const digest = copy.sha256 ?? (await store.hash(storageKey))?.sha256;
        return size === byteSize && digest === sha256 ? null : `${name} is not what was named.`;
      }),
    ),
  );
  return faults.find((fault) => fault !== null) ?? null;
}
