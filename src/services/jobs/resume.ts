/**
 * A resume starts the next execution of a job that is paused or has ended: what is verified stays and is never charged again,
 * what is missing is priced by today's price book and exchange rate, held, and done. Everything is written in one
 * transaction under the lock of the job's row, so of two resumes at once one finds the job running, and a refused hold leaves
 * all as it was. The customer may limit what is held: then the job does what that covers, and pauses. The workflow is told
 * afterwards; where the message is lost, a repeat of the request sends it again, or else the sweep does.
 */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { Actor } from '../../domain/access.ts';
import { callerOf } from '../../domain/access.ts';
import { coversDispatch, neededPence } from '../../domain/cover.ts';
import { AppError } from '../../domain/errors.ts';
import { limitedTo, microToUnits, wholeHoldPence } from '../../domain/pricing.ts';
import { STOP_RULE } from '../../domain/stop-rule.ts';
import type { Quote } from '../../domain/pricing.ts';
import type { ResumeJobRequest } from '../../domain/requests.ts';
import { isResumable, isTerminal, RESUMABLE_STATES } from '../../domain/job-state.ts';
import { announceJob } from '../events/announce.ts';
import { statusChange, writeJobStatus } from '../events/job-status.ts';
import { recordResume } from '../job-records/recoveries.ts';
import type { TakeUp } from '../job-records/take-up.ts';
import { placeHold } from '../ledger/index.ts';
import { answeredFxRate, CREDIT_CURRENCY, displayPence } from '../prices/quotes.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { holdIdOf, refusalOf } from './admission.ts';
import { resumeAdvice } from './finish-words.ts';
import { findResumed, quoteMissing } from './missing.ts';
import type { MissingDependencies, ResumedRow } from './missing.ts';
import { ownedJob } from './owned.ts';
import { proveInputs } from './prove-inputs.ts';
import type { InputProofDependencies } from './prove-inputs.ts';
import { loadJob } from '../job-records/request.ts';
import type { ResumeJobResponse } from '../../domain/answers.ts';

/** The parts that price a job, the store with its inputs, and what starts its workflow. */
export interface ResumeDependencies extends MissingDependencies, InputProofDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly workflows: Pick<JobWorkflows, 'endOf'>;
  readonly takeUp: TakeUp;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * A late attempt of the execution before counts its changes of state on from the row, or from 100 beyond the row where a message
 * has taken the job up; those of the next execution are later.
 */
const TRANSITIONS_AHEAD = 1_000;

const RESUME = statusChange(`
  update jobs j set status = 'SUBMITTED', status_reason = null, pause_reason = null, execution = $2,
    transition = j.transition + ${String(TRANSITIONS_AHEAD)}, tasks_failed = 0, version = version + 1, updated_at = now(),
    finished_at = null, cancel_requested_at = null, cancel_reason = null
  from before where j.id = before.job_id`);

export interface ResumeOptions extends ResumeJobRequest {
  /** When a resume was asked for first that is repeated now; null for one that is no repeat. */
  readonly resumedSince: string | null;
}

/**
 * Starts the next execution of a job. A job that should go on by itself, and that no workflow works on any more, is taken up from its
 * rows. A repeat of a resume whose process died before its answer, which `resumedSince` tells,
 * is answered by the execution that the first attempt has made.
 * @throws NOT_FOUND, JOB_NOT_RESUMABLE, INSUFFICIENT_CREDITS, COST_LIMIT_EXCEEDED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED,
 * VALIDATION_ERROR, UNSUPPORTED_SIMULATOR and CAPACITY_LIMIT_EXCEEDED when the job's tasks do not fit on an instance any more.
 */
export async function resumeJob(
  deps: ResumeDependencies,
  actor: Actor,
  jobId: string,
  { limitCents, resumedSince }: ResumeOptions,
): Promise<ResumeJobResponse> {
  const found = await findResumed(deps.db, ownedJob(actor, jobId));
  if (!isResumable(found.status, found.is_ending)) {
    if (resumedSince !== null && found.execution > 1 && found.started_at >= resumedSince) {
      await tellWorkflow(deps, jobId);
      return responseOf(jobId, found.execution, found.quote);
    }
    if (!(await takeUpLost(deps, jobId, found)) || found.is_ending) throw notResumable(found);
    return { ...responseOf(jobId, found.execution, found.quote), status: found.status, message: TAKEN_UP };
  }
  const job = await loadJob(deps.db, deps.store, jobId);
  const pins = await proveInputs(deps, job);
  const whole = await quoteMissing(deps, found, job, pins);
  const limitPence = limitCents ?? null;
  const quote = limitedTo(whole, limitPence);
  const isLimited = quote.heldPence < whole.heldPence;
  if (isLimited) requireOneTask(quote, found);
  const execution = found.execution + 1;
  const next = { jobId, execution, quote, found, limitPence, isLimited };
  await inTransaction(deps.db, (tx) => write(tx, actor, next));
  void announceJob(deps.db, jobId);
  await tellWorkflow(deps, jobId);
  return responseOf(jobId, execution, quote);
}

/** Starts the workflow, or tells the one that runs; one that knows of the execution already takes no notice. */
async function tellWorkflow(
  { takeUp, log }: Pick<ResumeDependencies, 'takeUp' | 'log'>,
  jobId: string,
): Promise<void> {
  await takeUp(jobId, { kind: 'resume' }).catch((error: unknown) => {
    // The rows say that the job goes on, so the sweep starts its workflow.
    log.warn({ jobId, err: error }, 'a resume was not taken by Temporal');
  });
}

const TAKEN_UP =
  'The work on the job had stopped by a fault of the service, and was started again. What is verified stays; nothing more is held.';

/**
 * Starts the workflow of a job that should go on and that no workflow works on; false where one runs, where there is none to start, and
 * where Temporal does not tell.
 */
async function takeUpLost(
  { workflows, takeUp, log }: Pick<ResumeDependencies, 'workflows' | 'takeUp' | 'log'>,
  jobId: string,
  { status }: Pick<ResumedRow, 'status'>,
): Promise<boolean> {
  if (isTerminal(status)) return false;
  try {
    return (await workflows.endOf(jobId)) !== null && (await takeUp(jobId, { kind: 'resume' }));
  } catch (error) {
    log.warn({ jobId, err: error }, 'Temporal did not tell whether a workflow works on a job');
    return false;
  }
}

function notResumable({ status }: Pick<ResumedRow, 'status'>): AppError {
  const states = RESUMABLE_STATES.join(', ');
  return new AppError(
    'JOB_NOT_RESUMABLE',
    `The job is ${status}. A job can be resumed that is ${states}, and is not being cancelled.`,
  );
}

interface NextExecution {
  readonly jobId: string;
  readonly execution: number;
  readonly quote: Quote;
  readonly found: ResumedRow;
  readonly limitPence: number | null;
  /** Whether less is held than what is missing costs. */
  readonly isLimited: boolean;
}

/** A limit for which no task can be done would only pause the job again. @throws COST_LIMIT_EXCEEDED. */
function requireOneTask(quote: Quote, { charged_before: chargedBefore }: ResumedRow): void {
  const { pricing } = quote;
  const classes = pricing.model === 'measured' ? [null] : pricing.classes.map((one) => one.class);
  const least = Math.min(
    ...classes.map((priceClass) =>
      neededPence(quote, {
        verified: [],
        open: [{ priceClass, tasks: 1, keptMs: 0, coveredMs: null }],
        longestMs: 0,
        taskSeconds: Infinity,
        legSeconds: Infinity,
        startFeeDue: !chargedBefore,
      }),
    ),
  );
  if (least <= quote.heldPence) return;
  throw new AppError(
    'COST_LIMIT_EXCEEDED',
    `limitCents: not one task can be done for ${displayPence(quote.heldPence)}. Send at least ${String(least)}, or resume the job without a limit.`,
  );
}

/** Writes the next execution. @throws JOB_NOT_RESUMABLE when another resume, or a cancel, was faster; the refusals of a hold. */
async function write(tx: Tx, actor: Actor, next: NextExecution): Promise<void> {
  const { jobId, execution, quote, found, limitPence, isLimited } = next;
  const owned = ownedJob(actor, jobId);
  await tx.query('select 1 from jobs where id = $1 and account_id = $2 for no key update', [...owned]);
  const now = await findResumed(tx, owned);
  if (!isResumable(now.status, now.is_ending) || now.execution !== found.execution) throw notResumable(now);
  const holdId = holdIdOf(jobId, execution);
  const caller = callerOf(actor);
  const hold = await placeHold(tx, {
    holdId,
    accountId: actor.accountId,
    jobId,
    execution,
    amountPence: quote.heldPence,
    ...(caller.kind === 'key' ? { keyId: caller.id } : {}),
  });
  if (!hold.held) {
    const { code } = refusalOf({ quote }, hold);
    const advice = resumeAdvice({ heldPence: quote.heldPence, isLimited }, hold);
    throw new AppError(code, advice);
  }
  await tx.query(
    `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro, plan,
       limit_pence, covers_dispatch)
     select job_id, $2, $3::uuid, $4::jsonb, $5::bigint, $6, $7, $8::bigint, plan, $9::bigint, $10::boolean from job_executions where job_id = $1 and n = $2 - 1`,
    [
      jobId,
      execution,
      holdId,
      JSON.stringify(quote),
      quote.estimatedMicro,
      quote.pricing.currency,
      quote.priceBookVersion,
      quote.fxRateMicro,
      limitPence,
      coversDispatch(quote, isLimited),
    ],
  );
  const tasks = await openAgain(tx, jobId, execution);
  await recordResume(tx, { jobId, execution, tasks });
  await writeJobStatus(tx, RESUME, [jobId, execution]);
}

/**
 * Opens what is not verified again, and answers how much that is. A merge that has read fewer tasks than there will be is done
 * again.
 */
export async function openAgain(tx: Tx, jobId: string, execution: number): Promise<number> {
  const [back] = await tx.query<{ readonly all: number; readonly tasks: number }[]>(
    `with back as (update tasks set state = 'PENDING', execution = $2, progress_percent = 0, losses = 0, kills = 0,
         failure_code = null, failure_message = null, finished_at = null
       where job_id = $1 and kind <> 'finish' and state <> 'SUCCEEDED' and failure_code is distinct from '${STOP_RULE}' returning kind)
     select count(*)::int as all, count(*) filter (where kind = 'task')::int as tasks from back`,
    [jobId, execution],
  );
  if (back === undefined || back.tasks === 0) return back?.all ?? 0;
  await tx.query(
    `with merge as (update tasks set state = 'PENDING', execution = $2, progress_percent = 0, summary = null, finished_at = null
         where job_id = $1 and kind = 'merge' and state = 'SUCCEEDED' returning job_id)
     delete from artifacts a using merge where a.job_id = merge.job_id and a.task_kind = 'merge'`,
    [jobId, execution],
  );
  return back.all;
}

function responseOf(jobId: string, execution: number, quote: Quote): ResumeJobResponse {
  const held = displayPence(quote.heldPence);
  const isWhole = quote.heldPence >= wholeHoldPence(quote);
  const later = isWhole ? '' : ' The job pauses when no further task is covered by that.';
  return {
    jobId,
    status: 'SUBMITTED',
    execution,
    estimatedCost: microToUnits(quote.estimatedMicro),
    currency: quote.pricing.currency,
    creditCurrency: CREDIT_CURRENCY,
    fxRate: answeredFxRate(quote),
    heldCents: quote.heldPence,
    message: `The job goes on. ${held} of your credits is held for what is missing; what is verified stays, and is not charged again.${later}`,
  };
}
