/** The events of an account, as they are stored. */
import type { Database } from '../../src/adapters/database.ts';

/** Type and payload of each event of an account whose type begins with the prefix, in the order in which they were written. */
export function eventsOf(
  db: Pick<Database, 'query'>,
  accountId: string,
  prefix: string,
): Promise<{ type: string; subject: string; payload: unknown }[]> {
  return db.query(
    'select type, subject, payload from events where account_id = $1 and starts_with(type, $2) order by entry',
    [accountId, prefix],
  );
}
