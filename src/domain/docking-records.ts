/**
 * The records of docking as requests bring them and answers show them. An experiment is a protocol with its ligand, a batch is a
 * campaign of many ligands against one receptor, and a run is one job of either. Records have snake_case fields.
 */
import type { DockingRunResponse } from './answers.ts';
import type { StudioLinks } from './docking-lists.ts';
import type {
  DockingExecution,
  DockingValidation,
  InspectionSource,
  JobMetadata,
  LigandIdentity,
  LigandPreparation,
  ReceptorPreparation,
  Recovery,
  ResidueReference,
  ScoringFunction,
} from './requests.ts';
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

/** Failure of a run as a whole. */
export type DockingRunFailure = NonNullable<DockingRunResponse['run']['failure']>;

/** The link of a batch, run, result or pose. */
export function studioLink(
  kind: 'dockingBatch' | 'dockingRun' | 'dockingResult' | 'dockingPose' | 'dockingExperiment',
  id: string,
): StudioLinks {
  return { studio: `/molecular/studio?${kind}=${id}` };
}
