/**
 * A resume starts the next execution of a job that is paused or has ended: what is verified stays and is never charged again,
 * what is missing is priced by today's price book and exchange rate, held, and done. Everything is written in one
 * transaction under the lock of the job's row, so of two resumes at once one finds the job running, and a refused hold leaves
 * all as it was. The workflow is told afterwards; where the message is lost, the audit takes the job up from its rows.
 */
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { Job, JobExecution } from '../../../entities/jobs.ts';
import type { JobInputObject } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { callerOf } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { missingPricing } from '../../domain/missing-work.ts';
import type { MissingTasks } from '../../domain/missing-work.ts';
import { microToUnits, pricingOf } from '../../domain/pricing.ts';
import type { Quote } from '../../domain/pricing.ts';
import type { ResumeJobResponse } from '../../domain/responses.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { RESUMABLE_STATES } from '../../domain/job-state.ts';
import type { JobState } from '../../domain/job-state.ts';
import { announceJob } from '../events/announce.ts';
import { statusChange, writeJobStatus } from '../events/job-status.ts';
import { exactTime } from '../exact-time.ts';
import type { TakeUp } from '../execution/take-up.ts';
import { placeHold } from '../ledger/index.ts';
import { answeredFxRate, CREDIT_CURRENCY, displayPence } from '../prices/quotes.ts';
import type { Documents, ExactTimes, Row } from '../row.ts';
import type { ToolOffers } from '../tools/offers.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { holdIdOf, refusalOf } from './admission.ts';
import { offerFor } from './offer.ts';
import type { OfferDependencies } from './offer.ts';
import { jobNotFound, OF_CUSTOMER, ownedJob } from './owned.ts';
import { loadJob } from './request.ts';
import type { LoadedJob } from './request.ts';

/** The parts that price a job, the store with its inputs, and what starts its workflow. */
export interface ResumeDependencies extends OfferDependencies {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'head'> & ObjectStore;
  readonly offers: Pick<ToolOffers, 'require'>;
  readonly takeUp: TakeUp;
  readonly log: Pick<Logger, 'warn'>;
}

interface ResumedRow
  extends
    Row<Job, 'status' | 'execution' | 'simulator' | 'taskTotal'>,
    ExactTimes<JobExecution, 'startedAt'>,
    Documents<JobExecution, { quote: Quote }> {
  readonly charged_before: boolean;
  readonly missing: readonly MissingTasks[];
  /** Whether the paused job is being cancelled. */
  readonly is_ending: boolean;
  readonly is_planned: boolean;
}

const HEADS_AT_ONCE = 16;
/** More names than this are counted. */
const NAMED_INPUTS = 10;
/** A late attempt of the execution before counts its changes of state on from the row; those of the next are later. */
const TRANSITIONS_AHEAD = 100;

const FIND = `
  select j.status, j.execution, j.simulator, j.task_total, j.cancel_requested_at is not null and j.status = 'PAUSED' as is_ending,
    e.quote, ${exactTime('e.started_at')} as started_at,
    exists (select from holds h where h.job_id = j.id and h.charged_pence > 0) as charged_before,
    (select coalesce(jsonb_agg(m), '[]') from (
      select price_class as "priceClass", count(*)::int as tasks from tasks t
      where t.job_id = j.id and t.kind = 'task' and t.state <> 'SUCCEEDED' and t.charged_in is null
      group by price_class order by price_class) m) as missing,
    exists (select from tasks t where t.job_id = j.id) as is_planned
  from jobs j join job_executions e on e.job_id = j.id and e.n = j.execution
  where j.id = $1 and j.account_id = $2 and ${OF_CUSTOMER}`;

const RESUME = statusChange(`
  update jobs j set status = 'SUBMITTED', status_reason = null, pause_reason = null, execution = $2,
    transition = j.transition + ${String(TRANSITIONS_AHEAD)}, tasks_failed = 0, version = version + 1, updated_at = now(),
    finished_at = null, cancel_requested_at = null, cancel_reason = null
  from before where j.id = before.job_id`);

/**
 * Starts the next execution of a job. A repeat of a resume whose process died before its answer, which `resumedSince` tells,
 * is answered by the execution that the first attempt has made.
 * @throws NOT_FOUND, JOB_NOT_RESUMABLE, INSUFFICIENT_CREDITS, COST_LIMIT_EXCEEDED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED,
 * VALIDATION_ERROR and UNSUPPORTED_SIMULATOR when the job's tasks do not fit on an instance any more.
 */
export async function resumeJob(
  deps: ResumeDependencies,
  actor: Actor,
  jobId: string,
  resumedSince: string | null,
): Promise<ResumeJobResponse> {
  const found = await find(deps.db, ownedJob(actor, jobId));
  if (!isResumable(found)) {
    if (resumedSince !== null && found.execution > 1 && found.started_at >= resumedSince)
      return responseOf(jobId, found.execution, found.quote);
    throw notResumable(found);
  }
  const job = await loadJob(deps.db, deps.store, jobId);
  const pins = await proveInputs(deps, job);
  const quote = await quoteMissing(deps, found, job, pins);
  const execution = found.execution + 1;
  await inTransaction(deps.db, (tx) => write(tx, actor, { jobId, execution, quote, found }));
  void announceJob(deps.db, jobId);
  await deps.takeUp(jobId, { kind: 'resume' }).catch((error: unknown) => {
    // The rows say that the job goes on, so the audit starts its workflow.
    deps.log.warn({ jobId, err: error }, 'a resume was not taken by Temporal');
  });
  return responseOf(jobId, execution, quote);
}

async function find(db: DataSource | Tx, owned: readonly [string, string]): Promise<ResumedRow> {
  const [row] = await db.query<ResumedRow[]>(FIND, [...owned]);
  if (row === undefined) throw jobNotFound();
  return row;
}

function isResumable({ status, is_ending: isEnding }: Pick<ResumedRow, 'status' | 'is_ending'>): boolean {
  return RESUMABLE_STATES.some((state: JobState) => state === status) && !isEnding;
}

function notResumable({ status }: Pick<ResumedRow, 'status'>): AppError {
  const states = RESUMABLE_STATES.join(', ');
  return new AppError(
    'JOB_NOT_RESUMABLE',
    `The job is ${status}. A job can be resumed that is ${states}, and is not being cancelled.`,
  );
}

type Pin = Pick<JobInputObject, 'storageKey' | 'byteSize'>;

/** Looks at every input of the job, so that nothing is held for a job that could not run. @throws JOB_NOT_RESUMABLE. */
async function proveInputs(
  { db, store }: Pick<ResumeDependencies, 'db' | 'store'>,
  job: LoadedJob,
): Promise<ReadonlyMap<string, Pin>> {
  const rows = await db.query<Pin[]>(
    'select storage_key as "storageKey", byte_size as "byteSize" from job_inputs where job_id = $1 order by storage_key',
    [job.jobId],
  );
  const pins = new Map([...(job.storedInputs ?? []), ...rows].map((pin) => [pin.storageKey, pin]));
  const limit = pLimit(HEADS_AT_ONCE);
  const gone: string[] = [];
  await Promise.all(
    [...pins.values()].map(({ storageKey, byteSize }) =>
      limit(async () => {
        const head = await store.head(storageKey);
        if (head?.byteSize !== byteSize) gone.push(storageKey);
      }),
    ),
  );
  if (gone.length === 0) return pins;
  const more = gone.length > NAMED_INPUTS ? ` and ${String(gone.length - NAMED_INPUTS)} more` : '';
  throw new AppError(
    'JOB_NOT_RESUMABLE',
    `Inputs of the job are gone or have changed: ${gone.sort().slice(0, NAMED_INPUTS).join(', ')}${more}. Upload them and submit a new job.`,
  );
}

/** The price of what is missing: by today's price of the whole job, or by that of the last execution where the tool has other classes now. */
async function quoteMissing(
  deps: ResumeDependencies,
  found: ResumedRow,
  job: LoadedJob,
  pins: ReadonlyMap<string, Pin>,
): Promise<Quote> {
  const tool = deps.tools.lookUp(job.toolId);
  if (tool === null)
    throw new AppError('JOB_NOT_RESUMABLE', 'The tool of the job is not installed any more.');
  await deps.offers.require(tool);
  const { request } = job;
  const asked = { tool, request, simulator: found.simulator, warnings: [], unused: [] };
  const whole = (await offerFor(deps, asked, pins)).quote;
  const missing = found.is_planned ? found.missing : unplanned(found);
  const startFeeDue = !found.charged_before;
  const isSame = whole.taskCount === found.task_total;
  const today = isSame ? missingPricing({ ...whole, pricing: pricingOf(whole) }, missing, startFeeDue) : null;
  const { quote: last } = found;
  const priced = today ?? missingPricing({ ...last, pricing: pricingOf(last) }, missing, startFeeDue);
  if (priced === null) throw invariantBroken(`the missing tasks of job ${job.jobId} have no price`);
  return deps.quotes.offer(() => priced.pricing, priced.taskCount);
}

/** The tasks of a job that ended before its tasks were written. */
function unplanned({ quote }: ResumedRow): readonly MissingTasks[] {
  const pricing = pricingOf(quote);
  if (pricing.model === 'measured' || pricing.classes.length === 1)
    return [{ priceClass: null, tasks: quote.taskCount }];
  return pricing.classes.map((one) => ({ priceClass: one.class, tasks: one.tasks }));
}

interface NextExecution {
  readonly jobId: string;
  readonly execution: number;
  readonly quote: Quote;
  readonly found: ResumedRow;
}

/** Writes the next execution. @throws JOB_NOT_RESUMABLE when another resume, or a cancel, was faster; the refusals of a hold. */
async function write(tx: Tx, actor: Actor, { jobId, execution, quote, found }: NextExecution): Promise<void> {
  const owned = ownedJob(actor, jobId);
  await tx.query('select 1 from jobs where id = $1 and account_id = $2 for no key update', [...owned]);
  const now = await find(tx, owned);
  if (!isResumable(now) || now.execution !== found.execution) throw notResumable(now);
  const holdId = holdIdOf(jobId, execution);
  const caller = callerOf(actor);
  const hold = await placeHold(tx, {
    ...{ holdId, accountId: actor.accountId, jobId, execution, amountPence: quote.heldPence },
    ...(caller.kind === 'key' ? { keyId: caller.id } : {}),
  });
  if (!hold.held) {
    const { code, message } = refusalOf({ quote }, hold);
    throw new AppError(code, message);
  }
  await tx.query(
    `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro, plan)
     select job_id, $2, $3::uuid, $4::jsonb, $5::bigint, $6, $7, $8::bigint, plan from job_executions where job_id = $1 and n = $2 - 1`,
    [
      ...[jobId, execution, holdId, JSON.stringify(quote), quote.estimatedMicro],
      ...[quote.pricing.currency, quote.priceBookVersion, quote.fxRateMicro],
    ],
  );
  await setBack(tx, jobId, execution);
  await writeJobStatus(tx, RESUME, [jobId, execution]);
}

/** Opens what is not verified again. A merge that has read fewer tasks than there will be is done again. */
async function setBack(tx: Tx, jobId: string, execution: number): Promise<void> {
  const back = await tx.query<unknown[]>(
    `with back as (update tasks set state = 'PENDING', execution = $2, progress_percent = 0, losses = 0, kills = 0,
         failure_code = null, failure_message = null, finished_at = null
       where job_id = $1 and kind <> 'finish' and state <> 'SUCCEEDED' returning kind)
     select 1 from back where kind = 'task' limit 1`,
    [jobId, execution],
  );
  if (back.length === 0) return;
  await tx.query(
    `with merge as (update tasks set state = 'PENDING', execution = $2, progress_percent = 0, summary = null, finished_at = null
         where job_id = $1 and kind = 'merge' and state = 'SUCCEEDED' returning job_id)
     delete from artifacts a using merge where a.job_id = merge.job_id and a.task_kind = 'merge'`,
    [jobId, execution],
  );
}

function responseOf(jobId: string, execution: number, quote: Quote): ResumeJobResponse {
  const held = displayPence(quote.heldPence);
  return {
    jobId,
    status: 'SUBMITTED',
    execution,
    estimatedCost: microToUnits(quote.estimatedMicro),
    currency: quote.pricing.currency,
    creditCurrency: CREDIT_CURRENCY,
    fxRate: answeredFxRate(quote),
    heldCents: quote.heldPence,
    message: `The job goes on. ${held} of your credits is held for what is missing; what is verified stays, and is not charged again.`,
  };
}
