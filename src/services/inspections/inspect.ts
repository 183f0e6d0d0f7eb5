/**
 * Inspections of receptors: what a preparation would find in a receptor, answered before a docking is paid for. The
 * work of an inspection is an internal job, so that it has every guarantee of a job: fences, recovery, and a report
 * that counts only after the control side has read it. Such a job holds no credits, is never billed, and no list shows
 * it to a customer. The bytes of the receptor do not pass through this process; the bytes of the report do, because
 * they are the answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { v7 as uuidv7, validate as isUuid } from 'uuid';

import type { JobAdmission } from '../../contracts/job.ts';
import { callerOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import type { ToolRefusal } from '../../domain/codes/code.ts';
import { AppError } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { InspectReceptorRequest } from '../../domain/requests.ts';
import { RECEPTOR_REFUSALS } from '../../tools/receptor-inspect/codes.ts';
import { INSPECT_ID, receptorInspect } from '../../tools/receptor-inspect/index.ts';
import { INSPECTION } from '../../tools/receptor-inspect/report.ts';
import { inspectionJob, inspectionKey } from '../../tools/receptor-inspect/request.ts';
import { answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import { createByteBudget } from '../stored-objects/byte-budget.ts';
import type { ByteBudget } from '../stored-objects/byte-budget.ts';
import { readExactly } from '../stored-objects/read-object.ts';
import { checkInputs } from '../jobs/inputs.ts';
import { offerFor } from '../jobs/offer.ts';
import { timingOf } from '../job-records/take-up.ts';
import type { SubmitDependencies, SubmitSettings } from '../jobs/submit.ts';
import { claimInspection, forgetInspection, readInspection } from './records.ts';
import type { InspectionRecord, InspectionState } from './records.ts';
import type { InspectionResponse } from '../../domain/answers.ts';

/** The settings of inspections, under their names in the configuration. */
export interface InspectionSettings extends SubmitSettings {
  readonly inspectionWaitSeconds: number;
  readonly accountInspections: number;
}

/** The database, the store, the workflows and the tools by which receptors are inspected. */
export interface InspectionDependencies extends Omit<
  SubmitDependencies,
  'settings' | 'confirmations' | 'quoteTokens' | 'offers' | 'catalogue'
> {
  readonly settings: InspectionSettings;
  /** The memory in which reports are read; that of the whole process when not given. */
  readonly reads?: ByteBudget;
}

/** The largest receptor file that is accepted, which is as large as the largest that is fetched from the archive. */
export const LARGEST_RECEPTOR_BYTES = 256 * 1024 * 1024;

const MEBIBYTE = 1024 * 1024;
const DAY_SECONDS = 24 * 3600;
/** How long a report answers the same question again, and how long the sweep keeps the report. */
export const REPORT_DAYS = 30;
/**
 * The archive revises its entries, so the report of an entry that is named by its id alone is used for a shorter time.
 */
const ENTRY_DAYS = 1;
const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 5;
/**
 * The memory in which all requests of this process read reports. The report of an ordinary receptor takes some MiB, the
 * largest report takes nearly all of the memory, and then reports are read one after the other.
 */
const READ_BYTES = 64 * MEBIBYTE;
const PROCESS_READS = createByteBudget(READ_BYTES);
/** Codes of a failed inspection that are answered as they are. */
const TOLD: ReadonlyMap<string, ErrorCode | ToolRefusal> = new Map<string, ErrorCode | ToolRefusal>([
  ...Object.entries(RECEPTOR_REFUSALS),
  ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
]);

/** Makes the inspections. */
export function createInspections(deps: InspectionDependencies) {
  return {
    inspect: (actor: Actor, wanted: InspectReceptorRequest) => inspect(deps, actor, wanted),
    get: (actor: Actor, id: string) => getInspection(deps, actor, id),
  };
}

/**
 * Inspects a receptor, or answers the report of an equal inspection. Waits for the end of the inspection for a while.
 * @throws PAYLOAD_TOO_LARGE, INPUT_NOT_FOUND, ARTIFACT_MISMATCH, UPLOAD_INCOMPLETE, CHECKSUM_MISMATCH, SIZE_MISMATCH,
 * INSPECTION_LIMIT, SERVICE_UNAVAILABLE, INSPECTION_FAILED, and codes of receptors.
 */
async function inspect(
  deps: InspectionDependencies,
  actor: Actor,
  wanted: InspectReceptorRequest,
): Promise<InspectionResponse> {
  const { db, settings } = deps;
  const until = performance.now() + settings.inspectionWaitSeconds * 1000;
  const inputs = await pinned(deps, actor, wanted);
  const days = wanted.source.kind === 'pdb' ? ENTRY_DAYS : REPORT_DAYS;
  const { isNew, inspection } = await claimInspection(db, {
    accountId: actor.accountId,
    cacheKey: inspectionKey(wanted, receptorInspect.work.toolchainSha256()),
    maxAgeSeconds: days * DAY_SECONDS,
    startWithinSeconds: settings.admitBySeconds,
    atOnce: settings.accountInspections,
  });
  if (isNew) await start(deps, actor, { wanted, inputs, inspection });
  let last = inspection;
  while (last.state.kind === 'open' && performance.now() < until) {
    await sleep(POLL_MS);
    const found = await readInspection(db, actor.accountId, inspection.id);
    if (found === null) throw notStarted();
    last = found;
  }
  return answerOf(deps, last);
}

async function getInspection(
  deps: InspectionDependencies,
  actor: Actor,
  id: string,
): Promise<InspectionResponse> {
  return answerOf(deps, await mustFind(deps, actor, id));
}

/** Checks the receptor's file in the store; a file that is too large is refused before a row is written. */
async function pinned(
  deps: InspectionDependencies,
  { accountId }: Actor,
  { source }: InspectReceptorRequest,
): Promise<JobAdmission['inputs']> {
  if (source.kind === 'pdb') return [];
  const { artifact } = source;
  if (artifact.byteSize > LARGEST_RECEPTOR_BYTES) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `source.artifact: a receptor has at most ${LARGEST_RECEPTOR_BYTES / MEBIBYTE} MiB. Choose fewer models or chains before you upload it.`,
    );
  }
  const { storageKey } = artifact;
  const pins = await checkInputs(deps, accountId, [
    { path: 'source.artifact', storageKey, reference: artifact },
  ]);
  return [{ storageKey, byteSize: artifact.byteSize, sha256: pins.get(storageKey)?.sha256 ?? null }];
}

interface NewInspection {
  readonly wanted: InspectReceptorRequest;
  readonly inputs: JobAdmission['inputs'];
  readonly inspection: InspectionRecord;
}

/**
 * Starts the job. An inspection whose admission is undecided stays, and one whose job was not admitted is forgotten; when
 * an undecided admission is refused later on, the refusal itself forgets the inspection.
 */
async function start(deps: InspectionDependencies, actor: Actor, made: NewInspection): Promise<void> {
  const { db, settings, workflows, log } = deps;
  const { inspection } = made;
  const admission = await composeAdmission(deps, actor, made);
  const { jobId } = admission;
  const input = { jobId, timing: timingOf(settings), maxHistoryEvents: settings.maxHistoryEvents };
  const outcome = await workflows
    .startJob({ input, admission }, settings.admissionWaitSeconds * 1000)
    .catch(async (error: unknown) => {
      await forgetInspection(db, inspection.id);
      throw error;
    });
  if (outcome.kind === 'undecided' || outcome.kind === 'busy') return;
  if (outcome.kind === 'decided' && outcome.decision.kind === 'admitted') return;
  log.warn({ jobId, outcome: outcome.kind }, 'an inspection was not started');
  await forgetInspection(db, inspection.id);
  if (outcome.kind === 'decided' && outcome.decision.kind === 'refused')
    throw new AppError(outcome.decision.code, outcome.decision.message);
  throw notStarted();
}

function notStarted(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The inspection could not be started. Repeat the request.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

async function composeAdmission(
  deps: InspectionDependencies,
  actor: Actor,
  { wanted, inputs, inspection }: NewInspection,
): Promise<JobAdmission> {
  const { settings, tools } = deps;
  const { jobId } = inspection;
  const request = inspectionJob(wanted);
  const tool = tools.find(INSPECT_ID);
  const asked = { tool, simulator: INSPECT_ID, request, unused: [], warnings: [] };
  const { plan, quote } = await offerFor(
    deps,
    asked,
    new Map(inputs.map((input) => [input.storageKey, input])),
    { accountPlan: actor.plan },
  );
  return {
    jobId,
    accountId: actor.accountId,
    userId: actor.userId,
    accountPlan: actor.plan,
    caller: callerOf(actor),
    submitId: uuidv7(),
    warnings: [],
    jobType: tool.about.jobType,
    simulator: INSPECT_ID,
    toolId: tool.about.id,
    jobName: null,
    recoveryMode: 'standard',
    idempotencyKey: null,
    fingerprint: inspection.id,
    request,
    requestKey: null,
    internal: true,
    plan,
    quote,
    inputs,
    provider: settings.provider,
    effectiveSeed: null,
    admitBy: inspection.startBy.toISOString(),
    response: {
      jobId,
      jobType: tool.about.jobType,
      status: 'SUBMITTED',
      provider: settings.provider,
      estimatedCost: 0,
      currency: quote.pricing.currency,
      creditCurrency: CREDIT_CURRENCY,
      fxRate: answeredFxRate(quote),
      heldCents: quote.heldPence,
      message: 'An inspection costs nothing.',
    },
  };
}

async function mustFind(
  { db }: Pick<InspectionDependencies, 'db'>,
  { accountId }: Actor,
  id: string,
): Promise<InspectionRecord> {
  const found = isUuid(id) ? await readInspection(db, accountId, id) : null;
  if (found === null) throw new AppError('NOT_FOUND', 'There is no such inspection in this account.');
  return found;
}

async function answerOf(
  deps: Pick<InspectionDependencies, 'store' | 'reads'>,
  { id, createdAt, state }: InspectionRecord,
): Promise<InspectionResponse> {
  switch (state.kind) {
    case 'open':
      return { inspectionId: id, status: 'RUNNING', createdAt, message: state.message, report: null };
    case 'failed':
      throw failureOf(state);
    case 'done': {
      const report = await readReport(deps, state);
      // The commit has read the report, so the object was removed or changed in the store since.
      if (!report.ok) throw new Error(`The report of the inspection ${id} is not what was committed.`);
      return { inspectionId: id, status: 'SUCCEEDED', createdAt, message: null, report: report.value };
    }
    default:
      return state satisfies never;
  }
}

/** Reads a committed report once the process has memory for it. */
function readReport(
  { store, reads = PROCESS_READS }: Pick<InspectionDependencies, 'store' | 'reads'>,
  { storageKey, byteSize }: Extract<InspectionState, { kind: 'done' }>,
): ReturnType<typeof INSPECTION.read> {
  const bytes = Math.min(reads.totalBytes, INSPECTION.memoryBytes(byteSize));
  return reads.hold(bytes, () => INSPECTION.read(readExactly(store, storageKey, byteSize)));
}

function failureOf({ code, message }: { readonly code: string; readonly message: string }): AppError {
  const told = TOLD.get(code);
  if (told !== undefined) return new AppError(told, message);
  return new AppError('INSPECTION_FAILED', `${message} (${code})`);
}
