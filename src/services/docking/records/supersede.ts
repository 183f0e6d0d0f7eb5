/** The tasks of older runs of a batch whose ligands a newer run has: they count no more as soon as the newer run is planned. */
import type { Tx } from '../../transaction.ts';

/**
 * The older runs of the batch have ended, so nothing else writes their tasks. A job that is no run of a batch marks nothing. The ids come
 * as a list, which PostgreSQL looks up by hash: of rows that were written a moment ago it knows no number, and would compare each with each.
 */
const SUPERSEDE = `
  update tasks older set superseded = true
  from docking_runs own join docking_runs run on run.batch_id = own.batch_id and run.number < own.number
  where own.job_id = $1 and older.job_id = run.job_id and older.kind = 'task' and not older.superseded and older.item_id = any($2::text[])`;

/** Marks what the tasks of a job supersede, which have these ids. */
export async function supersedeOlder(
  tx: Pick<Tx, 'query'>,
  jobId: string,
  itemIds: readonly string[],
): Promise<void> {
  await tx.query(SUPERSEDE, [jobId, itemIds]);
}
