/** The contract of the workflows of docking: what they are started with, and what they say and are told. */
import type { AdmissionDecision, JobInput } from './job.ts';
import type { ExportFormat } from '../domain/docking-exports.ts';
import type { JobState } from '../domain/job-state.ts';

/** Work of a workflow of docking: `run` is a run of an experiment or the repetition of a batch, `batch` the first run of a batch. */
export type DockingWorkKind = 'run' | 'batch';

/** Summary of the child for operators. */
export interface ShownJob {
  readonly accountId: string;
  readonly jobType: string;
  readonly simulator: string | null;
  readonly provider: string;
  readonly summary: string;
  readonly details: string;
}

/** A job of the sample of a batch. */
export interface SampleStart {
  readonly job: JobInput;
  readonly shown: ShownJob;
}

/** The input of a workflow of docking: the job to start in the first run, what is carried over in a run after a continue-as-new. */
export interface DockingWorkInput {
  /** The id of the run or of the batch. */
  readonly id: string;
  readonly jobId: string;
  readonly accountId: string;
  readonly maxHistoryEvents: number;
  /** Jobs that dock a sample again once the batch is done; absent for runs, and for batches without a sample. */
  readonly samples?: readonly SampleStart[];
  readonly start:
    | { readonly kind: 'begin'; readonly job: JobInput; readonly shown: ShownJob }
    | { readonly kind: 'continue'; readonly decision: AdmissionDecision; readonly cancelRequested: boolean };
}

/** The result of a workflow of docking: how its job stood at the end; null where the job was not admitted. */
export interface DockingWorkOutcome {
  readonly decision: AdmissionDecision['kind'];
  readonly state: JobState | null;
}

/** State of the job of a run. */
export interface DockingProgress {
  readonly state: JobState;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly bestAffinityKcalMol: number | null;
}

/** Names of the messages of the workflows of docking. */
export const DOCKING_MESSAGES = {
  /** Update: waits for the decision of the job's admission; takes no argument. */
  admitted: 'admitted',
  /** Signal from the child: `AdmissionDecision`. */
  decided: 'decided',
  /** Query: the Markdown that is the current details. */
  details: 'details',
} as const;

/** The workflow id of a run or of a batch. */
export function dockingWorkflowId(kind: DockingWorkKind, id: string): string {
  return `docking-${kind}/${id}`;
}

/** The input of the workflow of an export. The selection of results stands in the row of the export. */
export interface ExportInput {
  readonly exportId: string;
  readonly accountId: string;
  readonly format: ExportFormat;
  readonly results: number;
}

/** State of an export's row at the end of its workflow; `GONE` where there is no such row. */
export interface ExportOutcome {
  readonly state: 'SUCCEEDED' | 'FAILED' | 'GONE';
  /** How many results the file has. */
  readonly results: number;
}

/** The workflow id of an export. */
export function exportWorkflowId(exportId: string): string {
  return `docking-export/${exportId}`;
}
