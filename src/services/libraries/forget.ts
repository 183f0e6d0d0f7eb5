/**
 * Forgets the library of a request that is refused, so that nothing stays of it. Only whoever made the library may forget it, and only
 * while nobody has opened the library since: each opening leaves another time. Everything else is left to the sweep of libraries.
 */
import type { DataSource } from 'typeorm';

import type { LigandLibrary } from '../../../entities/libraries.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Row } from '../row.ts';

/** The copy is noted before it is removed, so the sweep of requests finds a copy that a crash has left. */
const FORGET = `
  with gone as (delete from ligand_libraries l where l.id = $1 and l.used_at = $2::timestamptz
      and not exists (select from docking_batches b where b.library_id = l.id) returning l.id, l.storage_key),
    noted as (insert into stored_requests (request_key, job_id)
      select storage_key, id from gone where storage_key is not null on conflict do nothing)
  select storage_key from gone`;

/** Removes the index and its copy, where this request has made them and no other has opened them. */
export async function forgetLibrary(
  { db, store }: { readonly db: DataSource; readonly store: Pick<ObjectStore, 'remove'> },
  { id, madeAt }: { readonly id: string; readonly madeAt: string | null },
): Promise<void> {
  if (madeAt === null) return;
  const gone = await db.query<Row<LigandLibrary, 'storageKey'>[]>(FORGET, [id, madeAt]);
  const keys = gone.flatMap(({ storage_key: key }) => (key === null ? [] : [key]));
  if (keys.length > 0) await store.remove(keys);
}
