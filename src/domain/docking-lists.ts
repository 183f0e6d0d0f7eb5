/** Results of docking as the API answers them, with the members that the contract names. */
import type { Answers } from './answers.ts';

/** Pages of the studio that show a record. The link is no capability: whoever opens it must be allowed to. */
export type StudioLinks = Answers['getDockingPose']['uiLinks'];

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

/** Stages in which a ligand fails: while it is read and prepared, while the engine works on it, or when its outputs are verified. */
export const FAILURE_STAGES = ['ligand', 'dock', 'verify'] as const;

/** One of these. */
export type FailureStage = (typeof FAILURE_STAGES)[number];
