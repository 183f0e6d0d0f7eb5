/**
 * Removing answers that nobody has asked for in a month: reports of inspections, and converted files. What is still needed stays: a
 * converted file that a kept revision, an experiment, a registered artifact or a job of the account names. The jobs that have answered
 * stay, as every job does.
 */
import type { DataSource } from 'typeorm';

import type { Artifact } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { OuterRow } from '../row.ts';
import { Attempts } from '../stored-objects/sweep-attempts.ts';

/** How long an answer stays that nobody asks for again. */
const UNUSED_DAYS = 30;
const BATCH = 200;

/** Whether something names a file `f` of the question `i`. Questions that were answered do not need what they read. */
const NEEDED = `
  exists (select from molecular_sources s where s.artifact_id = f.id)
  or exists (select from artifacts o where o.account_id = f.account_id and o.storage_key = f.storage_key and o.id <> f.id)
  or exists (select from docking_experiments e where e.account_id = f.account_id and f.id in (e.receptor_artifact_id, e.ligand_artifact_id))
  or exists (select from jobs u join job_inputs n on n.job_id = u.id and n.storage_key = f.storage_key
    where u.account_id = f.account_id and u.submitted_at >= i.created_at and not (u.internal and u.finished_at is not null))`;

/**
 * The rows go first, together with a note of their objects, so that the sweep of requests finds an object that a crash has left. What is
 * needed is looked at again after as long a time. A question whose job runs stays, however old it is.
 */
const REMOVE = `
  with due as (select i.id, i.job_id, exists (select from artifacts f where f.job_id = i.job_id and (${NEEDED})) as needed
      from inspections i left join jobs j on j.id = i.job_id
      where i.used_at < now() - make_interval(days => $1) and (j.id is null or j.finished_at is not null)
      order by i.used_at limit ${String(BATCH)} for update of i skip locked),
    renewed as (update inspections i set used_at = now() from due where i.id = due.id and due.needed),
    files as (delete from artifacts a using due where a.job_id = due.job_id and not due.needed returning a.storage_key, a.job_id),
    noted as (insert into stored_requests (request_key, job_id) select storage_key, job_id from files on conflict do nothing),
    gone as (delete from inspections i using due where i.id = due.id and not due.needed)
  select due.id, files.storage_key from due left join files on files.job_id = due.job_id`;

interface Swept extends OuterRow<Artifact, 'storageKey'> {
  readonly id: string;
}

/** Removes answers that are unused and not needed. @throws when a file could not be removed; the next sweep of requests tries again. */
export async function sweepInspections({
  db,
  store,
}: {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'remove'>;
}): Promise<void> {
  const attempts = new Attempts();
  for (;;) {
    const swept = await db.query<Swept[]>(REMOVE, [UNUSED_DAYS]);
    await attempts.remove(
      store,
      swept.flatMap(({ storage_key: key }) => (key === null ? [] : [key])),
    );
    if (new Set(swept.map(({ id }) => id)).size < BATCH) break;
  }
  attempts.finish('Not every answer that nobody asks for could be removed.');
}
