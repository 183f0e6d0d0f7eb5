/** Statements that wait for a lock, as the server sees them. */
import type { Database } from '../../src/adapters/database.ts';
import { until } from './until.ts';

/** Waits until this number of statements with this text wait for a lock. */
export async function waitsForLock(db: Database, text: string, count = 1): Promise<void> {
  await until(`${count} × "${text}" waits for a lock`, async () => {
    const rows = await db.query<unknown[]>(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
         and pid <> pg_backend_pid() and strpos(query, $1) > 0`,
      [text],
    );
    return rows.length >= count;
  });
}
