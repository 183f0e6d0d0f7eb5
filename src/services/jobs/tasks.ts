/** The tasks of a job, by index. Empty until the job has planned them. */
import type { DataSource } from 'typeorm';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { TaskItem, TaskListResponse, TaskState } from '../../domain/responses.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { jobNotFound, ownedJob } from './owned.ts';

interface TaskRow {
  readonly ordinal: number;
  readonly item_id: string;
  readonly state: TaskState;
  readonly attempts: number;
  readonly progress_percent: number;
  readonly summary: Readonly<Record<string, unknown>> | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

/** Lists tasks. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listTasks(
  db: DataSource,
  actor: Actor,
  jobId: string,
  query: { readonly limit: number; readonly cursor?: string },
): Promise<TaskListResponse> {
  const owned = ownedJob(actor, jobId);
  const after = query.cursor === undefined ? -1 : ordinalOf(query.cursor);
  const [job] = await db.query<{ readonly tasks: readonly unknown[] }[]>(
    'select 1 from jobs where id = $1 and account_id = $2',
    [...owned],
  );
  if (job === undefined) throw jobNotFound();
  const rows = await db.query<TaskRow[]>(
    `select ordinal, item_id, state, attempts, progress_percent::float8 as progress_percent, summary, failure_code,
       failure_message, started_at, finished_at
     from tasks where job_id = $1 and kind = 'task' and ordinal > $2 order by ordinal limit $3`,
    [jobId, after, query.limit + 1],
  );
  const page = pageOf(rows, query.limit, (row) => [String(row.ordinal)]);
  return { tasks: page.rows.map(presentTask), nextCursor: page.nextCursor };
}

function presentTask(row: TaskRow): TaskItem {
  return {
    index: row.ordinal,
    id: row.item_id,
    state: row.state,
    attempts: row.attempts,
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    progressPercent: Math.floor(row.progress_percent * 10) / 10,
    summary: row.summary,
    failure:
      row.failure_code === null
        ? null
        : { code: row.failure_code, message: row.failure_message ?? 'The task failed.' },
  };
}

function ordinalOf(cursor: string): number {
  const [ordinal = ''] = decodeCursor(cursor, 1);
  if (/^\d{1,9}$/.test(ordinal)) return Number(ordinal);
  throw new AppError('VALIDATION_ERROR', 'cursor: is not one that this list answered.');
}
