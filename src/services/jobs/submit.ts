/**
 * A submit turns a validated request into an admitted job. The API makes no lasting decision: the API checks and prices the
 * request, hands the whole admission to the job's workflow, and waits for the workflow's decision. Until the decision
 * nothing is held or stored, except a large request. A large request is removed again when the submit is refused, or by the
 * sweep when the API died before it knew the decision.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import { JobEntity } from '../../../entities/jobs.ts';
import type { JobWorkflows, StartOutcome } from '../../adapters/temporal/client.ts';
import type { AdmissionDecision, JobAdmission, PinnedInput } from '../../contracts/job.ts';
import { requestKey } from '../../contracts/names.ts';
import { callerOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import type { DatabaseCatalogue } from '../../domain/databases.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { SubmitJobResponse } from '../../domain/responses.ts';
import type { QuotedOffer, QuoteTokens } from '../prices/quote-tokens.ts';
import { answeredFxRate, CREDIT_CURRENCY, displayPence } from '../prices/quotes.ts';
import type { Confirmations } from '../ligands/confirmation.ts';
import { hasUnusableCard } from '../payments/index.ts';
import type { Queryable } from '../transaction.ts';
import { insufficientCredits, owedCredits } from './admission.ts';
import { beginningReader } from './beginning.ts';
import { announceRequest } from '../execution/sweep/sweep.ts';
import { timingOf } from '../execution/take-up.ts';
import type { WorkflowSettings } from '../execution/take-up.ts';
import { checkInputs, namedInputs } from './inputs.ts';
import type { ToolOffers } from '../tools/offers.ts';
import { offerFor, toolFor, withDatabase } from './offer.ts';
import type { Offer, OfferDependencies, PlanSettings, ResolvedRequest } from './offer.ts';
import { withPackageFiles } from './package-files.ts';
import { composeStoredRequest } from './request.ts';
import type { NamedFileDependencies } from '../uploads/named-file.ts';
import { readStored, readSubmitFacts, replayOf } from './stored-submit.ts';
import type { SubmitFacts } from './stored-submit.ts';

/** What a submit is configured by; the names are those of the configuration. */
export interface SubmitSettings extends PlanSettings, WorkflowSettings {
  readonly provider: string;
  readonly admissionWaitSeconds: number;
  readonly admitBySeconds: number;
}

/** The parts that offers and checks of inputs use, and Temporal with the workflows of jobs. */
export interface SubmitDependencies extends OfferDependencies, NamedFileDependencies {
  readonly workflows: Pick<JobWorkflows, 'startJob'>;
  readonly confirmations: Pick<Confirmations, 'check'>;
  readonly quoteTokens: Pick<QuoteTokens, 'read'>;
  readonly offers: Pick<ToolOffers, 'require'>;
  readonly catalogue: DatabaseCatalogue;
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
/** A request that is larger is stored as an object, and only the object's key travels, so that histories stay small. */
const INLINE_REQUEST_BYTES = 64 * 1024;
/** More pinned inputs than this are stored in an object, because the arguments that start a workflow are limited in size. */
const INLINE_PINNED_INPUTS = 500;
const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 5;

/**
 * Makes the submit service.
 * @throws VALIDATION_ERROR, UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED, SCENE_FILE_REQUIRED,
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

interface OpenSubmit extends SubmitCommand {
  readonly jobId: string;
  readonly facts: SubmitFacts;
  /** The offer of the quote that was sent; null without one. */
  readonly quoted: QuotedOffer | null;
}

async function submit(
  deps: SubmitDependencies,
  actor: Actor,
  command: OpenSubmit,
): Promise<SubmitJobResponse> {
  const body = await withPackageFiles(deps, actor.accountId, command.body);
  const sent = toolFor(deps.tools, body, false);
  await deps.offers.require(sent.tool);
  await deps.confirmations.check(actor, sent.request.simulationParams);
  // Only the files that the customer names are checked to be the customer's; those of the catalogue are added afterwards.
  const named = await checkInputs(deps, actor.accountId, namedInputs(sent.request, sent.tool));
  const asked = await withDatabase(deps.catalogue, sent);
  await asked.tool.request.lookInto?.(asked.request, beginningReader(deps.store));
  const pins = new Map([...named, ...pinsOf(asked)]);
  const offer = await offerFor(deps, asked, pins, command.quoted);
  await refuseUnpaid(deps.db.manager, actor.accountId, command.facts, offer.quote.heldPence);
  const keys = new Set(offer.tool.inputs.stored(offer.request).map(({ storageKey }) => storageKey));
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

/** Refuses at once what the hold would be refused for. @throws INSUFFICIENT_CREDITS, NO_PAYMENT_METHOD. */
async function refuseUnpaid(
  db: Queryable,
  accountId: string,
  { owedPence, availablePence }: SubmitFacts,
  heldPence: number,
): Promise<void> {
  if (heldPence === 0 || (owedPence === 0 && availablePence >= heldPence)) return;
  if (await hasUnusableCard(db, accountId))
    throw new AppError(
      'NO_PAYMENT_METHOD',
      'The credits do not cover this, and auto top-up is paused because its card could not be charged. Store a card and set auto top-up again, or top up.',
    );
  if (owedPence > 0) throw new AppError('INSUFFICIENT_CREDITS', owedCredits(owedPence));
  throw new AppError('INSUFFICIENT_CREDITS', insufficientCredits(heldPence, availablePence));
}

function pinsOf({ database }: ResolvedRequest): (readonly [storageKey: string, pin: PinnedInput])[] {
  return (database?.files ?? []).map(({ storageKey, byteSize, sha256 }) => [
    storageKey,
    { storageKey, byteSize, sha256 },
  ]);
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
      // The decision is about another body with the same key, so the reasons of its refusal do not concern this body.
      if ((decision.fingerprint ?? admission.fingerprint) !== admission.fingerprint) throw keyReused();
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
  if (replay || fingerprint !== admission.fingerprint) return false;
  return submitId === undefined || submitId === admission.submitId;
}

/**
 * Asks the workflow until the admission is decided or the wait is over. When the workflow takes no more updates, the job's
 * row is read instead.
 */
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

/** Stores a large request under a key of this submit alone, so that removing the object never removes another submit's. */
async function storeLargeRequest(
  { db, store }: Pick<SubmitDependencies, 'db' | 'store'>,
  actor: Actor,
  command: OpenSubmit,
  inputs: JobAdmission['inputs'] | null,
): Promise<string | null> {
  const bytes = composeStoredRequest(command.body, inputs);
  if (inputs === null && bytes.byteLength <= INLINE_REQUEST_BYTES) return null;
  const key = requestKey(actor.accountId, command.jobId, `${command.fingerprint}-${uuidv7()}`);
  // The note comes before the object: the sweep finds an object without a note only once a day.
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

/** Removes the stored request unless the job uses it: the job may have been admitted with another submit's copy. */
async function forgetUnusedRequest(deps: SubmitDependencies, admission: JobAdmission): Promise<void> {
  if (admission.requestKey === null) return;
  const isUsed = await deps.db
    .getRepository(JobEntity)
    .existsBy({ id: admission.jobId, requestKey: admission.requestKey });
  if (!isUsed) await forgetRequest(deps, admission);
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
    caller: callerOf(actor),
    accountPlan: actor.plan,
    jobType: body.jobType,
    simulator: offer.simulator,
    toolId: offer.tool.about.id,
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
    effectiveSeed: offer.tool.planning.seed(body, () => randomInt(1, 2 ** 31 - 1)),
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
