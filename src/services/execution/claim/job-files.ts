/**
 * The files of a job as its tasks read them: what it pinned, what its prepare step made (`prepared/…`), what an equal
 * preparation of the account made before (`cached/…`, for the prepare step), and what its verified tasks have written
 * (`outputs/{ordinal}/…`, for the merge).
 */
import type { DataSource } from 'typeorm';

import { ArtifactEntity } from '../../../../entities/storage.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { StagedInput, TaskInput } from '../../../contracts/instance.ts';
import type { WorkKind } from '../../../contracts/job.ts';
import { AppError } from '../../../domain/errors.ts';
import type { FileRange, PreparationIdentity, TaskContext, ToolInputs } from '../../../tools/tool.ts';
import type { LoadedJob } from '../../job-records/request.ts';
import { readPinnedFiles, storedFileOf } from '../../job-records/pinned-files.ts';
import type { StoredFile } from '../../job-records/pinned-files.ts';
import { rowsOf } from '../../transaction.ts';
import { ToolFault } from './tool-fault.ts';

/** Part of a tool that decides about the files of its jobs. */
export interface FileTool {
  readonly inputs: Omit<ToolInputs, 'structures' | 'preparedAs'>;
}

/** The files of one job. */
export interface JobFiles {
  /** Pinned files of the job, by name. */
  readonly pinned: ReadonlyMap<string, StoredFile>;
  /** Finds the context of a task: earlier preparations of the account for the prepare step, and readable tasks for the merge. */
  readonly context: (kind: WorkKind) => Promise<TaskContext>;
  /** Lists the inputs of one task. */
  readonly taskInputs: (
    kind: WorkKind,
    ordinal: number,
    context: TaskContext,
  ) => Promise<readonly TaskInput[]>;
  /**
   * Presigned GETs of the first `most` files by their names, in the order of the names; signed anew when half of their
   * life has passed. All names are looked up, so that a wrong one is found with the first page.
   * @throws ToolFault when the tool named an output that no verified task has.
   */
  readonly inputs: (
    kind: WorkKind,
    names: readonly string[],
    most?: number,
  ) => Promise<readonly StagedInput[]>;
  /** Presigned GETs of what a task has kept, and the tool's names for them; none when the store has not all of it any more. */
  readonly kept: (
    task: { readonly kind: WorkKind; readonly ordinal: number },
    files: readonly KeptFile[],
  ) => Promise<readonly { readonly input: StagedInput; readonly as: string }[]>;
}

/** A file of a checkpoint, as the task's row has it. */
export interface KeptFile extends StoredFile {
  readonly name: string;
}

/** A stored file, or a part of one with the size and the digest of the part. */
interface ReadFile extends StoredFile {
  readonly range?: StagedInput['range'] & object;
}

interface Dependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly urlSeconds: number;
}

const CHECKPOINT = 'checkpoint/';
const PREPARED = 'prepared/';
const CACHED = 'cached/';
const COMMITTED = 'outputs/';

/** Opens the files of a job: pinned files are read now, files of its preparation once the preparation has made them. */
export async function createJobFiles(deps: Dependencies, job: LoadedJob, tool: FileTool): Promise<JobFiles> {
  const { db, store } = deps;
  const { jobId, request } = job;
  const pinned = await readPinnedFiles(db, job, tool);
  const identity = tool.inputs.preparation(request, pinned);
  const sign = createSigner(deps);
  /** The parts of stored files that tasks were told to read, by their names. */
  const ranges = new Map<string, FileRange>();
  let cached: Promise<ReadonlyMap<string, StoredFile>> | null = null;

  const cachedFiles = (kind: WorkKind): Promise<ReadonlyMap<string, StoredFile>> => {
    if (kind !== 'prepare' || identity === null) return Promise.resolve(new Map());
    cached ??= readCached(db, job, identity, tool.inputs.cachedOutputs(request));
    cached.catch(() => (cached = null));
    return cached;
  };

  /** Finds the stored file of each name. A preparation may be done again and is then stored elsewhere: it is looked up anew. */
  const find = async (names: readonly string[], kind: WorkKind): Promise<Map<string, ReadFile>> => {
    const cachedNow = await cachedFiles(kind);
    const isPrepared = (name: string): boolean => !pinned.has(name) && name.startsWith(PREPARED);
    const prepared = names.some(isPrepared) ? await readPrepared(db, jobId) : null;
    const committed = await readCommitted(
      db,
      jobId,
      names.filter((name) => !pinned.has(name) && name.startsWith(COMMITTED)),
    );
    const fileOf = (name: string): ReadFile | undefined =>
      partOf(ranges.get(name), pinned) ??
      pinned.get(name) ??
      committed.get(name) ??
      (name.startsWith(CACHED) ? cachedNow : prepared)?.get(name);
    return new Map(names.map((name) => [name, orMissing(fileOf(name), name)]));
  };

  return {
    pinned,
    async taskInputs(kind, ordinal, context) {
      const wanted = tool.inputs.taskInputs(request, kind, ordinal, context);
      for (const range of wanted.ranges ?? []) ranges.set(range.name, range);
      const made = wanted.prepared.map((name) => `${PREPARED}${name}`);
      const again = [...(await cachedFiles(kind)).keys()];
      const named = [...made, ...again, ...(wanted.committed ?? [])];
      return [...wanted.inputs, ...named.map((name) => ({ from: name, as: name }))];
    },
    async context(kind) {
      return {
        cached: (await cachedFiles(kind)).size > 0,
        staleField: identity?.staleField ?? null,
        verified: kind === 'merge' ? await readVerified(db, jobId) : [],
      };
    },
    async inputs(kind, names, most = names.length) {
      const files = await find([...new Set(names)], kind);
      return Promise.all([...files].slice(0, most).map(([name, file]) => sign(name, file)));
    },
    kept: keptBy(store, sign),
  };
}

/** Signs the files of checkpoints. Where one is missing the task begins again, instead of failing for a missing input. */
function keptBy(store: Pick<ObjectStore, 'head'>, sign: ReturnType<typeof createSigner>): JobFiles['kept'] {
  return async ({ kind, ordinal }, files) => {
    const heads = await Promise.all(files.map(({ storageKey }) => store.head(storageKey)));
    if (heads.includes(null)) return [];
    return Promise.all(
      files.map(async ({ name, ...file }) => ({
        input: await sign(`${CHECKPOINT}${kind}/${String(ordinal)}/${name}`, file),
        as: `${CHECKPOINT}${name}`,
      })),
    );
  };
}

/** The part of a pinned file that a range means. */
function partOf(range: FileRange | undefined, pinned: ReadonlyMap<string, StoredFile>): ReadFile | undefined {
  const file = range === undefined ? undefined : pinned.get(range.of);
  if (range === undefined || file === undefined) return undefined;
  const { start, end, sha256 } = range;
  return { storageKey: file.storageKey, byteSize: end - start, sha256, range: { start, end } };
}

/**
 * Signs a GET, and keeps it for half of its life; what a merge reads is read once, and there may be very much of it. All parts of
 * one object have one address.
 */
function createSigner({ store, urlSeconds }: Dependencies) {
  const signed = new Map<string, { url: string; renewAt: number }>();
  return async (name: string, file: ReadFile): Promise<StagedInput> => {
    const known = signed.get(file.storageKey);
    if (known !== undefined && performance.now() < known.renewAt) return { ...file, name, url: known.url };
    const { url } = await store.signGet(file.storageKey, { expiresInSeconds: urlSeconds });
    if (!name.startsWith(COMMITTED))
      signed.set(file.storageKey, { url, renewAt: performance.now() + (urlSeconds * 1000) / 2 });
    return { ...file, name, url };
  };
}

async function readPrepared(db: DataSource, jobId: string): Promise<ReadonlyMap<string, StoredFile>> {
  const prepared = await db
    .getRepository(ArtifactEntity)
    .findBy({ jobId, taskKind: 'prepare', taskOrdinal: 0 });
  return new Map(prepared.map((artifact) => [`${PREPARED}${artifact.name}`, storedFileOf(artifact)]));
}

async function readVerified(db: DataSource, jobId: string): Promise<readonly number[]> {
  const rows = await rowsOf<Pick<Task, 'ordinal'>>(
    db,
    `select ordinal from tasks where job_id = $1 and kind = 'task' and state = 'SUCCEEDED' order by ordinal`,
    [jobId],
  );
  return rows.map(({ ordinal }) => ordinal);
}

/** The named outputs of verified tasks. @throws ToolFault when there is no such output. */
async function readCommitted(
  db: DataSource,
  jobId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredFile>> {
  if (names.length === 0) return new Map();
  const rows = await rowsOf<Pick<Artifact, 'storageKey' | 'byteSize' | 'sha256' | 'name'>>(
    db,
    `select a.storage_key as "storageKey", a.byte_size as "byteSize", a.sha256, wanted.name
     from (select name, split_part(name, '/', 2) as ordinal, substr(name, length(split_part(name, '/', 2)) + $3) as file
       from unnest($2::text[]) named (name)) wanted
     join artifacts a on a.job_id = $1 and a.task_kind = 'task' and a.task_ordinal::text = wanted.ordinal and a.name = wanted.file
     join tasks t on t.job_id = $1 and t.kind = 'task' and t.ordinal = a.task_ordinal and t.state = 'SUCCEEDED'`,
    [jobId, names, COMMITTED.length + 2],
  );
  const found = new Map(rows.map((row) => [row.name, storedFileOf(row)]));
  const missing = names.find((name) => !found.has(name));
  if (missing !== undefined) throw new ToolFault(`no verified task has ${missing}`);
  return found;
}

/** The outputs of an equal preparation, all of them or none. */
async function readCached(
  db: DataSource,
  { accountId }: LoadedJob,
  { cacheKey }: PreparationIdentity,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const rows = await rowsOf<Pick<Artifact, 'storageKey' | 'byteSize' | 'sha256' | 'name'>>(
    db,
    `select a.storage_key as "storageKey", a.byte_size as "byteSize", a.sha256, a.name from preparations p
     join artifacts a on a.job_id = p.job_id and a.task_ordinal = 0 and a.task_kind = 'prepare'
     where p.account_id = $1 and p.cache_key = $2 and a.name = any($3)`,
    [accountId, cacheKey, names],
  );
  if (rows.length < names.length) return new Map();
  return new Map(rows.map((row) => [`${CACHED}${row.name}`, storedFileOf(row)]));
}

function orMissing(file: ReadFile | undefined, name: string): ReadFile {
  if (file !== undefined) return file;
  throw new AppError('SERVICE_UNAVAILABLE', `The file ${name} of this job is not there yet.`);
}
