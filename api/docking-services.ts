/** The services of docking records that the API calls, as plain interfaces. */
import type { Actor } from '../src/domain/access.ts';
import type {
  CreateDockingBatchRequest,
  CreateDockingExperimentRequest,
  CreateDockingRunRequest,
  DockingBatchListResponse,
  DockingBatchResponse,
  DockingExperimentListResponse,
  DockingExperimentResponse,
  DockingRunListResponse,
  DockingRunResponse,
  RetryFailedRequest,
} from '../src/domain/docking-records.ts';
import type { CancelJobRequest } from '../src/domain/requests.ts';

/** A page of a list of records. */
export interface RecordPageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** A page of batches. */
export interface BatchListQuery extends RecordPageQuery {
  /** The beginning of the name. */
  readonly name?: string;
}

/** A request that makes a record, with the fingerprint of its body and its key. */
export interface RecordCommand<Body> {
  readonly body: Body;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** The outcome of a request to cancel; `changed` is false where the work had ended already. */
export interface CancelledRecord<Response> {
  readonly changed: boolean;
  readonly response: Response;
}

/** Experiments, runs and batches. */
export interface DockingServices {
  /** @throws NOT_FOUND, ARTIFACT_MISMATCH, LIGAND_CONFIRMATION_INVALID, and what a job would be refused for. */
  createExperiment(
    actor: Actor,
    command: RecordCommand<CreateDockingExperimentRequest>,
  ): Promise<DockingExperimentResponse>;
  listExperiments(actor: Actor, query: RecordPageQuery): Promise<DockingExperimentListResponse>;
  /** @throws NOT_FOUND. */
  experiment(actor: Actor, experimentId: string): Promise<DockingExperimentResponse>;
  /** @throws NOT_FOUND, and what a submitted job is refused for. */
  createRun(
    actor: Actor,
    experimentId: string,
    command: RecordCommand<CreateDockingRunRequest>,
  ): Promise<DockingRunResponse>;
  /** @throws NOT_FOUND. */
  listRuns(actor: Actor, experimentId: string, query: RecordPageQuery): Promise<DockingRunListResponse>;
  /** @throws NOT_FOUND. */
  run(actor: Actor, runId: string): Promise<DockingRunResponse>;
  /** @throws NOT_FOUND, SERVICE_UNAVAILABLE. */
  cancelRun(
    actor: Actor,
    runId: string,
    body: CancelJobRequest,
  ): Promise<CancelledRecord<DockingRunResponse>>;
  /** @throws what a submitted job is refused for. */
  createBatch(
    actor: Actor,
    command: RecordCommand<CreateDockingBatchRequest>,
  ): Promise<DockingBatchResponse>;
  listBatches(actor: Actor, query: BatchListQuery): Promise<DockingBatchListResponse>;
  /** @throws NOT_FOUND. */
  batch(actor: Actor, batchId: string): Promise<DockingBatchResponse>;
  /** @throws NOT_FOUND, SERVICE_UNAVAILABLE. */
  cancelBatch(
    actor: Actor,
    batchId: string,
    body: CancelJobRequest,
  ): Promise<CancelledRecord<DockingBatchResponse>>;
  /** @throws NOT_FOUND, BATCH_RUNNING, NOTHING_TO_RETRY, and what a submitted job is refused for. */
  retryFailed(
    actor: Actor,
    batchId: string,
    command: {
      readonly body: RetryFailedRequest;
      readonly fingerprint: string;
      readonly resumedSince: string | null;
    },
  ): Promise<DockingRunResponse>;
}
