/**
 * Docking as records: experiments, batches, their runs, and results that are there as soon as a ligand is verified. Reads may be
 * repeated; every call that starts or changes something carries an idempotency key.
 */
import { pages } from './pages.ts';
import { pause } from './retry.ts';
import type { CallOptions, Query, WriteOptions } from './transport.ts';
import type {
  CancelJobRequest,
  CreateDockingBatchRequest,
  CreateDockingExperimentRequest,
  CreateDockingRunRequest,
  DockingBatchListResponse,
  DockingBatchResponse,
  DockingExperimentListResponse,
  DockingExperimentResponse,
  DockingExportRequest,
  DockingExportResponse,
  DockingFailure,
  DockingFailureListResponse,
  DockingInteractionListResponse,
  DockingPoseListResponse,
  DockingPoseResponse,
  DockingResult,
  DockingResultListResponse,
  DockingResultResponse,
  DockingRunListResponse,
  DockingRunResponse,
  RetryFailedRequest,
  SignedReceipt,
} from './types.ts';

/** Runs whose results are read: all of a batch, of which the newest one counts for each ligand, or one run. */
export type ResultScope = { readonly batchId: string } | { readonly runId: string };

/** A record that has a scene; a run is also a docking job that was submitted by itself, by the id of the job. */
export type SceneScope = ResultScope | { readonly resultId: string } | { readonly poseId: string };

/** Selection of the results to read, and their order. */
export interface ResultFilter {
  /** The lowest affinity first (the default), the highest efficiency first, or by id. */
  readonly sort?: 'affinity' | 'efficiency' | 'ligandId';
  /** Only ligands whose best affinity is at most this, in kcal/mol. */
  readonly affinityAtMost?: number;
  readonly status?: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** Only ligands with the warning of this code. */
  readonly warning?: string;
  /** Only ligands whose label begins with this text. */
  readonly label?: string;
  /** Conditions on figures of the ligand, such as `logP<=5`, all of which hold. */
  readonly descriptor?: readonly string[];
  /** A pattern that the molecule has as it was docked. */
  readonly smarts?: string;
  /** Contacts such as `hydrogen_bond:A:GLN725`; one pose must have all of them, but for `maxMissing`. */
  readonly interaction?: readonly string[];
  readonly maxMissing?: number;
}

/** A page of a list. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** The kinds of calls that docking makes. */
export interface DockingCalls {
  readonly read: <T extends object>(path: string, query: Query, options: CallOptions) => Promise<T>;
  readonly write: <T extends object>(path: string, body: unknown, options: WriteOptions) => Promise<T>;
  /** Reads a file, which may be large. */
  readonly file: (path: string, query: Query, options: CallOptions) => Promise<Uint8Array>;
}

const BASE = '/molecular/docking';
/** How often an export is asked for. */
const EXPORT_POLL_MS = 1_000;
/** The most records, and the most results, on a page. */
const [RECORDS, RESULTS] = [100, 1000] as const;

/** Makes the docking of a client. */
export function createDocking(calls: DockingCalls): Docking {
  return new Docking(calls);
}

/** The operations on experiments, batches, runs and results. Every one throws ClientError. */
export class Docking {
  readonly #calls: DockingCalls;

  constructor(calls: DockingCalls) {
    this.#calls = calls;
  }

  /** Stores a protocol with its ligand; nothing runs and nothing is charged. */
  createExperiment(
    request: CreateDockingExperimentRequest,
    options: WriteOptions = {},
  ): Promise<DockingExperimentResponse> {
    return this.#calls.write(`${BASE}/experiments`, request, options);
  }

  /** The account's experiments, newest first, page by page. */
  experiments(options: CallOptions = {}): AsyncGenerator<DockingExperimentResponse, void, void> {
    return this.#all<DockingExperimentListResponse, DockingExperimentResponse>(
      `${BASE}/experiments`,
      { limit: RECORDS },
      options,
      ({ experiments }) => experiments,
    );
  }

  /** An experiment, with its box once a run has found the box. */
  experiment(experimentId: string, options: CallOptions = {}): Promise<DockingExperimentResponse> {
    return this.#calls.read(pathOf('experiments', experimentId), {}, options);
  }

  /** Starts a run of an experiment: one job, of which `limitCents` bounds what is held. */
  startRun(
    experimentId: string,
    request: CreateDockingRunRequest = {},
    options: WriteOptions = {},
  ): Promise<DockingRunResponse> {
    return this.#calls.write(`${pathOf('experiments', experimentId)}/runs`, request, options);
  }

  /** The runs of an experiment, newest first, page by page. */
  runs(experimentId: string, options: CallOptions = {}): AsyncGenerator<DockingRunResponse, void, void> {
    return this.#all<DockingRunListResponse, DockingRunResponse>(
      `${pathOf('experiments', experimentId)}/runs`,
      { limit: RECORDS },
      options,
      ({ runs }) => runs,
    );
  }

  /** A run of an experiment or batch. */
  run(runId: string, options: CallOptions = {}): Promise<DockingRunResponse> {
    return this.#calls.read(pathOf('runs', runId), {}, options);
  }

  /** Asks for the end of a run; what is verified is kept and charged. */
  cancelRun(
    runId: string,
    request: CancelJobRequest = {},
    options: WriteOptions = {},
  ): Promise<DockingRunResponse> {
    return this.#calls.write(`${pathOf('runs', runId)}/cancel`, request, options);
  }

  /** The signed receipt of a run: of an execution of its job, by default of the last one that has a receipt. */
  runReceipt(runId: string, query: Query = {}, options: CallOptions = {}): Promise<SignedReceipt> {
    return this.#calls.read(`${pathOf('runs', runId)}/receipt`, query, options);
  }

  /** Starts a batch over a list of ligands or a registered library; `dryRun` only prepares the ligands. */
  createBatch(request: CreateDockingBatchRequest, options: WriteOptions = {}): Promise<DockingBatchResponse> {
    return this.#calls.write(`${BASE}/batches`, request, options);
  }

  /** The account's batches, newest first, page by page; with `name` those whose name begins with it. */
  batches(
    query: { readonly name?: string } = {},
    options: CallOptions = {},
  ): AsyncGenerator<DockingBatchResponse, void, void> {
    return this.#all<DockingBatchListResponse, DockingBatchResponse>(
      `${BASE}/batches`,
      { limit: RECORDS, ...query },
      options,
      ({ batches }) => batches,
    );
  }

  /** A batch with its counts; a dry run has its report here. */
  batch(batchId: string, options: CallOptions = {}): Promise<DockingBatchResponse> {
    return this.#calls.read(pathOf('batches', batchId), {}, options);
  }

  /** Asks for the end of a batch; what is verified is kept and charged. */
  cancelBatch(
    batchId: string,
    request: CancelJobRequest = {},
    options: WriteOptions = {},
  ): Promise<DockingBatchResponse> {
    return this.#calls.write(`${pathOf('batches', batchId)}/cancel`, request, options);
  }

  /** Docks failed ligands again in a new run: those whose code blames engine or machine, or those with `codes`. */
  retryFailed(
    batchId: string,
    request: RetryFailedRequest = {},
    options: WriteOptions = {},
  ): Promise<DockingRunResponse> {
    return this.#calls.write(`${pathOf('batches', batchId)}/retry-failed`, request, options);
  }

  /** One page of results, at most 1,000; `nextCursor` goes with the same filter alone. */
  listResults(
    scope: ResultScope,
    query: ResultFilter & PageQuery = {},
    options: CallOptions = {},
  ): Promise<DockingResultListResponse> {
    return this.#calls.read(`${scopePath(scope)}/results`, { ...query }, options);
  }

  /** All results that pass the filter, page by page, also while they arrive. */
  results(
    scope: ResultScope,
    filter: ResultFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<DockingResult, void, void> {
    return this.#all<DockingResultListResponse, DockingResult>(
      `${scopePath(scope)}/results`,
      { limit: RESULTS, ...filter },
      options,
      ({ results }) => results,
    );
  }

  /** One page of failed ligands, with the number of failures of each code. */
  listFailures(
    batchId: string,
    query: PageQuery & { readonly code?: string } = {},
    options: CallOptions = {},
  ): Promise<DockingFailureListResponse> {
    return this.#calls.read(`${pathOf('batches', batchId)}/failures`, { ...query }, options);
  }

  /** All failed ligands of a batch, page by page; with `code` those that failed so. */
  failures(
    batchId: string,
    query: { readonly code?: string } = {},
    options: CallOptions = {},
  ): AsyncGenerator<DockingFailure, void, void> {
    return this.#all<DockingFailureListResponse, DockingFailure>(
      `${pathOf('batches', batchId)}/failures`,
      { limit: RESULTS, ...query },
      options,
      ({ failures }) => failures,
    );
  }

  /** Asks for the results in one file; the same request over the same results is the same export. */
  startExport(
    scope: ResultScope,
    request: DockingExportRequest,
    options: WriteOptions = {},
  ): Promise<DockingExportResponse> {
    return this.#calls.write(`${scopePath(scope)}/export`, request, options);
  }

  /** How far an export is, and its file once it is made. */
  export(exportId: string, options: CallOptions = {}): Promise<DockingExportResponse> {
    return this.#calls.read(`${BASE}/exports/${encodeURIComponent(exportId)}`, {}, options);
  }

  /** Asks for an export and waits until it is made or has failed. */
  async waitForExport(
    scope: ResultScope,
    request: DockingExportRequest,
    options: WriteOptions = {},
  ): Promise<DockingExportResponse> {
    let last = await this.startExport(scope, request, options);
    while (last.export.status === 'QUEUED' || last.export.status === 'RUNNING') {
      await pause(EXPORT_POLL_MS, options.signal);
      last = await this.export(last.export.id, options);
    }
    return last;
  }

  /** One ligand of a run. */
  result(resultId: string, options: CallOptions = {}): Promise<DockingResultResponse> {
    return this.#calls.read(pathOf('results', resultId), {}, options);
  }

  /** The modes of a result, the best first. */
  poses(resultId: string, options: CallOptions = {}): Promise<DockingPoseListResponse> {
    return this.#calls.read(`${pathOf('results', resultId)}/poses`, {}, options);
  }

  /** One mode of a result. */
  pose(poseId: string, options: CallOptions = {}): Promise<DockingPoseResponse> {
    return this.#calls.read(pathOf('poses', poseId), {}, options);
  }

  /** The contacts of a mode with the receptor. */
  interactions(poseId: string, options: CallOptions = {}): Promise<DockingInteractionListResponse> {
    return this.#calls.read(`${pathOf('poses', poseId)}/interactions`, {}, options);
  }

  /** The scene of a record, as a project takes it. */
  scene(of: SceneScope, options: CallOptions = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.#calls.read(`${scenePath(of)}/scene`, {}, options);
  }

  /** The scene of a record as a file: a package with its data, or the scene alone where all its data is public. */
  exportScene(
    of: SceneScope,
    format: 'mvsx' | 'mvsj' = 'mvsx',
    options: CallOptions = {},
  ): Promise<Uint8Array> {
    return this.#calls.file(`${scenePath(of)}/scene/export`, { format }, options);
  }

  #all<Page extends { readonly nextCursor: string | null }, Item>(
    path: string,
    query: Query,
    options: CallOptions,
    itemsOf: (page: Page) => readonly Item[],
  ): AsyncGenerator<Item, void, void> {
    return pages((cursor) => this.#calls.read<Page>(path, { ...query, cursor }, options), itemsOf);
  }
}

function pathOf(kind: 'experiments' | 'runs' | 'batches' | 'results' | 'poses', id: string): string {
  return `${BASE}/${kind}/${encodeURIComponent(id)}`;
}

function scenePath(of: SceneScope): string {
  if ('resultId' in of) return pathOf('results', of.resultId);
  return 'poseId' in of ? pathOf('poses', of.poseId) : scopePath(of);
}

function scopePath(scope: ResultScope): string {
  return 'batchId' in scope ? pathOf('batches', scope.batchId) : pathOf('runs', scope.runId);
}
