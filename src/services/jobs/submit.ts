/**
 * Submits: from a validated request to an admitted job. The API decides nothing that lasts: it checks, prices and hands
 * the whole admission to the job's workflow, then waits for the decision. Until then nothing is held or stored, except
 * a large request, which is removed again when the submit is refused (or swept, when nobody knows how it ended).
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import type { JobWorkflows, StartOutcome } from '../../adapters/temporal/client.ts';
import type { AdmissionDecision, JobAdmission, JobTiming } from '../../contracts/job.ts';
import { requestKey } from '../../contracts/names.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { SubmitJobResponse } from '../../domain/responses.ts';
import { answeredFxRate, CREDIT_CURRENCY, displayPence } from '../prices/quotes.ts';
import type { Confirmations } from '../ligands/confirmation.ts';
import { insufficientCredits } from './admission.ts';
import { announceRequest } from '../execution/sweep/sweep.ts';
import { checkInputs, namedInputs } from './inputs.ts';
import { offerFor, toolFor } from './offer.ts';
import type { Offer, OfferDependencies, PlanSettings } from './offer.ts';
import { composeStoredRequest } from './request.ts';
import type { NamedFileDependencies } from '../uploads/named-file.ts';
import { readStored, readSubmitFacts, replayOf } from './stored-submit.ts';
import type { SubmitFacts } from './stored-submit.ts';

/** What a submit is configured by; the names are those of the configuration. */
export interface SubmitSettings extends PlanSettings, Omit<JobTiming, 'pausedDays'> {
  readonly provider: string;
  readonly admissionWaitSeconds: number;
  readonly admitBySeconds: number;
  readonly maxHistoryEvents: number;
}

export interface SubmitDependencies extends OfferDependencies, NamedFileDependencies {
  readonly workflows: Pick<JobWorkflows, 'startJob'>;
  readonly confirmations: Pick<Confirmations, 'check'>;
  readonly settings: SubmitSettings;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** A validated submit with the key it was sent with. */
export interface SubmitCommand {
  readonly body: SubmitJobRequest;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** Namespace of job ids that are derived from an idempotency key. */
const JOB_IDS = 'c6a4f3a2-6f0e-5d39-9a58-0b6ff1f5c0d1';
/** Larger requests travel as a stored object, so that histories stay small. */
const INLINE_REQUEST_BYTES = 64 * 1024;
/** More pins than this travel in a stored object: the start of a workflow has its limits. */
const INLINE_PINNED_INPUTS = 500;
const PAUSED_DAYS = 14;
const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 5;

/**
 * Makes the submit service.
 * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED, SCENE_FILE_REQUIRED,
 * IDEMPOTENCY_KEY_REUSED, INPUT_NOT_FOUND, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH, ARTIFACT_MISMATCH,
 * LIGAND_CONFIRMATION_INVALID, INSUFFICIENT_CREDITS, SERVICE_UNAVAILABLE, and the tool's own codes.
 */
export function createSubmit(deps: SubmitDependencies) {
  /** Equal submits of this process that are being decided: they share one call. */
  const open = new Map<string, Promise<SubmitJobResponse>>();

  return async (actor: Actor, command: SubmitCommand): Promise<SubmitJobResponse> => {
    const jobId = jobIdOf(actor, command);
    const facts = await readSubmitFacts(deps.db, actor.accountId, jobId, deps.settings.admitBySeconds);
    if (facts.stored !== null) return replayOf(facts.stored, command);
    const name = `${jobId}/${command.fingerprint}`;
    const running = open.get(name);
    if (running !== undefined) return { ...(await running), idempotentReplay: true };
    const first = submit(deps, actor, { ...command, jobId, facts }).finally(() => open.delete(name));
    open.set(name, first);
    return first;
  };
}

interface OpenSubmit extends SubmitCommand {
  readonly jobId: string;
  readonly facts: SubmitFacts;
}

async function submit(
  deps: SubmitDependencies,
  actor: Actor,
  command: OpenSubmit,
): Promise<SubmitJobResponse> {
  const asked = toolFor(deps.tools, command.body, false);
  await deps.confirmations.check(actor, asked.request.simulationParams);
  const pins = await checkInputs(deps, actor.accountId, namedInputs(asked.request));
  const offer = await offerFor(deps, asked);
  if (command.facts.availablePence < offer.quote.heldPence) {
    throw new AppError(
      'INSUFFICIENT_CREDITS',
      insufficientCredits(offer.quote.heldPence, command.facts.availablePence),
    );
  }
  const keys = new Set(offer.tool.inputs(offer.request).map(({ storageKey }) => storageKey));
  const inputs = [...keys].flatMap((storageKey) => pins.get(storageKey) ?? []);
  const isLongList = inputs.length > INLINE_PINNED_INPUTS;
  const used = { ...command, body: offer.request };
  const storedAs = await storeLargeRequest(deps, actor, used, isLongList ? inputs : null);
  const admission = composeAdmission(deps, actor, {
    command: used,
    offer,
    inputs: isLongList ? [] : inputs,
    storedAs,
  });
  return decide(deps, admission);
}

/** Waits for the decision of the workflow that admits the job, whoever started it. */
async function decide(deps: SubmitDependencies, admission: JobAdmission): Promise<SubmitJobResponse> {
  const outcome = await awaitDecision(deps, admission);
  if (outcome.kind !== 'decided') throw unavailable(deps, admission, outcome);
  const { decision } = outcome;
  switch (decision.kind) {
    case 'admitted':
      await forgetUnusedRequest(deps, admission);
      return isOwn(decision, admission) ? decision.response : replayOf(decision, admission);
    case 'refused':
      await forgetRequest(deps, admission);
      // Another body with the same key was decided: what it was refused for says nothing of this one.
      if ((decision.fingerprint ?? admission.fingerprint) !== admission.fingerprint) throw keyReused();
      throw new AppError(decision.code, decision.message);
    case 'expired':
      await forgetRequest(deps, admission);
      throw unavailable(deps, admission, { kind: 'undecided', cause: 'after admitBy' });
    default:
      return decision satisfies never;
  }
}

/** Whether the job was made by this submit; an equal one that came at the same time gets a replay. */
function isOwn(
  { replay, fingerprint, submitId }: Extract<AdmissionDecision, { kind: 'admitted' }>,
  admission: JobAdmission,
): boolean {
  if (replay || fingerprint !== admission.fingerprint) return false;
  return submitId === undefined || submitId === admission.submitId;
}

/** Asks until somebody decides or the wait is over. A workflow that takes no more updates is watched by its job row. */
async function awaitDecision(deps: SubmitDependencies, admission: JobAdmission): Promise<StartOutcome> {
  const { settings } = deps;
  const { jobId } = admission;
  const until = performance.now() + settings.admissionWaitSeconds * 1000;
  const input = { jobId, timing: timingOf(settings), maxHistoryEvents: settings.maxHistoryEvents };
  for (;;) {
    const outcome = await deps.workflows.startJob(
      { input, admission },
      Math.max(1, until - performance.now()),
    );
    if (outcome.kind !== 'busy') return outcome;
    await sleep(POLL_MS * (0.5 + Math.random()));
    const stored = await readStored(deps.db, jobId);
    if (stored !== null) return { kind: 'decided', decision: { kind: 'admitted', ...stored, replay: true } };
    if (performance.now() >= until) return { kind: 'undecided', cause: outcome.cause };
  }
}

function unavailable(
  { log }: SubmitDependencies,
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

/** Stores a large request; the key is this submit's own, so that removing it can never take another's. */
async function storeLargeRequest(
  { db, store }: Pick<SubmitDependencies, 'db' | 'store'>,
  actor: Actor,
  command: OpenSubmit,
  inputs: JobAdmission['inputs'] | null,
): Promise<string | null> {
  const bytes = composeStoredRequest(command.body, inputs);
  if (inputs === null && bytes.byteLength <= INLINE_REQUEST_BYTES) return null;
  const key = requestKey(actor.accountId, command.jobId, `${command.fingerprint}-${uuidv7()}`);
  // Noted first: what is stored without a note would be looked for once a day only.
  await announceRequest(db, key, command.jobId);
  await store.put(key, bytes, 'application/json');
  return key;
}

async function forgetRequest({ store, log }: SubmitDependencies, admission: JobAdmission): Promise<void> {
  if (admission.requestKey === null) return;
  try {
    await store.remove([admission.requestKey]);
  } catch (error) {
    log.info({ jobId: admission.jobId, err: error }, 'a refused request is left to the sweeper');
  }
}

/** The job may have been admitted with another submit's copy of the same request. */
async function forgetUnusedRequest(deps: SubmitDependencies, admission: JobAdmission): Promise<void> {
  if (admission.requestKey === null) return;
  const used = await deps.db.query<unknown[]>('select 1 from jobs where id = $1 and request_key = $2', [
    admission.jobId,
    admission.requestKey,
  ]);
  if (used.length === 0) await forgetRequest(deps, admission);
}

/** The times that a job's workflow is started with. */
export function timingOf(settings: SubmitSettings): JobTiming {
  return {
    computeHeartbeatSeconds: settings.computeHeartbeatSeconds,
    computePickupSeconds: settings.computePickupSeconds,
    capacityPollSeconds: settings.capacityPollSeconds,
    commitDelayMs: settings.commitDelayMs,
    pausedDays: PAUSED_DAYS,
  };
}

function composeAdmission(
  { settings }: SubmitDependencies,
  actor: Actor,
  parts: {
    readonly command: OpenSubmit;
    readonly offer: Offer;
    readonly inputs: JobAdmission['inputs'];
    readonly storedAs: string | null;
  },
): JobAdmission {
  const { command, offer } = parts;
  const { body, jobId } = command;
  return {
    jobId,
    submitId: uuidv7(),
    accountId: actor.accountId,
    userId: actor.userId,
    accountPlan: actor.plan,
    jobType: body.jobType,
    simulator: offer.simulator,
    jobName: body.jobName ?? null,
    recoveryMode: body.recovery?.mode ?? 'standard',
    idempotencyKey: command.idempotencyKey,
    fingerprint: command.fingerprint,
    request: parts.storedAs === null ? body : null,
    requestKey: parts.storedAs,
    plan: offer.plan,
    quote: offer.quote,
    inputs: parts.inputs,
    provider: settings.provider,
    effectiveSeed: offer.tool.seed(body, () => randomInt(1, 2 ** 31 - 1)),
    warnings: offer.warnings,
    admitBy: command.facts.admitBy,
    response: composeResponse(settings.provider, command, offer),
  };
}

function composeResponse(
  provider: string,
  { body, jobId }: OpenSubmit,
  { quote, unused }: Offer,
): SubmitJobResponse {
  const held = displayPence(quote.heldPence);
  const note = unused.length === 0 ? '' : ` This job does not use ${unused.join(', ')}.`;
  return {
    jobId,
    jobType: body.jobType,
    estimatedCost: microToUnits(quote.estimatedMicro),
    currency: quote.pricing.currency,
    status: 'SUBMITTED',
    provider,
    message: `${held} of your credits is held, which is the most this job can cost. Only verified tasks are charged; the rest is released at the end.${note}`,
    creditCurrency: CREDIT_CURRENCY,
    fxRate: answeredFxRate(quote),
    heldCents: quote.heldPence,
  };
}
