/** Removing reports that are too old to answer a question. The jobs of the inspections stay, as every job does; so do converted files, which revisions may name. */
import type { DataSource } from 'typeorm';

import type { Inspection } from '../../../entities/inspections.ts';
import type { Artifact } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Row } from '../row.ts';
import { Attempts } from '../stored-objects/sweep-attempts.ts';
import { REPORT_DAYS } from './inspect.ts';

const BATCH = 200;

interface Old extends Row<Inspection, 'id' | 'jobId'> {
  readonly storage_keys: readonly Artifact['storageKey'][];
}

/**
 * Removes old inspections: the objects first, then the rows that name the objects, so that the next round finds what a
 * crash leaves. An inspection that still runs stays, however old it is.
 */
export async function sweepInspections({
  db,
  store,
}: {
  readonly db: DataSource;
  readonly store: ObjectStore;
}): Promise<void> {
  const attempts = new Attempts();
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
    const old: readonly Old[] = await db.query<Old[]>(
      `select i.id, i.job_id, array(select storage_key from artifacts a where a.job_id = i.job_id) as storage_keys
       from inspections i left join jobs j on j.id = i.job_id
       where i.kind = 'inspection' and i.created_at < now() - make_interval(days => $1) and (j.id is null or j.finished_at is not null) and i.id > $2
       order by i.id limit ${String(BATCH)}`,
      [REPORT_DAYS, after],
    );
    const gone = await attempts.remove(
      store,
      old.flatMap((row) => row.storage_keys),
    );
    const done = old.filter((row) => row.storage_keys.every((key) => gone.has(key)));
    await db.query('delete from artifacts where job_id = any($1)', [done.map((row) => row.job_id)]);
    await db.query('delete from inspections where id = any($1)', [done.map((row) => row.id)]);
    after = old.at(-1)?.id;
  }
  attempts.finish('Not every old inspection could be removed.');
}
