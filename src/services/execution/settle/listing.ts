/**
 * The artifacts of a job against the objects that the store lists, page by page: of a job with a hundred thousand outputs neither
 * the rows nor the objects are ever in memory together. One number for each task is remembered: how many of its objects were
 * listed as their artifacts say; only the artifacts of tasks that lack some are looked at one by one.
 */
import { Any } from 'typeorm';
import type { DataSource } from 'typeorm';

import { JobEntity } from '../../../../entities/jobs.ts';
import { ArtifactEntity } from '../../../../entities/storage.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { jobPrefix } from '../../../contracts/names.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import type { Row } from '../../row.ts';

interface Dependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

interface OwnedJob {
  readonly jobId: string;
  readonly accountId: string;
}

/** Task or step of an artifact, by kind and ordinal. */
type Place = Row<Artifact, 'taskKind' | 'taskOrdinal'>;
type NamedObject = Place & Row<Artifact, 'storageKey' | 'byteSize'>;

/** Tasks whose artifacts are read at once. */
const TASKS_AT_ONCE = 1_000;
/** Heads of objects that are asked for at once. */
const HEADS_AT_ONCE = 16;
/** Strays that are kept until they are removed together. */
const STRAYS_AT_ONCE = 1_000;
/** Stands for the size of a listed object that an artifact names. */
const NAMED = -1;

/**
 * The keys of artifacts whose objects are not there, or have another size: the store did not list the object, and was asked
 * for it once more. Objects that no artifact names are removed.
 */
export async function missingObjects(deps: Dependencies, jobId: string): Promise<readonly string[]> {
  const job = await ownedJob(deps.db, jobId);
  const tally = await readListing(deps, job);
  const [named] = await deps.db.query<{ readonly artifacts: number; readonly last: number | null }[]>(
    'select count(*)::int as artifacts, max(task_ordinal) as last from artifacts where job_id = $1',
    [jobId],
  );
  if (named === undefined || named.artifacts === tally.sum) return [];
  const missing: string[] = [];
  for (let from = 0; from <= (named.last ?? 0); from += TASKS_AT_ONCE) {
    const rows = await namedObjects(deps.db, jobId, from);
    for (const key of await gone(deps.store, suspects(rows, tally))) missing.push(key);
  }
  return missing;
}

/** Removes objects of the job that no artifact names: copies of commits that did not live to the end of theirs. */
export async function clearStrays(deps: Dependencies, jobId: string): Promise<void> {
  await readListing(deps, await ownedJob(deps.db, jobId));
}

async function ownedJob(db: DataSource, jobId: string): Promise<OwnedJob> {
  const job = await db
    .getRepository(JobEntity)
    .findOne({ select: { id: true, accountId: true }, where: { id: jobId } });
  if (job === null) throw invariantBroken(`job ${jobId} does not exist`);
  return { jobId, accountId: job.accountId };
}

/** Reads the whole listing, removes its strays, and answers how many objects of each task are as their artifacts say. */
async function readListing({ db, store }: Dependencies, job: OwnedJob): Promise<Tally> {
  const tally = new Tally();
  let strays: string[] = [];
  for await (const page of store.list(jobPrefix(job.accountId, job.jobId))) {
    const sizes = new Map(page.map(({ key, byteSize }) => [key, byteSize]));
    for (const row of await namedIn(db, job, [...sizes.keys()])) {
      if (sizes.get(row.storage_key) === row.byte_size) tally.add(row);
      sizes.set(row.storage_key, NAMED);
    }
    for (const [key, size] of sizes) if (size !== NAMED) strays.push(key);
    if (strays.length < STRAYS_AT_ONCE) continue;
    await removeUnnamed({ db, store }, job.accountId, strays);
    strays = [];
  }
  await removeUnnamed({ db, store }, job.accountId, strays);
  return tally;
}

/** The artifacts of the job under these keys. */
function namedIn(db: DataSource, job: OwnedJob, keys: readonly string[]): Promise<NamedObject[]> {
  return db.query(
    `select task_kind, task_ordinal, storage_key, byte_size from artifacts
     where account_id = $1 and storage_key = any($3) and job_id = $2`,
    [job.accountId, job.jobId, keys],
  );
}

/** The artifacts of the next tasks; those of steps have the ordinal 0. */
function namedObjects(db: DataSource, jobId: string, from: number): Promise<NamedObject[]> {
  return db.query(
    `select task_kind, task_ordinal, storage_key, byte_size from artifacts
     where job_id = $1 and task_ordinal >= $2 and task_ordinal < $3`,
    [jobId, from, from + TASKS_AT_ONCE],
  );
}

/** The artifacts of tasks of which fewer objects were listed than they have artifacts. */
function suspects(rows: readonly NamedObject[], tally: Tally): NamedObject[] {
  const named = new Tally();
  for (const row of rows) named.add(row);
  return rows.filter((row) => tally.of(row) < named.of(row));
}

/** The keys of those that the store has not, or has in another size. */
async function gone(store: ObjectStore, rows: readonly NamedObject[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let from = 0; from < rows.length; from += HEADS_AT_ONCE) {
    const some = rows.slice(from, from + HEADS_AT_ONCE);
    const heads = await Promise.all(some.map((row) => store.head(row.storage_key)));
    for (const [index, row] of some.entries())
      if (heads[index]?.byteSize !== row.byte_size) missing.push(row.storage_key);
  }
  return missing;
}

/** Removes objects that no artifact names. The names are read once more, because a commit may have ended since. */
async function removeUnnamed(
  { db, store }: Dependencies,
  accountId: string,
  strays: readonly string[],
): Promise<void> {
  if (strays.length === 0) return;
  const named = await db.getRepository(ArtifactEntity).find({
    select: { id: true, storageKey: true },
    where: { accountId, storageKey: Any(strays) },
  });
  const kept = new Set(named.map((artifact) => artifact.storageKey));
  const unnamed = strays.filter((key) => !kept.has(key));
  if (unnamed.length > 0) await store.remove(unnamed);
}

/** How many objects of each task were found; of the tasks only a number each. */
class Tally {
  private readonly steps = new Map<Place['task_kind'], number>();
  private tasks = new Uint32Array(TASKS_AT_ONCE);
  private total = 0;

  /** How many were found of all tasks and steps. */
  get sum(): number {
    return this.total;
  }

  of({ task_kind: kind, task_ordinal: ordinal }: Place): number {
    return (kind === 'task' ? this.tasks[ordinal ?? 0] : this.steps.get(kind)) ?? 0;
  }

  add(place: Place): void {
    const { task_kind: kind, task_ordinal: ordinal } = place;
    const found = this.of(place) + 1;
    this.total += 1;
    if (kind !== 'task') this.steps.set(kind, found);
    else this.tasksUpTo(ordinal ?? 0)[ordinal ?? 0] = found;
  }

  private tasksUpTo(ordinal: number): Uint32Array {
    if (ordinal < this.tasks.length) return this.tasks;
    const longer = new Uint32Array(Math.max(ordinal + 1, this.tasks.length * 2));
    longer.set(this.tasks);
    return (this.tasks = longer);
  }
}
