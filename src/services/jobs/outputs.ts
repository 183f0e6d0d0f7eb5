/**
 * Verified outputs of a job, also while it runs. Download addresses are minted for one answer and never stored.
 *
 * A client follows a running job with `since`. Outputs take their time under the lock of the job's row, so the order of
 * times is the order of commits, and an output that is committed later is never older than one that was seen. Times are
 * answered as exactly as they are compared. With `since`, outputs come in the order of their times: in the order of tasks,
 * an output could be committed on a page that the client has passed already.
 *
 * `final` says that no more outputs will come: the job has ended, and every commit checks under the lock of the job's row
 * that the job has not ended. The state of the job is read before its outputs, so the outputs that are answered with a
 * final state, on this page and on the following pages, are all outputs of the job.
 */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../entities/jobs.ts';
import type { Artifact } from '../../../entities/storage.ts';
import type { Task } from '../../../entities/tasks.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { isTerminal } from '../../domain/job-state.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import type { PlaceKind } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import { presentItem } from '../present-item.ts';
import type { ExactTimes, Row } from '../row.ts';
import { jobNotFound, OF_CUSTOMER, ownedJob } from './owned.ts';
import type { OutputItem, OutputListResponse } from '../../domain/answers.ts';

/** Filters of the outputs; `since` is in UTC, to the microsecond. */
export interface OutputQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly kind?: string;
  readonly since?: string;
}

interface JobRow extends Row<Job, 'status' | 'unit' | 'taskTotal' | 'tasksVerified' | 'tasksFailed'> {
  readonly failed: Task['itemId'][];
  readonly missing: Task['itemId'][];
  readonly merge_missing: boolean;
}

type OutputRow = Row<Artifact, Exclude<keyof Artifact, 'accountId' | 'jobId' | 'label' | 'createdAt'>> &
  ExactTimes<Artifact, 'createdAt'>;

const LIST = 'outputs';
const URL_SECONDS = 3600;
const SHOWN_TASKS = 100;
const COLUMNS = `id, name, kind, task_kind, task_ordinal, item_id, media_type, format, byte_size, sha256, storage_key,
  ${exactTime('a.created_at')} as created_at`;

/** The job, with the first tasks that failed and the first of those that neither failed nor have outputs. */
const JOB = `
  select j.status, j.unit, j.task_total, j.tasks_verified, j.tasks_failed,
    ${itemsWhere("t.state = 'FAILED'")} as failed, ${itemsWhere("t.state not in ('SUCCEEDED', 'FAILED')")} as missing,
    exists (select from tasks m where m.job_id = j.id and m.kind = 'merge' and m.state <> 'SUCCEEDED') as merge_missing
  from jobs j where j.id = $1 and j.account_id = $2 and ${OF_CUSTOMER}`;

/** A page of outputs: the first one, and one after the place that the parameters from $5 on name. */
function listBy(columns: string, place: string): { readonly first: string; readonly next: string } {
  const from = (after: string): string => `
    select ${COLUMNS} from artifacts a
    where job_id = $1 and task_kind is not null and ($2::text is null or kind = $2) and ($3::timestamptz is null or a.created_at > $3) ${after}
    order by ${columns} limit $4`;
  return { first: from(''), next: from(`and (${columns}) > (${place})`) };
}

const LISTS = {
  byTask: listBy('coalesce(a.task_ordinal, -1), a.name, a.id', '$5::int, $6::text, $7::uuid'),
  byTime: listBy('a.created_at, a.id', '$5::timestamptz, $6::uuid'),
};

/** A way through the outputs: its statements, and the place of a row as strings. */
interface Order {
  readonly list: keyof typeof LISTS;
  readonly kinds: readonly PlaceKind[];
  placeOf(row: OutputRow): readonly string[];
}

const BY_TASK: Order = {
  list: 'byTask',
  kinds: ['ordinal', 'text', 'uuid'],
  placeOf: (row) => [String(row.task_ordinal ?? -1), row.name, row.id],
};

const BY_TIME: Order = {
  list: 'byTime',
  kinds: ['time', 'uuid'],
  placeOf: (row) => [row.created_at, row.id],
};

/** Lists outputs. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listOutputs(
  deps: { readonly db: DataSource; readonly store: ObjectStore },
  actor: Actor,
  jobId: string,
  query: OutputQuery,
): Promise<OutputListResponse> {
  const { db, store } = deps;
  const owned = ownedJob(actor, jobId);
  const order = query.since === undefined ? BY_TASK : BY_TIME;
  const scope = scopeOf(LIST, actor, { ...query, jobId });
  const place = readCursor(scope, query.cursor, order.kinds);
  const [job] = await db.query<JobRow[]>(JOB, [...owned]);
  if (job === undefined) throw jobNotFound();
  const [rows, [manifest]] = await Promise.all([
    readOutputs(db, jobId, query, order, place),
    db.query<OutputRow[]>(`select ${COLUMNS} from artifacts a where job_id = $1 and kind = 'manifest'`, [
      jobId,
    ]),
  ]);
  const page = pageOf(scope, rows, query.limit, (row) => order.placeOf(row));
  const expiresAt = new Date(Date.now() + URL_SECONDS * 1000).toISOString();
  const present = (row: OutputRow): Promise<OutputItem> => presentOutput(store, job.unit, row, expiresAt);
  return {
    jobId,
    status: job.status,
    complete: job.tasks_verified === job.task_total && !job.merge_missing,
    final: isTerminal(job.status),
    expected: job.task_total,
    present: job.tasks_verified,
    failed: job.failed,
    failedCount: job.tasks_failed,
    missing: job.missing,
    missingCount: job.task_total - job.tasks_verified - job.tasks_failed,
    outputs: await Promise.all(page.rows.map(present)),
    manifest: manifest === undefined ? null : await present(manifest),
    nextCursor: page.nextCursor,
  };
}

function itemsWhere(condition: string): string {
  return `array(select item_id from tasks t where t.job_id = j.id and t.kind = 'task' and ${condition}
    order by ordinal limit ${SHOWN_TASKS})`;
}

async function readOutputs(
  db: DataSource,
  jobId: string,
  { kind, since, limit }: OutputQuery,
  order: Order,
  place: readonly string[] | null,
): Promise<OutputRow[]> {
  return db.query<OutputRow[]>(LISTS[order.list][place === null ? 'first' : 'next'], [
    jobId,
    kind ?? null,
    since ?? null,
    limit + 1,
    ...(place ?? []),
  ]);
}

async function presentOutput(
  store: ObjectStore,
  unit: Job['unit'],
  row: OutputRow,
  urlExpiresAt: string,
): Promise<OutputItem> {
  const item = presentItem(unit, { kind: row.task_kind, ordinal: row.task_ordinal, itemId: row.item_id });
  const { url } = await store.signGet(row.storage_key, {
    expiresInSeconds: URL_SECONDS,
    filename: row.name.slice(row.name.lastIndexOf('/') + 1),
    contentType: row.media_type,
  });
  return {
    artifactId: row.id,
    name: row.name,
    kind: row.kind,
    frame: item.frame,
    taskIndex: item.index,
    ligandId: item.ligandId,
    mediaType: row.media_type,
    format: row.format,
    byteSize: row.byte_size,
    sha256: row.sha256,
    storageKey: row.storage_key,
    url,
    urlExpiresAt,
    createdAt: row.created_at,
  };
}
