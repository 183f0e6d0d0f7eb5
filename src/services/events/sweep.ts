/** Forgetting events that nobody may ask for any more. */
import type { DataSource } from 'typeorm';

import { numberEvents } from './number-events.ts';

/**
 * Events are kept for this long; a reader that stays away for longer misses some. The newest event of all stays however old it is,
 * so that a reader that has looked at the whole log is not refused for it.
 */
export const EVENT_DAYS = 30;

const BATCH = 1_000;
/** Of one round, for numbering and removing each: 50,000 events, which is more than a minute of writing brings. */
const BATCHES = 50;

// Only the oldest ids are looked at, so a round that finds nothing old reads one batch and not the table.
const REMOVE = `
  with oldest as (
    select entry, at from events
    where id is not null and id < (select max(id) from events where id is not null) order by id limit ${BATCH}
  ), removed as (
    delete from events e using oldest
    where e.entry = oldest.entry and oldest.at < now() - make_interval(days => ${EVENT_DAYS}) returning 1
  )
  select count(*)::int as count from removed`;

/** Numbers what nobody has read, and removes events that are too old, a bounded number of them in a round. */
export async function sweepEvents(db: DataSource, mostBatches = BATCHES): Promise<void> {
  await numberEvents(db, mostBatches);
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const [removed] = await db.query<{ count: number }[]>(REMOVE);
    if (removed?.count !== BATCH) return;
  }
}
