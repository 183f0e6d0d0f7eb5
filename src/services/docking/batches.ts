/** Batches: campaigns of many ligands against one receptor. The first run of a batch is the job that its request starts. */
import type { NewBatch } from '../../contracts/docking-records.ts';
import type { Actor } from '../../domain/access.ts';
import { studioLink } from '../../domain/docking-records.ts';
import type { CreateDockingBatchRequest } from '../../domain/docking-records.ts';
import type { MarkedEnrichment } from '../../domain/enrichment.ts';
import { AppError } from '../../domain/errors.ts';
import { isTerminal } from '../../domain/job-state.ts';
import type { CancelJobRequest, SubmitJobRequest } from '../../domain/requests.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { cancelJob } from '../jobs/cancel.ts';
import type { CancelDependencies } from '../jobs/cancel.ts';
import { chooseReceptor, receptorOf } from './choices.ts';
import { engineOf } from './engine.ts';
import { enrichmentOfBatch } from './enrichment.ts';
import type { Engine } from './engine.ts';
import { ligandsOfBatch } from './ligands-of.ts';
import { reproducibilityOf } from './reproducibility.ts';
import { presentBatch, readBatch, readBatches } from './read-batches.ts';
import type { BatchRow } from './read-batches.ts';
import type { CancelledWork, RunDependencies } from './runs.ts';
import { batchRunId, idOf, submitWork } from './submit-work.ts';
import type { DockingCommand } from './submit-work.ts';
import { dryRunReport } from './dry-run.ts';
import type { DryRunDependencies } from './dry-run.ts';
import type { LibraryOfRequest } from '../libraries/libraries.ts';
import type { DockingBatchListResponse, DockingBatchResponse } from '../../domain/answers.ts';

type DockingEnrichment = NonNullable<DockingBatchResponse['batch']['enrichment']>;

const LIST = 'docking.batches';
/** Answers from this status on say nothing of whether the batch is refused. */
const SERVER_FAULT = 500;

/** Starts a batch. @throws what a submitted job is refused for, NOT_FOUND, ARTIFACT_MISMATCH. */
export async function createBatch(
  deps: RunDependencies,
  actor: Actor,
  { body, fingerprint, idempotencyKey }: DockingCommand<CreateDockingBatchRequest>,
): Promise<DockingBatchResponse> {
  const id = idOf(actor, 'docking.batches', idempotencyKey);
  let library: LibraryOfRequest | null = null;
  const { replayed } = await submitWork(deps, actor, {
    kind: 'batch',
    id,
    runId: batchRunId(id, 1),
    fingerprint,
    idempotencyKey,
    limitCents: body.limitCents,
    prepare: () => prepareBatch(deps, actor, { id, body, onLibrary: (opened) => void (library = opened) }),
  }).catch(async (error: unknown) => {
    await forgetRefused(deps, library, error);
    throw error;
  });
  return batchResponse(deps.tools, await readBatch(deps.db, actor, id), replayed);
}

/** A batch that is refused leaves no library. One that was not decided in time may still be admitted, and keeps its library. */
async function forgetRefused(
  { libraries, log }: Pick<RunDependencies, 'libraries' | 'log'>,
  library: LibraryOfRequest | null,
  error: unknown,
): Promise<void> {
  if (library === null || !(error instanceof AppError) || error.status >= SERVER_FAULT) return;
  await libraries.forget(library).catch((fault: unknown) => {
    log.info({ err: fault, libraryId: library.id }, 'the library of a refused batch is left to the sweep');
  });
}

interface BatchDraft {
  readonly id: string;
  readonly body: CreateDockingBatchRequest;
  /** Told of the library once it is open, also where the batch is refused afterwards. */
  readonly onLibrary: (library: LibraryOfRequest) => void;
}

async function prepareBatch(
  deps: RunDependencies,
  actor: Actor,
  { id, body, onLibrary }: BatchDraft,
): Promise<{
  readonly request: SubmitJobRequest;
  readonly of: { readonly kind: 'newBatch'; readonly batch: NewBatch };
}> {
  const engine = engineOf(deps.tools, body.engine);
  refuseWithoutReceptor(engine, body);
  const receptor = body.receptor === undefined ? null : await chooseReceptor(deps, actor, body.receptor);
  const ligands = await ligandsOfBatch(deps.libraries, actor, body);
  const { library } = ligands;
  onLibrary(library);
  const identity = receptor === null ? null : await receptorOf(deps, actor, receptor);
  const parameters = body.parameters ?? null;
  const execution = body.dockingExecution ?? { shardSize: 1 };
  const batch = {
    id,
    name: body.name,
    engine: engine.about.id,
    parameters,
    receptorArtifactId: receptor?.artifactId ?? null,
    receptorIdentity: identity,
    libraryId: library.id,
    librarySha256: library.sha256,
    ligandCount: library.recordCount,
    shardSize: execution.shardSize,
    reuse: body.reuse ?? 'verified',
    dryRun: body.dryRun ?? false,
    ...(body.stopWhen === undefined ? {} : { stopWhen: body.stopWhen }),
    ...(body.sample === true && body.dryRun !== true ? { sample: true } : {}),
    ...(ligands.preparation === undefined ? {} : { ligandPreparation: ligands.preparation }),
  } as const;
  return {
    of: { kind: 'newBatch', batch },
    request: {
      jobType: engine.about.jobType,
      simulator: engine.about.id,
      jobName: body.name,
      simulationParams: {
        ...engine.screening.paramsOf(identity, parameters),
        ...ligands.params,
        dockingExecution: execution,
      },
      ...(body.recovery === undefined ? {} : { recovery: body.recovery }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
    },
  };
}

function refuseWithoutReceptor(
  { about, screening }: Engine,
  { receptor, parameters }: CreateDockingBatchRequest,
): void {
  const missing = Object.entries({ receptor, parameters }).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  );
  if (!screening.needsReceptor || missing.length === 0) return;
  throw new AppError(
    'INPUT_MISSING',
    `${missing.join(' and ')}: ${about.title} needs ${missing.length === 1 ? 'it' : 'both'}. Send what the ligands are docked to, and how.`,
  );
}

/** The account's batches, newest first. */
export async function listBatches(
  { db, tools }: Pick<RunDependencies, 'db' | 'tools'>,
  actor: Actor,
  query: { readonly limit: number; readonly cursor?: string; readonly name?: string },
): Promise<DockingBatchListResponse> {
  const scope = scopeOf(LIST, actor, { ...query });
  const place = readCursor(scope, query.cursor, ['time', 'uuid']);
  const rows = await readBatches(db, actor, { name: query.name ?? null, limit: query.limit + 1, place });
  const page = pageOf(scope, rows, query.limit, (row) => [row.created_at, row.id]);
  return { batches: page.rows.map((row) => batchResponse(tools, row, false)), nextCursor: page.nextCursor };
}

/** A batch of the account. @throws NOT_FOUND. */
export async function getBatch(
  deps: DryRunDependencies,
  actor: Actor,
  batchId: string,
): Promise<DockingBatchResponse> {
  const row = await readBatch(deps.db, actor, batchId);
  const answer = batchResponse(deps.tools, row, false);
  const { batch } = answer;
  if (row.dry_run) {
    return { ...answer, batch: { ...batch, dry_run_report: await dryRunReport(deps, row.job_id) } };
  }
  const enrichment =
    row.library_id !== null && batch.counts.succeeded > 0 && isTerminal(batch.status)
      ? await enrichmentOfBatch(deps.db, batchId, row.library_id)
      : null;
  return {
    ...answer,
    batch: {
      ...batch,
      ...(row.sample ? { reproducibility: await reproducibilityOf(deps.db, batchId) } : {}),
      ...(enrichment === null ? {} : { enrichment: presentEnrichment(enrichment) }),
    },
  };
}

/** Asks the newest run of a batch to stop. @throws NOT_FOUND, SERVICE_UNAVAILABLE. */
export async function cancelBatch(
  deps: DryRunDependencies & CancelDependencies,
  actor: Actor,
  batchId: string,
  body: CancelJobRequest,
): Promise<CancelledWork<DockingBatchResponse>> {
  const { job_id } = await readBatch(deps.db, actor, batchId);
  const { changed, response: cancelled } = await cancelJob(deps, actor, job_id, body);
  const { cancelRequestedAt } = cancelled;
  return { changed, cancelRequestedAt, response: await getBatch(deps, actor, batchId) };
}

function presentEnrichment(found: MarkedEnrichment): DockingEnrichment {
  const { column, ligands, actives, unmarked, rocAuc, rocAucInterval, ef1, ef5, bedroc } = found;
  return {
    column,
    ligands,
    actives,
    unmarked,
    roc_auc: rocAuc,
    roc_auc_interval: [...rocAucInterval],
    enrichment_1_percent: ef1,
    enrichment_5_percent: ef5,
    bedroc,
  };
}

function batchResponse(tools: ToolRegistry, row: BatchRow, replayed: boolean): DockingBatchResponse {
  return {
    batch: presentBatch(tools, row),
    jobId: row.job_id,
    uiLinks: studioLink('dockingBatch', row.id),
    ...(replayed ? { idempotentReplay: true } : {}),
  };
}
