/**
 * Cursors of the log. A cursor carries the number and the id of the last event that was looked at, of whatever account, so that it
 * moves on although nothing happens to the reader's account. Numbers may be given again after a restore of an older state, ids
 * never: a cursor whose row is gone or has another id is refused, because what came after it may be missing.
 */
import type { DataSource } from 'typeorm';

import { AppError } from '../../domain/errors.ts';
import { encodeCursor, readCursor } from '../cursor.ts';
import type { CursorScope } from '../cursor.ts';
import { LOG_START } from './read-events.ts';
import type { LogPosition } from './read-events.ts';

// A cursor belongs to an account and to no query: a reader may choose other types and go on, or follow a stream.
function scopeOf(accountId: string): CursorScope {
  return { list: 'events', accountId, filters: {} };
}

/** The cursor of a place. */
export function cursorOf(accountId: string, { id, publicId }: LogPosition): string {
  return encodeCursor(scopeOf(accountId), [String(id), publicId]);
}

/** The place that a cursor goes on after. @throws VALIDATION_ERROR for a foreign cursor, CURSOR_EXPIRED. */
export async function placeAfter(
  db: DataSource,
  accountId: string,
  cursor: string | undefined,
): Promise<LogPosition> {
  const place = readCursor(scopeOf(accountId), cursor, ['place', 'uuid']);
  if (place === null) return LOG_START;
  const [id, publicId] = place;
  if (publicId === LOG_START.publicId) return LOG_START;
  const known = await db.query<unknown[]>('select 1 from events where id = $1 and public_id = $2', [
    id,
    publicId,
  ]);
  if (known.length > 0) return { id: Number(id), publicId };
  throw new AppError(
    'CURSOR_EXPIRED',
    'cursor: events after it may be missing, because it is older than 30 days or from before a restore. Take the cursor of GET /events?latest=true, read the lists of what you follow, then go on with that cursor.',
  );
}
