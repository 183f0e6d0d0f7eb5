/**
 * Ids in log lines of the work within which they are written: the request that is answered, the activity that runs, the task of
 * an instance. A piece of work has its ids named once, here; every line that is written within the work, by whatever code, then
 * has the ids. A process's own work (timers, connections) is outside of all work.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The ids of a piece of work: ids, numbers and words of closed lists, and nothing that a customer has written. */
export interface LogFields {
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly operation?: string | undefined;
  readonly accountId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly execution?: number | undefined;
  readonly slot?: number | undefined;
  readonly generation?: number | undefined;
  readonly instanceId?: string | undefined;
  readonly uploadId?: string | undefined;
  readonly exportId?: string | undefined;
  readonly topupId?: string | undefined;
  readonly batchId?: string | undefined;
  readonly runId?: string | undefined;
  readonly workflowId?: string | undefined;
  readonly activityType?: string | undefined;
  readonly attempt?: number | undefined;
  /** Work of an instance: a task, or a step by its kind. */
  readonly kind?: string | undefined;
  readonly ordinal?: number | undefined;
  /** The first tasks of work that is about several. */
  readonly ordinals?: readonly number[] | undefined;
  readonly taskCount?: number | undefined;
  readonly toolId?: string | undefined;
}

type Ask = () => LogFields;

/** Null stands for the outside, which is no part of the work that has led there. */
const around = new AsyncLocalStorage<Ask | null>();

/**
 * Runs work whose lines have these fields, and those of the work around it. Fields that become known while the work runs are
 * given by a function, which is asked at each line. Remains of the work (a pooled connection) keep the function alive, so the
 * function must not hold more than ids.
 */
export function withLogFields<T>(fields: LogFields | Ask, work: () => T): T {
  const own = typeof fields === 'function' ? fields : () => fields;
  const outer = around.getStore() ?? null;
  return around.run(outer === null ? own : () => ({ ...outer(), ...own() }), work);
}

/** Runs what belongs to no piece of work, although it may have been set off within one. */
export function outsideOfWork<T>(run: () => T): T {
  return around.run(null, run);
}

/** Finds the fields of a line that is written here; null outside of all work by `outsideOfWork`, where a line has no trace either. */
export function logFields(): LogFields | null {
  const ask = around.getStore();
  if (ask === null) return null;
  return ask === undefined ? {} : ask();
}
