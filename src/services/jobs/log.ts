/** A task's log: the stored chunks of its last attempt, read as one. The log grows while the task runs. */
import { Readable } from 'node:stream';

import type { DataSource } from 'typeorm';

import { JobEntity } from '../../../entities/jobs.ts';
import type { TaskLogChunk } from '../../../entities/tasks.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import { jobNotFound, ownedJob } from './owned.ts';

/** Bytes of a log, both ends inclusive; without `end` to the present end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** A part of a log. A range that starts at or beyond `totalBytes` gives an empty stream. */
export interface TaskLog {
  readonly totalBytes: number;
  readonly stream: Readable;
}

type ChunkRow = Row<TaskLogChunk, 'fromByte' | 'toByte' | 'storageKey'>;

/** Bytes of one chunk: `from` and `to` (exclusive) are places in the log, `skip` what the object has before `from`. */
interface Piece {
  readonly storageKey: string;
  readonly from: number;
  readonly to: number;
  readonly skip: number;
}

/**
 * An honest worker sends one chunk for all that has gathered since its last contact, so a task of several days stays below
 * this number of chunks. An instance could send every byte as a chunk of its own: only the beginning of such a log is
 * shown.
 */
const MOST_CHUNKS = 50_000;

/** Opens a task's log. @throws NOT_FOUND. */
export async function readTaskLog(
  deps: { readonly db: DataSource; readonly store: ObjectStore },
  actor: Actor,
  jobId: string,
  index: number,
  range: ByteRange,
): Promise<TaskLog> {
  const [id, accountId] = ownedJob(actor, jobId);
  const job = await deps.db
    .getRepository(JobEntity)
    .findOne({ select: { id: true, taskTotal: true }, where: { id, accountId, internal: false } });
  if (job === null) throw jobNotFound();
  if (index >= job.taskTotal) throw new AppError('NOT_FOUND', `The job has no task ${index}.`);
  const pieces = piecesOf(
    await deps.db.query<ChunkRow[]>(
      `select from_byte, to_byte, storage_key from task_logs l
       where job_id = $1 and kind = 'task' and ordinal = $2 and attempt = (
         select max(attempt) from task_logs m where m.job_id = $1 and m.kind = 'task' and m.ordinal = $2)
       order by from_byte, to_byte limit ${MOST_CHUNKS}`,
      [jobId, index],
    ),
  );
  const totalBytes = pieces.at(-1)?.to ?? 0;
  const end = Math.min(range.end ?? totalBytes - 1, totalBytes - 1);
  return { totalBytes, stream: Readable.from(bytesOf(deps.store, pieces, range.start, end)) };
}

/**
 * The chunks up to the first gap, without overlaps: a worker may repeat bytes, and bytes before a gap are still to come.
 */
function piecesOf(chunks: readonly ChunkRow[]): Piece[] {
  const pieces: Piece[] = [];
  let reached = 0;
  for (const chunk of chunks) {
    if (chunk.from_byte > reached) break;
    if (chunk.to_byte <= reached) continue;
    pieces.push({
      storageKey: chunk.storage_key,
      from: reached,
      to: chunk.to_byte,
      skip: reached - chunk.from_byte,
    });
    reached = chunk.to_byte;
  }
  return pieces;
}

async function* bytesOf(
  store: ObjectStore,
  pieces: readonly Piece[],
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    const from = Math.max(piece.from, start);
    const to = Math.min(piece.to - 1, end);
    if (from > to) continue;
    const offset = piece.skip - piece.from;
    const object = await store.read(piece.storageKey, { start: from + offset, end: to + offset });
    if (object === null) throw new Error(`The log chunk ${piece.storageKey} is missing.`);
    for await (const chunk of object.stream) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  }
}
