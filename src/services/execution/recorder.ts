/**
 * The port by which a service above execution keeps records of its own of the tasks of a job: what was read of verified outputs,
 * how often, and how one stands to another. Execution calls a recorder in its own transactions, under the lock of the job's row, so
 * records and tasks say the same at any moment. Execution itself knows nothing of what is recorded.
 */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { FinishedJob } from '../../tools/finished.ts';
import type { ToolRecord } from '../../tools/tool.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { plainFinishedJob } from './settle/finished-job.ts';

/** An execution of a job. */
export interface RecordedExecution {
  readonly jobId: string;
  readonly execution: number;
}

/** A verified task with what the tool has read of its outputs. */
export interface CommittedTask {
  readonly ordinal: number;
  readonly itemId: string;
  readonly record: ToolRecord;
}

/** A task that the verified task of an earlier job stands for. */
export interface AdoptedTask {
  readonly ordinal: number;
  readonly itemId: string;
  readonly source: { readonly jobId: string; readonly ordinal: number };
}

/** A job whose tasks have all ended, as the files of its end are made of it. */
export interface EndedJob {
  readonly jobId: string;
  readonly request: SubmitJobRequest;
  /** The numbers of a task's summary that the tool asks for. */
  readonly numbers: readonly string[];
}

/** Keeps records of the jobs of one tool. Each call may be repeated, and then writes the same. */
export interface Recorder {
  /** The rows of the tasks are written; before any of them runs. */
  planned(tx: Tx, jobId: string, itemIds: readonly string[]): Promise<void>;
  /** Whether outputs of the job are those of a dry run; asked before outputs are judged. */
  isDryRun(db: Queryable, jobId: string): Promise<boolean>;
  /** Finds the ending of the class in which a task is charged, where less was done than planned; null for the planned class. */
  classEnding(record: ToolRecord): string | null;
  /** Tasks are verified and their outputs are named. */
  committed(tx: Tx, of: RecordedExecution, tasks: readonly CommittedTask[]): Promise<void>;
  /** Whether tasks of the job may be reused ones; asked once, when the job is prepared. */
  takesReused(db: Queryable, jobId: string): Promise<boolean>;
  /** Tasks of earlier jobs stand for tasks of this one, whose outputs are named. */
  adopted(tx: Tx, of: RecordedExecution, tasks: readonly AdoptedTask[]): Promise<void>;
  /** Tasks were decided. Answers the number of tasks behind which nothing is to be done any more; null where all are. */
  decided(tx: Tx, jobId: string): Promise<number | null>;
  /** Verified tasks are verified no more: their outputs are gone, or the job has stopped before them. */
  lost(tx: Tx, jobId: string, ordinals: readonly number[]): Promise<void>;
  /** The job as its tool sees it at the end, page by page in the caller's transaction. */
  finished(tx: Queryable, of: EndedJob): Promise<FinishedJob>;
}

/** The recorder of the jobs of a tool. */
export type Recorders = (toolId: string) => Recorder;

const nothing = (): Promise<void> => Promise.resolve();

/** Records nothing, for tools of whose tasks nobody keeps records. */
export const NO_RECORDS: Recorder = {
  planned: nothing,
  isDryRun: () => Promise.resolve(false),
  classEnding: () => null,
  committed: nothing,
  takesReused: () => Promise.resolve(true),
  adopted: nothing,
  decided: () => Promise.resolve(null),
  lost: nothing,
  finished: plainFinishedJob,
};
