/**
 * The files of a job as its tasks read them: what it pinned, what its prepare step made (`prepared/…`), and what an
 * equal preparation of the account made before (`cached/…`, for the prepare step).
 */
import type { DataSource } from 'typeorm';

import { ArtifactEntity } from '../../../../entities/storage.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { StagedInput, TaskInput } from '../../../contracts/instance.ts';
import type { WorkKind } from '../../../contracts/job.ts';
import { AppError } from '../../../domain/errors.ts';
import type { PreparationContext, PreparationIdentity, ToolInputs } from '../../../tools/tool.ts';
import type { LoadedJob } from '../../jobs/request.ts';
import { readPinnedFiles, storedFileOf } from '../../jobs/pinned-files.ts';
import type { StoredFile } from '../../jobs/pinned-files.ts';
import { rowsOf } from '../fence.ts';

/** What the files of a job depend on of its tool. */
export interface FileTool {
  readonly inputs: Omit<ToolInputs, 'structures' | 'preparedAs'>;
}

/** The files of one job. */
export interface JobFiles {
  /** What the job pinned, by name. */
  readonly pinned: ReadonlyMap<string, StoredFile>;
  /** What earlier preparations of the account offer the prepare step. */
  readonly preparationContext: (kind: WorkKind) => Promise<PreparationContext>;
  /** What the tasks read, each file once: presigned GETs, signed anew when half of their life has passed. */
  readonly inputs: (kind: WorkKind, ordinals: readonly number[]) => Promise<readonly StagedInput[]>;
  /** What one task reads, named as in `inputs`. */
  readonly taskInputs: (kind: WorkKind, ordinal: number) => Promise<readonly TaskInput[]>;
}

interface Dependencies {
  readonly database: DataSource;
  readonly store: ObjectStore;
  readonly urlSeconds: number;
}

const PREPARED = 'prepared/';
const CACHED = 'cached/';

/** The job's files; what it pinned is read now, what its preparation made when it is there. */
export async function createJobFiles(
  dependencies: Dependencies,
  job: LoadedJob,
  tool: FileTool,
): Promise<JobFiles> {
  const { database } = dependencies;
  const { jobId, request } = job;
  const pinned = await readPinnedFiles(database, job, tool);
  const identity = tool.inputs.preparation(request, pinned);
  const sign = createSigner(dependencies);
  let cached: Promise<ReadonlyMap<string, StoredFile>> | null = null;

  const cachedFiles = (kind: WorkKind): Promise<ReadonlyMap<string, StoredFile>> => {
    if (kind !== 'prepare' || identity === null) return Promise.resolve(new Map());
    cached ??= readCached(database, job, identity, tool.inputs.cachedOutputs(request));
    cached.catch(() => (cached = null));
    return cached;
  };

  /** Where each name is stored. A preparation may be done again and is then stored elsewhere: it is looked up anew. */
  const find = async (names: readonly string[], kind: WorkKind): Promise<Map<string, StoredFile>> => {
    const cachedNow = await cachedFiles(kind);
    const isPrepared = (name: string): boolean => !pinned.has(name) && name.startsWith(PREPARED);
    const prepared = names.some(isPrepared) ? await readPrepared(database, jobId) : null;
    const fileOf = (name: string): StoredFile | undefined =>
      pinned.get(name) ?? (name.startsWith(CACHED) ? cachedNow : prepared)?.get(name);
    return new Map(names.map((name) => [name, orMissing(fileOf(name), name)]));
  };

  const taskInputs = async (kind: WorkKind, ordinal: number): Promise<readonly TaskInput[]> => {
    const wanted = tool.inputs.taskInputs(request, kind, ordinal);
    const made = wanted.prepared.map((name) => `${PREPARED}${name}`);
    const again = [...(await cachedFiles(kind)).keys()];
    return [...wanted.inputs, ...[...made, ...again].map((name) => ({ from: name, as: name }))];
  };

  return {
    pinned,
    taskInputs,
    async preparationContext(kind: WorkKind): Promise<PreparationContext> {
      return { cached: (await cachedFiles(kind)).size > 0, staleField: identity?.staleField ?? null };
    },
    async inputs(kind: WorkKind, ordinals: readonly number[]): Promise<readonly StagedInput[]> {
      const lists = await Promise.all(ordinals.map((ordinal) => taskInputs(kind, ordinal)));
      const names = [...new Set(lists.flat().map(({ from }) => from))];
      const files = await find(names, kind);
      return Promise.all([...files].map(([name, file]) => sign(name, file)));
    },
  };
}

/** Signs a GET, and keeps it for half of its life. */
function createSigner({ store, urlSeconds }: Dependencies) {
  const signed = new Map<string, { input: StagedInput; renewAt: number }>();
  return async (name: string, file: StoredFile): Promise<StagedInput> => {
    const known = signed.get(name);
    const isSame = known?.input.storageKey === file.storageKey;
    if (known !== undefined && isSame && performance.now() < known.renewAt) return known.input;
    const { url } = await store.signGet(file.storageKey, { expiresInSeconds: urlSeconds });
    const input: StagedInput = { ...file, name, url };
    signed.set(name, { input, renewAt: performance.now() + (urlSeconds * 1000) / 2 });
    return input;
  };
}

async function readPrepared(database: DataSource, jobId: string): Promise<ReadonlyMap<string, StoredFile>> {
  const prepared = await database
    .getRepository(ArtifactEntity)
    .findBy({ jobId, taskKind: 'prepare', taskOrdinal: 0 });
  return new Map(prepared.map((artifact) => [`${PREPARED}${artifact.name}`, storedFileOf(artifact)]));
}

/** The outputs of an equal preparation, all of them or none. */
async function readCached(
  database: DataSource,
  { accountId }: LoadedJob,
  { cacheKey }: PreparationIdentity,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const rows = await rowsOf<Pick<Artifact, 'storageKey' | 'byteSize' | 'sha256' | 'name'>>(
    database,
    `select a.storage_key as "storageKey", a.byte_size as "byteSize", a.sha256, a.name from preparations p
     join artifacts a on a.job_id = p.job_id and a.task_ordinal = 0 and a.task_kind = 'prepare'
     where p.account_id = $1 and p.cache_key = $2 and a.name = any($3)`,
    [accountId, cacheKey, names],
  );
  if (rows.length < names.length) return new Map();
  return new Map(rows.map((row) => [`${CACHED}${row.name}`, storedFileOf(row)]));
}

function orMissing(file: StoredFile | undefined, name: string): StoredFile {
  if (file !== undefined) return file;
  throw new AppError('SERVICE_UNAVAILABLE', `The file ${name} of this job is not there yet.`);
}
