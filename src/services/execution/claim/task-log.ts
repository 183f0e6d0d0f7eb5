/**
 * Keeps what a tool prints: chunks in the store, their places in Postgres. A chunk is known by (task, attempt, first
 * byte); a chunk that is sent again replaces the stored chunk. A chunk that a fence refuses after the chunk was stored is removed
 * again, because nobody else would ever look for the chunk; a chunk that the same instance had recorded before stays.
 */
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { InstanceClaims } from '../../../contracts/instance.ts';
import type { WorkKind } from '../../../contracts/job.ts';
import type { Job } from '../../../../entities/jobs.ts';
import { TaskLogChunkEntity } from '../../../../entities/tasks.ts';
import type { Task } from '../../../../entities/tasks.ts';
import { LOG_CHUNK_BYTES } from '../../../contracts/instance.ts';
import { logPrefix } from '../../../contracts/names.ts';
import { AppError } from '../../../domain/errors.ts';
import type { OuterRow, Row } from '../../row.ts';
import { repeatConflicts, rowsOf } from '../../transaction.ts';
import { fenced, fenceOf, UNFENCED } from '../fence.ts';
import type { FactsOf } from './job-facts.ts';

/** A chunk of the log of one task. */
export interface LogChunk {
  readonly kind: WorkKind;
  readonly ordinal: number;
  readonly attempt: number;
  readonly from: number;
}

const FIND = `
  with fence as (select j.execution ${UNFENCED})
  select execution, (select t.attempts from tasks t where t.job_id = $1 and t.kind = $4 and t.ordinal = $5
    and t.slot = $2 and t.generation = $3) as attempts
  from fence`;

// The row lock makes a fence that is being set wait for this statement, so a chunk that the fence refuses later finds all chunks that were recorded before the fence.
const RECORD = `
  with fence as (select j.id ${UNFENCED} for share of i),
  noted as (
    update tasks t set log_bytes = greatest(case when t.attempts = $6 then t.log_bytes else 0 end, $8::bigint) from fence
    where t.job_id = $1 and t.kind = $4 and t.ordinal = $5 and t.slot = $2 and t.generation = $3
    returning 1
  )
  insert into task_logs (job_id, kind, ordinal, attempt, from_byte, to_byte, storage_key)
  select $1, $4, $5, $6, $7, $8, $9 from fence where exists (select 1 from noted)
  on conflict (job_id, kind, ordinal, attempt, from_byte)
    do update set to_byte = excluded.to_byte, storage_key = excluded.storage_key
  returning 1`;

/**
 * Stores one chunk.
 * @throws AppError FENCED; NOT_FOUND when the task is not this generation's; PAYLOAD_TOO_LARGE beyond the tool's limit.
 */
export async function storeLogChunk(
  deps: {
    readonly db: DataSource;
    readonly store: ObjectStore;
    readonly factsOf: FactsOf;
  },
  claims: InstanceClaims,
  chunk: LogChunk,
  bytes: Uint8Array,
): Promise<void> {
  const { db, store, factsOf } = deps;
  const { kind, ordinal, attempt, from } = chunk;
  const [found] = await rowsOf<Row<Job, 'execution'> & OuterRow<Task, 'attempts'>>(db, FIND, [
    ...fenceOf(claims),
    kind,
    ordinal,
  ]);
  if (found === undefined) throw fenced();
  if (found.attempts === null || attempt > found.attempts) {
    throw new AppError('NOT_FOUND', `No ${kind} ${ordinal} with this attempt runs on this instance.`);
  }
  const { limits } = await factsOf(claims.jobId, found.execution);
  const to = from + bytes.byteLength;
  if (to > limits.logBytes + LOG_CHUNK_BYTES) {
    throw new AppError('PAYLOAD_TOO_LARGE', 'The log of this task is over its limit.');
  }
  const place = [
    kind,
    ordinal,
    attempt,
    `${claims.slot}.${claims.generation}`,
    String(from).padStart(12, '0'),
  ];
  const key = `${logPrefix(claims.jobId)}${place.join('/')}`;
  await store.put(key, bytes, 'text/plain; charset=utf-8');
  const recorded = await rowsOf(db, RECORD, [...fenceOf(claims), kind, ordinal, attempt, from, to, key]);
  if (recorded.length > 0) return;
  const isKnown = await repeatConflicts(() =>
    db.getRepository(TaskLogChunkEntity).existsBy({
      jobId: claims.jobId,
      kind,
      ordinal,
      attempt,
      fromByte: from,
      storageKey: key,
    }),
  );
  if (!isKnown) await store.remove([key]).catch(() => undefined);
  throw fenced();
}
