/** Removing the files of databases that were removed from the catalogue, or replaced in it. */
import type { DataSource } from 'typeorm';

import { DatabaseEntity } from '../../../entities/databases.ts';
import type { CatalogueEntry } from '../../../entities/databases.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Row } from '../row.ts';
import { Attempts } from '../stored-objects/sweep-attempts.ts';
import { filesOf } from './catalogue.ts';

/**
 * Removes the files of removed databases, then their rows, so that the next round finds what a crash leaves. The files
 * that an open job has pinned stay. All files stay for an hour, because a submit that looked the database up just before the
 * removal may be admitted after the removal.
 */
export async function sweepDatabases({
  db,
  store,
}: {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'remove'>;
}): Promise<void> {
  const attempts = new Attempts();
  const removed = await db.query<Row<CatalogueEntry, 'id' | 'files'>[]>(
    `select d.id, d.files from databases d
     where d.removed_at < now() - interval '1 hour' and not exists (
       select 1 from jsonb_array_elements(d.files) file
       join job_inputs i on i.storage_key = file->>'storageKey' join jobs j on j.id = i.job_id
       where j.finished_at is null)`,
  );
  for (const entry of removed) {
    const keys = filesOf(entry).map(({ storageKey }) => storageKey);
    const gone = await attempts.remove(store, keys);
    if (keys.every((key) => gone.has(key))) await db.getRepository(DatabaseEntity).delete({ id: entry.id });
  }
  attempts.finish('Not every removed database could be swept.');
}
