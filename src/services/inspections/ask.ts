/**
 * Questions that an internal job answers. The work is a job, so that it has every guarantee of a job: fences, recovery, and outputs that
 * count only after the control side has read them. Such a job holds no credits, is never billed, and no list shows it to a
 * customer. The same question is asked once, and its answer is given again.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { v7 as uuidv7, validate as isUuid } from 'uuid';

import type { Inspection } from '../../../entities/inspections.ts';
import type { JobAdmission } from '../../contracts/job.ts';
import { callerOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { timingOf } from '../job-records/take-up.ts';
import { offerFor } from '../jobs/offer.ts';
import type { SubmitDependencies, SubmitSettings } from '../jobs/submit.ts';
import { answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { ByteBudget } from '../stored-objects/byte-budget.ts';
import { claimInspection, forgetInspection, readInspection } from './records.ts';
import type { InspectionRecord } from './records.ts';

/** The settings of questions, under their names in the configuration. */
export interface InspectionSettings extends SubmitSettings {
  readonly inspectionWaitSeconds: number;
  readonly accountInspections: number;
}

/** The database, the store, the workflows and the tools by which questions are answered. */
export interface InspectionDependencies extends Omit<
  SubmitDependencies,
  'settings' | 'confirmations' | 'quoteTokens' | 'offers' | 'catalogue'
> {
  readonly settings: InspectionSettings;
  /** The memory in which reports are read; that of the whole process when not given. */
  readonly reads?: ByteBudget;
}

/** A question, and the job that answers it. */
export interface Question {
  readonly kind: Inspection['kind'];
  /** The same key is the same question. */
  readonly cacheKey: string;
  /** An older answer is not given again. */
  readonly maxAgeSeconds: number;
  readonly toolId: string;
  readonly request: SubmitJobRequest;
  readonly inputs: JobAdmission['inputs'];
}

const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 5;

/** Asks a question, or finds the answer to an equal one; waits for its end for a while. @throws the limit of its kind, SERVICE_UNAVAILABLE. */
export async function ask(
  deps: InspectionDependencies,
  actor: Actor,
  question: Question,
): Promise<InspectionRecord> {
  const { db, settings } = deps;
  const { kind, cacheKey, maxAgeSeconds } = question;
  const until = performance.now() + settings.inspectionWaitSeconds * 1000;
  const { isNew, inspection } = await claimInspection(db, {
    kind,
    cacheKey,
    maxAgeSeconds,
    accountId: actor.accountId,
    startWithinSeconds: settings.admitBySeconds,
    atOnce: settings.accountInspections,
  });
  if (isNew) await start(deps, actor, question, inspection);
  let last = inspection;
  while (last.state.kind === 'open' && performance.now() < until) {
    await sleep(POLL_MS);
    const found = await readInspection(db, actor.accountId, kind, inspection.id);
    if (found === null) throw notStarted(kind);
    last = found;
  }
  return last;
}

/** Finds a question of the account. @throws NOT_FOUND. */
export async function mustFind(
  { db }: Pick<InspectionDependencies, 'db'>,
  { accountId }: Actor,
  kind: Inspection['kind'],
  id: string,
): Promise<InspectionRecord> {
  const found = isUuid(id) ? await readInspection(db, accountId, kind, id) : null;
  if (found === null) throw new AppError('NOT_FOUND', `There is no such ${kind} in this account.`);
  return found;
}

/**
 * Starts the job. An inspection whose admission is undecided stays, and one whose job was not admitted is forgotten; when
 * an undecided admission is refused later on, the refusal itself forgets the inspection.
 */
async function start(
  deps: InspectionDependencies,
  actor: Actor,
  question: Question,
  inspection: InspectionRecord,
): Promise<void> {
  const { db, settings, workflows, log } = deps;
  const admission = await composeAdmission(deps, actor, question, inspection);
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
  log.warn({ jobId, outcome: outcome.kind, kind: question.kind }, 'an internal job was not started');
  await forgetInspection(db, inspection.id);
  if (outcome.kind === 'decided' && outcome.decision.kind === 'refused')
    throw new AppError(outcome.decision.code, outcome.decision.message);
  throw notStarted(question.kind);
}

function notStarted(kind: Inspection['kind']): AppError {
  return new AppError('SERVICE_UNAVAILABLE', `The ${kind} could not be started. Repeat the request.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

async function composeAdmission(
  deps: InspectionDependencies,
  actor: Actor,
  { kind, toolId, request, inputs }: Question,
  inspection: InspectionRecord,
): Promise<JobAdmission> {
  const { settings, tools } = deps;
  const { jobId } = inspection;
  const tool = tools.find(toolId);
  const asked = { tool, simulator: toolId, request, unused: [], warnings: [] };
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
    simulator: toolId,
    toolId,
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
      message: `The ${kind} costs nothing.`,
    },
  };
}
