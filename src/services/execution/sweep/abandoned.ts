/** Jobs that are open in Postgres and that no workflow works on: terminated by hand, or lost with Temporal's database. */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import type { Job } from '../../../../entities/jobs.ts';
import type { Row } from '../../row.ts';

/** An open job without a workflow; its hold and capacity wait for an operator. */
export interface AbandonedJob {
  readonly check: 'open-job-has-workflow';
  readonly subject: string;
  readonly detail: string;
}

/** A workflow that has just ended its job may still be seen as open, and the other way round. */
const QUIET = `finished_at is null and updated_at < now() - interval '5 minutes'`;
const PAGE = 1_000;
const ASKED_AT_ONCE = 16;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type OpenJob = Row<Job, 'id' | 'status'>;

/**
 * Looks at every open job that has been quiet, page by page: paused and queued ones are always the quietest, so no
 * number of them may hide another. `isOpen` asks Temporal for each, by id: what is searched there may lag behind.
 */
export async function abandonedJobs(
  db: DataSource,
  isOpen: (jobId: string) => Promise<boolean>,
): Promise<readonly AbandonedJob[]> {
  const limit = pLimit(ASKED_AT_ONCE);
  const abandoned: AbandonedJob[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const page: readonly OpenJob[] = await db.query(
      `select id, status from jobs where ${QUIET} and id > $1 order by id limit ${String(PAGE)}`,
      [after],
    );
    const answers = await Promise.all(page.map(({ id }) => limit(() => isOpen(id))));
    const missing = page.filter((_job, index) => answers[index] === false).map(({ id }) => id);
    abandoned.push(...(await stillOpen(db, missing)));
    after = page.at(-1)?.id;
  }
  return abandoned;
}

/** Those that have not ended while Temporal was asked. */
async function stillOpen(db: DataSource, ids: readonly string[]): Promise<AbandonedJob[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<OpenJob[]>(
    `select id, status from jobs where id = any($1) and ${QUIET} order by id`,
    [ids],
  );
  return rows.map(({ id, status }) => ({
    check: 'open-job-has-workflow',
    subject: id,
    detail: `${status}, but no workflow runs`,
  }));
}
