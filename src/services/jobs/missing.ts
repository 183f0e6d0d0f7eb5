/**
 * Missing tasks of a job that has stopped, and their price: that of today, by today's price book and exchange rate. A resume
 * holds this price, and a status names it.
 */
import type { DataSource } from 'typeorm';

import type { Account } from '../../../entities/accounts.ts';
import type { Job, JobExecution } from '../../../entities/jobs.ts';
import type { JobInputObject } from '../../../entities/storage.ts';
import { FAILURES_OF_THE_ENGINE } from '../../domain/codes/jobs.ts';
import { AppError } from '../../domain/errors.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { missingPricing } from '../../domain/missing-work.ts';
import type { MissingTasks } from '../../domain/missing-work.ts';
import { STOP_RULE } from '../../domain/stop-rule.ts';
import type { Quote } from '../../domain/pricing.ts';
import { exactTime } from '../exact-time.ts';
import type { Documents, ExactTimes, Row } from '../row.ts';
import type { ToolOffers } from '../tools/offers.ts';
import type { Tx } from '../transaction.ts';
import { offerFor } from './offer.ts';
import type { OfferDependencies } from './offer.ts';
import { jobNotFound, OF_CUSTOMER } from './owned.ts';
import type { LoadedJob } from '../job-records/request.ts';

/** A job that has stopped, with the tasks that are neither verified nor charged. */
export interface ResumedRow
  extends
    Row<Job, 'status' | 'execution' | 'simulator' | 'taskTotal'>,
    ExactTimes<JobExecution, 'startedAt'>,
    Row<JobExecution, 'limitPence'>,
    Documents<JobExecution, { quote: Quote }> {
  readonly account_plan: Account['plan'];
  readonly charged_before: boolean;
  readonly missing: readonly MissingTasks[];
  /** Mean time of the verified tasks, in milliseconds; 0 where nothing was measured. */
  readonly mean_ms: number;
  /** Whether the paused job is being cancelled. */
  readonly is_ending: boolean;
  readonly is_planned: boolean;
  /** Whether every missing task has failed for its own input, so that doing it again ends in the same way. */
  readonly fails_again: boolean;
}

/** An input that the job has pinned. */
export type Pin = Pick<JobInputObject, 'storageKey' | 'byteSize'>;

/** The parts that price a job. */
export interface MissingDependencies extends OfferDependencies {
  readonly offers: Pick<ToolOffers, 'require'>;
}

/** Failures of a task that may succeed when it is done again: the machine was at fault, or something outside was away. */
const MAY_SUCCEED = [
  ...FAILURES_OF_THE_ENGINE,
  'PACK_NOT_INSTALLED',
  'RECEPTOR_FETCH_FAILED',
  'GPU_UNUSABLE',
];
/** SQL that is true of a task `t` that is neither verified nor paid for. */
const IS_MISSING = `t.state <> 'SUCCEEDED' and t.charged_in is null and t.failure_code is distinct from '${STOP_RULE}'`;
const FIND = `
  select a.plan as account_plan, j.status, j.execution, j.simulator, j.task_total, j.cancel_requested_at is not null and j.status = 'PAUSED' as is_ending,
    e.quote, e.limit_pence, ${exactTime('e.started_at')} as started_at,
    exists (select from holds h where h.job_id = j.id and h.charged_pence > 0) as charged_before,
    (select coalesce(ceil(avg(t.metered_ms)), 0)::float8 from tasks t
      where t.job_id = j.id and t.kind = 'task' and t.state = 'SUCCEEDED') as mean_ms,
    (select coalesce(jsonb_agg(m), '[]') from (
      select price_class as "priceClass", count(*)::int as tasks from tasks t
      where t.job_id = j.id and t.kind = 'task' and ${IS_MISSING}
      group by price_class order by price_class) m) as missing,
    exists (select from tasks t where t.job_id = j.id) as is_planned,
    (select coalesce(bool_and(t.state = 'FAILED' and t.failure_code <> all('{${MAY_SUCCEED.join()}}')), false) from tasks t
      where t.job_id = j.id and t.kind = 'task' and ${IS_MISSING}) as fails_again
  from jobs j join accounts a on a.id = j.account_id join job_executions e on e.job_id = j.id and e.n = j.execution
  where j.id = $1 and j.account_id = $2 and ${OF_CUSTOMER}`;

/** Reads a job with what is missing of it. @throws NOT_FOUND. */
export async function findResumed(
  db: DataSource | Tx,
  owned: readonly [string, string],
): Promise<ResumedRow> {
  const [row] = await db.query<ResumedRow[]>(FIND, [...owned]);
  if (row === undefined) throw jobNotFound();
  return row;
}

/**
 * The price of what is missing: by today's price of the whole job, or by that of the last execution where the tool has other
 * classes now. @throws JOB_NOT_RESUMABLE without the tool; what an offer is refused for.
 */
export async function quoteMissing(
  deps: MissingDependencies,
  found: ResumedRow,
  job: LoadedJob,
  pins: ReadonlyMap<string, Pin>,
): Promise<Quote> {
  const tool = deps.tools.lookUp(job.toolId);
  if (tool === null)
    throw new AppError('JOB_NOT_RESUMABLE', 'The tool of the job is not installed any more.');
  const { request } = job;
  await deps.offers.require(tool, request);
  const asked = { tool, request, simulator: found.simulator, warnings: [], unused: [] };
  const whole = // The plan of the job stays, and jobs of before there were GPUs have none in it.
    (await offerFor(deps, asked, pins, { accountPlan: found.account_plan, usesGpu: false })).quote;
  const priceBy = (offer: Quote): ReturnType<typeof missingPricing> =>
    missingPricing(
      offer,
      found.is_planned ? found.missing : unplanned(found),
      !found.charged_before,
      found.mean_ms,
    );
  const isSame = whole.taskCount === found.task_total;
  const priced = (isSame ? priceBy(whole) : null) ?? priceBy(found.quote);
  if (priced === null) throw invariantBroken(`the missing tasks of job ${job.jobId} have no price`);
  return deps.quotes.offer(() => priced.pricing, priced.taskCount);
}

/** The tasks of a job that ended before its tasks were written. */
function unplanned({ quote }: ResumedRow): readonly MissingTasks[] {
  const { pricing } = quote;
  if (pricing.model === 'measured' || pricing.classes.length === 1)
    return [{ priceClass: null, tasks: quote.taskCount }];
  return pricing.classes.map((one) => ({ priceClass: one.class, tasks: one.tasks }));
}
