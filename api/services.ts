/** The services that the API calls, as plain interfaces; entry points hand in the real ones, tests hand in their own. */
import type { Readable } from 'node:stream';

import type { Actor, SessionActor } from '../src/domain/access.ts';
import type { DockingExportServices } from '../src/services/docking/exports/index.ts';
import type { DockingResultServices } from '../src/services/docking/results/index.ts';
import type { PageStarted, PortalRequest, SubscribeRequest } from '../src/domain/plans.ts';
import type { NotificationSettings, NotificationSettingsRequest } from '../src/domain/notifications.ts';
import type { BillingSettings, BillingSettingsRequest } from '../src/domain/billing-settings.ts';
import type { JobBillResponse } from '../src/domain/bill.ts';
import type { ReceiptKeyList, SignedReceipt } from '../src/domain/receipts.ts';
import type { RecoveryListResponse } from '../src/domain/recoveries.ts';
import type {
  LicenseServerListResponse,
  LicenseServerRecord,
  LicenseServerRequest,
  LicenseServerTest,
} from '../src/domain/license-servers.ts';
import type { JobState } from '../src/domain/job-state.ts';
import type {
  CancelJobRequest,
  EstimateJobRequest,
  InspectReceptorRequest,
  JobType,
  RegisterArtifactRequest,
  ResolveLigandRequest,
  ResumeJobRequest,
  SubmitJobRequest,
  UploadUrlRequest,
} from '../src/domain/requests.ts';
import type {
  ArtifactResponse,
  CancelJobResponse,
  ResumeJobResponse,
  CreditBalanceResponse,
  DownloadUrlResponse,
  EstimateJobResponse,
  HealthReport,
  InspectionResponse,
  JobListResponse,
  JobStatus,
  OutputListResponse,
  ResolveLigandResponse,
  SimulatorListResponse,
  SubmitJobResponse,
  TaskListResponse,
  TransactionListResponse,
  TransactionType,
  UploadUrlResponse,
} from '../src/domain/responses.ts';
import type {
  PublicEstimateRequest,
  PublicEstimateResponse,
  PublicPricesResponse,
} from '../src/domain/public-prices.ts';
import type { OpenStatement, StatementListResponse } from '../src/domain/statement.ts';
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
import type {
  TierListResponse,
  TopupListResponse,
  TopupRecord,
  TopupRequest,
  TopupStarted,
} from '../src/domain/topups.ts';
import type { ProjectServices } from '../src/services/projects/index.ts';
import type { DockingServices } from './docking-services.ts';
import type { AuditServices, KeyServices, MemberServices, PeopleServices } from './account-services.ts';

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
  /** SHA-256 (hex) of the canonical body as sent, without the idempotency key and the quote of the body. */
  readonly fingerprint: string;
  /** The one idempotency key of header, body and dockingRequest; null when no key was sent. */
  readonly idempotencyKey: string | null;
}

/** A top-up as the API hands it over. */
export interface TopupCommand {
  readonly body: TopupRequest;
  /** SHA-256 (hex) of the canonical body as sent. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** The init of a multipart upload as the API hands it over. */
export interface UploadInitCommand {
  readonly body: MultipartInitRequest;
  /** SHA-256 (hex) of the canonical body as sent. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** The version that the client has, and how long to wait for a status with another version. */
export interface StatusWait {
  readonly knownVersion?: string;
  readonly waitSeconds?: number;
}

/** A status with its version, which becomes the entity tag and changes whenever the status does. */
export interface VersionedStatus {
  readonly version: string;
  readonly status: JobStatus;
}

/** A range of bytes of a log, both ends inclusive; a range without `end` goes to the present end of the log. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** Bytes of a log. A range that starts at or beyond `totalBytes` gives an empty stream. */
export interface TaskLog {
  readonly totalBytes: number;
  readonly stream: Readable;
}

/** Whether a request is the first with its idempotency key, or repeats a request that was answered. */
export type IdempotencyStart =
  | { readonly outcome: 'started'; readonly reference: string; readonly resumedSince: string | null }
  | { readonly outcome: 'replay'; readonly status: number; readonly body: unknown };

/** The request that a key stands for; scope is account + environment + operation + key. */
export interface IdempotencyClaim {
  readonly operation: string;
  readonly key: string;
  /** SHA-256 (hex) of path and canonical body; a request with the same key and another fingerprint is refused. */
  readonly fingerprint: string;
}

/** A request that changes a setting, and the address that it came from, for the audit log. */
export interface SettingsCommand<Body> {
  readonly body: Body;
  readonly address: string;
}

/** Every service that the routes call. */
export interface Services {
  readonly identity: {
    /** The actor of a key that is known or being looked up; null when only a look-up could tell. */
    recall(token: string): Actor | Promise<Actor> | null;
    /** Whether the key was good when it was looked up last. */
    wasGood(token: string): boolean;
    /** @throws UNAUTHORIZED, ACCOUNT_SUSPENDED. */
    authenticate(token: string): Promise<Actor>;
    /** The person of a session cookie. @throws UNAUTHORIZED, ACCOUNT_SUSPENDED. */
    session(cookie: string): Promise<SessionActor>;
    /** Whether the last look-up of this process found the session open; the session may have ended since. */
    wasSession(cookie: string): boolean;
  };
  readonly jobs: {
    submit(actor: Actor, command: SubmitCommand): Promise<SubmitJobResponse>;
    estimate(actor: Actor, body: EstimateJobRequest): Promise<EstimateJobResponse>;
    list(actor: Actor, query: JobListQuery): Promise<JobListResponse>;
    status(actor: Actor, jobId: string, wait: StatusWait): Promise<VersionedStatus>;
    /** @throws NOT_FOUND. */
    bill(actor: Actor, jobId: string): Promise<JobBillResponse>;
    tasks(actor: Actor, jobId: string, query: PageQuery): Promise<TaskListResponse>;
    /** @throws NOT_FOUND, VALIDATION_ERROR. */
    recoveries(actor: Actor, jobId: string, query: PageQuery): Promise<RecoveryListResponse>;
    outputs(actor: Actor, jobId: string, query: OutputQuery): Promise<OutputListResponse>;
    taskLog(actor: Actor, jobId: string, index: number, range: ByteRange): Promise<TaskLog>;
    /** `changed` is false when the job had ended already. @throws SERVICE_UNAVAILABLE when the message was not taken. */
    cancel(
      actor: Actor,
      jobId: string,
      body: CancelJobRequest,
    ): Promise<{ readonly changed: boolean; readonly response: CancelJobResponse }>;
    /** With `resumedSince` a resume that was made since then is answered again. @throws JOB_NOT_RESUMABLE, and what a hold is refused for. */
    resume(
      actor: Actor,
      jobId: string,
      how: ResumeJobRequest & { readonly resumedSince: string | null },
    ): Promise<ResumeJobResponse>;
  };
  readonly receipts: {
    /** @throws NOT_FOUND, RECEIPT_NOT_READY. */
    read(actor: Actor, jobId: string, query: { readonly execution?: number }): Promise<SignedReceipt>;
    /** @throws NOT_FOUND, RECEIPT_NOT_READY. */
    ofRun(actor: Actor, runId: string, query: { readonly execution?: number }): Promise<SignedReceipt>;
    keys(): Promise<ReceiptKeyList>;
  };
  readonly uploads: {
    /** With an idempotency key, a repeated call names the same file, whatever became of the first call. */
    createUploadUrl(
      actor: Actor,
      body: UploadUrlRequest,
      idempotencyKey: string | null,
    ): Promise<UploadUrlResponse>;
    /** Makes a fresh URL for an upload of this account that was announced with this body; URLs are never stored. */
    renewUploadUrl(actor: Actor, storageKey: string, body: UploadUrlRequest): Promise<UploadUrlResponse>;
    /** `replayed` is true when an earlier request with the same key started the upload; the URLs are fresh all the same. */
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
  readonly prices: {
    /** The price book of a version, or the present one. @throws NOT_FOUND. */
    read(version?: string): { readonly tag: string; readonly prices: PublicPricesResponse };
    /** @throws VALIDATION_ERROR. */
    estimate(request: PublicEstimateRequest): Promise<PublicEstimateResponse>;
  };
  readonly credits: {
    balance(actor: Actor): Promise<CreditBalanceResponse>;
    transactions(actor: Actor, query: TransactionQuery): Promise<TransactionListResponse>;
    statements(actor: Actor): Promise<StatementListResponse>;
    /** @throws NOT_FOUND. */
    statement(actor: Actor, month: string): Promise<OpenStatement>;
  };
  readonly topups: {
    tiers(): TierListResponse;
    /** @throws PAYMENTS_NOT_CONFIGURED, UNKNOWN_TIER, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE. */
    start(actor: Actor, command: TopupCommand): Promise<TopupStarted>;
    list(actor: Actor, query: PageQuery): Promise<TopupListResponse>;
    /** @throws NOT_FOUND. */
    read(actor: Actor, topupId: string): Promise<TopupRecord>;
  };
  readonly subscriptions: {
    /** @throws PAYMENTS_NOT_CONFIGURED, VALIDATION_ERROR, SERVICE_UNAVAILABLE. */
    subscribe(actor: SessionActor, body: SubscribeRequest, key: string | null): Promise<PageStarted>;
    /** @throws PAYMENTS_NOT_CONFIGURED, VALIDATION_ERROR, SERVICE_UNAVAILABLE. */
    portal(actor: SessionActor, body: PortalRequest): Promise<PageStarted>;
  };
  readonly payments: {
    /** Stores an event; the answer is what has to be done after the event was answered. @throws VALIDATION_ERROR, PAYMENTS_NOT_CONFIGURED. */
    receive(body: Buffer, signature: string): Promise<() => void>;
  };
  readonly artifacts: {
    /** `created` is false when the same storage key and format was registered before. */
    register(
      actor: Actor,
      body: RegisterArtifactRequest,
    ): Promise<{ readonly created: boolean; readonly response: ArtifactResponse }>;
    get(actor: Actor, artifactId: string): Promise<ArtifactResponse>;
    downloadUrl(actor: Actor, artifactId: string): Promise<DownloadUrlResponse>;
  };
  readonly docking: DockingServices;
  readonly ligands: {
    /** @throws SERVICE_UNAVAILABLE. */
    resolve(actor: Actor, body: ResolveLigandRequest): Promise<ResolveLigandResponse>;
  };
  readonly inspections: {
    /**
     * Waits for the inspection for a while; while the inspection runs the answer has no report.
     * @throws the codes with which an inspection fails.
     */
    inspect(actor: Actor, body: InspectReceptorRequest): Promise<InspectionResponse>;
    /** @throws NOT_FOUND, and the code that an inspection failed with. */
    get(actor: Actor, inspectionId: string): Promise<InspectionResponse>;
  };
  readonly dockingResults: DockingResultServices;
  readonly dockingExports: DockingExportServices;
  readonly simulators: {
    list(): Promise<SimulatorListResponse>;
  };
  readonly people: PeopleServices;
  readonly members: MemberServices;
  readonly keys: KeyServices;
  readonly audit: AuditServices;
  readonly billing: {
    read(actor: SessionActor): Promise<BillingSettings>;
    /** @throws NOT_FOUND for an API key that the account does not have. */
    change(actor: SessionActor, command: SettingsCommand<BillingSettingsRequest>): Promise<BillingSettings>;
  };
  readonly notifications: {
    read(actor: SessionActor): Promise<NotificationSettings>;
    change(
      actor: SessionActor,
      command: SettingsCommand<NotificationSettingsRequest>,
    ): Promise<NotificationSettings>;
  };
  readonly projects: ProjectServices;
  readonly licenseServers: {
    list(actor: SessionActor): Promise<LicenseServerListResponse>;
    add(
      actor: SessionActor,
      command: SettingsCommand<LicenseServerRequest> & {
        readonly fingerprint: string;
        readonly idempotencyKey: string | null;
      },
    ): Promise<LicenseServerRecord>;
    read(actor: SessionActor, id: string): Promise<LicenseServerRecord>;
    change(
      actor: SessionActor,
      id: string,
      command: SettingsCommand<LicenseServerRequest>,
    ): Promise<LicenseServerRecord>;
    remove(actor: SessionActor, id: string, address: string): Promise<void>;
    test(actor: SessionActor, id: string): Promise<LicenseServerTest>;
  };
  readonly idempotency: {
    /** @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS. */
    begin(actor: Actor, claim: IdempotencyClaim): Promise<IdempotencyStart>;
    /** Stores the answer of a request that succeeded under its key. */
    complete(reference: string, answer: { readonly status: number; readonly body: unknown }): Promise<void>;
    /** Gives the key free, because the request was refused or failed. */
    abandon(reference: string): Promise<void>;
  };
  readonly health: {
    check(): Promise<HealthReport>;
  };
}
