/**
 * Starts the job of a run through the workflow of the run: the admission is composed here, so that a request that is refused
 * starts nothing, and decided by the job, in whose transaction the records are written. The id of a run follows from the
 * idempotency key, and the id of its job from the id of the run: a repeat finds the job's stored answer.
 */
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { DockingWorkKind } from '../../contracts/docking.ts';
import type { DockingRecords } from '../../contracts/docking-records.ts';
import type { JobAdmission } from '../../contracts/job.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { composeJob } from '../jobs/compose.ts';
import { readSubmitFacts, replayOf } from '../jobs/stored-submit.ts';
import { admitComposed, forgetRequest } from '../jobs/submit.ts';
import type { SubmitDependencies } from '../jobs/submit.ts';
import { displayPence } from '../prices/quotes.ts';
import { composeSamples } from './sample.ts';

/** The parts that compose and admit the job of a run, and Temporal with the workflows of docking. */
export interface DockingWorkDependencies extends Omit<SubmitDependencies, 'workflows' | 'quoteTokens'> {
  readonly workflows: Pick<JobWorkflows, 'startDocking'>;
}

/** A request that starts a run, with its key. */
export interface DockingCommand<Body> {
  readonly body: Body;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** The job of a run before it is composed. `request` is asked only where no answer is stored. */
export interface DockingWork {
  readonly kind: DockingWorkKind;
  /** The id of the run, or of the batch that is new. */
  readonly id: string;
  readonly runId: string;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  readonly limitCents: number | undefined;
  prepare(): Promise<{ readonly request: SubmitJobRequest; readonly of: DockingRecords['of'] }>;
}

const IDS = '5d0cf1b2-58a6-5c3c-9e0b-6f6d1fb4a8c7';
const MIN_KEY_CHARACTERS = 8;

/** The id of what a request with this key makes; a request without a key makes something new each time. */
export function idOf(actor: Actor, operation: string, idempotencyKey: string | null): string {
  return idempotencyKey === null
    ? uuidv7()
    : uuidv5(`${actor.accountId}/${operation}/${idempotencyKey}`, IDS);
}

/** The id of a run of a batch. */
export function batchRunId(batchId: string, number: number): string {
  return uuidv5(`run/${number}`, batchId);
}

/** The id of the job of a run. */
export function jobIdOfRun(runId: string): string {
  return uuidv5('job', runId);
}

/**
 * Has the job of a run admitted. @returns whether an earlier request with the same key did it.
 * @throws what composing and admitting a job throws; COST_LIMIT_EXCEEDED above the limit of the request.
 */
export async function submitWork(
  deps: DockingWorkDependencies,
  actor: Actor,
  work: DockingWork,
): Promise<{ readonly replayed: boolean }> {
  const jobId = jobIdOfRun(work.runId);
  const { fingerprint, idempotencyKey } = work;
  const facts = await readSubmitFacts(deps.db, actor.accountId, jobId, deps.settings.admitBySeconds);
  if (facts.stored !== null) {
    replayOf(facts.stored, { fingerprint });
    return { replayed: true };
  }
  const { request, of } = await work.prepare();
  const requestId = uuidv7();
  const body = { ...request, dockingRequest: linkOf(work, requestId) };
  const draft = { jobId, body, fingerprint, idempotencyKey, facts, quoted: null };
  const composed = await composeJob(deps, actor, draft);
  await refuseAboveLimit(deps, composed, work.limitCents);
  const seedRequested = request.simulationParams?.seed ?? null;
  const docking: DockingRecords = { runId: work.runId, requestId, seedRequested, of };
  const { kind, id } = work;
  const samples =
    of.kind === 'newBatch'
      ? await composeSamples(deps, actor, { batch: of.batch, request: body, facts })
      : [];
  const admission = { ...composed, docking, ...(samples.length === 0 ? {} : { samples }) };
  const response = await admitComposed(deps, admission, (start, waitMs) =>
    deps.workflows.startDocking({ kind, id, ...start, samples }, waitMs),
  );
  return { replayed: response.idempotentReplay === true };
}

/** The link of the job to its run; a short key of the run's own where the request had none. */
function linkOf(
  { runId, idempotencyKey }: DockingWork,
  requestId: string,
): NonNullable<SubmitJobRequest['dockingRequest']> {
  const isKey = idempotencyKey !== null && idempotencyKey.length >= MIN_KEY_CHARACTERS;
  return { requestId, runId, idempotencyKey: isKey ? idempotencyKey : runId };
}

async function refuseAboveLimit(
  deps: DockingWorkDependencies,
  admission: JobAdmission,
  limitCents: number | undefined,
): Promise<void> {
  const { heldPence } = admission.quote;
  if (limitCents === undefined || heldPence <= limitCents) return;
  await forgetRequest(deps, admission);
  throw new AppError(
    'COST_LIMIT_EXCEEDED',
    `limitCents: this needs ${displayPence(heldPence)} to be held, and the limit of the request is ${displayPence(limitCents)}. Raise the limit or dock fewer ligands.`,
  );
}
