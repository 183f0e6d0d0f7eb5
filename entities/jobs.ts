/** Jobs and their executions. Rows mirror the workflow and are written by activities only. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  boolean,
  defaulted,
  insertTime,
  integer,
  json,
  nullable,
  primary,
  text,
  time,
  uuid,
  writeTime,
} from './columns.ts';

/** A submitted job. */
export interface Job {
  id: string;
  accountId: string;
  userId: string;
  /** The key or the session that submitted the job. */
  callerKind: 'key' | 'session' | null;
  callerId: string | null;
  jobType: 'render' | 'simulation' | 'molecular' | 'pipeline';
  jobName: string | null;
  simulator: string | null;
  toolId: string;
  provider: string;
  status:
    | 'SUBMITTED'
    | 'QUEUED'
    | 'PROVISIONING'
    | 'RUNNING'
    | 'RECOVERING'
    | 'PAUSED'
    | 'FINALIZING'
    | 'CANCELLING'
    | 'SUCCEEDED'
    | 'PARTIALLY_SUCCEEDED'
    | 'FAILED'
    | 'CANCELLED';
  /** Since when the job is in its state; the database keeps the time. */
  statusAt: Date;
  statusReason: string | null;
  pauseReason: 'COST_LIMIT' | 'CREDITS' | 'LICENSE' | 'OPERATOR' | null;
  execution: number;
  /** The validated request, or null when it is stored under `requestKey`. */
  request: unknown;
  requestKey: string | null;
  fingerprint: string;
  idempotencyKey: string | null;
  submitResponse: unknown;
  /** The workflow run that admitted the job. */
  firstRunId: string;
  unit: 'frame' | 'task' | 'ligand';
  taskTotal: number;
  tasksVerified: number;
  tasksFailed: number;
  /** The number of tasks behind which nothing is to be done any more; null where all tasks are to be done. */
  stoppedAfter: number | null;
  recoveryMode: 'standard' | 'resumable';
  recoveryCount: number;
  effectiveSeed: number | null;
  warnings: unknown;
  /** Whether the service made the job for itself; no customer sees an internal job. */
  internal: boolean;
  /** The version is raised with every change that the customer can see. */
  version: number;
  transition: number;
  cancelRequestedAt: Date | null;
  /** When the object store had no room last for what the job has made. */
  storeFullAt: Date | null;
  cancelReason: string | null;
  submittedAt: Date;
  startedAt: Date | null;
  updatedAt: Date;
  finishedAt: Date | null;
}

/** Table `jobs`. */
export const JobEntity = new EntitySchema<Job>({
  name: 'Job',
  tableName: 'jobs',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    userId: uuid,
    callerKind: nullable(text),
    callerId: nullable(uuid),
    jobType: text,
    jobName: nullable(text),
    simulator: nullable(text),
    toolId: text,
    provider: text,
    status: text,
    statusAt: insertTime,
    statusReason: nullable(text),
    pauseReason: nullable(text),
    execution: defaulted(integer, '1'),
    request: nullable(json),
    requestKey: nullable(text),
    fingerprint: text,
    idempotencyKey: nullable(text),
    submitResponse: json,
    firstRunId: text,
    unit: text,
    taskTotal: integer,
    tasksVerified: defaulted(integer, '0'),
    tasksFailed: defaulted(integer, '0'),
    stoppedAfter: nullable(integer),
    recoveryMode: defaulted(text, "'standard'"),
    recoveryCount: defaulted(integer, '0'),
    effectiveSeed: nullable(integer),
    warnings: defaulted(json, "'[]'"),
    internal: defaulted(boolean, 'false'),
    version: defaulted(bigint, '1'),
    transition: defaulted(integer, '0'),
    cancelRequestedAt: nullable(time),
    storeFullAt: nullable(time),
    cancelReason: nullable(text),
    submittedAt: writeTime,
    startedAt: nullable(time),
    updatedAt: writeTime,
    finishedAt: nullable(time),
  },
});

/** One execution of a job: its own hold, price and settlement. */
export interface JobExecution {
  jobId: string;
  n: number;
  holdId: string;
  /** The frozen offer (`Quote`). */
  quote: unknown;
  estimatedMicro: number;
  currency: string;
  priceBookVersion: string;
  fxRateMicro: number;
  /** The plan by which the workflow works (`JobPlan`). */
  plan: unknown;
  /** The verified tasks that the settlement has charged for (`VerifiedTasks`), and their price; null before. */
  charged: unknown;
  chargedMicro: number | null;
  /** The most that the customer lets this execution hold; null without a limit. */
  limitPence: number | null;
  /** Whether a task is dispatched only when the hold covers the task. */
  coversDispatch: boolean;
  outcome: string | null;
  startedAt: Date;
  settledAt: Date | null;
  /** Whether the execution is settled and its receipt is still to be made. */
  receiptDue: boolean;
}

/** Table `job_executions`. */
export const JobExecutionEntity = new EntitySchema<JobExecution>({
  name: 'JobExecution',
  tableName: 'job_executions',
  columns: {
    jobId: primary(uuid),
    n: primary(integer),
    holdId: uuid,
    quote: json,
    estimatedMicro: bigint,
    currency: text,
    priceBookVersion: text,
    fxRateMicro: bigint,
    plan: nullable(json),
    charged: nullable(json),
    chargedMicro: nullable(bigint),
    limitPence: nullable(bigint),
    coversDispatch: defaulted(boolean, 'false'),
    outcome: nullable(text),
    startedAt: insertTime,
    settledAt: nullable(time),
    receiptDue: defaulted(boolean, 'false'),
  },
});
