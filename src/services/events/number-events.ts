/**
 * The order in which events are read one after the other without missing one. A number that a transaction draws before it commits cannot be followed:
 * a reader that has seen 10 would miss the 9 of a transaction that commits later. So an event gets its id after its transaction
 * has committed, from one numberer at a time, which holds a lock until its ids can be seen. A reader that sees an id therefore
 * sees all smaller ones, for ever; a reader goes on after the greatest id that it has seen.
 *
 * The tail of each API process numbers what it is about to read, and the sweep numbers what nobody reads; writers of events take no lock and wait
 * for nobody. A transaction that stays open delays its own events only. Ids are plain numbers of a sequence, so they go on after
 * a dump is restored. Some numbers are never used. Events of one job have ids in the order in which they happened.
 */
import type { DataSource } from 'typeorm';

import { inTransaction } from '../transaction.ts';

/** Events that are numbered in one transaction. */
const BATCH = 1_000;

// A statement of its own, so that the next one sees what was committed while this one waited.
const LOCK = `select pg_advisory_xact_lock(hashtextextended('dockyard.events', 0))`;

// The numbers are drawn in the order of the rows below: a job's later event was written after its earlier one had been
// committed, so it has a greater entry.
const NUMBER = `
  with drawn as materialized (
    select entry, nextval('events_ids') as id
    from (select entry from events where id is null order by entry limit ${BATCH}) waiting
  ), numbered as (
    update events e set id = drawn.id from drawn where e.entry = drawn.entry returning 1
  )
  select count(*)::int as count from numbered`;

/**
 * Gives an id to every event that was committed before this call, or to the oldest of them when `mostBatches` batches do
 * not suffice. Safe to run at any time, in any number of processes.
 */
export async function numberEvents(db: DataSource, mostBatches = Number.POSITIVE_INFINITY): Promise<void> {
  const [row] = await db.query<{ found: boolean }[]>(
    'select exists (select from events where id is null) as found',
  );
  if (row?.found !== true) return;
  for (let batch = 0; batch < mostBatches; batch += 1) if ((await numberBatch(db)) < BATCH) return;
}

async function numberBatch(db: DataSource): Promise<number> {
  return inTransaction(db, async (tx) => {
    await tx.query(LOCK);
    const [numbered] = await tx.query<{ count: number }[]>(NUMBER);
    return numbered?.count ?? 0;
  });
}
