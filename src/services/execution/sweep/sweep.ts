/**
 * Removal of objects that nobody needs any more: staged files, stored requests of refused submits. A round looks where rows say
 * that something is due, so it costs what there is to clear away and not what there is; once a day it looks through everything,
 * for what no row knows.
 */
import pLimit from 'p-limit';
import { Any } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { Instance } from '../../../../entities/instances.ts';
import { JobEntity } from '../../../../entities/jobs.ts';
import type { StoredRequest } from '../../../../entities/sweep.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { REQUEST_ROOT, STAGING_ROOT, stagingPrefix } from '../../../contracts/names.ts';
import type { Row } from '../../row.ts';
import { Attempts } from '../../stored-objects/sweep-attempts.ts';
import { passThrough, removeUnder } from './sweep-pass.ts';

/** Age, in seconds, at which a stored request without a job cannot become one any more. */
const REQUEST_ORPHAN_SECONDS = 3600;
/** A PUT that began while its URL was valid may end later than that. */
const LATE_PUT_SECONDS = 900;
const BATCH = 500;
const LOOKS_AT_ONCE = 8;

interface Deps {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/** The database and the store of a sweep of `staging/`, and how long its upload addresses stay valid. */
export interface StagingSweep extends Deps {
  /** Life of the URLs with which instances store what they stage. */
  readonly stagingUrlSeconds: number;
}

/** Removes what every instance of a job staged. */
export async function sweepStagingOfJob(store: ObjectStore, jobId: string): Promise<void> {
  await removeUnder(store, `${STAGING_ROOT}${jobId}/`);
}

/**
 * Removes what fenced generations staged, those of ended jobs among them. A presigned URL cannot be revoked, so each
 * generation is looked at again after twice its age since the fence, until it was once after its last URL had ended:
 * few looks, and what arrives late is gone before it is twice as late. One that cannot be swept stays due.
 */
export async function sweepStaging(sweep: StagingSweep): Promise<void> {
  const attempts = new Attempts();
  await attempts.run(() => sweepDue(sweep, attempts));
  await attempts.run(() => passThrough(sweep.db, STAGING_ROOT, () => sweepAllStaging(sweep)));
  attempts.finish('Not all of the staging could be swept.');
}

interface DueGeneration extends Row<Instance, 'jobId' | 'slot' | 'generation'> {
  readonly due_at: string;
  readonly is_last: boolean;
}

async function sweepDue({ db, store, stagingUrlSeconds }: StagingSweep, attempts: Attempts): Promise<void> {
  const limit = pLimit(LOOKS_AT_ONCE);
  const look = async (due: DueGeneration): Promise<void> => {
    const { job_id: jobId, slot, generation, is_last: isLast } = due;
    await removeUnder(store, stagingPrefix(jobId, slot, generation));
    await db.query(
      `update instances set staging_due_at = case when $4 then null else now() + (now() - fenced_at) end
       where job_id = $1 and slot = $2 and generation = $3`,
      [jobId, slot, generation, isLast],
    );
  };
  const [begun] = await db.query<{ at: string }[]>('select now()::text as at');
  let after = ['-infinity', '00000000-0000-0000-0000-000000000000', 0, 0];
  for (let found = BATCH; found === BATCH;) {
    const rows = await db.query<DueGeneration[]>(
      `select job_id, slot, generation, staging_due_at::text as due_at,
         fenced_at < now() - make_interval(secs => $2) as is_last
       from instances where fenced_at is not null and staging_due_at <= $1::timestamptz
         and (staging_due_at, job_id, slot, generation) > ($3::timestamptz, $4::uuid, $5::int, $6::int)
       order by staging_due_at, job_id, slot, generation limit ${String(BATCH)}`,
      [begun?.at, stagingUrlSeconds + LATE_PUT_SECONDS, ...after],
    );
    await Promise.all(
      rows.map((row) => limit(() => attempts.run(() => look(row), `staging of job ${row.job_id}`))),
    );
    const last = rows.at(-1);
    if (last !== undefined) after = [last.due_at, last.job_id, last.slot, last.generation];
    found = rows.length;
  }
}

/** Removes whatever is staged and belongs to no generation that may still act. */
async function sweepAllStaging(deps: Deps): Promise<void> {
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
  const rows = await db.query<Row<Instance, 'jobId' | 'slot' | 'generation'>[]>(
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
  const { jobId: id, requestKey } = request;
  if (!(await db.getRepository(JobEntity).existsBy({ id, requestKey }))) await store.remove([requestKey]);
}

/** Removes stored requests that no job names and that are too old to be admitted. */
export async function sweepRequests(deps: Deps): Promise<void> {
  const attempts = new Attempts();
  await attempts.run(() => sweepOldRequests(deps, attempts));
  await attempts.run(() => passThrough(deps.db, REQUEST_ROOT, () => sweepAllRequests(deps)));
  attempts.finish('Not all stored requests could be swept.');
}

interface OldRequest extends Row<StoredRequest, 'requestKey'> {
  readonly is_used: boolean;
}

async function sweepOldRequests({ db, store }: Deps, attempts: Attempts): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const old: readonly OldRequest[] = await db.query(
      `select request_key, exists (select from jobs j where j.id = r.job_id and j.request_key = r.request_key)
         or exists (select from ligand_libraries l where l.id = r.job_id and l.storage_key = r.request_key)
         or exists (select from docking_batches b cross join lateral jsonb_array_elements(b.sample_admissions) s
           where b.sample_admissions is not null and s ->> 'requestKey' = r.request_key) as is_used
       from stored_requests r where stored_at < now() - make_interval(secs => $1) and request_key > $2
       order by request_key limit ${String(BATCH)}`,
      [REQUEST_ORPHAN_SECONDS, after],
    );
    const unused = old.filter((row) => !row.is_used).map((row) => row.request_key);
    const gone = await attempts.remove(store, unused);
    const done = old.filter((row) => row.is_used || gone.has(row.request_key)).map((row) => row.request_key);
    await db.query('delete from stored_requests where request_key = any($1)', [done]);
    after = old.at(-1)?.request_key;
  }
}

/** Requests of jobs that dock a sample again and have not begun, which may be long after their batch was asked for. */
const OF_SAMPLES = `
  select s ->> 'requestKey' as key from docking_batches b cross join lateral jsonb_array_elements(b.sample_admissions) s
  where b.sample_admissions is not null and s ->> 'requestKey' = any($1)`;

async function sweepAllRequests({ db, store }: Deps): Promise<void> {
  const before = Date.now() - REQUEST_ORPHAN_SECONDS * 1000;
  for await (const page of store.list(REQUEST_ROOT)) {
    const old = page.filter((object) => object.modifiedAt.getTime() < before).map((object) => object.key);
    if (old.length === 0) continue;
    const jobs = await db
      .getRepository(JobEntity)
      .find({ select: { id: true, requestKey: true }, where: { requestKey: Any(old) } });
    const kept = await db.query<{ key: string }[]>(OF_SAMPLES, [old]);
    const named = new Set([...jobs.map((job) => job.requestKey), ...kept.map(({ key }) => key)]);
    await store.remove(old.filter((key) => !named.has(key)));
  }
}
