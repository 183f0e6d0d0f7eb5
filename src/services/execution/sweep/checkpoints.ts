/**
 * Checkpoints that no attempt will go on from: those of verified tasks, and those of jobs that ended long ago and were not resumed.
 * Once a day the prefix is looked through for files that no task's row names, as a checkpoint leaves that was cut off.
 */
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { CHECKPOINT_ROOT } from '../../../contracts/names.ts';
import type { KeptFile } from '../claim/job-files.ts';
import { passThrough } from './sweep-pass.ts';

const BATCH = 500;
/** Days for which a job that has ended can be resumed. */
const KEPT_DAYS = 30;
/** A checkpoint of which only the copy is there may still be written to its row. */
const ORPHAN_MS = 3_600_000;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

interface Kept {
  readonly job_id: string;
  readonly kind: string;
  readonly ordinal: number;
  readonly checkpoint: readonly KeptFile[];
}

/** Removes what is not needed any more; the row forgets a checkpoint only when its files are gone. */
export async function sweepCheckpoints(deps: {
  readonly db: DataSource;
  readonly store: ObjectStore;
}): Promise<void> {
  const { db, store } = deps;
  for (let found = BATCH; found === BATCH;) {
    const rows = await db.query<Kept[]>(
      `select t.job_id, t.kind, t.ordinal, t.checkpoint from tasks t join jobs j on j.id = t.job_id
       where t.checkpoint is not null
         and (t.state = 'SUCCEEDED' or j.finished_at < now() - make_interval(days => ${String(KEPT_DAYS)}))
       limit ${String(BATCH)}`,
    );
    await store.remove(rows.flatMap(({ checkpoint }) => checkpoint.map(({ storageKey }) => storageKey)));
    await db.query(
      `update tasks t set checkpoint = null, kept_ms = 0 from unnest($1::uuid[], $2::text[], $3::int[]) as gone (job_id, kind, ordinal)
       where (t.job_id, t.kind, t.ordinal) = (gone.job_id, gone.kind, gone.ordinal)`,
      [rows.map((row) => row.job_id), rows.map((row) => row.kind), rows.map((row) => row.ordinal)],
    );
    found = rows.length;
  }
  await passThrough(db, CHECKPOINT_ROOT, () => sweepOrphans(deps));
}

async function sweepOrphans({
  db,
  store,
}: {
  readonly db: DataSource;
  readonly store: ObjectStore;
}): Promise<void> {
  const before = Date.now() - ORPHAN_MS;
  for await (const page of store.list(CHECKPOINT_ROOT)) {
    const old = page.filter((object) => object.modifiedAt.getTime() < before).map(({ key }) => key);
    if (old.length === 0) continue;
    const jobIds = new Set(old.map((key) => key.slice(CHECKPOINT_ROOT.length).split('/')[0] ?? ''));
    const named = await db.query<{ readonly key: string }[]>(
      `select file ->> 'storageKey' as key from tasks t cross join lateral jsonb_array_elements(t.checkpoint) file
       where t.job_id = any($1::uuid[]) and t.checkpoint is not null`,
      [[...jobIds].filter((id) => UUID.test(id))],
    );
    const known = new Set(named.map(({ key }) => key));
    await store.remove(old.filter((key) => !known.has(key)));
  }
}
