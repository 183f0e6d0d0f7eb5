/**
 * A submit turns a validated request into an admitted job. The API makes no lasting decision: the API composes the admission
 * (compose.ts), hands the whole admission to the job's workflow, and waits for the workflow's decision. Until the decision
 * nothing is held or stored, except a large request. A large request is removed again when the submit is refused, or by the
 * sweep when the API died before it knew the decision.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import { JobEntity } from '../../../entities/jobs.ts';
import type { JobStart, JobWorkflows, StartOutcome } from '../../adapters/temporal/client.ts';
import type { AdmissionDecision, JobAdmission } from '../../contracts/job.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { timingOf } from '../job-records/take-up.ts';
import type { WorkflowSettings } from '../job-records/take-up.ts';
import type { QuoteTokens } from '../prices/quote-tokens.ts';
import { composeJob } from './compose.ts';
import type { ComposeDependencies, ComposeSettings, JobDraft } from './compose.ts';
import { readStored, readSubmitFacts, replayOf } from './stored-submit.ts';
import type { SubmitJobResponse } from '../../domain/answers.ts';

/** Settings of a submit; the names are those of the configuration. */
export interface SubmitSettings extends ComposeSettings, WorkflowSettings {
  readonly admissionWaitSeconds: number;
  readonly admitBySeconds: number;
}

/** The parts that compose an admission, and Temporal with the workflows of jobs. */
export interface SubmitDependencies extends ComposeDependencies {
  readonly workflows: Pick<JobWorkflows, 'startJob'>;
  readonly quoteTokens: Pick<QuoteTokens, 'read'>;
  readonly settings: SubmitSettings;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** Dependencies of waiting for a decision, and of clearing away after a refusal. */
export type AdmitDependencies = Pick<SubmitDependencies, 'db' | 'store' | 'settings' | 'log'>;

/** A validated submit with the key it was sent with. */
export interface SubmitCommand {
  readonly body: SubmitJobRequest;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** Namespace of job ids that are derived from an idempotency key. */
const JOB_IDS = 'c6a4f3a2-6f0e-5d39-9a58-0b6ff1f5c0d1';
const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 5;

/**
 * Makes the submit service.
 * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED, SCENE_FILE_REQUIRED, CAPACITY_LIMIT_EXCEEDED,
 * IDEMPOTENCY_KEY_REUSED, INPUT_NOT_FOUND, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH, ARTIFACT_MISMATCH,
 * LIGAND_CONFIRMATION_INVALID, QUOTE_INVALID, QUOTE_EXPIRED, QUOTE_MISMATCH, INSUFFICIENT_CREDITS, NO_PAYMENT_METHOD, COST_LIMIT_EXCEEDED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED, SERVICE_UNAVAILABLE, and the tool's own codes.
 */
export function createSubmit(deps: SubmitDependencies) {
  /** Equal submits that this process is deciding at the same time share one call. */
  const open = new Map<string, Promise<SubmitJobResponse>>();

  return async (actor: Actor, command: SubmitCommand): Promise<SubmitJobResponse> => {
    const jobId = jobIdOf(actor, command);
    const facts = await readSubmitFacts(deps.db, actor.accountId, jobId, deps.settings.admitBySeconds);
    if (facts.stored !== null) return replayOf(facts.stored, command);
    const name = `${jobId}/${command.fingerprint}`;
    const running = open.get(name);
    if (running !== undefined) return { ...(await running), idempotentReplay: true };
    // The quote is no part of the job: the price that it keeps stands in the job's own quote.
    const { quoteId, ...body } = command.body;
    const quoted = quoteId === undefined ? null : deps.quoteTokens.read(actor, quoteId);
    const first = submit(deps, actor, { ...command, body, jobId, facts, quoted }).finally(() =>
      open.delete(name),
    );
    open.set(name, first);
    return first;
  };
}

async function submit(deps: SubmitDependencies, actor: Actor, draft: JobDraft): Promise<SubmitJobResponse> {
  const admission = await composeJob(deps, actor, draft);
  return admitComposed(deps, admission, (start, waitMs) => deps.workflows.startJob(start, waitMs));
}

/** Starts the workflow that has the job admitted, or joins the one that runs, and waits for the decision. */
export type StartWork = (start: JobStart, waitMs: number) => Promise<StartOutcome>;

/**
 * Waits for the decision of the workflow that has the job admitted, whoever started it.
 * @throws INSUFFICIENT_CREDITS, COST_LIMIT_EXCEEDED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE.
 */
export async function admitComposed(
  deps: AdmitDependencies,
  admission: JobAdmission,
  start: StartWork,
): Promise<SubmitJobResponse> {
  const outcome = await awaitDecision(deps, admission, start);
  if (outcome.kind !== 'decided') throw unavailable(deps, admission, outcome);
  const { decision } = outcome;
  switch (decision.kind) {
    case 'admitted':
      await forgetUnusedRequest(deps, admission);
      return isOwn(decision, admission) ? decision.response : replayOf(decision, admission);
    case 'refused':
      await forgetRequest(deps, admission);
      // The decision is about another body with the same key, so the reasons of its refusal do not concern this body.
      if (decision.fingerprint !== admission.fingerprint) throw keyReused();
      throw new AppError(decision.code, decision.message);
    case 'expired':
      await forgetRequest(deps, admission);
      throw unavailable(deps, admission, { kind: 'undecided', cause: 'after admitBy' });
    default:
      return decision satisfies never;
  }
}

/** Whether this submit made the job; an equal submit that came at the same time is answered as a replay. */
function isOwn(
  { replay, fingerprint, submitId }: Extract<AdmissionDecision, { kind: 'admitted' }>,
  admission: JobAdmission,
): boolean {
  return !replay && fingerprint === admission.fingerprint && submitId === admission.submitId;
}

/**
 * Asks the workflow until the admission is decided or the wait is over. When the workflow takes no more updates, the job's
 * row is read instead.
 */
async function awaitDecision(
  deps: AdmitDependencies,
  admission: JobAdmission,
  start: StartWork,
): Promise<StartOutcome> {
  const { settings } = deps;
  const { jobId } = admission;
  const until = performance.now() + settings.admissionWaitSeconds * 1000;
  const input = { jobId, timing: timingOf(settings), maxHistoryEvents: settings.maxHistoryEvents };
  for (;;) {
    const outcome = await start({ input, admission }, Math.max(1, until - performance.now()));
    if (outcome.kind !== 'busy') return outcome;
    await sleep(POLL_MS * (0.5 + Math.random()));
    const stored = await readStored(deps.db, jobId);
    if (stored !== null) return { kind: 'decided', decision: { kind: 'admitted', ...stored, replay: true } };
    if (performance.now() >= until) return { kind: 'undecided', cause: outcome.cause };
  }
}

function unavailable(
  { log }: AdmitDependencies,
  admission: JobAdmission,
  outcome: Exclude<StartOutcome, { kind: 'decided' }>,
): AppError {
  log.warn(
    { jobId: admission.jobId, outcome: outcome.kind, err: outcome.cause },
    'a submit was not decided in time',
  );
  const advice =
    admission.idempotencyKey === null
      ? 'It may still be accepted within a minute: look at GET /jobs before you send it again, and send an Idempotency-Key.'
      : 'Repeat the request with the same Idempotency-Key: it is never accepted twice.';
  return new AppError('SERVICE_UNAVAILABLE', `The job was not accepted in time. ${advice}`, {
    cause: outcome.cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function jobIdOf(actor: Actor, command: SubmitCommand): string {
  if (command.idempotencyKey === null) return uuidv7();
  return uuidv5(`${actor.accountId}/jobs.submit/${command.idempotencyKey}`, JOB_IDS);
}

/** Removes the stored request of an admission that comes to nothing. */
export async function forgetRequest(
  { store, log }: Pick<AdmitDependencies, 'store' | 'log'>,
  admission: JobAdmission,
): Promise<void> {
  if (admission.requestKey === null) return;
  try {
    await store.remove([admission.requestKey]);
  } catch (error) {
    log.info({ jobId: admission.jobId, err: error }, 'a refused request is left to the sweeper');
  }
}

/** Removes the stored request unless the job uses it: the job may have been admitted with another submit's copy. */
async function forgetUnusedRequest(deps: AdmitDependencies, admission: JobAdmission): Promise<void> {
  if (admission.requestKey === null) return;
  const isUsed = await deps.db
    .getRepository(JobEntity)
    .existsBy({ id: admission.jobId, requestKey: admission.requestKey });
  if (!isUsed) await forgetRequest(deps, admission);
}
