/** One job as an operator sees it: where its rows stand, and the state of its workflow in Temporal. */
import type { JobState, PauseReason } from './job-state.ts';
import type { Market } from './recoveries.ts';

/** An activity that a workflow waits for. */
export interface PendingActivity {
  readonly workflowId: string;
  readonly name: string;
  /** `SCHEDULED` while the activity waits for a worker or for its next attempt, `STARTED` while it runs. */
  readonly state: string;
  readonly attempt: number;
  readonly scheduledAt: Date | null;
  readonly startedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly lastFailure: string | null;
}

/** A workflow task that fails again and again: the run cannot go on with the code of its worker. */
export interface FailingTask {
  readonly workflowId: string;
  readonly attempts: number;
  readonly since: Date | null;
}

/** The name of the memo of a run that was started from the rows of its job. */
export const TAKEN_UP_MEMO = 'takenUp';

/** The message with which the workflow was started from the rows of its job, and when (ISO time). */
export interface TakenUp {
  readonly by: 'cancel' | 'capacity' | 'endPause' | 'pause' | 'resume';
  readonly at: string;
}

/** The last run of a job's workflow. */
export interface WorkflowRun {
  readonly kind: 'run';
  readonly workflowId: string;
  /** As Temporal names it: `RUNNING`, `COMPLETED`, `FAILED`, `TERMINATED` and others. */
  readonly status: string;
  /** The build of control workers; null where builds are not told apart. */
  readonly buildId: string | null;
  readonly startedAt: Date | null;
  readonly closedAt: Date | null;
  readonly historyEvents: number;
  /** Parts of the job that run as workflows of their own. */
  readonly parts: number;
  /** Null for a workflow that the submit has started. */
  readonly takenUp: TakenUp | null;
  /** Why the run failed; null unless it did. */
  readonly failure: string | null;
  readonly failingTasks: readonly FailingTask[];
  readonly pending: readonly PendingActivity[];
}

/** Temporal's answer about a job's workflow: its last run, that there is none any more, or nothing. */
export type WorkflowView =
  | WorkflowRun
  | { readonly kind: 'gone' }
  | { readonly kind: 'unreachable'; readonly address: string; readonly cause: string };

/** One execution with its money. */
export interface ExecutionView {
  readonly execution: number;
  readonly holdState: 'OPEN' | 'SETTLED';
  readonly heldPence: number;
  readonly chargedPence: number;
  readonly releasedPence: number;
  readonly startedAt: Date;
  readonly settledAt: Date | null;
}

/** One generation of a slot. */
export interface InstanceView {
  readonly slot: number;
  readonly generation: number;
  readonly state: string;
  readonly market: Market;
  readonly launchedAt: Date;
  readonly lastContactAt: Date | null;
  readonly fencedAt: Date | null;
  readonly fenceCause: string | null;
  /** Words with which the provider refused the launch. */
  readonly refusal: string | null;
  /** Seconds since the last contact, or since the launch; null once the instance has ended. */
  readonly silentSeconds: number | null;
}

/** The request for capacity of the present execution. */
export interface CapacityView {
  readonly state: 'WAITING' | 'GRANTED' | 'RELEASED';
  readonly vcpus: number;
  /** Vcpus that the request wants in all, where more may still be granted. */
  readonly wantedVcpus: number | null;
  readonly reason: string | null;
  readonly requestedAt: Date;
  readonly grantedAt: Date | null;
  /** The limits that are in the way of a request that waits; none where the request waits for its turn alone. */
  readonly lacks: readonly CapacityLack[];
}

/** A limit that has too little left for a request. */
export interface CapacityLack {
  readonly pool: 'account' | 'licence' | 'all' | 'plan' | 'class';
  /** The plan, the class or the software; null for the account, and for all. */
  readonly name: string | null;
  readonly resource: 'vcpus' | 'gpus' | 'seats';
  readonly limit: number;
  readonly used: number;
  readonly need: number;
  /** The setting that has the limit. */
  readonly setting: string;
}

/** A cause, and how often it occurred. */
export interface CountedCause {
  readonly cause: string;
  readonly count: number;
  readonly lastAt: Date | null;
}

/** A change that somebody made to the job. */
export interface JobChange {
  readonly action: string;
  readonly at: Date;
  readonly by: string;
  readonly reason: string | null;
}

/** State of a job by its rows. */
export interface JobPage {
  readonly jobId: string;
  readonly accountId: string;
  readonly toolId: string;
  readonly provider: string;
  readonly recoveryMode: string;
  readonly status: JobState;
  readonly statusAt: Date;
  /** The time of the database. */
  readonly now: Date;
  readonly statusReason: string | null;
  readonly pauseReason: PauseReason | null;
  readonly cancelRequestedAt: Date | null;
  readonly submittedAt: Date;
  readonly finishedAt: Date | null;
  readonly execution: number;
  readonly tasks: {
    readonly total: number;
    readonly verified: number;
    readonly failed: number;
    readonly running: number;
  };
  readonly recoveries: number;
  /** Cost of the verified work that is not yet charged, if the job ended now, in pence. */
  readonly duePence: number;
  readonly heldPence: number;
  readonly chargedPence: number;
  readonly executions: readonly ExecutionView[];
  readonly capacity: CapacityView | null;
  /** The newest generations. */
  readonly instances: readonly InstanceView[];
  readonly losses: readonly CountedCause[];
  readonly failures: readonly CountedCause[];
  readonly changes: readonly JobChange[];
}

/** Why a job is where it is, and what to do, in sentences. */
export interface JobExplanation {
  readonly why: readonly string[];
  readonly next: readonly string[];
}
