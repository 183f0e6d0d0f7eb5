/** What the API needs from the rest of the system: the services that it calls, as plain interfaces. */
import type { Readable } from 'node:stream';

import type { Actor } from '../src/domain/access.ts';
import type { JobState } from '../src/domain/job-state.ts';
import type {
  CancelJobRequest,
  EstimateJobRequest,
  InspectReceptorRequest,
  JobType,
  RegisterArtifactRequest,
  ResolveLigandRequest,
  SubmitJobRequest,
  UploadUrlRequest,
} from '../src/domain/requests.ts';
import type {
  ArtifactResponse,
  CancelJobResponse,
  CreditBalanceResponse,
  DownloadUrlResponse,
  EstimateJobResponse,
  HealthReport,
  InspectionResponse,
  JobListResponse,
  JobStatusResponse,
  OutputListResponse,
  ResolveLigandResponse,
  SubmitJobResponse,
  TaskListResponse,
  TransactionListResponse,
  TransactionType,
  UploadUrlResponse,
} from '../src/domain/responses.ts';
import type {
  MultipartCompleteRequest,
  MultipartCompleteResponse,
  MultipartInitRequest,
  MultipartInitResponse,
  MultipartPartUrlsRequest,
  MultipartPartUrlsResponse,
  MultipartStatusResponse,
  UploadListQuery,
  UploadListResponse,
} from '../src/domain/uploads.ts';

/** A page of a list: `cursor` is opaque and comes from the page before. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Query of GET /jobs; times are ISO 8601. */
export interface JobListQuery extends PageQuery {
  readonly status?: JobState;
  readonly jobType?: JobType;
  readonly simulator?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly jobName?: string;
}

/** Query of GET /jobs/{id}/outputs. */
export interface OutputQuery extends PageQuery {
  readonly kind?: string;
  readonly since?: string;
}

/** Query of GET /credits/transactions. */
export interface TransactionQuery extends PageQuery {
  readonly type?: TransactionType;
  readonly jobId?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A submit as the API hands it over. */
export interface SubmitCommand {
  readonly body: SubmitJobRequest;
  /** SHA-256 (hex) of the canonical body as sent, without its key. */
  readonly fingerprint: string;
  /** The one key of header, body and dockingRequest; null when none was sent. */
  readonly idempotencyKey: string | null;
}

/** The init of a multipart upload as the API hands it over. */
export interface UploadInitCommand {
  readonly body: MultipartInitRequest;
  /** SHA-256 (hex) of the canonical body as sent. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** How long to wait for a status other than the one the client knows. */
export interface StatusWait {
  readonly knownVersion?: string;
  readonly waitSeconds?: number;
}

/** A status with the version that becomes its entity tag; changes whenever the status does. */
export interface VersionedStatus {
  readonly version: string;
  readonly status: JobStatusResponse;
}

/** Bytes of a log, both ends inclusive; without `end` to the present end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** Bytes of a log. A range that starts at or beyond `totalBytes` gives an empty stream. */
export interface TaskLog {
  readonly totalBytes: number;
  readonly stream: Readable;
}

/** What a request with an idempotency key is: the first, or the repeat of an answered one. */
export type IdempotencyStart =
  | { readonly outcome: 'started'; readonly reference: string }
  | { readonly outcome: 'replay'; readonly status: number; readonly body: unknown };

/** The request that a key stands for; scope is account + operation + key. */
export interface IdempotencyClaim {
  readonly operation: string;
  readonly key: string;
  /** SHA-256 (hex) of path and canonical body; another one under the same key is refused. */
  readonly fingerprint: string;
}

/** Every service that the routes call. */
export interface Services {
  readonly identity: {
    /** @throws UNAUTHORIZED. */
    authenticate(token: string): Promise<Actor>;
  };
  readonly jobs: {
    submit(actor: Actor, command: SubmitCommand): Promise<SubmitJobResponse>;
    estimate(actor: Actor, body: EstimateJobRequest): Promise<EstimateJobResponse>;
    list(actor: Actor, query: JobListQuery): Promise<JobListResponse>;
    status(actor: Actor, jobId: string, wait: StatusWait): Promise<VersionedStatus>;
    tasks(actor: Actor, jobId: string, query: PageQuery): Promise<TaskListResponse>;
    outputs(actor: Actor, jobId: string, query: OutputQuery): Promise<OutputListResponse>;
    taskLog(actor: Actor, jobId: string, index: number, range: ByteRange): Promise<TaskLog>;
    /** `changed` false: the job had ended already. @throws SERVICE_UNAVAILABLE when the message was not taken. */
    cancel(
      actor: Actor,
      jobId: string,
      body: CancelJobRequest,
    ): Promise<{ readonly changed: boolean; readonly response: CancelJobResponse }>;
  };
  readonly uploads: {
    /** With a key a repeat names the same file, whatever became of the first call. */
    createUploadUrl(
      actor: Actor,
      body: UploadUrlRequest,
      idempotencyKey: string | null,
    ): Promise<UploadUrlResponse>;
    /** A fresh URL for an upload of this account that was announced with this body; URLs are never stored. */
    renewUploadUrl(actor: Actor, storageKey: string, body: UploadUrlRequest): Promise<UploadUrlResponse>;
    /** `replayed`: an earlier request with the same key started the upload; its URLs are fresh. */
    init(
      actor: Actor,
      command: UploadInitCommand,
    ): Promise<{ readonly replayed: boolean; readonly response: MultipartInitResponse }>;
    list(actor: Actor, query: UploadListQuery): Promise<UploadListResponse>;
    status(actor: Actor, uploadId: string): Promise<MultipartStatusResponse>;
    partUrls(
      actor: Actor,
      uploadId: string,
      body: MultipartPartUrlsRequest,
    ): Promise<MultipartPartUrlsResponse>;
    complete(
      actor: Actor,
      uploadId: string,
      body: MultipartCompleteRequest,
    ): Promise<MultipartCompleteResponse>;
    abort(actor: Actor, uploadId: string): Promise<void>;
  };
  readonly credits: {
    balance(actor: Actor): Promise<CreditBalanceResponse>;
    transactions(actor: Actor, query: TransactionQuery): Promise<TransactionListResponse>;
  };
  readonly artifacts: {
    /** `created` false: the same storage key and format was registered before. */
    register(
      actor: Actor,
      body: RegisterArtifactRequest,
    ): Promise<{ readonly created: boolean; readonly response: ArtifactResponse }>;
    get(actor: Actor, artifactId: string): Promise<ArtifactResponse>;
    downloadUrl(actor: Actor, artifactId: string): Promise<DownloadUrlResponse>;
  };
  readonly ligands: {
    /** @throws SERVICE_UNAVAILABLE. */
    resolve(actor: Actor, body: ResolveLigandRequest): Promise<ResolveLigandResponse>;
  };
  readonly inspections: {
    /** Waits for a while; the answer of one that still runs has no report. @throws the receptor's own codes. */
    inspect(actor: Actor, body: InspectReceptorRequest): Promise<InspectionResponse>;
    /** @throws NOT_FOUND, and the code that an inspection failed with. */
    get(actor: Actor, inspectionId: string): Promise<InspectionResponse>;
  };
  readonly idempotency: {
    /** @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS. */
    begin(actor: Actor, claim: IdempotencyClaim): Promise<IdempotencyStart>;
    /** Stores the answer under the key. */
    complete(reference: string, answer: { readonly status: number; readonly body: unknown }): Promise<void>;
    /** Gives the key free: the request was not answered, or with an answer that is not kept. */
    abandon(reference: string): Promise<void>;
  };
  readonly health: {
    check(): Promise<HealthReport>;
  };
}
