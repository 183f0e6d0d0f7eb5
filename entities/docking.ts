/** Docked ligands as verification has read them: a result for each ligand, and the poses of the result. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  defaulted,
  double,
  insertTime,
  integer,
  json,
  nullable,
  primary,
  text,
  uuid,
} from './columns.ts';

/** A docked ligand of a job, whose outputs are verified. */
export interface DockingResult {
  id: string;
  jobId: string;
  /** The place of the ligand in the job's request, which is the ordinal of its task. */
  ordinal: number;
  /** The execution of the job that has docked the ligand. */
  execution: number;
  ligandId: string;
  /** The digest in the ligand's result. */
  resultSha256: string | null;
  bestAffinityKcalMol: number;
  ligandEfficiency: number | null;
  sizeIndependentEfficiency: number | null;
  poseCount: number | null;
  bestPoseFailedChecks: number | null;
  plausiblePoseCount: number | null;
  heavyAtoms: number | null;
  formalCharge: number | null;
  smilesInput: string | null;
  smilesDocked: string | null;
  /** A list of warnings with code and message. */
  warnings: unknown;
  /** Descriptors that RDKit computes of the ligand as it was sent; null where the result does not tell. */
  descriptors: unknown;
  /** The score of mode 1 by the other scoring function, and the place of mode 1 by these scores. */
  secondAffinityKcalMol: number | null;
  secondRank: number | null;
  cluster: number | null;
  /** The contacts of mode 1 that bind in a direction. */
  keyInteractions: unknown;
  /** The likely states in which the ligand was docked; null for one state. */
  states: unknown;
  /** The digest of the code and the class of the processor that made the result; null where the result does not tell. */
  toolchainSha256: string | null;
  cpuClass: string | null;
  /** The version of the program that has docked; null where the result does not tell. */
  engineVersion: string | null;
  /** The earlier result that this one repeats; null for a ligand that was docked. */
  cachedFromResultId: string | null;
  createdAt: Date;
}

/** Table `docking_results`. */
export const DockingResultEntity = new EntitySchema<DockingResult>({
  name: 'DockingResult',
  tableName: 'docking_results',
  columns: {
    id: primary(uuid),
    jobId: uuid,
    ordinal: integer,
    execution: integer,
    ligandId: text,
    resultSha256: nullable(text),
    bestAffinityKcalMol: double,
    ligandEfficiency: nullable(double),
    sizeIndependentEfficiency: nullable(double),
    poseCount: nullable(integer),
    bestPoseFailedChecks: nullable(integer),
    plausiblePoseCount: nullable(integer),
    heavyAtoms: nullable(integer),
    formalCharge: nullable(integer),
    smilesInput: nullable(text),
    smilesDocked: nullable(text),
    warnings: defaulted(json, "'[]'"),
    descriptors: nullable(json),
    secondAffinityKcalMol: nullable(double),
    secondRank: nullable(integer),
    cluster: nullable(integer),
    keyInteractions: nullable(json),
    states: nullable(json),
    toolchainSha256: nullable(text),
    cpuClass: nullable(text),
    engineVersion: nullable(text),
    cachedFromResultId: nullable(uuid),
    createdAt: insertTime,
  },
});

/** One mode of a docked ligand. */
export interface DockingPose {
  id: string;
  resultId: string;
  /** Counted from 1, the best first. */
  mode: number;
  affinityKcalMol: number;
  /** The bounds of the RMSD to mode 1. */
  rmsdLowerAngstrom: number | null;
  rmsdUpperAngstrom: number | null;
  /** How many checks the mode fails; null where the checks were not told. */
  failedChecks: number | null;
  /** The score of the mode by the other scoring function. */
  secondAffinityKcalMol: number | null;
  /** The interactions as the result has them; null where they were not told or could not be computed. */
  interactions: unknown;
}

/** Table `docking_poses`. */
export const DockingPoseEntity = new EntitySchema<DockingPose>({
  name: 'DockingPose',
  tableName: 'docking_poses',
  columns: {
    id: primary(uuid),
    resultId: uuid,
    mode: integer,
    affinityKcalMol: double,
    rmsdLowerAngstrom: nullable(double),
    rmsdUpperAngstrom: nullable(double),
    failedChecks: nullable(integer),
    secondAffinityKcalMol: nullable(double),
    interactions: nullable(json),
  },
});

/** A contact of a docked ligand: a type of interaction with a residue, and the modes that have it. */
export interface DockingContact {
  jobId: string;
  /** Such as `hydrogen_bond:A:GLN725`. */
  contact: string;
  resultId: string;
  /** Number of the block of thirteen modes that the row is about, from 0. */
  block: number;
  /** Four bits for each mode, of which the lowest is set where the mode has the contact. */
  modes: number;
}

/** Table `docking_contacts`. */
export const DockingContactEntity = new EntitySchema<DockingContact>({
  name: 'DockingContact',
  tableName: 'docking_contacts',
  columns: {
    jobId: primary(uuid),
    contact: primary(text),
    resultId: primary(uuid),
    block: primary({ type: 'smallint' }),
    modes: bigint,
  },
});

/** How many results of a job have scores within a step of a sixteenth of a kcal/mol. */
export interface DockingRankCount {
  jobId: string;
  /** The score in sixteenths, rounded down; the first and the last step have whatever lies beyond. */
  step: number;
  count: number;
}

/** Table `docking_rank_counts`. */
export const DockingRankCountEntity = new EntitySchema<DockingRankCount>({
  name: 'DockingRankCount',
  tableName: 'docking_rank_counts',
  columns: {
    jobId: primary(uuid),
    step: primary({ type: 'smallint' }),
    count: integer,
  },
});

/** Findings of a dry run about a ligand, which was prepared and not docked. */
export interface DockingPreparation {
  jobId: string;
  ordinal: number;
  heavyAtoms: number | null;
  formalCharge: number | null;
  smilesInput: string | null;
  smilesDocked: string | null;
  /** A list of warnings with code and message. */
  warnings: unknown;
  /** How many likely states would be docked; null where one was asked for. */
  states: number | null;
}

/** Table `docking_preparations`. */
export const DockingPreparationEntity = new EntitySchema<DockingPreparation>({
  name: 'DockingPreparation',
  tableName: 'docking_preparations',
  columns: {
    jobId: primary(uuid),
    ordinal: primary(integer),
    heavyAtoms: nullable(integer),
    formalCharge: nullable(integer),
    smilesInput: nullable(text),
    smilesDocked: nullable(text),
    warnings: defaulted(json, "'[]'"),
    states: nullable(integer),
  },
});
