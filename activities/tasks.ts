import type { DataSource } from 'typeorm';
import { Context } from '@temporalio/activity';

import type { ObjectStore } from '../src/adapters/storage/storage.ts';
import type { StructureSource } from '../src/adapters/structures/structures.ts';
import type { TaskReport } from '../src/contracts/instance.ts';
import type { CoverRequest, CoverResult, JobPartInput } from '../src/contracts/job.ts';
import type { CommitMetrics } from '../src/services/execution/commit/bad-outputs.ts';
import type { CountGivenUp } from '../src/metrics/given-up.ts';
import { commitTasks, type CommitResult } from '../src/services/execution/commit/commit.ts';
import { coverTasks } from '../src/services/execution/cover/cover.ts';
import { listPendingTasks, outstanding, type Outstanding } from '../src/services/execution/pending.ts';
import { controlMiss } from '../src/services/execution/plan/control.ts';
import {
  failTasks,
  planTasks,
  preparationFailure,
  type PlanRequest,
  type PlanResult,
} from '../src/services/execution/plan/plan.ts';
import { recordState, type StateChange } from '../src/services/execution/record-state.ts';
import {
  settleJob,
  taskCounts,
  type Ending,
  type Settlement,
  type TaskCounts,
} from '../src/services/execution/settle/settle.ts';
import type { ToolRegistry } from '../src/tools/registry.ts';
import { issueReceipt } from '../src/services/receipts/issue.ts';
import type { ReceiptDependencies } from '../src/services/receipts/issue.ts';
import { noteIfFull } from '../src/services/full-store.ts';
import type { FileTurns } from '../src/services/file-turns.ts';
import type { ObjectHasher } from '../src/services/stored-objects/object-hasher.ts';
import { beating } from './beating.ts';
import type { Recorders } from '../src/services/execution/recorder.ts';
import { inTurn } from './in-turn.ts';

/** The activities over tasks, state and money, as the workflows of a job call them. */
export type TaskActivities = ReturnType<typeof createTaskActivities>;

/** The database, the store, the tools, and what planning reads inputs with. */
export interface TaskDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
  readonly recorders: Recorders;
  readonly structures: StructureSource;
  readonly hasher: ObjectHasher;
  readonly turns: FileTurns;
  /** The longest leg of a task that keeps checkpoints. */
  readonly legSeconds: number;
  /** Counts outputs that could not be verified; nothing is counted when it is not given. */
  readonly metrics?: CommitMetrics;
  readonly countGivenUp?: CountGivenUp;
  /** Signs receipts; none are made when it is not given. */
  readonly receipts?: Pick<ReceiptDependencies, 'signer' | 'issuer'>;
}

/** Makes the activities over a job's tasks, state and money. */
export function createTaskActivities(deps: TaskDependencies) {
  const { db } = deps;
  return {
    /** Writes the job's task rows and pins its inputs. Idempotent by job id; a second run writes nothing new. */
    planTasks(request: PlanRequest): Promise<PlanResult> {
      return beating(inTurn(planTasks(deps, request)));
    },

    /** The undecided ordinals of a part's range, ascending. Reads only. */
    listPendingTasks(part: Pick<JobPartInput, 'jobId' | 'kind' | 'from' | 'to'>): Promise<number[]> {
      return listPendingTasks(db, part);
    },

    /**
     * Covers tasks, or their next legs, by the hold before they are dispatched, and extends the hold where it is too small. Idempotent
     * by (job, execution, ordinal): a task that is covered already counts once.
     */
    coverTasks(request: CoverRequest): Promise<CoverResult> {
      return coverTasks(deps, request);
    },

    /** The parts of the job that have undecided tasks, and whether a cancel was requested. Reads only. */
    outstanding(request: {
      jobId: string;
      execution: number;
      partStarts: readonly number[];
    }): Promise<Outstanding> {
      return outstanding(db, request);
    },

    /**
     * Commits the reports of an instance: fence check, copies within the store, verification of the copies, one transaction.
     * Idempotent by (task, generation, digests): a task that was committed before counts as committed. A task whose tool
     * the system killed is set back, a bounded number of times.
     */
    commitTasks(request: {
      jobId: string;
      execution: number;
      slot: number;
      generation: number;
      kind: JobPartInput['kind'];
      reports: readonly TaskReport[];
    }): Promise<CommitResult> {
      return beating(noteIfFull(db, request.jobId, commitTasks(deps, request)));
    },

    /** Why the preparation failed for good, or null. Reads only. */
    preparationFailure(request: {
      jobId: string;
      execution: number;
    }): Promise<{ code: string; message: string } | null> {
      return preparationFailure(db, request.jobId);
    },

    /** Why the required control does not let the tasks run, or null. Reads only. */
    controlMiss(request: {
      jobId: string;
      execution: number;
    }): Promise<{ code: string; message: string } | null> {
      return controlMiss(deps, request.jobId);
    },

    /** Fails every undecided task with one code. Idempotent. */
    failTasks(request: { jobId: string; code: string; message: string }): Promise<void> {
      return failTasks(db, request);
    },

    /** Moves the job's row to a state that may follow. Idempotent: the present state may be recorded again. */
    recordState(request: StateChange): Promise<void> {
      return recordState(db, request);
    },

    /** The numbers of verified, failed and all tasks over all executions, and whether a merge is missing. Reads only. */
    taskCounts(request: { jobId: string }): Promise<TaskCounts> {
      return taskCounts(db, request.jobId);
    },

    /**
     * Settles the execution in the transaction of its end, and makes its receipt. Idempotent: a settled execution is answered
     * again, and has one receipt. A receipt that cannot be made is made by the sweep, because no job may wait for a receipt.
     */
    async settleJob(request: Ending): Promise<Settlement> {
      const settled = await settleJob(db, request);
      await receiptOf(deps, request);
      return settled;
    },
  };
}

async function receiptOf(
  { db, tools, receipts }: TaskDependencies,
  { jobId, execution }: Ending,
): Promise<void> {
  if (receipts === undefined) return;
  try {
    await issueReceipt({ db, tools, ...receipts }, { jobId, execution });
  } catch (error) {
    Context.current().log.error('a receipt could not be made', { jobId, execution, err: error });
  }
}
