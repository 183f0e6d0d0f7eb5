/**
 * A job whose tasks have all ended, for its tool, and the files that the tool makes of it. A job may have ten thousand tasks and
 * more, so the tasks and the docked ligands come one after the other and are never in memory together.
 */
import type { StepKind } from '../contracts/job.ts';
import type { DockedLigand, ListedLigand } from '../domain/docking-results.ts';

/** A task or step that has ended. */
export interface FinishedTask {
  readonly kind: StepKind | 'task';
  readonly ordinal: number;
  readonly itemId: string;
  readonly state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** The whole summary of a step; of a task only the tool's `finishValues`. */
  readonly summary: Readonly<Record<string, unknown>> | null;
  readonly failureCode: string | null;
  /** Whether the task is among the docked ligands. */
  readonly isDocked: boolean;
  /** Facts of the ligand in the library of the job; a task comes once for each of its equal ligands. */
  readonly listed?: ListedLigand | null;
}

/** The end of a job. */
export interface FinishedJob {
  readonly steps: readonly FinishedTask[];
  /** The names of further columns or tags of the job's library, in the order of the file. */
  readonly propertyNames: readonly string[];
  /** All tasks in the order of the request; each call reads the tasks anew. */
  tasks(): AsyncIterable<FinishedTask>;
  /** The recorded ligands, the lowest affinity first, equal affinities by id; each call reads the ligands anew. */
  docked(): AsyncIterable<DockedLigand>;
}

/** A file that the control side makes when all tasks have ended. */
export interface FinishFile {
  readonly name: string;
  readonly kind: string;
  readonly mediaType: string;
  readonly format: string | null;
  /** A small file as its bytes; any other as a text that each call makes anew, piece by piece and always the same. */
  readonly body: Uint8Array | (() => AsyncIterable<string>);
}
