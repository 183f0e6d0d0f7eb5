/**
 * The one writer of `jobs.status`. The statement that writes the status writes the event of the change too, so an event
 * exists exactly when its change was committed, and both cost one round trip.
 *
 * A status that is written once more with the same reason raises the job's version and is no event: a settlement may be
 * repeated. A job that the service made for itself has no events, because no customer may see the job.
 */
import type { Queryable } from '../transaction.ts';

/** The kind of an event that tells of a job's new status; the payload is `{ status, reason }`, the subject the job. */
export const JOB_STATUS_EVENT = 'job.status';

/** Of a reason that an event carries; statuses show the whole of it. */
const REASON_CHARACTERS = 500;

/**
 * The text of a statement that writes the status of one job and the event of the change; each caller makes the text once.
 * `change` is an INSERT or UPDATE of `jobs` without RETURNING; `$1` is the id of the job. An UPDATE must name `before` in
 * its FROM clause and join `before` by `job_id`: the row is then locked before it changes, and `before` is what the row
 * really was. `also` has further parts of the same statement, each starting with a comma; `moved` is the row as the change
 * left it.
 */
export function statusChange(change: string, also = ''): string {
  return `with before as (
      select id as job_id, status as former, status_reason as former_reason from jobs where id = $1 for no key update
    ), moved as (
      ${change} returning id, account_id, status, status_reason, internal
    ), event as (
      insert into events (account_id, kind, subject, payload)
      select moved.account_id, '${JOB_STATUS_EVENT}', moved.id,
        jsonb_build_object('status', moved.status, 'reason', left(moved.status_reason, ${REASON_CHARACTERS}))
      from moved left join before on before.job_id = moved.id
      where not moved.internal and (before.job_id is null
        or (before.former, before.former_reason) is distinct from (moved.status, moved.status_reason))
    )${also}
    select id from moved`;
}

/**
 * Writes the status of a job and the event of the change by a text of `statusChange`. The caller announces the job once the
 * change is committed.
 * @returns whether the change found its row.
 */
export async function writeJobStatus(
  db: Queryable,
  text: string,
  parameters: readonly unknown[],
): Promise<boolean> {
  const moved = await db.query<unknown[]>(text, [...parameters]);
  return moved.length > 0;
}
