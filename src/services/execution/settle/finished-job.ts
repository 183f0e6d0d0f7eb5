/**
 * A job whose tasks have ended, as a tool sees the job when the tool makes the files of the end: page by page, because ten
 * thousand tasks with what instances have told may be more than the worker has memory. All pages are read in the caller's
 * transaction, so that they show one state of the job.
 */
import type { FinishedJob, FinishedTask } from '../../../tools/finished.ts';
import type { Queryable } from '../../transaction.ts';

const PAGE = 1_000;

/**
 * SQL: the state of a task whose job ends. The files of the end are made before the settlement cancels what nobody decided; instances
 * are fenced by then, so nobody decides it any more.
 */
export const ENDED_STATE = `case when state in ('PENDING', 'RUNNING') then 'CANCELLED' else state end as state`;

/** SQL: those numbers and digests of the summary of task `t` that parameter `$2` names. */
export const ASKED_VALUES = `(select jsonb_object_agg(key, value) from jsonb_each(t.summary)
      where key = any($2::text[]) and (jsonb_typeof(value) = 'number' or value #>> '{}' ~ '^[0-9a-f]{64}$')) as summary`;

/** The steps of a job. */
export function finishedSteps(tx: Queryable, jobId: string): Promise<FinishedTask[]> {
  return tx.query(
    `select kind, ordinal, item_id as "itemId", ${ENDED_STATE}, failure_code as "failureCode", summary, false as "isDocked"
     from tasks where job_id = $1 and kind not in ('task', 'finish') order by kind, ordinal`,
    [jobId],
  );
}

const TASKS = `
  select t.kind, t.ordinal, t.item_id as "itemId", ${ENDED_STATE}, t.failure_code as "failureCode", ${ASKED_VALUES},
    false as "isDocked"
  from tasks t where t.job_id = $1 and t.kind = 'task' and t.ordinal > $3::int order by t.ordinal limit $4::int`;

/** A job of which nothing is known but its tasks. */
export async function plainFinishedJob(
  tx: Queryable,
  { jobId, numbers }: { readonly jobId: string; readonly numbers: readonly string[] },
): Promise<FinishedJob> {
  const tasksAfter = (after: FinishedTask | null): Promise<FinishedTask[]> =>
    tx.query(TASKS, [jobId, numbers, after?.ordinal ?? -1, PAGE]);
  return {
    steps: await finishedSteps(tx, jobId),
    propertyNames: [],
    tasks: () => allOf(PAGE, tasksAfter),
    docked: () => allOf(PAGE, () => Promise.resolve([])),
  };
}

/** The rows of all pages, one after the other; the page after the last row of all is not asked for. */
export async function* allOf<T>(
  page: number,
  read: (after: T | null) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  let after: T | null = null;
  for (;;) {
    const rows: readonly T[] = await read(after);
    yield* rows;
    after = rows.at(-1) ?? null;
    if (after === null || rows.length < page) return;
  }
}
