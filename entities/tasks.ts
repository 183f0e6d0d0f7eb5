/** Tasks and steps of a job, and where their logs are kept. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  boolean,
  defaulted,
  integer,
  json,
  nullable,
  primary,
  real,
  text,
  time,
  uuid,
} from './columns.ts';

/** A task of a job, or a step of a job, which is not counted as a task. */
export interface Task {
  jobId: string;
  kind: 'task' | 'prepare' | 'control' | 'merge' | 'finish';
  ordinal: number;
  /** The ligand id, frame number or index. */
  itemId: string;
  state: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  execution: number;
  attempts: number;
  /** Attempts lost to infrastructure. */
  losses: number;
  /** Losses in which the system killed the tool, or the tool's session died during the preparation. */
  kills: number;
  slot: number | null;
  generation: number | null;
  progressPercent: number;
  /** A small summary that the tool wrote. */
  summary: unknown;
  failureCode: string | null;
  failureMessage: string | null;
  logBytes: number;
  /** The price class of the task in the job's quote; null where the quote has one class only. */
  priceClass: string | null;
  /** One run of the tool at the present attempt of a task that is measured, and its times by the database's clock. */
  toolRun: string | null;
  toolStartedAt: Date | null;
  toolEndedAt: Date | null;
  /** The milliseconds of the verified attempt that are charged; null where nothing is measured. */
  meteredMs: number | null;
  /**
   * The execution that has charged for the task, where the task was set back since; 0 where an earlier result stands for the task,
   * which nobody is charged for; null for every other task.
   */
  chargedIn: number | null;
  /** The execution whose hold covers the task, where executions cover tasks before they are dispatched. */
  coveredIn: number | null;
  /** The milliseconds of uncharged work that the hold of that execution covers; null where nothing is measured. */
  coveredMs: number | null;
  /** The milliseconds of the task's work that executions which paused have charged. */
  paidMs: number;
  /** Whether a newer run of the same batch has the ligand, so that what this task has found of the ligand counts no more. */
  superseded: boolean;
  /** By what an earlier result of the account is found that is the result of this task; null before it is known. */
  reuseKey: string | null;
  /** Checkpoint that the next attempt goes on from; null where the task has kept nothing. */
  checkpoint: unknown;
  checkpointAt: Date | null;
  /** The milliseconds of the tool's runs whose work the checkpoint holds; 0 where nothing is measured. */
  keptMs: number;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** Table `tasks`. */
export const TaskEntity = new EntitySchema<Task>({
  name: 'Task',
  tableName: 'tasks',
  columns: {
    jobId: primary(uuid),
    kind: primary(text),
    ordinal: primary(integer),
    itemId: text,
    state: defaulted(text, "'PENDING'"),
    execution: defaulted(integer, '1'),
    attempts: defaulted(integer, '0'),
    losses: defaulted(integer, '0'),
    kills: defaulted(integer, '0'),
    slot: nullable(integer),
    generation: nullable(integer),
    progressPercent: defaulted(real, '0'),
    summary: nullable(json),
    failureCode: nullable(text),
    failureMessage: nullable(text),
    logBytes: defaulted(bigint, '0'),
    priceClass: nullable(text),
    toolRun: nullable(uuid),
    toolStartedAt: nullable(time),
    toolEndedAt: nullable(time),
    meteredMs: nullable(bigint),
    chargedIn: nullable(integer),
    coveredIn: nullable(integer),
    coveredMs: nullable(bigint),
    paidMs: defaulted(bigint, '0'),
    superseded: defaulted(boolean, 'false'),
    reuseKey: nullable(text),
    checkpoint: nullable(json),
    checkpointAt: nullable(time),
    keptMs: defaulted(bigint, '0'),
    startedAt: nullable(time),
    finishedAt: nullable(time),
  },
});

/** A stored chunk of a task's log. */
export interface TaskLogChunk {
  jobId: string;
  kind: Task['kind'];
  ordinal: number;
  attempt: number;
  fromByte: number;
  /** The place after the last byte of the chunk. */
  toByte: number;
  storageKey: string;
}

/** Table `task_logs`. */
export const TaskLogChunkEntity = new EntitySchema<TaskLogChunk>({
  name: 'TaskLogChunk',
  tableName: 'task_logs',
  columns: {
    jobId: primary(uuid),
    kind: primary(text),
    ordinal: primary(integer),
    attempt: primary(integer),
    fromByte: primary(bigint),
    toByte: bigint,
    storageKey: text,
  },
});
