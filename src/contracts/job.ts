/** The job workflow's contract: start arguments, the admission decision, signals, updates and queries. */
import type { Caller } from '../domain/access.ts';
import type { JobState, PauseReason, TerminalState } from '../domain/job-state.ts';
import type { PriceClassRuns } from '../domain/price-classes.ts';
import type { Quote } from '../domain/pricing.ts';
import type { SubmitJobRequest } from '../domain/requests.ts';
import type { SubmitJobResponse } from '../domain/answers.ts';
import type { JobWarning } from '../domain/warnings.ts';

/**
 * A step that is no task; a step is neither counted nor charged. `prepare` precedes the tasks, `control` runs beside them or,
 * where it is required, before them, `merge` follows them and reads their outputs, and `finish` is what the control side makes at the end.
 */
export type StepKind = 'prepare' | 'control' | 'merge' | 'finish';

/** Work of an instance for a job: a task, or one of the steps that run on an instance. */
export type WorkKind = 'task' | Exclude<StepKind, 'finish'>;

/** Every kind of work that an instance does. */
export const WORK_KINDS = ['task', 'prepare', 'control', 'merge'] as const satisfies readonly WorkKind[];

/** The plan of a job, which its tool makes once before the admission. */
export interface JobPlan {
  readonly unit: 'frame' | 'task' | 'ligand';
  readonly taskCount: number;
  /** How many tasks one compute activity carries. */
  readonly shardSize: number;
  /** Steps that run on an instance before the tasks, beside them and after them. */
  readonly steps: readonly Exclude<WorkKind, 'task'>[];
  /** Whether the control runs before the tasks, none of which runs where it misses; absent for most jobs. */
  readonly requiresControl?: true;
  /** How many instances the job asks for, which are granted one after the other, and how many slots and vCPUs each has. */
  readonly instances: number;
  readonly slotsPerInstance: number;
  readonly vcpusPerInstance: number;
  /** The class of the instances and the GPUs of each; absent: the only class there is, without GPUs. */
  readonly instanceClass?: string;
  readonly gpusPerInstance?: number;
  /** The software of which each instance takes a seat; absent for software that is free of them. */
  readonly licence?: string;
  /** The type of machine by which measured seconds are priced, the best of the class; absent where there are no classes. */
  readonly instanceType?: string;
  /** Time limit of one task, in seconds; a shard's limit is the sum over its tasks. */
  readonly taskTimeoutSeconds: number;
  /** The most tasks of a part, where tasks are to be decided nearly in their order; absent for most jobs. */
  readonly partTasks?: number;
  /** The price class of each task; absent where all tasks have one price. */
  readonly classes?: PriceClassRuns;
}

/** An input that the job named, pinned at admission. `sha256` null: computed by streaming in the job's first activity. */
export interface PinnedInput {
  readonly storageKey: string;
  readonly byteSize: number;
  readonly sha256: string | null;
}

/**
 * The admission of a job, which travels in the start arguments of its workflow. A service that keeps records of its own of jobs adds what
 * is written with the job; the workflow hands it on as it is.
 */
export interface JobAdmission {
  readonly jobId: string;
  /** The id of one submit, so that only the submit that made the job is told so. */
  readonly submitId: string;
  readonly accountId: string;
  readonly userId: string;
  /** The key or the session that submitted the job. */
  readonly caller: Caller;
  readonly accountPlan: 'free' | 'pro';
  readonly jobType: string;
  readonly simulator: string | null;
  /** The tool that works on the job. */
  readonly toolId: string;
  readonly jobName: string | null;
  readonly recoveryMode: 'standard' | 'resumable';
  readonly idempotencyKey: string | null;
  /** SHA-256 of the canonical body as sent, without its idempotency key; a repeat must have the same fingerprint. */
  readonly fingerprint: string;
  /** The validated request, or null when it is large and stored under `requestKey`. */
  readonly request: SubmitJobRequest | null;
  readonly requestKey: string | null;
  readonly plan: JobPlan;
  readonly quote: Quote;
  readonly inputs: readonly PinnedInput[];
  readonly provider: string;
  /** The seed that every task uses, drawn by the API when the request named none; null for tools without one. */
  readonly effectiveSeed: number | null;
  /** Whether the service made the job for itself, so that no list shows the job. */
  readonly internal: boolean;
  /** Whether the hold must cover a task before the task is dispatched; absent where all tasks are covered. */
  readonly coversDispatch?: true;
  /** The warnings that the customer is given from the start. */
  readonly warnings: readonly JobWarning[];
  /** ISO time by the database's clock after which the admission is refused. */
  readonly admitBy: string;
  /** The answer of the API when the job is admitted. */
  readonly response: SubmitJobResponse;
}

/** The decision of the admission, which is stored in the job's row; the update `admitted` waits for the decision. */
export type AdmissionDecision =
  | {
      readonly kind: 'admitted';
      readonly fingerprint: string;
      readonly response: SubmitJobResponse;
      readonly replay: boolean;
      /** The submit whose admission was decided; absent where the submit is not known any more. */
      readonly submitId?: string;
    }
  | {
      readonly kind: 'refused';
      /** The fingerprint of the refused body. */
      readonly fingerprint: string;
      readonly code: 'INSUFFICIENT_CREDITS' | 'COST_LIMIT_EXCEEDED' | 'ACCOUNT_SUSPENDED' | 'ACCOUNT_CLOSED';
      readonly message: string;
    }
  | { readonly kind: 'expired' };

/** Time-outs of a job, from the settings of the process that starts the workflow; they stay the same for the job. */
export interface JobTiming {
  /** After so long without a heartbeat a compute activity times out, which starts an inquiry. */
  readonly computeHeartbeatSeconds: number;
  /** How long a compute activity may wait in its queue before an inquiry. */
  readonly computePickupSeconds: number;
  /** How often a job that waits for capacity asks without a signal. */
  readonly capacityPollSeconds: number;
  /** The first pause of a job whose provider has no room; the next ones are longer. */
  readonly noRoomSeconds: number;
  /** The longest a finished task waits before its batch is committed. */
  readonly commitDelayMs: number;
}

/** The input of the job workflow: the admission in the first run, the carry in a run after a continue-as-new. */
export interface JobInput {
  readonly jobId: string;
  readonly timing: JobTiming;
  readonly maxHistoryEvents: number;
  readonly start:
    | { readonly kind: 'admit'; readonly admission: JobAdmission }
    | { readonly kind: 'continue'; readonly carry: JobCarry };
}

/** State that one run of a job carries over to the next; task states are not carried, because Postgres has them. */
export interface JobCarry {
  readonly decision: AdmissionDecision;
  readonly accountId: string;
  readonly accountPlan: 'free' | 'pro';
  readonly jobType: string;
  readonly simulator: string | null;
  readonly provider: string;
  readonly plan: JobPlan;
  readonly execution: number;
  readonly state: JobState;
  /** Why the job is in its state, what failed last and what the execution was charged, as operators see them. */
  readonly reason: string | null;
  readonly lastFailure: string | null;
  readonly chargedPence: number | null;
  /** The generation of each slot, and whether the instance of that generation is open. */
  readonly slots: readonly { readonly generation: number; readonly open: boolean }[];
  readonly hasCapacity: boolean;
  /** How often in a row the provider had no room. */
  readonly shortages: number;
  /** The vCPUs that are granted; 0 without capacity. */
  readonly grantedVcpus: number;
  readonly partRuns: number;
  readonly recoveries: number;
  /** How often the state has changed so far. */
  readonly transition: number;
  readonly verified: number;
  readonly failed: number;
  readonly cancelReason: string | null;
  readonly cancelRequested: boolean;
  readonly pauseRequested: PauseReason | null;
  readonly heldPence: number;
  /** Whether the hold must cover a task before the task is dispatched; absent where all tasks are covered. */
  readonly coversDispatch?: true;
  /** Set where the carry was made of the job's rows, because no workflow run was there to carry anything. */
  readonly takenUp?: true;
}

/** The start of a job's workflow from the job's rows. */
export interface JobTakeUp {
  readonly input: JobInput & { readonly start: { readonly kind: 'continue' } };
  readonly toolId: string;
  readonly recoveryMode: 'standard' | 'resumable';
}

/** A message that is delivered together with the start of a workflow from rows. */
export type JobMessage =
  | { readonly kind: 'cancel'; readonly reason: string | null }
  | { readonly kind: 'capacity' }
  | { readonly kind: 'endPause' }
  | { readonly kind: 'pause'; readonly reason: PauseReason }
  | { readonly kind: 'resume' };

/** The job workflow's result. */
export interface JobOutcome {
  readonly decision: AdmissionDecision['kind'];
  readonly state: TerminalState | null;
  readonly verified: number;
  readonly failed: number;
  readonly chargedPence: number;
}

/** One run of a range of a job's tasks on one instance generation. */
export interface JobPartInput {
  readonly jobId: string;
  readonly execution: number;
  readonly slot: number;
  readonly generation: number;
  readonly kind: WorkKind;
  /** Ordinals, `to` exclusive; at most 250 of them. */
  readonly from: number;
  readonly to: number;
  readonly shardSize: number;
  readonly slotsPerInstance: number;
  readonly taskTimeoutSeconds: number;
  readonly timing: JobTiming;
  /** Whether the hold must cover a task before the task is dispatched; absent where all tasks are covered. */
  readonly coversDispatch?: true;
  /** A part whose tasks are handed back ends beyond this, and the range is run on by another; absent in parts that never ended so. */
  readonly maxHistoryEvents?: number;
}

/** End of a part: all its tasks decided, the instance lost, or stopped by a cancel or a pause. */
export interface JobPartResult {
  readonly end: 'done' | 'lost' | 'stopped';
  readonly cause: string | null;
  readonly verified: number;
  readonly failed: number;
  /** Why the job is to pause, where the hold did not cover the tasks that are left; absent where it did. */
  readonly refused?: RefusedCover;
  /** Whether the instance was about to be taken away, so that its slot goes on with the next generation. */
  readonly drained?: boolean;
}

/** Tasks that are to be covered by the hold before they are dispatched, with the time limit of each. */
export interface CoverRequest {
  readonly jobId: string;
  readonly execution: number;
  readonly ordinals: readonly number[];
  readonly taskSeconds: number;
}

/** Why a hold covers no more tasks, as the job is paused for it; `cause` is shown as the reason of the state. */
export interface RefusedCover {
  readonly reason: PauseReason;
  readonly cause: string | null;
}

/** The tasks that may be dispatched, and why the others may not; nothing may be once the execution is settled. */
export interface CoverResult {
  readonly covered: readonly number[];
  readonly refused: RefusedCover | null;
}

/** Names of updates, signals and queries of the job workflow. */
export const JOB_MESSAGES = {
  /** Update: waits for the admission's decision; takes no argument. */
  admitted: 'admitted',
  /** Signal: `{ reason }`. The cancel request is a fact in the job row already. */
  cancel: 'cancel',
  /** Signal: `{ reason: PauseReason }`. */
  pause: 'pause',
  /** Signal from another job's release: look for capacity now. */
  capacity: 'capacity',
  /** Signal: `JobCarry` of the next execution, which goes on when the present execution has ended. */
  resume: 'resume',
  /** Signal: the job has been paused for long; it ends with what is verified. */
  endPause: 'endPause',
  /** Signal from a part: `{ slot, generation }`, an instance that is about to be taken away. */
  drain: 'drain',
  /** Signal from the gateway: `{ slot, generation }`, an instance that has called after a long boot. */
  heard: 'instanceHeard',
  /** Query: the Markdown that is the current details. */
  details: 'details',
} as const;

/** Signal to a part: stop dispatching; `cancel` stops the tools too. */
export const PART_STOP_SIGNAL = 'stop';
