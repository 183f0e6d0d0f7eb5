/** Verified outputs of a job, also while it runs. Download addresses are minted for one answer and never stored. */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { JobState } from '../../domain/job-state.ts';
import type { OutputItem, OutputListResponse } from '../../domain/responses.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { jobNotFound, ownedJob } from './owned.ts';

/** Filters of the outputs; `since` is ISO 8601. */
export interface OutputQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly kind?: string;
  readonly since?: string;
}

interface JobRow {
  readonly status: JobState;
  readonly task_total: number;
  readonly tasks_verified: number;
  readonly missing: string[];
}

interface OutputRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly frame: number | null;
  readonly task_kind: string | null;
  readonly task_ordinal: number | null;
  readonly ligand_id: string | null;
  readonly media_type: string;
  readonly format: string | null;
  readonly byte_size: number;
  readonly sha256: string;
  readonly storage_key: string;
  readonly created_at: Date;
}

const URL_SECONDS = 3600;
const SHOWN_MISSING = 100;
const COLUMNS =
  'id, name, kind, frame, task_kind, task_ordinal, ligand_id, media_type, format, byte_size, sha256, storage_key, created_at';

/** Lists outputs. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listOutputs(
  deps: { readonly db: DataSource; readonly store: ObjectStore },
  actor: Actor,
  jobId: string,
  query: OutputQuery,
): Promise<OutputListResponse> {
  const { db, store } = deps;
  const owned = ownedJob(actor, jobId);
  const place = query.cursor === undefined ? null : placeOf(query.cursor);
  const [job] = await db.query<JobRow[]>(
    `select j.status, j.task_total, j.tasks_verified, array(select item_id from tasks t where t.job_id = j.id
       and t.kind = 'task' and t.state <> 'SUCCEEDED' order by ordinal limit ${SHOWN_MISSING}) as missing
     from jobs j where j.id = $1 and j.account_id = $2`,
    [...owned],
  );
  if (job === undefined) throw jobNotFound();
  const [rows, [manifest]] = await Promise.all([
    readOutputs(db, jobId, query, place),
    db.query<OutputRow[]>(`select ${COLUMNS} from artifacts where job_id = $1 and kind = 'manifest'`, [
      jobId,
    ]),
  ]);
  const page = pageOf(rows, query.limit, (row) => [String(row.task_ordinal ?? -1), row.name, row.id]);
  const expiresAt = new Date(Date.now() + URL_SECONDS * 1000).toISOString();
  const present = (row: OutputRow): Promise<OutputItem> => presentOutput(store, row, expiresAt);
  return {
    jobId,
    status: job.status,
    complete: job.tasks_verified === job.task_total,
    expected: job.task_total,
    present: job.tasks_verified,
    missing: job.missing,
    outputs: await Promise.all(page.rows.map(present)),
    manifest: manifest === undefined ? null : await present(manifest),
    nextCursor: page.nextCursor,
  };
}

async function readOutputs(
  db: DataSource,
  jobId: string,
  query: OutputQuery,
  place: readonly [number, string, string] | null,
): Promise<OutputRow[]> {
  const [ordinal, name, id] = place ?? [null, null, null];
  return db.query<OutputRow[]>(
    `select ${COLUMNS} from artifacts
     where job_id = $1 and ($2::text is null or kind = $2) and ($3::timestamptz is null or created_at > $3)
       and ($4::int is null or (coalesce(task_ordinal, -1), name, id) > ($4, $5::text, $6::uuid))
     order by coalesce(task_ordinal, -1), name, id limit $7`,
    [jobId, query.kind ?? null, query.since ?? null, ordinal, name, id, query.limit + 1],
  );
}

async function presentOutput(store: ObjectStore, row: OutputRow, urlExpiresAt: string): Promise<OutputItem> {
  const { url } = await store.signGet(row.storage_key, {
    expiresInSeconds: URL_SECONDS,
    filename: row.name.slice(row.name.lastIndexOf('/') + 1),
    contentType: row.media_type,
  });
  return {
    artifactId: row.id,
    name: row.name,
    kind: row.kind,
    frame: row.frame,
    taskIndex: row.task_kind === 'task' ? row.task_ordinal : null,
    ligandId: row.ligand_id,
    mediaType: row.media_type,
    format: row.format,
    byteSize: row.byte_size,
    sha256: row.sha256,
    storageKey: row.storage_key,
    url,
    urlExpiresAt,
    createdAt: row.created_at.toISOString(),
  };
}

function placeOf(cursor: string): readonly [number, string, string] {
  const [ordinal = '', name = '', id = ''] = decodeCursor(cursor, 3);
  if (/^(-1|\d{1,9})$/.test(ordinal) && isUuid(id)) return [Number(ordinal), name, id];
  throw new AppError('VALIDATION_ERROR', 'cursor: is not one that this list answered.');
}
