/**
 * The records of docking as requests bring them and answers show them. An experiment is a protocol with its ligand, a batch is a
 * campaign of many ligands against one receptor, and a run is one job of either. Records have snake_case fields.
 */
import type { JobState } from './job-state.ts';
import type {
  DockingExecution,
  DockingValidation,
  JobMetadata,
  LigandIdentity,
  LigandPreparation,
  ReceptorPreparation,
  Recovery,
  ResidueReference,
  ScoringFunction,
} from './requests.ts';
import type { InspectionSource } from './requests.ts';
import type { JobWarning } from './responses.ts';
import type { StopWhen } from './stop-rule.ts';

/** A receptor, which part of it is meant, and how it is prepared; every default is applied. */
export interface ReceptorIdentity {
  readonly source: InspectionSource;
  /** A number, `deposited` or `asymmetric`. */
  readonly assemblyId: string;
  readonly model: number;
  /** Null for all chains. */
  readonly chains: string[] | null;
  readonly preparation: ReceptorPreparation;
}

/** A registered artifact of the account, by its id. */
export interface ArtifactChoice {
  readonly artifactId: string;
}

/** A ligand that was looked up, by the token of the lookup. */
export interface ResolvedChoice {
  readonly resolutionToken: string;
  readonly label?: string;
}

/** The receptor of an experiment or batch. */
export type ReceptorChoice = ArtifactChoice | ReceptorIdentity;

/** The ligand of an experiment. */
export type LigandChoice = ArtifactChoice | ResolvedChoice | LigandIdentity;

/** Way of finding the box of a docking. */
export type BoxDerivation =
  | { readonly kind: 'explicit' }
  | {
      readonly kind: 'ligand';
      readonly componentId: string;
      readonly chain?: string;
      readonly residue?: number;
      readonly insertionCode?: string;
    }
  | { readonly kind: 'residues'; readonly residues: ResidueReference[] };

/** Three numbers, along x, y and z, in Å. */
export type Triple = [number, number, number];

/** A box. An explicit box has centre and size from the start; those of any other box are known once a run has prepared its receptor. */
export interface DockingRecordBox {
  readonly center?: Triple | null;
  readonly size?: Triple | null;
  readonly derivation: BoxDerivation;
}

/** Protocol of the search for poses; the seed is never drawn. */
export interface DockingRecordProtocol {
  readonly exhaustiveness: number;
  readonly numModes: number;
  readonly energyRangeKcalMol: number;
  readonly seed: number;
  readonly cpuThreads: number;
  readonly scoringFunction?: ScoringFunction;
}

/** Everything of an experiment or batch besides receptor and ligands. */
export interface DockingParameters {
  readonly box: DockingRecordBox;
  readonly protocol: DockingRecordProtocol;
  readonly estimatedRuntimeSeconds?: number;
  readonly validation?: DockingValidation;
}

/** POST /molecular/docking/experiments. */
export interface CreateDockingExperimentRequest {
  readonly name: string;
  readonly receptor: ReceptorChoice;
  readonly ligand: LigandChoice;
  readonly parameters: DockingParameters;
}

/** POST /molecular/docking/experiments/{id}/runs. */
export interface CreateDockingRunRequest {
  readonly recovery?: Recovery;
  /** The most that the run may hold, in pence. */
  readonly limitCents?: number;
  readonly reuse?: Reuse;
}

/** Whether earlier verified results stand for ligands that are docked equally. */
export const REUSES = ['verified', 'never'] as const;

/** The choice of reuse. */
export type Reuse = (typeof REUSES)[number];

/** POST /molecular/docking/batches. Exactly one of `ligands` and `libraryArtifactId` is sent. */
export interface CreateDockingBatchRequest {
  readonly name: string;
  /** The tool that works on the ligands; the engine of docking where nothing is said. */
  readonly engine?: string;
  /** Receptor and parameters are missing only where the engine docks to nothing. */
  readonly receptor?: ReceptorChoice;
  readonly ligands?: LigandIdentity[];
  readonly libraryArtifactId?: string;
  /** Preparation of every ligand of a stored library; a ligand of a list has its own. */
  readonly ligandPreparation?: LigandPreparation;
  readonly parameters?: DockingParameters;
  readonly dockingExecution?: DockingExecution;
  readonly recovery?: Recovery;
  readonly limitCents?: number;
  readonly reuse?: Reuse;
  readonly dryRun?: boolean;
  /** When docking stops although ligands are left. */
  readonly stopWhen?: StopWhen;
  /** Whether some ligands are docked again, for their reproducibility. */
  readonly sample?: boolean;
  readonly metadata?: JobMetadata;
}

/** POST /molecular/docking/batches/{id}/retry-failed. */
export interface RetryFailedRequest {
  /** The failure codes whose ligands are docked again; without them those that blame the engine or the machine. */
  readonly codes?: string[];
  readonly limitCents?: number;
}

/** An experiment as it is answered. */
export interface DockingExperimentRecord {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly receptor_artifact_id: string | null;
  readonly receptor_identity: object | null;
  readonly ligand_artifact_id: string | null;
  readonly ligand_identity: object | null;
  readonly parameters: object | null;
  readonly created_at: string;
}

/** Failure of a run as a whole. */
export interface DockingRunFailure {
  readonly code: string;
  readonly message: string;
  readonly stage: string;
}

/** A run as it is answered. */
export interface DockingRunRecord {
  readonly id: string;
  readonly user_id: string;
  readonly experiment_id: string | null;
  readonly batch_id: string | null;
  readonly number: number;
  readonly job_id: string;
  readonly request_id: string;
  readonly status: JobState;
  readonly engine: {
    readonly name: string;
    /** The version of the program that has docked; null before the first result, and where results do not tell. */
    readonly version: string | null;
    /** The digest of the code that has docked; null before the first result, and where results do not tell. */
    readonly toolchain_sha256: string | null;
    readonly worker_image_digest: string | null;
  };
  readonly seed_requested: number | null;
  readonly seed_effective: number | null;
  readonly reuse: Reuse;
  readonly prepared_receptor: object | null;
  readonly box: {
    readonly center: number[];
    readonly size: number[];
  } | null;
  readonly counts: DockingCounts;
  readonly best_affinity_kcal_mol: number | null;
  readonly failure: DockingRunFailure | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** Finding of docking some ligands again, with one seed. Shares are null while nothing is compared. */
export interface SampleFinding {
  readonly status: JobState;
  readonly seed: number | null;
  readonly ligands: number;
  /** How many of the ligands are docked in both. */
  readonly compared: number;
  /** How many of the compared ligands were docked on one class of processors both times; on another class bytes differ. */
  readonly same_cpu_class: number;
  /** The share of these whose results have the same bytes. */
  readonly identical_share: number | null;
  /** The share of the compared ligands whose best scores are within 0.3 kcal/mol. */
  readonly within_share: number | null;
  /** Why nothing was docked again: the job was refused, or failed as a whole. */
  readonly failure: DockingRunFailure | null;
}

/** Findings of the sample of a batch; null until the work has begun, and where the batch has ended without a docked ligand. */
export interface DockingReproducibility {
  readonly same_seed: SampleFinding | null;
  readonly other_seed: SampleFinding | null;
}

/** The ligand after which a batch has stopped by its rule. */
export interface DockingStop {
  readonly ligand_id: string;
  /** The place of the ligand in the shuffled order, counted from 1. */
  readonly place: number;
}

/** How many ligands stand how; the other counts sum to `total`. */
export interface DockingCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly running: number;
  readonly pending: number;
  readonly cancelled: number;
}

/** A batch as it is answered. Status and job are those of its newest run, counts are over all ligands. */
export interface DockingBatchRecord {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly engine: string;
  readonly job_id: string;
  readonly run_id: string;
  readonly runs: number;
  readonly status: JobState;
  readonly receptor_artifact_id: string | null;
  readonly receptor_identity: object | null;
  readonly parameters: object | null;
  readonly library_id: string | null;
  readonly library_sha256: string;
  readonly ligand_count: number;
  readonly shard_size: number;
  readonly reuse: Reuse;
  readonly dry_run: boolean;
  readonly stop_when: StopWhen | null;
  readonly stopped_at: DockingStop | null;
  readonly sample: boolean;
  /** Preparation of every ligand of a stored library; null where each ligand has its own. */
  readonly ligand_preparation: LigandPreparation | null;
  /** Warnings about the batch as a whole; those about a ligand stand with its result. */
  readonly warnings: JobWarning[];
  /** Findings of the sample so far; only where one batch is read that has a sample. */
  readonly reproducibility?: DockingReproducibility;
  /** How well the ranking finds the actives; only where one batch is read that has ended, and whose library marks actives. */
  readonly enrichment?: DockingEnrichment;
  /** Findings of a dry run so far; only where one batch is read that is a dry run. */
  readonly dry_run_report?: DryRunReport;
  readonly counts: DockingCounts;
  readonly best_affinity_kcal_mol: number | null;
  /** Why the newest run failed as a whole; null otherwise. */
  readonly failure: DockingRunFailure | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** How well the ranking of a batch finds the ligands that a column of its library marks as active. */
export interface DockingEnrichment {
  readonly column: string;
  readonly ligands: number;
  readonly actives: number;
  readonly unmarked: number;
  readonly roc_auc: number;
  /** The lower and the upper end of the interval of 95 %. */
  readonly roc_auc_interval: number[];
  readonly enrichment_1_percent: number;
  readonly enrichment_5_percent: number;
  readonly bedroc: number;
}

/** The price of docking the ligands of a dry run that can be docked, at the prices of the moment. */
export interface DryRunPrice {
  /** Cost of the ligands in the states that were found. */
  readonly estimated_cost: number;
  readonly currency: string;
  readonly credit_currency: string;
  readonly fx_rate: number;
  /** Hold of a batch of these ligands, in pence. */
  readonly held_cents: number;
}

/** The answer of a dry run so far; a run that goes on has ligands that are undecided. */
export interface DryRunReport {
  /** The ligands that differ, each of which is one task. */
  readonly ligands: number;
  readonly ready: number;
  /** How many ligands failed, by the code of the failure. */
  readonly failures: Readonly<Record<string, number>>;
  /** How many ligands that are ready have a warning, by the code of the warning. */
  readonly warnings: Readonly<Record<string, number>>;
  /** How many ligands that are ready have so many likely states, by their number; empty where one state was asked for. */
  readonly states: Readonly<Record<string, number>>;
  /** Null while no ligand is ready. */
  readonly price: DryRunPrice | null;
}

/** The link that opens a resource in the studio, relative to the service. */
export interface UiLinks {
  readonly studio: string;
}

/** The link of a batch, run, result or pose. */
export function studioLink(
  kind: 'dockingBatch' | 'dockingRun' | 'dockingResult' | 'dockingPose' | 'dockingExperiment',
  id: string,
): UiLinks {
  return { studio: `/molecular/studio?${kind}=${id}` };
}

/** The answer for one experiment. */
export interface DockingExperimentResponse {
  readonly experiment: DockingExperimentRecord;
  readonly uiLinks: UiLinks;
}

/** The answer for one run. */
export interface DockingRunResponse {
  readonly run: DockingRunRecord;
  readonly jobId: string;
  readonly uiLinks: UiLinks;
  /** Whether an earlier request with the same key made the run. */
  readonly idempotentReplay?: boolean;
}

/** The answer for one batch. */
export interface DockingBatchResponse {
  readonly batch: DockingBatchRecord;
  readonly jobId: string;
  readonly uiLinks: UiLinks;
  readonly idempotentReplay?: boolean;
}

/** A page of experiments. */
export interface DockingExperimentListResponse {
  readonly experiments: DockingExperimentResponse[];
  readonly nextCursor: string | null;
}

/** A page of runs. */
export interface DockingRunListResponse {
  readonly runs: DockingRunResponse[];
  readonly nextCursor: string | null;
}

/** A page of batches. */
export interface DockingBatchListResponse {
  readonly batches: DockingBatchResponse[];
  readonly nextCursor: string | null;
}
