/**
 * The admission of a job writes the job's row, its hold and its first execution in one transaction, or nothing at all.
 * A job id is decided once: a later call for the same id gets the stored decision. An admission takes four round trips to
 * the database, and those of the hold.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5 } from 'uuid';

import type { Job } from '../../../entities/jobs.ts';
import type { AdmissionDecision, JobAdmission } from '../../contracts/job.ts';
import { inactiveRefusal } from '../../domain/account-state.ts';
import { announceJob } from '../events/announce.ts';
import { statusChange, writeJobStatus } from '../events/job-status.ts';
import { lockAccounts, placeHold } from '../ledger/index.ts';
import type { HoldResult, LimitRefusal } from '../ledger/index.ts';
import { displayPence } from '../prices/quotes.ts';
import type { Documents, OuterRow } from '../row.ts';
import { inTransaction, isUniqueViolation } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import type { SubmitJobResponse } from '../../domain/answers.ts';

const FIRST_EXECUTION = 1;

interface FoundRow
  extends
    OuterRow<Job, 'fingerprint' | 'firstRunId'>,
    Documents<Job, { submitResponse: SubmitJobResponse | null }> {
  readonly late: boolean;
}

const FIND = `
  select j.fingerprint, j.first_run_id, j.submit_response, clock_timestamp() > $2::timestamptz as late
  from (values (1)) one left join jobs j on j.id = $1`;

const INSERT = statusChange(
  `
  insert into jobs (id, account_id, user_id, job_type, job_name, simulator, provider, status, request, request_key,
    fingerprint, idempotency_key, submit_response, first_run_id, unit, task_total, recovery_mode, effective_seed, warnings, internal, tool_id,
    caller_kind, caller_id)
  select $1, $2, $3, $4, $5, $6, $7, 'SUBMITTED', $8::jsonb, $9, $10, $11, $12::jsonb, $13, $14, $15, $16, $17::int, $26::jsonb, $27::boolean, $28,
    $29::text, $30::uuid
  where clock_timestamp() <= $25::timestamptz`,
  `, execution as (
    insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro, plan,
      covers_dispatch)
    select id, ${FIRST_EXECUTION}, $18::uuid, $19::jsonb, $20::bigint, $21::text, $22::text, $23::bigint, $31::jsonb, $32::boolean from moved
  ), inputs as (
    insert into job_inputs (job_id, storage_key, byte_size, sha256)
    select moved.id, input.storage_key, input.byte_size, input.sha256
    from moved, jsonb_to_recordset($24::jsonb) input (storage_key text, byte_size bigint, sha256 text)
  )`,
);

/** Decisions by which a job is not admitted. */
export type NotAdmitted = Exclude<AdmissionDecision, { readonly kind: 'admitted' }>;

/** Records that a service above this one keeps of its jobs, written when the admission of a job is decided. */
export interface AdmissionRecords {
  /** Writes the records of a job in the transaction that admits the job. */
  readonly admitted?: (tx: Tx, admission: JobAdmission) => Promise<void>;
  /** Writes that a job is not admitted, once that is decided; a repeated attempt writes it again. */
  readonly notAdmitted?: (db: DataSource, admission: JobAdmission, decision: NotAdmitted) => Promise<void>;
}

/** Thrown to roll back the transaction of an admission, with its hold, when `admitBy` has passed meanwhile. */
class TooLate extends Error {}

/**
 * Admits a job of an active account, or refuses the job and stores nothing. The call is idempotent by job id: a second call answers the stored
 * decision, as a replay when another workflow run admitted the job. No job is admitted after `admitBy`, by the database's clock.
 */
export async function admitJob(
  db: DataSource,
  admission: JobAdmission,
  firstRunId: string,
  records: readonly AdmissionRecords[] = [],
): Promise<AdmissionDecision> {
  const decision = await decideOnce(db, admission, (tx) => decide(tx, admission, firstRunId, records));
  if (decision.kind !== 'admitted')
    for (const { notAdmitted } of records) await notAdmitted?.(db, admission, decision);
  return decision;
}

async function decideOnce(
  db: DataSource,
  { jobId }: JobAdmission,
  decideIn: (tx: Tx) => Promise<AdmissionDecision>,
): Promise<AdmissionDecision> {
  try {
    const decision = await inTransaction(db, decideIn);
    // The customer waits for the decision, and nobody can wait for news of a job that has just been made.
    if (decision.kind === 'admitted') void announceJob(db, jobId);
    return decision;
  } catch (error) {
    if (error instanceof TooLate) return { kind: 'expired' };
    if (!isUniqueViolation(error)) throw error;
    // Another attempt of the same admission was faster: its decision is the decision.
    return inTransaction(db, decideIn);
  }
}

async function decide(
  tx: Tx,
  admission: JobAdmission,
  firstRunId: string,
  records: readonly AdmissionRecords[],
): Promise<AdmissionDecision> {
  const found = await find(tx, admission, firstRunId);
  if (found === 'late') {
    // Another attempt that was in time may still wait to place its hold. That attempt holds the lock of the account, so
    // the admission is looked for once more under the same lock.
    await lockAccounts(tx, [admission.accountId]);
    const settled = await find(tx, admission, firstRunId);
    return typeof settled === 'string' ? { kind: 'expired' } : settled;
  }
  if (found !== 'unknown') return found;

  const holdId = holdIdOf(admission.jobId, FIRST_EXECUTION);
  const hold = await placeHold(tx, {
    holdId,
    accountId: admission.accountId,
    jobId: admission.jobId,
    execution: FIRST_EXECUTION,
    amountPence: admission.quote.heldPence,
    ...(admission.caller.kind === 'key' ? { keyId: admission.caller.id } : {}),
  });
  if (!hold.held)
    return { kind: 'refused', fingerprint: admission.fingerprint, ...refusalOf(admission, hold) };
  const parameters = rowsOf(admission, firstRunId, holdId);
  if (!(await writeJobStatus(tx, INSERT, parameters))) throw new TooLate();
  for (const { admitted } of records) await admitted?.(tx, admission);
  return {
    kind: 'admitted',
    fingerprint: admission.fingerprint,
    response: admission.response,
    ...made(admission),
  };
}

/** Why the hold of an admission was not placed, for the customer. */
export function refusalOf(
  { quote }: Pick<JobAdmission, 'quote'>,
  hold: Extract<HoldResult, { held: false }>,
): Pick<Extract<AdmissionDecision, { kind: 'refused' }>, 'code' | 'message'> {
  if ('accountState' in hold) return inactiveRefusal(hold.accountState);
  if ('limit' in hold) return { code: 'COST_LIMIT_EXCEEDED', message: overLimit(quote.heldPence, hold) };
  const message =
    'owedPence' in hold
      ? owedCredits(hold.owedPence)
      : insufficientCredits(quote.heldPence, hold.availablePence);
  return { code: 'INSUFFICIENT_CREDITS', message };
}

/** Answers the stored decision; without one, whether `admitBy` has passed (`late`) or not (`unknown`). */
async function find(
  tx: Tx,
  admission: JobAdmission,
  firstRunId: string,
): Promise<AdmissionDecision | 'late' | 'unknown'> {
  const [found] = await tx.query<FoundRow[]>(FIND, [admission.jobId, admission.admitBy]);
  if (found?.fingerprint == null || found.submit_response === null) {
    return found?.late === false ? 'unknown' : 'late';
  }
  return {
    kind: 'admitted',
    fingerprint: found.fingerprint,
    response: found.submit_response,
    // A workflow run admits one job, so an earlier attempt of this same activity stored the row.
    ...(found.first_run_id === firstRunId ? made(admission) : { replay: true }),
  };
}

/** Names the submit that made the job. Other submits that wait for the same workflow run read the decision too. */
function made({ submitId }: JobAdmission): { readonly replay: false; readonly submitId: string } {
  return { replay: false, submitId };
}

/** The id of an execution's hold, derived from the job id and the number of the execution, so that no hold is placed twice. */
export function holdIdOf(jobId: string, execution: number): string {
  return uuidv5(`hold/${execution}`, jobId);
}

/** The customer's text when credits do not cover a hold. */
export function insufficientCredits(heldPence: number, availablePence: number): string {
  return `This job needs ${displayPence(heldPence)} to be held, and ${displayPence(availablePence)} is available. Top up at least ${displayPence(heldPence - availablePence)}, then repeat the request; the same Idempotency-Key may be used again.`;
}

/** The customer's text when something is owed. */
export function owedCredits(owedPence: number): string {
  return `This account owes ${displayPence(owedPence)}, and nothing can be held until that is paid. Top up: whatever is paid in pays it first. Then repeat the request; the same Idempotency-Key may be used again.`;
}

/** The customer's text when a hold would pass a limit; names the limit and what is left of it. */
function overLimit(heldPence: number, { limit, limitPence, restPence }: LimitRefusal): string {
  const left = `${displayPence(restPence)} is left of ${LIMIT_NAMES[limit]}, which is ${displayPence(limitPence)}`;
  return `This job needs ${displayPence(heldPence)} to be held, and ${left}. Raise the limit or make the job smaller, then repeat the request; the same Idempotency-Key may be used again.`;
}

/** The limits as customers read them. */
export const LIMIT_NAMES = {
  job: 'the cost limit of one job',
  month: 'the cost limit of the account for this month (UTC)',
  key: 'the cost limit of this API key for this month (UTC)',
} as const satisfies Record<LimitRefusal['limit'], string>;

function rowsOf(admission: JobAdmission, firstRunId: string, holdId: string): unknown[] {
  const { plan, quote } = admission;
  return [
    admission.jobId,
    admission.accountId,
    admission.userId,
    admission.jobType,
    admission.jobName,
    admission.simulator,
    admission.provider,
    admission.request === null ? null : JSON.stringify(admission.request),
    admission.requestKey,
    admission.fingerprint,
    admission.idempotencyKey,
    JSON.stringify(admission.response),
    firstRunId,
    plan.unit,
    plan.taskCount,
    admission.recoveryMode,
    admission.effectiveSeed,
    holdId,
    JSON.stringify(quote),
    quote.estimatedMicro,
    quote.pricing.currency,
    quote.priceBookVersion,
    quote.fxRateMicro,
    JSON.stringify(
      admission.inputs.map((input) => ({
        storage_key: input.storageKey,
        byte_size: input.byteSize,
        sha256: input.sha256,
      })),
    ),
    admission.admitBy,
    JSON.stringify(admission.warnings),
    admission.internal,
    admission.toolId,
    admission.caller.kind,
    admission.caller.id,
    JSON.stringify(plan),
    admission.coversDispatch === true,
  ];
}
