/**
 * The protocol between the compute worker and a session of a tool: one JSON object a line, from worker to tool on file
 * descriptor 3, from tool to worker on descriptor 4. Standard output and standard error are log only, so no text that a
 * tool prints can be taken for progress. A session does one task at a time.
 */
import type { WorkKind } from '../contracts/job.ts';

/** The variable that tells a session on how many vCPUs it may compute. */
export const SLOT_VCPUS = 'DOCKYARD_SLOT_VCPUS';

/**
 * Worker to session. `folder` is the task's own work folder (exists, empty), outputs go to `folder/out`; `inputs` are
 * the absolute paths of the task's files by name, read-only and kept as long as the session lives.
 */
export type SessionRequest =
  | {
      readonly type: 'open';
      readonly spec: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'task';
      readonly id: string;
      readonly kind: WorkKind;
      readonly itemId: string;
      readonly attempt: number;
      readonly folder: string;
      readonly spec: Readonly<Record<string, unknown>>;
      readonly inputs: Readonly<Record<string, string>>;
      /**
       * For how long a task that keeps checkpoints runs on before it is handed back at one: a session plans its checkpoints so that the
       * last one fits, because work behind it may be paid by nobody. Absent where nothing ends the leg.
       */
      readonly legSeconds?: number;
      /** The trace that the task belongs to; absent where there is none. */
      readonly traceparent?: string;
    }
  /** Sent after each `checkpoint` of the present task: whether the files are kept. */
  | { readonly type: 'kept'; readonly id: string; readonly isKept: boolean };

/** Session to worker. Paths are relative to `folder/out`. */
export type SessionMessage =
  | { readonly type: 'ready' }
  /**
   * The task's own work begins, after the start of the program and the reading of the inputs: the seconds of a measured task count from
   * here. Sent once at most, before any checkpoint; a task without it counts from the moment at which the session was given it.
   */
  | { readonly type: 'working'; readonly id: string }
  /**
   * The task can go on from these files: its next attempt gets the last ones that were kept as the inputs `checkpoint/{path}`. The files
   * stay as they are until `kept` has come; a checkpoint that comes before is not kept.
   */
  | { readonly type: 'checkpoint'; readonly id: string; readonly files: readonly string[] }
  | { readonly type: 'progress'; readonly id: string; readonly percent: number }
  | {
      readonly type: 'done';
      readonly id: string;
      readonly outputs: readonly {
        readonly path: string;
        readonly kind: string;
        readonly mediaType: string;
        readonly format: string | null;
      }[];
      readonly summary: Readonly<Record<string, unknown>> | null;
    }
  | { readonly type: 'failed'; readonly id: string; readonly code: string; readonly message: string };
