/**
 * The answers of the contract. Job records are camelCase and credits are snake_case, as in the contract. Times are RFC
 * 3339 in UTC; a time from a row has the microseconds with which the database compares it. `*Cents` of job records are
 * minor units of `creditCurrency`; every list ends with `nextCursor` null.
 */
import type { UnavailableReason } from './availability.ts';
import type { JobState, PauseReason } from './job-state.ts';
import type { Market } from './recoveries.ts';
import type { RegisteredReference, JobType, NamedSource, RecoveryMode } from './requests.ts';

/** States of a task. */
export const TASK_STATES = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** The state of a task as the customer sees it. */
export type TaskState = (typeof TASK_STATES)[number];

/** Types of credit transactions. */
export const TRANSACTION_TYPES = [
  'topup',
  'topup_bonus',
  'promo',
  'monthly_grant',
  'monthly_expiry',
  'hold',
  'hold_increase',
  'hold_release',
  'charge',
  'refund',
  'dispute',
  'adjustment',
] as const;

/** The type of a credit transaction. */
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** The answer of POST /jobs/submit. */
export interface SubmitJobResponse {
  readonly jobId: string;
  readonly jobType: JobType;
  readonly estimatedCost: number;
  readonly currency: string;
  readonly status: 'SUBMITTED';
  readonly provider: string;
  readonly idempotentReplay?: boolean;
  readonly message: string;
  readonly creditCurrency: string;
  readonly fxRate: number;
  readonly heldCents: number;
}

/** Parts of an estimate, in its currency. */
export interface EstimateBreakdown {
  readonly compute: number;
  readonly software: number;
  readonly storage: number;
  readonly egress: number;
  readonly startFee: number;
}

/** Rates that an estimate was made with. */
export interface VariableRates {
  readonly hardwareRate: number;
  readonly egressRate: number;
}

/** The answer of POST /jobs/estimate. */
export interface EstimateJobResponse {
  readonly estimatedCost: number;
  readonly currency: string;
  readonly hasLicenseFee?: boolean;
  readonly licenseNames?: string[];
  readonly breakdown?: EstimateBreakdown;
  readonly variableRates?: VariableRates;
  readonly heldCents: number;
  readonly ceilingCents: number;
  readonly creditCurrency: string;
  readonly fxRate: number;
  readonly fxSource: string | null;
  readonly fxDate: string | null;
  readonly warnings: JobWarning[];
  readonly quoteId: string;
  readonly quoteExpiresAt: string;
}

/** One job in a list. */
export interface JobListItem {
  readonly jobId: string;
  readonly jobType: JobType;
  readonly jobName: string | null;
  readonly status: JobState;
  readonly simulator: string | null;
  readonly progressPercent: number;
  readonly estimatedCost: number;
  readonly currency: string;
  readonly chargedCents: number;
  readonly creditCurrency: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/** The answer of GET /jobs. */
export interface JobListResponse {
  readonly jobs: JobListItem[];
  readonly nextCursor: string | null;
}

/** How far a job is. */
export interface JobProgress {
  readonly unit: 'frame' | 'task' | 'ligand';
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly running: number;
  readonly percent: number;
  readonly etaSeconds: number | null;
}

/** One replacement of a lost instance, with the time that it cost; a replacement is never charged. */
export interface RecoveryEvent {
  readonly at: string;
  readonly cause: string;
  readonly tasksKept: number;
  readonly secondsLost: number;
  readonly chargedCents: number;
}

/** How often instances of the job were lost and replaced. */
export interface JobRecovery {
  readonly mode: RecoveryMode;
  readonly resumable: boolean;
  readonly recoveries: number;
  readonly tasksSetBack: number;
  readonly secondsLost: number;
  readonly chargedCents: number;
  readonly events: RecoveryEvent[];
}

/** The money of a job. */
export interface JobCost {
  readonly estimatedCost: number;
  readonly accruedCost: number;
  readonly currency: string;
  readonly creditCurrency: string;
  readonly fxRate: number;
  readonly heldCents: number;
  readonly chargedCents: number;
  readonly releasedCents: number;
  /** The most that the customer lets the present execution hold. */
  readonly limitCents: number | null;
  /** Sum that a resume would hold now, and advice on it; null while the job goes on by itself, and when it is done. */
  readonly toFinishCents: number | null;
  readonly toFinishAdvice: string | null;
}

/** A task that failed for good; a failed preparation has index null. */
export interface JobFailure {
  readonly index: number | null;
  readonly id: string | null;
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
}

/** A warning: something that the customer should know and that fails nothing. */
export interface JobWarning {
  readonly code: string;
  readonly message: string;
}

/** Box in which ligands are docked, as it took effect. */
export interface DockingBox {
  readonly centerAngstrom: number[];
  readonly sizeAngstrom: number[];
  /** Origin of the box: the request, a ligand or residues. */
  readonly derivation: 'explicit' | 'ligand' | 'residues';
  readonly receptorHeavyAtoms: number;
}

/** The control docking of the native ligand; it has no figures when the ligand could not be docked. */
export interface DockingValidation {
  readonly component_id: string;
  readonly rmsd_top_angstrom: number | null;
  readonly rmsd_best_angstrom: number | null;
  readonly best_mode: number | null;
  readonly passed: boolean;
}

/** Receptor of a docking job, as its preparation has made it. */
export interface DockingStatus {
  readonly box: DockingBox;
  readonly receptor: {
    readonly cacheKey: string;
    /** Whether the job used an equal preparation that the account had before. */
    readonly cacheHit: boolean;
    readonly heavyAtoms: number;
  };
  /** Null until the control docking is done, or when none was asked for. */
  readonly validation: DockingValidation | null;
}

/** Place of a waiting job in the queue. */
export interface JobQueuePlace {
  readonly position: number | null;
  readonly reason: string;
}

/** States of an instance that works for a job, or is about to. */
export const INSTANCE_STATES = ['STARTING', 'WORKING', 'LEAVING'] as const;

/** An instance that a job has now: what it is, and where. */
export interface JobInstance {
  readonly slot: number;
  readonly generation: number;
  /** `STARTING`: asked for, and not heard of yet. `LEAVING`: about to be taken away, and ends what it runs. */
  readonly state: (typeof INSTANCE_STATES)[number];
  /** The type by the provider's name for it; null where the provider has no types, or none is settled yet. */
  readonly type: string | null;
  readonly market: Market;
  /** Null where the provider has no zones, or the instance is not launched yet. */
  readonly zone: string | null;
  readonly gpus: number;
  readonly since: string;
}

/** State of a job, without the additions of its tool. */
export interface JobStatus {
  readonly jobId: string;
  readonly jobType: JobType;
  readonly jobName: string | null;
  readonly status: JobState;
  readonly execution: number;
  readonly provider: string;
  readonly statusReason: string | null;
  readonly pauseReason: PauseReason | null;
  readonly queue: JobQueuePlace | null;
  readonly progress: JobProgress;
  readonly recovery: JobRecovery;
  /** The instances that the job has now, by slot. */
  readonly instances: JobInstance[];
  readonly cost: JobCost;
  readonly failures: JobFailure[];
  readonly warnings: JobWarning[];
  readonly outputsAvailable: boolean;
  readonly submittedAt: string;
  readonly startedAt: string | null;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/** The answer of GET /jobs/{id}/status. */
export interface JobStatusResponse extends JobStatus {
  /** Null for jobs of other simulators, and until the receptor is prepared. */
  readonly docking: DockingStatus | null;
}

/** Why a task failed. */
export interface TaskFailure {
  readonly code: string;
  readonly message: string;
}

/** One task of a job. */
export interface TaskItem {
  readonly index: number;
  readonly id: string;
  readonly state: TaskState;
  readonly attempts: number;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly progressPercent: number;
  /** The tool's own few figures, so that a client can rank while the job runs. */
  readonly summary: Readonly<Record<string, unknown>> | null;
  readonly failure: TaskFailure | null;
}

/** The answer of GET /jobs/{id}/tasks. */
export interface TaskListResponse {
  readonly tasks: TaskItem[];
  readonly nextCursor: string | null;
}

/** One committed output. The URL of an output is signed for this answer and is never stored. */
export interface OutputItem {
  readonly artifactId: string;
  readonly name: string;
  readonly kind: string;
  readonly frame: number | null;
  readonly taskIndex: number | null;
  readonly ligandId: string | null;
  readonly mediaType: string;
  readonly format: string | null;
  readonly byteSize: number;
  readonly sha256: string;
  readonly storageKey: string;
  readonly url: string;
  readonly urlExpiresAt: string;
  readonly createdAt: string;
}

/** The answer of GET /jobs/{id}/outputs. */
export interface OutputListResponse {
  readonly jobId: string;
  readonly status: JobState;
  readonly complete: boolean;
  /**
   * Whether no further output will come: the job has ended, and this page and the next ones list everything that the
   * job made. The value stays true unless the job is resumed, which starts another execution. A paused job is not
   * final.
   */
  readonly final: boolean;
  /** Always the sum of `present`, `failedCount` and `missingCount`. */
  readonly expected: number;
  readonly present: number;
  /** The first 100 ids of tasks that failed for good. */
  readonly failed: string[];
  readonly failedCount: number;
  /** The first 100 ids of tasks that have neither outputs nor a failure; empty before the tasks are planned. */
  readonly missing: string[];
  readonly missingCount: number;
  readonly outputs: OutputItem[];
  readonly manifest: OutputItem | null;
  readonly nextCursor: string | null;
}

/** The answer of POST /jobs/{id}/cancel. */
export interface CancelJobResponse {
  readonly jobId: string;
  readonly status: JobState;
  /** Null when the job had ended before anyone asked. */
  readonly cancelRequestedAt: string | null;
  readonly message: string;
}

/** The answer of POST /jobs/{id}/resume. */
export interface ResumeJobResponse {
  readonly jobId: string;
  readonly status: JobState;
  readonly execution: number;
  readonly estimatedCost: number;
  readonly currency: 'USD' | 'GBP';
  readonly creditCurrency: 'GBP';
  readonly fxRate: number;
  readonly heldCents: number;
  readonly message: string;
}

/** The answer of POST /jobs/upload-url. */
export interface UploadUrlResponse {
  readonly uploadUrl: string;
  readonly s3Key: string;
  readonly method: 'PUT';
  readonly expiresIn: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly provider: 'aws-s3' | 'azure-blob';
}

/** The answer of GET /credits/balance, in pence. */
export interface CreditBalanceResponse {
  readonly wallet_cents: number;
  readonly wallet_held_cents: number;
  readonly wallet_available_cents: number;
  readonly monthly_cents: number;
  readonly monthly_held_cents: number;
  readonly monthly_available_cents: number;
  readonly monthly_reset_at: string | null;
  readonly total_credited_cents: number;
  readonly held_cents: number;
  readonly available_cents: number;
  readonly available_display: string;
  /** Debt of the account, zero or more. */
  readonly debt_cents: number;
}

/** One movement of credits. */
export interface CreditTransaction {
  readonly id: string;
  readonly type: TransactionType;
  readonly bucket: 'wallet' | 'monthly';
  readonly amount_cents: number;
  readonly currency: string;
  readonly balance_after_cents: number;
  readonly held_after_cents: number;
  /** Change of the debt by the movement: negative where the debt was paid. */
  readonly debt_cents: number;
  readonly debt_after_cents: number;
  readonly job_id: string | null;
  readonly tier_id: string | null;
  readonly reverses_id: string | null;
  readonly description: string;
  readonly created_at: string;
}

/** The answer of GET /credits/transactions. */
export interface TransactionListResponse {
  readonly transactions: CreditTransaction[];
  readonly nextCursor: string | null;
}

/** The answer of POST and GET /molecular/docking/artifacts. */
export interface ArtifactResponse {
  readonly artifact: RegisteredReference;
  readonly verified: boolean;
  readonly verifiedAt: string;
  readonly provenance: ArtifactProvenance;
}

/** The upload, the export, or the task of a job, that made the bytes of an artifact; a step has no task index. */
export type ArtifactProvenance =
  | { readonly kind: 'upload'; readonly uploadId: string }
  | { readonly kind: 'export'; readonly exportId: string }
  | { readonly kind: 'task'; readonly jobId: string; readonly taskIndex: number | null };

/** The answer of POST /molecular/docking/artifacts/{artifactId}/download-url. */
export interface DownloadUrlResponse {
  readonly artifactId: string;
  readonly url: string;
  readonly method: 'GET';
  readonly expiresIn: number;
  readonly expiresAt: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** A picture of a candidate, and the state in which the candidate would be docked. */
export interface LigandPreview {
  readonly canonicalSmiles: string;
  readonly formula: string;
  /** The charge of the structure as it is drawn. */
  readonly formalCharge: number;
  readonly protonationPh: number;
  /** Null where the charge was not computed; a warning then says why. */
  readonly chargeAtPh: number | null;
  readonly smilesAtPh: string | null;
  readonly svg: string;
  readonly warnings: JobWarning[];
}

/** One ligand that a query may mean. */
export interface LigandCandidate {
  readonly resolutionToken: string;
  readonly label: string;
  readonly sourceId: string;
  readonly source: NamedSource;
  readonly preview: LigandPreview;
}

/** The answer of POST /molecular/docking/ligands/resolve. */
export interface ResolveLigandResponse {
  readonly candidates: LigandCandidate[];
  readonly warnings: JobWarning[];
}

/** The answer of POST /molecular/docking/receptors/inspect and of GET …/receptors/inspections/{inspectionId}. */
export interface InspectionResponse {
  readonly inspectionId: string;
  readonly status: 'RUNNING' | 'SUCCEEDED';
  readonly createdAt: string;
  /** How far an inspection that runs is, for people; null once the report is there. */
  readonly message: string | null;
  /** Null while the inspection runs. */
  readonly report: Readonly<Record<string, unknown>> | null;
}

/** Whether one dependency answers. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly detail?: string;
}

/** The answer of GET /readyz. */
export interface HealthReport {
  readonly ok: boolean;
  readonly dependencies: Readonly<Record<'postgres' | 'temporal' | 'storage' | 'gateway', DependencyHealth>>;
  /** Notes for an operator, though the process serves. */
  readonly notes: string[];
}

/** A simulator of GET /simulators. */
export interface SimulatorItem {
  id: string;
  aliases: string[];
  jobType: string;
  title: string;
  available: boolean;
  reason: UnavailableReason | null;
  version: string | null;
  packDigest: string | null;
  unit: 'frame' | 'task' | 'ligand';
  priceModel: 'fixed' | 'measured';
  licence: { name: string; url: string };
  needsSceneFile: boolean;
  parameters: string[];
}

/** Answer of GET /simulators. */
export interface SimulatorListResponse {
  simulators: SimulatorItem[];
}
