/**
 * Composes the admission of a job: the request is checked and priced, its inputs are compared with the store, and a large
 * request is stored as an object. A composed admission decides nothing: no credits are held and no row of the job is written
 * before a workflow decides about the admission. The object of a large request that no job uses is removed by whoever learns
 * of the refusal, or by the sweep.
 */
import { randomInt } from 'node:crypto';

import { v7 as uuidv7 } from 'uuid';

import type { JobAdmission, PinnedInput } from '../../contracts/job.ts';
import { requestKey } from '../../contracts/names.ts';
import { callerOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { coversDispatch } from '../../domain/cover.ts';
import type { DatabaseCatalogue } from '../../domain/databases.ts';
import { AppError } from '../../domain/errors.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { announceRequest } from '../stored-objects/announce.ts';
import type { Confirmations } from '../ligands/confirmation.ts';
import { withoutRecords, withRecords } from '../libraries/records.ts';
import { hasUnusableCard } from '../payments/index.ts';
import type { QuotedOffer } from '../prices/quote-tokens.ts';
import { answeredFxRate, CREDIT_CURRENCY, displayPence } from '../prices/quotes.ts';
import type { ToolOffers } from '../tools/offers.ts';
import type { Queryable } from '../transaction.ts';
import type { NamedFileDependencies } from '../uploads/named-file.ts';
import { insufficientCredits, owedCredits } from './admission.ts';
import { beginningReader } from './beginning.ts';
import { checkInputs, namedInputs } from './inputs.ts';
import { offerFor, toolFor, withDatabase } from './offer.ts';
import type { Offer, OfferDependencies, ResolvedRequest } from './offer.ts';
import { withPackageFiles } from './package-files.ts';
import { composeStoredRequest } from '../job-records/request.ts';
import type { PlanSettings } from './room.ts';
import type { SubmitFacts } from './stored-submit.ts';
import type { SubmitJobResponse } from '../../domain/answers.ts';

/** Settings that a composed admission depends on; the names are those of the configuration. */
export interface ComposeSettings extends PlanSettings {
  readonly provider: string;
}

/** The parts by which a request is checked, priced and completed to an admission. */
export interface ComposeDependencies extends OfferDependencies, NamedFileDependencies {
  readonly confirmations: Pick<Confirmations, 'check'>;
  readonly offers: Pick<ToolOffers, 'require' | 'of'>;
  readonly catalogue: DatabaseCatalogue;
  readonly settings: ComposeSettings;
}

/** A validated request of a job, with the id that the job will have. */
export interface JobDraft {
  readonly jobId: string;
  readonly body: SubmitJobRequest;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  /** The time until which the job may be admitted, and the credits of the account. */
  readonly facts: Pick<SubmitFacts, 'admitBy' | 'availablePence' | 'owedPence'>;
  /** The offer of a quote that the customer was given; null without one. */
  readonly quoted: QuotedOffer | null;
}

/** A request that is larger is stored as an object, and only the object's key travels, so that histories stay small. */
const INLINE_REQUEST_BYTES = 64 * 1024;
/** More pinned inputs than this are stored in an object, because the arguments that start a workflow are limited in size. */
const INLINE_PINNED_INPUTS = 500;

/**
 * Composes the admission of a job from a request that the schema has accepted.
 * @throws UNSUPPORTED_SIMULATOR, JOB_TYPE_UNAVAILABLE, PIPELINE_DISABLED, SCENE_FILE_REQUIRED, INPUT_NOT_FOUND, UPLOAD_INCOMPLETE, SIZE_MISMATCH,
 * CHECKSUM_MISMATCH, ARTIFACT_MISMATCH, LIGAND_CONFIRMATION_INVALID, CAPACITY_LIMIT_EXCEEDED, QUOTE_MISMATCH, INSUFFICIENT_CREDITS, NO_PAYMENT_METHOD, and the tool's own codes.
 */
export async function composeJob(
  deps: ComposeDependencies,
  actor: Actor,
  draft: JobDraft,
): Promise<JobAdmission> {
  const packed = await withPackageFiles(deps, actor.accountId, draft.body);
  const body = await withRecords(deps.db, packed);
  const sent = toolFor(deps.tools, body, false);
  await deps.offers.require(sent.tool, sent.request);
  await deps.confirmations.check(actor, sent.request.simulationParams);
  // Only the files that the customer names are checked to be the customer's; those of the catalogue are added afterwards.
  const named = await checkInputs(deps, actor.accountId, namedInputs(sent.request, sent.tool));
  const asked = await withDatabase(deps.catalogue, sent);
  await asked.tool.request.lookInto?.(asked.request, beginningReader(deps.store));
  const settled = await settledRequest(deps, asked);
  const pins = new Map([...named, ...pinsOf(settled), ...libraryPin(settled.request)]);
  const offer = await offerFor(deps, settled, pins, { accountPlan: actor.plan, quoted: draft.quoted });
  await refuseUnpaid(deps.db.manager, actor.accountId, draft.facts, offer.quote.heldPence);
  const keys = new Set(offer.tool.inputs.stored(offer.request).map(({ storageKey }) => storageKey));
  const inputs = [...keys].flatMap((storageKey) => pins.get(storageKey) ?? []);
  const isLongList = inputs.length > INLINE_PINNED_INPUTS;
  const used = { ...draft, body: withoutRecords(offer.request) };
  const storedAs = await storeLargeRequest(deps, actor, used, isLongList ? inputs : null);
  return composeAdmission(deps, actor, { draft: used, offer, inputs: isLongList ? [] : inputs, storedAs });
}

/** Settles what a request leaves open, where its tool does so. */
async function settledRequest<Asked extends Pick<ResolvedRequest, 'tool' | 'request'>>(
  { offers, store }: Pick<ComposeDependencies, 'offers' | 'store'>,
  asked: Asked,
): Promise<Asked> {
  const { tool, request } = asked;
  if (tool.request.settle === undefined) return asked;
  const { version, variants } = await offers.of(tool);
  const offered = [...(version === null ? [] : [null]), ...variants.map(({ name }) => name)];
  return { ...asked, request: await tool.request.settle(request, beginningReader(store), offered) };
}

/** Refuses at once what the hold would be refused for. @throws INSUFFICIENT_CREDITS, NO_PAYMENT_METHOD. */
async function refuseUnpaid(
  db: Queryable,
  accountId: string,
  { owedPence, availablePence }: JobDraft['facts'],
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

/** The unpacked copy of the library, whose digest is known. */
function libraryPin({
  simulationParams,
}: SubmitJobRequest): (readonly [storageKey: string, pin: PinnedInput])[] {
  const file = simulationParams?.libraryUse?.file;
  return file == null ? [] : [[file.storageKey, file]];
}

/** Stores a large request under a key of this submit alone, so that removing the object never removes another submit's. */
async function storeLargeRequest(
  { db, store }: Pick<ComposeDependencies, 'db' | 'store'>,
  actor: Actor,
  draft: JobDraft,
  inputs: JobAdmission['inputs'] | null,
): Promise<string | null> {
  const bytes = composeStoredRequest(draft.body, inputs);
  if (inputs === null && bytes.byteLength <= INLINE_REQUEST_BYTES) return null;
  const key = requestKey(actor.accountId, draft.jobId, `${draft.fingerprint}-${uuidv7()}`);
  // The note comes before the object: the sweep finds an object without a note only once a day.
  await announceRequest(db, key, draft.jobId);
  await store.put(key, bytes, 'application/json');
  return key;
}

function composeAdmission(
  { settings }: ComposeDependencies,
  actor: Actor,
  parts: {
    readonly draft: JobDraft;
    readonly offer: Offer;
    readonly inputs: JobAdmission['inputs'];
    readonly storedAs: string | null;
  },
): JobAdmission {
  const { draft, offer } = parts;
  const { body, jobId } = draft;
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
    idempotencyKey: draft.idempotencyKey,
    fingerprint: draft.fingerprint,
    request: parts.storedAs === null ? body : null,
    requestKey: parts.storedAs,
    plan: offer.plan,
    quote: offer.quote,
    ...(coversDispatch(offer.quote, false) ? { coversDispatch: true } : {}),
    inputs: parts.inputs,
    provider: settings.provider,
    effectiveSeed: offer.tool.planning.seed(body, () => randomInt(1, 2 ** 31 - 1)),
    warnings: offer.warnings,
    internal: false,
    admitBy: draft.facts.admitBy,
    response: composeResponse(settings.provider, draft, offer),
  };
}

function composeResponse(
  provider: string,
  { body, jobId }: JobDraft,
  { quote, unused }: Offer,
): SubmitJobResponse {
  const held = displayPence(quote.heldPence);
  const most = coversDispatch(quote, false)
    ? 'more only when its tasks take longer than estimated, within your credits and limits'
    : 'which is the most this job can cost';
  const note = unused.length === 0 ? '' : ` This job does not use ${unused.join(', ')}.`;
  return {
    jobId,
    jobType: body.jobType,
    estimatedCost: microToUnits(quote.estimatedMicro),
    currency: quote.pricing.currency,
    status: 'SUBMITTED',
    provider,
    message: `${held} of your credits is held, ${most}. Only verified tasks are charged; the rest is released at the end.${note}`,
    creditCurrency: CREDIT_CURRENCY,
    fxRate: answeredFxRate(quote),
    heldCents: quote.heldPence,
  };
}
