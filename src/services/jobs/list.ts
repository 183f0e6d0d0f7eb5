/** The account's jobs, newest first. */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { JobState } from '../../domain/job-state.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { JobType } from '../../domain/requests.ts';
import type { JobListItem, JobListResponse } from '../../domain/responses.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';

/** Filters of the list; times are ISO 8601. */
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
  readonly submitted_at: Date;
  readonly updated_at: Date;
  readonly finished_at: Date | null;
}

/** Lists jobs. `canonicalSimulator` folds what the filter names. */
export async function listJobs(
  deps: { readonly db: DataSource; readonly canonicalSimulator: (name: string) => string },
  actor: Actor,
  query: JobListQuery,
): Promise<JobListResponse> {
  const values: unknown[] = [actor.accountId];
  const conditions = ['j.account_id = $1'];
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
  // The row itself is the place: its time is compared with all its digits.
  where(
    (place) =>
      `(j.submitted_at, j.id) < (select submitted_at, id from jobs where id = ${place} and account_id = $1)`,
    query.cursor === undefined ? undefined : jobIdOf(query.cursor),
  );
  const rows = await deps.db.query<ListRow[]>(
    `select j.id, j.job_type, j.job_name, j.status, j.simulator, j.task_total, j.tasks_verified, j.tasks_failed,
       e.estimated_micro, e.currency, j.submitted_at, j.updated_at, j.finished_at,
       (select coalesce(sum(charged_pence), 0)::bigint from holds h where h.job_id = j.id) as charged_pence
     from jobs j join job_executions e on e.job_id = j.id and e.n = j.execution
     where ${conditions.join(' and ')} order by j.submitted_at desc, j.id desc limit ${query.limit + 1}`,
    values,
  );
  const page = pageOf(rows, query.limit, (row) => [row.id]);
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
    createdAt: row.submitted_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

function jobIdOf(cursor: string): string {
  const [jobId = ''] = decodeCursor(cursor, 1);
  if (isUuid(jobId)) return jobId;
  throw new AppError('VALIDATION_ERROR', 'cursor: is not one that this list answered.');
}
