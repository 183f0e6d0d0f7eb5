/**
 * The record of a docked ligand, as verification reads it from the ligand's verified result. The records of a job are what
 * rankings, exports and pages are made of; the summary that an instance tells is for the view of a running job only.
 */
import type { LigandDescriptors } from './descriptors.ts';
import type { PoseInteraction } from './docking-interactions.ts';
import type { JobWarning } from './warnings.ts';

/** The figures by which ligands are ranked. A figure that a result does not tell is null. */
export interface DockingScores {
  readonly bestAffinityKcalMol: number;
  /** Minus the score per heavy atom. */
  readonly ligandEfficiency: number | null;
  /** Minus the score over the number of heavy atoms to the power of 0.3. */
  readonly sizeIndependentEfficiency: number | null;
  readonly poseCount: number | null;
  /** How many checks mode 1 fails; 0 when mode 1 is plausible. */
  readonly bestPoseFailedChecks: number | null;
  /** How many modes pass every check. */
  readonly plausiblePoseCount: number | null;
}

/** One mode of a docked ligand. */
export interface DockedPose {
  /** Counted from 1, the best first. */
  readonly mode: number;
  readonly affinityKcalMol: number;
  /** The bounds of the RMSD to mode 1. */
  readonly rmsdLowerAngstrom: number | null;
  readonly rmsdUpperAngstrom: number | null;
  /** How many checks the mode fails; null where the checks were not told. */
  readonly failedChecks: number | null;
  /** The score of the mode by the other scoring function; null where the result does not tell. */
  readonly secondAffinityKcalMol: number | null;
  /** Null where the interactions were not told or could not be computed. */
  readonly interactions: readonly PoseInteraction[] | null;
}

/** One state in which a ligand was docked: an isomer of a tautomer in a protonation state. */
export interface DockedState {
  /** SMILES of the state as docked; null where the result tells none that can be recorded. */
  readonly smiles: string | null;
  readonly formalCharge: number;
  /** Energy that brings the ligand into the state, above the likeliest one. */
  readonly costKcalMol: number;
  /** The best score of the state without the cost; null where no pose fits the box. */
  readonly bestAffinityKcalMol: number | null;
}

/** The likely states of a ligand: the one that won by score and cost has the poses. */
export interface DockedStates {
  /** How many there are on paper, of which some may not have been docked. */
  readonly onPaper: number;
  /** The place of the state that won among the docked ones, counted from 1. */
  readonly won: number;
  /** The docked ones, the likeliest first. */
  readonly each: readonly DockedState[];
}

/** Finds the cost of the state whose poses a ligand has; null for a ligand that was docked in one state. */
export function costOfState(states: DockedStates | null): number | null {
  return states?.each[states.won - 1]?.costKcalMol ?? null;
}

/** Record of a docked ligand, written once its outputs are verified. */
export interface DockingRecord extends DockingScores {
  readonly kind: 'docking';
  /** The SHA-256 that the result tells of its own hashed part, which verification has recomputed. */
  readonly resultSha256: string;
  readonly heavyAtoms: number | null;
  readonly formalCharge: number | null;
  /** The ligand as it was given and as it was docked. */
  readonly smilesInput: string | null;
  readonly smilesDocked: string | null;
  /** Descriptors that RDKit computes of the ligand as it was sent; null where the result does not tell. */
  readonly descriptors: LigandDescriptors | null;
  /** The score of mode 1 by the other scoring function, and the place of mode 1 among the modes by these scores. */
  readonly secondAffinityKcalMol: number | null;
  readonly secondRank: number | null;
  /** Null for a ligand that was docked in one state. */
  readonly states: DockedStates | null;
  readonly warnings: readonly JobWarning[];
  /** The digest of the code and the class of the processor that made the result; null where the result does not tell. */
  readonly toolchainSha256: string | null;
  readonly cpuClass: string | null;
  /** The version of the program that has docked; null where the result does not tell. */
  readonly engineVersion: string | null;
  /** All modes, the best first. */
  readonly poses: readonly DockedPose[];
}

/** Record of a ligand of a dry run, which was prepared and not docked. */
export interface PreparationRecord extends Pick<
  DockingRecord,
  'heavyAtoms' | 'formalCharge' | 'smilesInput' | 'smilesDocked' | 'warnings'
> {
  readonly kind: 'preparation';
  /** How many likely states would be docked; null where one was asked for. */
  readonly states: number | null;
}

/** A ligand as its library lists it. */
export interface ListedLigand {
  readonly label: string;
  /** The SMILES as the record has it; null where the record is none. */
  readonly smiles: string | null;
  /** Further columns or tags of the record, by name. */
  readonly properties: Readonly<Record<string, string>>;
  /** The id of the equal ligand that was docked for this one, and has its files; null for a ligand that was docked itself. */
  readonly sameAs: string | null;
}

/** A docked ligand of a job, as its ranking reads the ligand from the records; equal ligands of a library are told one by one. */
export interface DockedLigand
  extends
    DockingScores,
    Pick<
      DockingRecord,
      | ('formalCharge' | 'smilesInput' | 'smilesDocked' | 'descriptors')
      | ('secondAffinityKcalMol' | 'secondRank' | 'states')
    > {
  /** The place of the docked ligand in the job's request, from 0. */
  readonly ordinal: number;
  readonly ligandId: string;
  readonly warningCodes: readonly string[];
  /** Null where the job names no library. */
  readonly listed: ListedLigand | null;
}
