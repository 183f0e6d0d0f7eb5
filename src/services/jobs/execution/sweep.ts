/** What nobody needs any more in the store: staged files, stored requests of refused submits. */
import type { DataSource } from 'typeorm';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { REQUEST_ROOT, STAGING_ROOT } from '../../../contracts/names.ts';

/** Age, in seconds, at which a stored request without a job cannot become one any more. */
const REQUEST_ORPHAN_SECONDS = 3600;

interface Deps {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/** Removes what every instance of a job staged. */
export async function sweepStagingOfJob(store: ObjectStore, jobId: string): Promise<void> {
  for await (const page of store.list(`${STAGING_ROOT}${jobId}/`)) {
    await store.remove(page.map((object) => object.key));
  }
}

/**
 * Removes staged files of ended jobs and fenced generations. A presigned URL cannot be revoked, so what arrives until
 * the last one has expired is found by a later round.
 */
export async function sweepStaging(deps: Deps): Promise<void> {
  for await (const page of deps.store.list(STAGING_ROOT)) {
    const names = page.map((object) => ({ ...object, ...ownerOf(object.key) }));
    const live = await liveGenerations(deps.db, [
      ...new Set(names.flatMap((name) => (name.jobId === null ? [] : [name.jobId]))),
    ]);
    const dead = names.filter((name) => !live.has(`${String(name.jobId)}/${String(name.generation)}`));
    if (dead.length > 0) await deps.store.remove(dead.map((name) => name.key));
  }
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function ownerOf(key: string): { jobId: string | null; generation: string | null } {
  const [jobId, generation] = key.slice(STAGING_ROOT.length).split('/');
  return { jobId: jobId !== undefined && UUID.test(jobId) ? jobId : null, generation: generation ?? null };
}

async function liveGenerations(db: DataSource, jobIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ job_id: string; slot: number; generation: number }[]>(
    `select i.job_id, i.slot, i.generation from instances i join jobs j on j.id = i.job_id
     where i.job_id = any($1) and i.fenced_at is null and j.finished_at is null`,
    [jobIds],
  );
  return new Set(rows.map((row) => `${row.job_id}/${String(row.slot)}.${String(row.generation)}`));
}

/** Removes a refused submit's stored request, unless a job was admitted with it meanwhile. */
export async function removeRefusedRequest(
  { db, store }: Deps,
  request: { jobId: string; requestKey: string },
): Promise<void> {
  const used = await db.query<unknown[]>('select 1 from jobs where id = $1 and request_key = $2', [
    request.jobId,
    request.requestKey,
  ]);
  if (used.length === 0) await store.remove([request.requestKey]);
}

/** Removes stored requests that no job names and that are too old to be admitted. */
export async function sweepRequests({ db, store }: Deps): Promise<void> {
  const before = Date.now() - REQUEST_ORPHAN_SECONDS * 1000;
  for await (const page of store.list(REQUEST_ROOT)) {
    const old = page.filter((object) => object.modifiedAt.getTime() < before).map((object) => object.key);
    if (old.length === 0) continue;
    const used = await db.query<{ request_key: string }[]>(
      'select request_key from jobs where request_key = any($1)',
      [old],
    );
    const named = new Set(used.map((row) => row.request_key));
    await store.remove(old.filter((key) => !named.has(key)));
  }
}
