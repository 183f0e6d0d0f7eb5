/** The tasks of a job, by index. Empty until the job has planned them. */
import type { DataSource } from 'typeorm';

import { JobEntity } from '../../../entities/jobs.ts';
import type { Task } from '../../../entities/tasks.ts';
import type { Actor } from '../../domain/access.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import type { Documents, ExactTimes, Row } from '../row.ts';
import { jobNotFound, ownedJob } from './owned.ts';
import type { TaskListResponse } from '../../domain/answers.ts';

type TaskItem = TaskListResponse['tasks'][number];

interface TaskRow
  extends
    Row<
      Task,
      'ordinal' | 'itemId' | 'state' | 'attempts' | 'progressPercent' | 'failureCode' | 'failureMessage'
    >,
    ExactTimes<Task, 'startedAt' | 'finishedAt'>,
    Documents<Task, { summary: TaskItem['summary'] }> {}

/** Filters of the list. */
export interface TaskListQuery {
  readonly limit: number;
  readonly cursor?: string;
  /** Tasks in any of these states. */
  readonly state?: Task['state'][];
  /** The code with which tasks have failed. */
  readonly code?: string;
}

const LIST = 'tasks';

/** Lists tasks. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listTasks(
  db: DataSource,
  actor: Actor,
  jobId: string,
  query: TaskListQuery,
): Promise<TaskListResponse> {
  const [id, accountId] = ownedJob(actor, jobId);
  const states = query.state === undefined ? undefined : [...new Set(query.state)].toSorted();
  const scope = scopeOf(LIST, actor, { ...query, state: states, jobId });
  const [after] = readCursor(scope, query.cursor, ['ordinal']) ?? [-1];
  if (!(await db.getRepository(JobEntity).existsBy({ id, accountId, internal: false }))) throw jobNotFound();
  const rows = await db.query<TaskRow[]>(
    `select ordinal, item_id, state, attempts, progress_percent::float8 as progress_percent, summary, failure_code,
       failure_message, ${exactTime('started_at')} as started_at, ${exactTime('finished_at')} as finished_at
     from tasks where job_id = $1 and kind = 'task' and ordinal > $2 and ($4::text[] is null or state = any($4))
       and ($5::text is null or failure_code = $5)
     order by ordinal limit $3`,
    [jobId, after, query.limit + 1, states ?? null, query.code ?? null],
  );
  const page = pageOf(scope, rows, query.limit, (row) => [String(row.ordinal)]);
  return { tasks: page.rows.map(presentTask), nextCursor: page.nextCursor };
}

function presentTask(row: TaskRow): TaskItem {
  return {
    index: row.ordinal,
    id: row.item_id,
    state: row.state,
    attempts: row.attempts,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    progressPercent: Math.floor(row.progress_percent * 10) / 10,
    summary: row.summary,
    failure:
      row.failure_code === null
        ? null
        : { code: row.failure_code, message: row.failure_message ?? 'The task failed.' },
  };
}
