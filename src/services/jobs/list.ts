/** The account's jobs, newest first. */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { Actor } from '../../domain/access.ts';
import type { JobState } from '../../domain/job-state.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { JobType } from '../../domain/requests.ts';
import type { JobListItem, JobListResponse } from '../../domain/responses.ts';
import { decodeCursor, foreignCursor, pageOf, scopeOf } from '../cursor.ts';
import type { CursorScope } from '../cursor.ts';
import { exactTime, isExactTime } from '../exact-time.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';
import { OF_CUSTOMER } from './owned.ts';

/** Filters of the list; times are in UTC to the microsecond, and leave out the job that was created at them. */
export interface JobListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly status?: JobState;
  readonly jobType?: JobType;
  readonly simulator?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** The beginning of the name. */
  readonly jobName?: string;
}

interface ListRow {
  readonly id: string;
  readonly job_type: JobType;
  readonly job_name: string | null;
  readonly status: JobState;
  readonly simulator: string | null;
  readonly task_total: number;
  readonly tasks_verified: number;
  readonly tasks_failed: number;
  readonly estimated_micro: number;
  readonly currency: string;
  readonly charged_pence: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
}

const LIST = 'jobs';

/** Lists jobs. `canonicalSimulator` folds what the filter names. */
export async function listJobs(
  deps: { readonly db: DataSource; readonly canonicalSimulator: (name: string) => string },
  actor: Actor,
  query: JobListQuery,
): Promise<JobListResponse> {
  const scope = scopeOf(LIST, actor, { ...query });
  const values: unknown[] = [actor.accountId];
  const conditions = ['j.account_id = $1', OF_CUSTOMER];
  const where = (condition: (place: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  where((place) => `j.status = ${place}`, query.status);
  where((place) => `j.job_type = ${place}`, query.jobType);
  where(
    (place) => `j.simulator = ${place}`,
    query.simulator === undefined ? undefined : deps.canonicalSimulator(query.simulator),
  );
  where((place) => `j.submitted_at > ${place}::timestamptz`, query.createdAfter);
  where((place) => `j.submitted_at < ${place}::timestamptz`, query.createdBefore);
  where((place) => `starts_with(j.job_name, ${place})`, query.jobName);
  if (query.cursor !== undefined) {
    const [createdAt, jobId] = placeOf(scope, query.cursor);
    values.push(createdAt, jobId);
    conditions.push(`(j.submitted_at, j.id) < ($${values.length - 1}::timestamptz, $${values.length}::uuid)`);
  }
  const rows = await deps.db.query<ListRow[]>(
    `select j.id, j.job_type, j.job_name, j.status, j.simulator, j.task_total, j.tasks_verified, j.tasks_failed,
       e.estimated_micro, e.currency, ${exactTime('j.submitted_at')} as created_at,
       ${exactTime('j.updated_at')} as updated_at, ${exactTime('j.finished_at')} as finished_at,
       (select coalesce(sum(charged_pence), 0)::bigint from holds h where h.job_id = j.id) as charged_pence
     from jobs j join job_executions e on e.job_id = j.id and e.n = j.execution
     where ${conditions.join(' and ')} order by j.submitted_at desc, j.id desc limit ${query.limit + 1}`,
    values,
  );
  const page = pageOf(scope, rows, query.limit, (row) => [row.created_at, row.id]);
  return { jobs: page.rows.map(presentItem), nextCursor: page.nextCursor };
}

function presentItem(row: ListRow): JobListItem {
  return {
    jobId: row.id,
    jobType: row.job_type,
    jobName: row.job_name,
    status: row.status,
    simulator: row.simulator,
    progressPercent: Math.floor(((row.tasks_verified + row.tasks_failed) / row.task_total) * 1000) / 10,
    estimatedCost: microToUnits(row.estimated_micro),
    currency: row.currency,
    chargedCents: row.charged_pence,
    creditCurrency: CREDIT_CURRENCY,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}

/** The time and the id of a page's last job. */
function placeOf(scope: CursorScope, cursor: string): readonly [string, string] {
  const [createdAt = '', jobId = ''] = decodeCursor(scope, cursor, 2);
  if (isExactTime(createdAt) && isUuid(jobId)) return [createdAt, jobId];
  throw foreignCursor();
}
