/** The records of docking that travel in the admission of a job, and are written by it. */
import type { JobAdmission } from './job.ts';
import type { Reuse } from '../domain/docking-records.ts';
import type { LigandPreparation } from '../domain/requests.ts';
import type { StopWhen } from '../domain/stop-rule.ts';

/** A batch that the admission of its first job makes. */
export interface NewBatch {
  readonly id: string;
  readonly name: string;
  readonly engine: string;
  readonly receptorArtifactId: string | null;
  readonly receptorIdentity: unknown;
  readonly parameters: unknown;
  readonly libraryId: string | null;
  readonly librarySha256: string;
  readonly ligandCount: number;
  readonly shardSize: number;
  readonly reuse: Reuse;
  readonly dryRun: boolean;
  /** Absent where all ligands are docked. */
  readonly stopWhen?: StopWhen;
  /** Whether some ligands are docked again. */
  readonly sample?: boolean;
  /** Preparation of every ligand of a stored library; absent where each ligand has its own. */
  readonly ligandPreparation?: LigandPreparation;
}

/** The sample that a job of the service docks again. */
export interface SampleOf {
  readonly batchId: string;
  readonly kind: 'same' | 'other';
  readonly seed: number | null;
}

/** The records that are written in the transaction that admits the job of a run. */
export interface DockingRecords {
  readonly runId: string;
  readonly requestId: string;
  readonly seedRequested: number | null;
  /** The experiment or the batch of the run. The run of a new batch makes the batch as well. */
  readonly of:
    | { readonly kind: 'experiment'; readonly experimentId: string; readonly reuse?: Reuse }
    | { readonly kind: 'newBatch'; readonly batch: NewBatch }
    | {
        readonly kind: 'retry';
        readonly batchId: string;
        readonly number: number;
        /** The ordinals of the ligands in the library of the batch, by the ordinals of the job's tasks. */
        readonly ligands: readonly number[];
        readonly codes: readonly string[];
      };
}

/** The admission of a docking job with the records that are written when it is decided. */
export interface DockingAdmission extends JobAdmission {
  /** The records that are written with the job; absent for jobs of no run. */
  readonly docking?: DockingRecords;
  /** The sample of a batch that the job docks again; absent for every other job. */
  readonly sample?: SampleOf;
  /** The jobs that dock a sample of a new batch again, kept until they have begun; absent for every other job. */
  readonly samples?: readonly DockingAdmission[];
}
