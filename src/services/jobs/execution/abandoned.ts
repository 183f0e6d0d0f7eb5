/** Jobs that are open in Postgres and that no workflow works on: terminated by hand, or lost with Temporal's database. */
import type { DataSource } from 'typeorm';

/** An open job without a workflow; its hold and capacity wait for an operator. */
export interface AbandonedJob {
  readonly check: 'open-job-has-workflow';
  readonly subject: string;
  readonly detail: string;
}

/** A workflow that has just ended its job may still be seen as open, and the other way round. */
const QUIET = `interval '5 minutes'`;
const LOOKED_AT = 500;

/** Looks at the open jobs that have been quiet longest. `isOpen` asks Temporal. */
export async function abandonedJobs(
  db: DataSource,
  isOpen: (jobId: string) => Promise<boolean>,
): Promise<readonly AbandonedJob[]> {
  const rows = await db.query<{ id: string; status: string }[]>(
    `select id, status from jobs where finished_at is null and updated_at < now() - ${QUIET}
     order by updated_at limit ${LOOKED_AT}`,
  );
  const abandoned: AbandonedJob[] = [];
  for (const { id, status } of rows) {
    if (await isOpen(id)) continue;
    abandoned.push({
      check: 'open-job-has-workflow',
      subject: id,
      detail: `${status}, but no workflow runs`,
    });
  }
  return abandoned;
}
