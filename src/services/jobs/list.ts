/** The account's jobs, newest first, and how many of them are in each state. */
import type { DataSource } from 'typeorm';

import type { Job, JobExecution } from '../../../entities/jobs.ts';
import type { Hold } from '../../../entities/ledger.ts';
import type { Actor } from '../../domain/access.ts';
import { isTerminal, JOB_STATES } from '../../domain/job-state.ts';
import type { JobState } from '../../domain/job-state.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { JobType } from '../../domain/requests.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { ExactTimes, Row } from '../row.ts';
import { OF_CUSTOMER } from './owned.ts';
import type { Answers, JobListResponse } from '../../domain/answers.ts';

type JobListItem = JobListResponse['jobs'][number];

/** Filters of the list; times are in UTC to the microsecond, and leave out the job that was created at them. */
export interface JobListQuery {
  readonly limit: number;
  readonly cursor?: string;
  /** Jobs in any of these states. */
  readonly status?: JobState[];
  readonly jobType?: JobType;
  readonly simulator?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** The beginning of the name. */
  readonly jobName?: string;
}

interface ListRow
  extends
    Row<
      Job,
      'id' | 'jobType' | 'jobName' | 'status' | 'simulator' | 'taskTotal' | 'tasksVerified' | 'tasksFailed'
    >,
    ExactTimes<Job, 'submittedAt' | 'updatedAt' | 'finishedAt'>,
    Row<JobExecution, 'estimatedMicro' | 'currency'>,
    Row<Hold, 'chargedPence'> {}

const LIST = 'jobs';

/**
 * The list's page from a place on. The bounds of time compare the column itself also when a query has none, so that the
 * index of the account's jobs is entered at the right time under every plan.
 */
function listFrom(place: string): string {
  return `
    select j.id, j.job_type, j.job_name, j.status, j.simulator, j.task_total, j.tasks_verified, j.tasks_failed,
      e.estimated_micro, e.currency, ${exactTime('j.submitted_at')} as submitted_at,
      ${exactTime('j.updated_at')} as updated_at, ${exactTime('j.finished_at')} as finished_at,
      (select coalesce(sum(charged_pence), 0)::bigint from holds h where h.job_id = j.id) as charged_pence
    from jobs j join job_executions e on e.job_id = j.id and e.n = j.execution
    where j.account_id = $1 and ${OF_CUSTOMER} and ($2::text[] is null or j.status = any($2))
      and ($3::text is null or j.job_type = $3) and ($4::text is null or j.simulator = $4)
      and j.submitted_at > coalesce($5::timestamptz, '-infinity') and j.submitted_at < coalesce($6::timestamptz, 'infinity')
      and ($7::text is null or starts_with(j.job_name, $7)) ${place}
    order by j.submitted_at desc, j.id desc limit $8`;
}

const LIST_FROM_START = listFrom('');
const LIST_FROM_CURSOR = listFrom('and (j.submitted_at, j.id) < ($9::timestamptz, $10::uuid)');

/** Lists jobs. `canonicalSimulator` folds what the filter names. */
export async function listJobs(
  deps: { readonly db: DataSource; readonly canonicalSimulator: (name: string) => string },
  actor: Actor,
  query: JobListQuery,
): Promise<JobListResponse> {
  const { simulator, status } = query;
  // The same states are the same list, in whatever order they are sent.
  const states = status === undefined ? undefined : [...new Set(status)].toSorted();
  const scope = scopeOf(LIST, actor, { ...query, status: states });
  const place = readCursor(scope, query.cursor, ['time', 'uuid']);
  const rows = await deps.db.query<ListRow[]>(place === null ? LIST_FROM_START : LIST_FROM_CURSOR, [
    actor.accountId,
    states ?? null,
    query.jobType ?? null,
    simulator === undefined ? null : deps.canonicalSimulator(simulator),
    query.createdAfter ?? null,
    query.createdBefore ?? null,
    query.jobName ?? null,
    query.limit + 1,
    ...(place ?? []),
  ]);
  const page = pageOf(scope, rows, query.limit, (row) => [row.submitted_at, row.id]);
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
    createdAt: row.submitted_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}

/** Query of the summary; the time leaves out the job that ended at it. */
export interface SummaryQuery {
  readonly finishedAfter?: string;
}

type Summary = Answers['getJobSummary'];

const COUNTED = JOB_STATES.map((state) => `count(*) filter (where status = '${state}')::int as "${state}"`);
const COUNTS = `
  select ${COUNTED.join(', ')} from jobs
  where account_id = $1 and ${OF_CUSTOMER} and (finished_at is null or finished_at > coalesce($2::timestamptz, '-infinity'))`;

/** Counts the jobs of the account by state; of those that have ended, the ones that ended after a time. */
export async function summarizeJobs(
  db: DataSource,
  actor: Actor,
  { finishedAfter }: SummaryQuery,
): Promise<Summary> {
  const [byStatus] = await db.query<[Summary['byStatus']]>(COUNTS, [actor.accountId, finishedAfter ?? null]);
  const open = JOB_STATES.filter((state) => !isTerminal(state)).map((state) => byStatus[state]);
  return { open: open.reduce((sum, jobs) => sum + jobs, 0), byStatus };
}
