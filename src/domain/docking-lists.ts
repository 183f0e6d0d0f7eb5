/** Results of docking as the API answers them, with the members that the contract names. */
import type { DescriptorColumn } from './descriptors.ts';
import type { InteractionType } from './docking-interactions.ts';
import type { DockingValidation, JobWarning } from './responses.ts';

/** Pages of the studio that show a record. The link is no capability: whoever opens it must be allowed to. */
export interface StudioLinks {
  readonly studio: string;
}

/** Statuses of a ligand of a run. */
export const RESULT_STATUSES = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** One of these. */
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** The orders of results. */
export const RESULT_SORTS = ['affinity', 'efficiency', 'ligandId'] as const;

/** One of these. */
export type ResultSort = (typeof RESULT_SORTS)[number];

/** A query for results, and their order. */
export interface ResultQuery {
  readonly sort: ResultSort;
  readonly affinityAtMost?: number;
  readonly status?: ResultStatus;
  /** The code of a warning. */
  readonly warning?: string;
  /** The beginning of a label. */
  readonly label?: string;
  /** Conditions on figures of the ligand, such as `logP<=5`, all of which hold. */
  readonly descriptor?: string[];
  /** A pattern that the molecule has as it was docked. */
  readonly smarts?: string;
  /** Contacts that one pose has all of, but for `maxMissing`. */
  readonly interaction?: string[];
  readonly maxMissing?: number;
  readonly limit: number;
  readonly cursor?: string;
}

/** A stored file of a result. */
export interface ResultArtifact {
  readonly artifact_id: string;
  readonly name: string;
  readonly kind: string;
  readonly media_type: string;
  readonly format: string | null;
  readonly byte_size: number;
  readonly sha256: string;
  readonly storage_key: string;
}

/** Stages in which a ligand fails: while it is read and prepared, while the engine works on it, or when its outputs are verified. */
export const FAILURE_STAGES = ['ligand', 'dock', 'verify'] as const;

/** One of these. */
export type FailureStage = (typeof FAILURE_STAGES)[number];

/** Why a ligand has no poses. */
export interface ResultFailure {
  readonly code: string;
  readonly message: string;
  /** Null for a ligand that was given up before anything was done with it. */
  readonly stage: FailureStage | null;
}

/** The likely states of a ligand; the poses are those of the one that won by score and cost. */
export interface ResultStates {
  readonly on_paper: number;
  readonly won: number;
  readonly each: {
    readonly smiles: string | null;
    readonly formal_charge: number;
    readonly cost_kcal_mol: number;
    readonly best_affinity_kcal_mol: number | null;
  }[];
}

/** One ligand of a run. */
export interface ResultRecord extends Readonly<Record<DescriptorColumn, number | null>> {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly run_id: string | null;
  readonly batch_id: string | null;
  readonly job_id: string;
  readonly ligand_id: string;
  readonly label: string;
  readonly status: ResultStatus;
  readonly rank: number | null;
  readonly best_affinity_kcal_mol: number | null;
  readonly ligand_efficiency: number | null;
  readonly size_independent_efficiency: number | null;
  readonly pose_count: number | null;
  readonly plausible_pose_count: number | null;
  readonly smiles_input: string | null;
  readonly smiles_docked: string | null;
  readonly formal_charge: number | null;
  readonly heavy_atoms: number | null;
  readonly alerts: string[] | null;
  readonly scaffold: string | null;
  readonly second_affinity_kcal_mol: number | null;
  readonly second_rank: number | null;
  readonly key_interactions: string[] | null;
  /** Among the docked ligands of the batch; the largest cluster is 1. Null before the batch has ended. */
  readonly cluster: number | null;
  readonly states: ResultStates | null;
  readonly warnings: JobWarning[];
  readonly input_properties: Readonly<Record<string, string>>;
  readonly library_line: number | null;
  readonly validation: DockingValidation | null;
  readonly artifacts: ResultArtifact[];
  readonly failure: ResultFailure | null;
  readonly cached_from_result_id: string | null;
  readonly matched_modes: number[] | null;
}

/** A page of results. */
export interface ResultListResponse {
  readonly results: ResultRecord[];
  readonly final: boolean;
  readonly nextCursor: string | null;
  readonly uiLinks: StudioLinks;
}

/** One result. */
export interface ResultResponse {
  readonly result: ResultRecord;
  readonly uiLinks: StudioLinks;
}

/** A ligand that has failed. */
export interface FailureItem extends ResultFailure {
  readonly result_id: string;
  readonly run_id: string;
  readonly ligand_id: string;
  readonly label: string;
  readonly library_line: number | null;
  readonly attempts: number;
  readonly failed_at: string | null;
}

/** A page of failures, with how many there are of each code. */
export interface FailureListResponse {
  readonly failures: FailureItem[];
  readonly counts: { code: string; count: number }[];
  readonly final: boolean;
  readonly nextCursor: string | null;
  readonly uiLinks: StudioLinks;
}

/** One mode of a result. */
export interface PoseRecord {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly result_id: string;
  readonly mode: number;
  readonly affinity_kcal_mol: number;
  readonly rmsd_lower_angstrom: number | null;
  readonly rmsd_upper_angstrom: number | null;
  readonly failed_checks: number | null;
  readonly second_affinity_kcal_mol: number | null;
  /** Null where the interactions were not told or could not be computed. */
  readonly interaction_count: number | null;
  readonly artifact: ResultArtifact | null;
}

/** The modes of a result. */
export interface PoseListResponse {
  readonly poses: PoseRecord[];
  readonly uiLinks: StudioLinks;
}

/** One mode. */
export interface PoseResponse {
  readonly pose: PoseRecord;
  readonly uiLinks: StudioLinks;
}

/** A residue of an interaction. */
export interface ResidueRecord {
  readonly chain: string;
  readonly residue: number;
  readonly insertion_code: string | null;
  readonly residue_name: string;
}

/** One contact of a pose. */
export interface InteractionRecord {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly pose_id: string;
  readonly type: InteractionType;
  readonly ligand_role: 'donor' | 'acceptor' | null;
  readonly receptor: ResidueRecord & { readonly atom: string };
  readonly ligand_atoms: number[];
  readonly distance_angstrom: number;
  readonly angle_degrees: number | null;
  readonly water: (ResidueRecord & { readonly distance_angstrom: number }) | null;
}

/** The interactions of a mode. */
export interface InteractionListResponse {
  readonly interactions: InteractionRecord[];
  /** False where the interactions were not told or could not be computed, so that an empty list is no finding. */
  readonly computed: boolean;
  readonly uiLinks: StudioLinks;
}
