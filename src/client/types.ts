/** The contract's requests and answers under their own names; what they hold is generated from the OpenAPI document. */
import type { components } from './api-types.ts';

type Schemas = components['schemas'];

/** A code of an error answer. */
export type ErrorCode = Schemas['ErrorCode'];
/** Why a task or a preparation failed: the codes that are known, or any other text. */
export type FailureCode = Schemas['FailureCode'];
/** Code of a warning: one that is known, or any other text. */
export type WarningCode = Schemas['WarningCode'];
/** The seven-field reference to a verified stored object. */
export type ArtifactReference = Schemas['ArtifactReference'];
/** The formats in which files are registered. */
export type ArtifactFormat = RegisterArtifactRequest['format'];
/** The answer to a registration in a format. */
export type RegisteredAs<Format extends ArtifactFormat> = Omit<ArtifactResponse, 'artifact'> & {
  artifact: Omit<ArtifactResponse['artifact'], 'format'> & { format: Format };
};
/** POST /jobs/submit. */
export type SubmitJobRequest = Schemas['SubmitJobRequest'];
/** The answer of POST /jobs/submit. */
export type SubmitJobResponse = Schemas['SubmitJobResponse'];
/** POST /jobs/estimate. */
export type EstimateJobRequest = Schemas['EstimateJobRequest'];
/** The answer of POST /jobs/estimate. */
export type EstimateJobResponse = Schemas['EstimateJobResponse'];
/** An API key, without the key itself. */
export type ApiKey = Schemas['ApiKey'];
/** Request that makes a key. */
export type CreateApiKeyRequest = Schemas['CreateApiKeyRequest'];
/** The answer of GET /jobs. */
export type JobListResponse = Schemas['JobListResponse'];
/** The answer of GET /jobs/{jobId}/status. */
export type JobStatusResponse = Schemas['JobStatusResponse'];
/** The answer of GET /jobs/{jobId}/bill. */
export type JobBillResponse = Schemas['JobBillResponse'];
/** The answer of GET /jobs/{id}/request. */
export type JobRequestResponse = Schemas['JobRequestResponse'];
/** The answer of GET /credits/usage. */
export type CreditUsageResponse = Schemas['CreditUsageResponse'];
/** The answer of GET /account. */
export type AccountResponse = Schemas['AccountResponse'];
/** The answer of GET /jobs/{jobId}/receipt. */
export type SignedReceipt = Schemas['SignedReceipt'];
/** The answer of GET /receipt-keys. */
export type ReceiptKeyList = Schemas['ReceiptKeyList'];
/** The answer of GET /credits/statements. */
export type StatementListResponse = Schemas['StatementListResponse'];
/** The answer of GET /credits/statements/{month}. */
export type StatementResponse = Schemas['StatementResponse'];
/** The state of a job. */
export type JobState = Schemas['JobState'];
/** The answer of GET /jobs/{jobId}/tasks. */
export type TaskListResponse = Schemas['TaskListResponse'];
/** One task of a job. */
export type TaskItem = TaskListResponse['tasks'][number];
/** Filters of the tasks of a job. */
export interface TaskFilter {
  /** Tasks in any of these states. */
  readonly state?: readonly TaskItem['state'][];
  /** Tasks that have failed with this code. */
  readonly code?: string;
}
/** The answer of GET /jobs/{jobId}/recoveries. */
export type RecoveryListResponse = Schemas['RecoveryListResponse'];
/** One entry of the recovery ledger. */
export type RecoveryItem = RecoveryListResponse['recoveries'][number];
/** One verified output, with an address that lives for minutes. */
export type OutputItem = Schemas['OutputItem'];
/** The answer of GET /jobs/{jobId}/outputs. */
export type OutputListResponse = Schemas['OutputListResponse'];
/** POST /jobs/{jobId}/cancel. */
export type CancelJobRequest = Schemas['CancelJobRequest'];
/** The answer of POST /jobs/{jobId}/cancel. */
export type CancelJobResponse = Schemas['CancelJobResponse'];
/** POST /jobs/{jobId}/resume. */
export type ResumeJobRequest = Schemas['ResumeJobRequest'];
/** The answer of `resume`. */
export type ResumeJobResponse = Schemas['ResumeJobResponse'];
/** POST /jobs/upload-url. */
export type UploadUrlRequest = Schemas['UploadUrlRequest'];
/** The answer of POST /jobs/upload-url. */
export type UploadUrlResponse = Schemas['UploadUrlResponse'];
/** The answer of GET /simulators. */
export type SimulatorListResponse = Schemas['SimulatorListResponse'];
/** The answer of GET /events. */
export type EventListResponse = Schemas['EventListResponse'];
/** Something that happened to a thing of the account. */
export type AccountEvent = EventListResponse['events'][number];
/** POST /webhooks and PUT of one of them. */
export type WebhookRequest = Omit<Schemas['WebhookRequest'], 'types'> & { types: readonly string[] };
/** A webhook, without its secret. */
export type Webhook = Schemas['Webhook'];
/** The answer of POST /webhooks, which has the secret. */
export type CreatedWebhook = Schemas['CreatedWebhook'];
/** The answer of GET /webhooks. */
export type WebhookListResponse = Schemas['WebhookListResponse'];
/** POST /webhooks/{webhookId}/rotate-secret. */
export type RotateWebhookSecretRequest = Schemas['RotateWebhookSecretRequest'];
/** The answer of POST /webhooks/{webhookId}/rotate-secret. */
export type RotatedWebhookSecret = Schemas['RotatedWebhookSecret'];
/** An event for one webhook. */
export type WebhookDelivery = Schemas['WebhookDelivery'];
/** A page of deliveries. */
export type WebhookDeliveryListResponse = Schemas['WebhookDeliveryListResponse'];
/** A delivery with what is sent and what was answered. */
export type WebhookDeliveryResponse = Schemas['WebhookDeliveryResponse'];
/** The answer of POST /webhooks/{webhookId}/redeliver-failed. */
export type RedeliveredWebhooks = Schemas['RedeliveredWebhooks'];
/** The answer of GET /credits/balance. */
export type CreditBalanceResponse = Schemas['CreditBalanceResponse'];
/** The answer of GET /credits/transactions. */
export type TransactionListResponse = Schemas['TransactionListResponse'];
/** One movement of credits. */
export type CreditTransaction = TransactionListResponse['transactions'][number];
/** POST /molecular/docking/experiments. */
export type CreateDockingExperimentRequest = Schemas['CreateDockingExperimentRequest'];
/** The answer for one experiment. */
export type DockingExperimentResponse = Schemas['DockingExperimentResponse'];
/** A page of experiments. */
export type DockingExperimentListResponse = Schemas['DockingExperimentListResponse'];
/** POST /molecular/docking/experiments/{id}/runs. */
export type CreateDockingRunRequest = Schemas['CreateDockingRunRequest'];
/** The answer for one run of an experiment or batch. */
export type DockingRunResponse = Schemas['DockingRunResponse'];
/** A page of runs. */
export type DockingRunListResponse = Schemas['DockingRunListResponse'];
/** POST /molecular/docking/batches. */
export type CreateDockingBatchRequest = Schemas['CreateDockingBatchRequest'];
/** The answer for one batch. */
export type DockingBatchResponse = Schemas['DockingBatchResponse'];
/** A page of batches. */
export type DockingBatchListResponse = Schemas['DockingBatchListResponse'];
/** Findings of a dry run. */
export type DryRunReport = NonNullable<DockingBatchResponse['batch']['dry_run_report']>;
/** POST /molecular/docking/batches/{id}/retry-failed. */
export type RetryFailedRequest = Schemas['RetryFailedRequest'];
/** One ligand of a run, before and after it is docked. */
export type DockingResult = Schemas['DockingResult'];
/** A page of results. */
export type DockingResultListResponse = Schemas['DockingResultListResponse'];
/** The answer for one result. */
export type DockingResultResponse = Schemas['DockingResultResponse'];
/** A page of failures, with their number by code. */
export type DockingFailureListResponse = Schemas['DockingFailureListResponse'];
/** One ligand that failed. */
export type DockingFailure = DockingFailureListResponse['failures'][number];
/** POST …/batches/{id}/export and …/runs/{id}/export. */
export type DockingExportRequest = Schemas['DockingExportRequest'];
/** The answer for one export. */
export type DockingExportResponse = Schemas['DockingExportResponse'];
/** One mode of a result. */
export type DockingPose = Schemas['DockingPose'];
/** The modes of a result. */
export type DockingPoseListResponse = Schemas['DockingPoseListResponse'];
/** The answer for one mode. */
export type DockingPoseResponse = Schemas['DockingPoseResponse'];
/** The contacts of a mode with the receptor. */
export type DockingInteractionListResponse = Schemas['DockingInteractionListResponse'];
/** POST /molecular/docking/artifacts. */
export type RegisterArtifactRequest = Schemas['RegisterArtifactRequest'];
/** The answer of POST and GET /molecular/docking/artifacts. */
export type ArtifactResponse = Schemas['ArtifactResponse'];
/** POST /molecular/docking/ligands/resolve. */
export type ResolveLigandRequest = Schemas['ResolveLigandRequest'];
/** The answer of POST /molecular/docking/ligands/resolve. */
export type ResolveLigandResponse = Schemas['ResolveLigandResponse'];
/** One ligand that a query may mean. */
export type LigandCandidate = ResolveLigandResponse['candidates'][number];
/** POST /uploads. */
export type MultipartInitRequest = Schemas['MultipartInitRequest'];
/** The answer of POST /uploads. */
export type MultipartInitResponse = Schemas['MultipartInitResponse'];
/** The answer of GET /uploads/{uploadId}. */
export type MultipartStatusResponse = Schemas['MultipartStatusResponse'];
/** POST /uploads/{uploadId}/parts. */
export type MultipartPartUrlsRequest = Schemas['MultipartPartUrlsRequest'];
/** The answer of POST /uploads/{uploadId}/parts. */
export type MultipartPartUrlsResponse = Schemas['MultipartPartUrlsResponse'];
/** POST /uploads/{uploadId}/complete. */
export type MultipartCompleteRequest = Schemas['MultipartCompleteRequest'];
/** The answer of POST /uploads/{uploadId}/complete. */
export type MultipartCompleteResponse = Schemas['MultipartCompleteResponse'];
/** The answer of GET /uploads. */
export type UploadListResponse = Schemas['UploadListResponse'];
/** The answer of GET /uploads/usage. */
export type UploadUsageResponse = Schemas['UploadUsageResponse'];
/** One upload in a list. */
export type UploadItem = UploadListResponse['uploads'][number];
/** The answer of GET /credits/tiers. */
export type TierListResponse = Schemas['TierListResponse'];
/** POST /credits/topup. */
export type TopupRequest = Schemas['TopupRequest'];
/** The answer of POST /credits/topup. */
export type TopupStartedResponse = Schemas['TopupStartedResponse'];
/** The answer of GET /credits/topups/{topupId}. */
export type TopupResponse = Schemas['TopupResponse'];
/** The answer of GET and PUT /settings/billing. */
export type BillingSettings = Schemas['BillingSettings'];
/** PUT /settings/billing. */
export type BillingSettingsRequest = Schemas['BillingSettingsRequest'];
/** POST /molecular/docking/receptors/inspect. */
export type InspectReceptorRequest = Schemas['InspectReceptorRequest'];
/** The answer of POST …/receptors/inspect and of GET …/receptors/inspections/{inspectionId}. */
export type InspectionResponse = Schemas['InspectionResponse'];
/** The answer of POST /molecular/docking/artifacts/{artifactId}/download-url. */
export type DownloadUrlResponse = Schemas['DownloadUrlResponse'];
/** POST /convert. */
export type ConvertRequest = Schemas['ConvertRequest'];
/** The answer of POST /convert and of GET /convert/{conversionId}. */
export type ConversionResponse = Schemas['ConversionResponse'];
/** POST /molecular/projects. */
export type CreateProjectRequest = Schemas['CreateProjectRequest'];
/** PUT of a project. */
export type SaveProjectRequest = Schemas['SaveProjectRequest'];
/** POST of a restore. */
export type RestoreRevisionRequest = Schemas['RestoreRevisionRequest'];
/** POST of a share. */
export type ShareProjectRequest = Schemas['ShareProjectRequest'];
/** A project without its content. */
export type ProjectResponse = Schemas['ProjectResponse'];
/** A project with the content of its head. */
export type ProjectContentResponse = Schemas['ProjectContentResponse'];
/** A page of projects. */
export type ProjectListResponse = Schemas['ProjectListResponse'];
/** A revision with its content. */
export type RevisionResponse = Schemas['RevisionResponse'];
/** The signed receipt of a revision. */
export type SignedRevisionReceipt = Schemas['SignedRevisionReceipt'];
/** A page of revisions. */
export type RevisionListResponse = Schemas['RevisionListResponse'];
/** One revision of a list, without its content. */
export type RevisionItem = RevisionListResponse['revisions'][number];
