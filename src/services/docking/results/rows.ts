/** The rows of a page of results, and the records that are made of them. */
import type { DockingResult } from '../../../../entities/docking.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { DescriptorColumn, DescriptorNumber, LigandDescriptors } from '../../../domain/descriptors.ts';
import { resultIdOf } from '../../../domain/docking-ids.ts';
import type { DockedStates } from '../../../domain/docking-results.ts';
import type { FailureStage } from '../../../domain/docking-lists.ts';
import type { Row } from '../../row.ts';
import type { ResultScope } from './scope.ts';
import type { DockingValidation } from '../../../domain/docking-validation.ts';
import type { JobWarning } from '../../../domain/warnings.ts';
import type { Answers } from '../../../domain/answers.ts';

type FailureItem = Answers['listDockingBatchFailures']['failures'][number];
type ResultArtifact = Answers['getDockingResult']['result']['artifacts'][number];
type ResultFailure = NonNullable<Answers['getDockingResult']['result']['failure']>;
type ResultRecord = Answers['getDockingResult']['result'];
type ResultStates = NonNullable<Answers['getDockingResult']['result']['states']>;

/** Facts of a ligand in a row, in whatever state it is. */
interface LigandRow {
  readonly job_id: string;
  /** The ordinal of the task. */
  readonly ordinal: number;
  /** The place by which the id of the result is made. */
  readonly place: number;
  readonly ligand_id: string;
  readonly label: string;
  readonly properties: Readonly<Record<string, string>> | null;
  readonly line: number | null;
  readonly created_at: string;
}

type DockedFields =
  | 'bestAffinityKcalMol'
  | 'ligandEfficiency'
  | 'sizeIndependentEfficiency'
  | 'poseCount'
  | 'plausiblePoseCount'
  | 'smilesInput'
  | 'smilesDocked'
  | 'formalCharge'
  | 'heavyAtoms'
  | 'secondAffinityKcalMol'
  | 'secondRank'
  | 'cluster'
  | 'cachedFromResultId';

/** A docked ligand. */
export interface DockedRow extends LigandRow, Row<DockingResult, DockedFields> {
  readonly docked_id: string;
  readonly key: number;
  readonly warnings: JobWarning[];
  readonly descriptors: LigandDescriptors | null;
  readonly key_interactions: string[] | null;
  readonly states: DockedStates | null;
}

/** A ligand that is not docked. */
export interface OtherRow
  extends LigandRow, Row<Task, 'state' | 'failureCode' | 'failureMessage' | 'attempts'> {
  readonly finished_at: string | null;
  /** The SMILES as the record of the library has it. */
  readonly smiles: string | null;
}

/** A stored file of a ligand. */
export type FileRow = Row<
  Artifact,
  | 'jobId'
  | 'taskOrdinal'
  | 'id'
  | 'name'
  | 'kind'
  | 'mediaType'
  | 'format'
  | 'byteSize'
  | 'sha256'
  | 'storageKey'
>;

/** Facts of a page's ligands beside their rows. */
export interface Belongings {
  readonly ranks: ReadonlyMap<string, number>;
  readonly validations: ReadonlyMap<string, DockingValidation | null>;
  readonly files: ReadonlyMap<string, ResultArtifact[]>;
  /** Null where no interactions were asked for. */
  readonly matched: ReadonlyMap<string, number[]> | null;
}

/** The key of a ligand's files: its job and the ordinal of its task. */
export function taskKey(row: { readonly job_id: string; readonly ordinal: number | null }): string {
  return `${row.job_id}/${row.ordinal ?? ''}`;
}

/** A file as answers have it. */
export function presentFile(row: FileRow): ResultArtifact {
  return {
    artifact_id: row.id,
    name: row.name,
    kind: row.kind,
    media_type: row.media_type,
    format: row.format,
    byte_size: row.byte_size,
    sha256: row.sha256,
    storage_key: row.storage_key,
  };
}

const FAILURE = 'The ligand could not be docked.';

const UNDOCKED = {
  rank: null,
  best_affinity_kcal_mol: null,
  ligand_efficiency: null,
  size_independent_efficiency: null,
  pose_count: null,
  plausible_pose_count: null,
  smiles_docked: null,
  formal_charge: null,
  second_affinity_kcal_mol: null,
  second_rank: null,
  key_interactions: null,
  cluster: null,
  states: null,
  heavy_atoms: null,
  cached_from_result_id: null,
  matched_modes: null,
} as const;

type Common = Pick<
  ResultRecord,
  | ('user_id' | 'created_at' | 'run_id' | 'batch_id' | 'job_id' | 'ligand_id' | 'label')
  | ('input_properties' | 'library_line' | 'validation' | 'artifacts')
>;

function commonOf(scope: ResultScope, row: LigandRow, belongings: Belongings): Common {
  return {
    user_id: scope.userId,
    created_at: row.created_at,
    run_id: scope.runs.find(({ jobId }) => jobId === row.job_id)?.runId ?? null,
    batch_id: scope.batchId,
    job_id: row.job_id,
    ligand_id: row.ligand_id,
    label: row.label,
    input_properties: row.properties ?? {},
    library_line: row.line,
    validation: belongings.validations.get(row.job_id) ?? null,
    artifacts: belongings.files.get(taskKey(row)) ?? [],
  };
}

/** The figures of a ligand by their columns; all null where none are known. */
export function descriptorColumns(
  descriptors: LigandDescriptors | null,
): Pick<ResultRecord, DescriptorColumn | 'alerts' | 'scaffold'> {
  const of = (name: DescriptorNumber): number | null => descriptors?.[name] ?? null;
  return {
    molecular_weight: of('molecularWeight'),
    log_p: of('logP'),
    tpsa: of('tpsa'),
    h_bond_donors: of('donors'),
    h_bond_acceptors: of('acceptors'),
    rotatable_bonds: of('rotatableBonds'),
    qed: of('qed'),
    alerts: descriptors === null ? null : [...descriptors.alerts],
    scaffold: descriptors?.scaffold ?? null,
  };
}

/** Whether the row lists a ligand under another id than that of the task. */
function isRepeated(row: LigandRow): boolean {
  return row.place !== row.ordinal;
}

/** The record of a docked ligand. A record of the library that equals an earlier one is told to repeat the result of that one. */
export function presentDocked(scope: ResultScope, row: DockedRow, belongings: Belongings): ResultRecord {
  return {
    ...commonOf(scope, row, belongings),
    id: isRepeated(row) ? resultIdOf(row.job_id, row.place) : row.docked_id,
    status: 'SUCCEEDED',
    rank: belongings.ranks.get(row.ligand_id) ?? null,
    best_affinity_kcal_mol: row.best_affinity_kcal_mol,
    ligand_efficiency: row.ligand_efficiency,
    size_independent_efficiency: row.size_independent_efficiency,
    pose_count: row.pose_count,
    plausible_pose_count: row.plausible_pose_count,
    smiles_input: row.smiles_input,
    smiles_docked: row.smiles_docked,
    formal_charge: row.formal_charge,
    heavy_atoms: row.heavy_atoms,
    ...descriptorColumns(row.descriptors),
    second_affinity_kcal_mol: row.second_affinity_kcal_mol,
    second_rank: row.second_rank,
    key_interactions: row.key_interactions,
    cluster: row.cluster,
    states: row.states === null ? null : presentStates(row.states),
    warnings: row.warnings,
    failure: null,
    cached_from_result_id: isRepeated(row) ? row.docked_id : row.cached_from_result_id,
    matched_modes: belongings.matched === null ? null : (belongings.matched.get(row.docked_id) ?? []),
  };
}

function presentStates({ onPaper, won, each }: DockedStates): ResultStates {
  return {
    on_paper: onPaper,
    won,
    each: each.map(({ smiles, formalCharge, costKcalMol, bestAffinityKcalMol }) => ({
      smiles,
      formal_charge: formalCharge,
      cost_kcal_mol: costKcalMol,
      best_affinity_kcal_mol: bestAffinityKcalMol,
    })),
  };
}

/** The record of a ligand that is not docked. */
export function presentOther(scope: ResultScope, row: OtherRow, belongings: Belongings): ResultRecord {
  return {
    ...UNDOCKED,
    ...descriptorColumns(null),
    smiles_input: row.smiles,
    warnings: [],
    ...commonOf(scope, row, belongings),
    id: resultIdOf(row.job_id, row.place),
    status: row.state,
    failure: failureOf(row),
  };
}

/** Why a ligand has no poses; null for one that waits, runs or was not asked for any more without a reason. */
function failureOf(row: OtherRow): ResultFailure | null {
  return row.failure_code === null
    ? null
    : { code: row.failure_code, message: row.failure_message ?? FAILURE, stage: stageOf(row) };
}

/** Codes of ligands begin alike, whatever the tool; all others blame the engine or the machine, or what was verified. */
function stageOf({ state, failure_code: code }: OtherRow): FailureStage | null {
  if (state !== 'FAILED') return null;
  if (code?.startsWith('LIGAND_') === true) return 'ligand';
  return code === 'OUTPUT_UNVERIFIED' ? 'verify' : 'dock';
}

/** A failed ligand in the list of failures. */
export function presentFailure(scope: ResultScope, row: OtherRow): FailureItem {
  return {
    result_id: resultIdOf(row.job_id, row.place),
    run_id: scope.runs.find(({ jobId }) => jobId === row.job_id)?.runId ?? '',
    ligand_id: row.ligand_id,
    label: row.label,
    code: row.failure_code ?? 'INTERNAL_ERROR',
    message: row.failure_message ?? FAILURE,
    stage: stageOf(row),
    library_line: row.line,
    attempts: row.attempts,
    failed_at: row.finished_at,
  };
}
