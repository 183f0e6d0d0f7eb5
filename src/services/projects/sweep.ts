/** Removes what deleted projects leave: after thirty days their revisions, their shares, and the contents that nobody else has. */
import type { DataSource } from 'typeorm';

import { inTransaction } from '../transaction.ts';

const KEPT_DAYS = 30;
const PROJECTS_AT_ONCE = 100;

/** Removes projects that were deleted long ago. @returns how many. */
export async function sweepProjects(db: DataSource): Promise<number> {
  return inTransaction(db, async (tx) => {
    const gone = await tx.query<{ readonly id: string; readonly account_id: string }[]>(
      `select id, account_id from molecular_projects where deleted_at < now() - make_interval(days => $1)
       order by deleted_at limit $2 for update skip locked`,
      [KEPT_DAYS, PROJECTS_AT_ONCE],
    );
    const ids = gone.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.query('delete from molecular_receipts where project_id = any($1)', [ids]);
    await tx.query('delete from molecular_shares where project_id = any($1)', [ids]);
    await tx.query(
      `with removed as (delete from molecular_revisions where project_id = any($1) returning account_id, content_sha256)
       delete from molecular_contents c using removed
       where c.account_id = removed.account_id and c.sha256 = removed.content_sha256 and not exists (
         select from molecular_revisions r where r.account_id = c.account_id and r.content_sha256 = c.sha256
           and r.project_id <> all($1))`,
      [ids],
    );
    await tx.query('delete from molecular_projects where id = any($1)', [ids]);
    return ids.length;
  });
}
