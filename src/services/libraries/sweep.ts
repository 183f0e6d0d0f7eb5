/**
 * Removing libraries that no batch names: of a batch that was refused, or was never asked for. A library is kept for a while after it
 * was opened last, because a batch that is being admitted may be about to name it. The row goes first, together with a note of the
 * copy, so that the sweep of requests finds a copy that a crash has left. Libraries of batches stay as long as their batches do.
 */
import type { DataSource } from 'typeorm';

import type { LigandLibrary } from '../../../entities/libraries.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Row } from '../row.ts';
import { Attempts } from '../stored-objects/sweep-attempts.ts';

/** How long a library stays that no batch names. */
export const UNUSED_DAYS = 1;
const BATCH = 100;

const REMOVE = `
  with idle as (select l.id, l.storage_key from ligand_libraries l
      where l.used_at < now() - make_interval(days => $1) and not exists (select from docking_batches b where b.library_id = l.id)
      order by l.id limit ${String(BATCH)} for update skip locked),
    noted as (insert into stored_requests (request_key, job_id)
      select storage_key, id from idle where storage_key is not null on conflict do nothing),
    gone as (delete from ligand_libraries l using idle where l.id = idle.id)
  select storage_key from idle`;

/** Removes libraries that no batch names. @throws when a copy could not be removed; the next sweep of requests tries again. */
export async function sweepLibraries({
  db,
  store,
}: {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'remove'>;
}): Promise<void> {
  const attempts = new Attempts();
  for (;;) {
    const gone = await db.query<Row<LigandLibrary, 'storageKey'>[]>(REMOVE, [UNUSED_DAYS]);
    await attempts.remove(
      store,
      gone.flatMap(({ storage_key: key }) => (key === null ? [] : [key])),
    );
    if (gone.length < BATCH) break;
  }
  attempts.finish('Not every library that no batch names could be removed.');
}
