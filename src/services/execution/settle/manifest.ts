/**
 * Files that the control side makes at the end, never charged: `manifest.json` with every verified output, size and digest, and
 * those that the tool makes of all tasks.
 */
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { JobEntity } from '../../../../entities/jobs.ts';
import type { Job } from '../../../../entities/jobs.ts';
import { ArtifactEntity } from '../../../../entities/storage.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { ObjectStore, StreamedBody } from '../../../adapters/storage/storage.ts';
import { committedKey } from '../../../contracts/names.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import { isTerminal } from '../../../domain/job-state.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import type { FinishedJob, FinishedTask, FinishFile } from '../../../tools/finished.ts';
import { insertIfNew } from '../../insert-if-new.ts';
import type { Row } from '../../row.ts';
import { inTransaction, type Tx } from '../../transaction.ts';
import { firstRecoveries } from '../../job-records/read-recoveries.ts';
import { loadJob } from '../../job-records/request.ts';
import type { Recorders } from '../recorder.ts';
import { clearStrays } from './listing.ts';
import { manifestText, outputPages } from './manifest-text.ts';
import type { ListedOutput, ManifestContent } from './manifest-text.ts';

/** Entries of the recovery ledger in a manifest; a job whose instances are lost more often has the others in the ledger only. */
const LISTED_RECOVERIES = 1000;

export interface FinishDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
  readonly recorders: Recorders;
}

/**
 * Writes what the control side makes of a job's verified outputs, the tool's own files and the manifest of everything,
 * in the place of earlier ones; a job without outputs has none. When the job was not proven complete, objects that no
 * output names are removed, as the proof would have done.
 */
export async function writeManifest(
  deps: FinishDependencies,
  { jobId, isProven }: { readonly jobId: string; readonly isProven: boolean },
): Promise<void> {
  await write(deps, jobId);
  if (!isProven) await clearStrays(deps, jobId);
}

async function write(deps: FinishDependencies, jobId: string): Promise<void> {
  const { db, store } = deps;
  const job = await db.getRepository(JobEntity).findOne({
    select: {
      id: true,
      accountId: true,
      jobType: true,
      simulator: true,
      toolId: true,
      jobName: true,
      unit: true,
      taskTotal: true,
      effectiveSeed: true,
    },
    where: { id: jobId },
  });
  if (job === null) throw invariantBroken(`job ${jobId} does not exist`);
  if (!(await hasOutputs(db, jobId))) return;
  const tool = deps.tools.find(job.toolId);
  const { request } = await loadJob(db, store, jobId);
  // A file is made twice, for its digest and for the store, and both must see the same rows, as must all files.
  const files = await inTransaction(
    db,
    async (tx) => {
      const ended = { jobId, request, numbers: tool.outputs.finishValues };
      const finished = await deps.recorders(job.toolId).finished(tx, ended);
      const made: DigestedFile[] = [];
      for (const file of await tool.outputs.finishFiles(request, finished))
        made.push(await digested(job, file));
      for (const file of made) await store.put(file.key, file.body, file.mediaType);
      const manifest = await manifestOf(deps, tx, job, finished, made);
      await store.put(manifest.key, manifest.body, manifest.mediaType);
      return [...made, manifest];
    },
    { isolation: 'REPEATABLE READ' },
  );
  const stale = await inTransaction(db, (tx) => record(tx, jobId, job.accountId, files));
  if (stale.length > 0) await store.remove(stale);
}

/** The manifest of all outputs and of the files that the tool has made. */
async function manifestOf(
  { tools }: FinishDependencies,
  tx: Tx,
  job: ManifestContent['job'] & Pick<Job, 'accountId' | 'toolId'>,
  { steps }: FinishedJob,
  made: readonly DigestedFile[],
): Promise<DigestedFile> {
  const parts = {
    recoveries: await firstRecoveries(tx, job.id, LISTED_RECOVERIES),
    ...tools.statusParts(job.toolId, {
      prepare: summaryOf(steps, 'prepare'),
      control: summaryOf(steps, 'control'),
    }),
  };
  const body = (): AsyncIterable<string> =>
    manifestText({ job, parts, outputs: outputPages(tx, job.id), more: made.map(outputOf) });
  const file = { name: 'manifest.json', kind: 'manifest', mediaType: 'application/json', format: 'json' };
  return digested(job, { ...file, body });
}

async function hasOutputs(db: DataSource, jobId: string): Promise<boolean> {
  const found = await db.query<unknown[]>(
    "select 1 from artifacts where job_id = $1 and task_kind <> 'finish' limit 1",
    [jobId],
  );
  return found.length > 0;
}

/** A file of the control side, in one piece or made while it is sent. */
interface DigestedFile extends Omit<FinishFile, 'body'> {
  readonly key: string;
  readonly sha256: string;
  readonly byteSize: number;
  readonly body: Uint8Array | StreamedBody;
}

/**
 * Records the files; answers the keys of those they replace. The outputs of an ended job are final, and clients are told
 * so: an attempt that slept until after the end records nothing, and its own files are what is to go.
 */
async function record(
  tx: Tx,
  jobId: string,
  accountId: string,
  files: readonly DigestedFile[],
): Promise<string[]> {
  // Outputs take their time under this lock (outputs.ts).
  const [job] = await tx.query<Row<Job, 'status'>[]>(
    'select status from jobs where id = $1 for no key update',
    [jobId],
  );
  if (job !== undefined && isTerminal(job.status)) return unnamed(tx, accountId, files);
  await tx.query(
    `insert into tasks (job_id, kind, ordinal, item_id, state, finished_at) values ($1, 'finish', 0, 'finish', 'SUCCEEDED', now())
     on conflict (job_id, kind, ordinal) do update set state = 'SUCCEEDED', finished_at = now()`,
    [jobId],
  );
  const old = await tx.query<Row<Artifact, 'storageKey'>[]>(
    `with old as (delete from artifacts where job_id = $1 and task_kind = 'finish' and storage_key <> all($2) returning storage_key)
     select storage_key from old`,
    [jobId, files.map((file) => file.key)],
  );
  for (const file of files) {
    const { name, kind, mediaType, format, sha256 } = file;
    await insertIfNew(tx, ArtifactEntity, {
      id: uuidv7(),
      accountId,
      jobId,
      taskKind: 'finish',
      taskOrdinal: 0,
      storageKey: file.key,
      name,
      kind,
      mediaType,
      format,
      byteSize: file.byteSize,
      sha256,
    });
  }
  return old.map((row) => row.storage_key);
}

/** The keys of files that no artifact names. */
async function unnamed(tx: Tx, accountId: string, files: readonly DigestedFile[]): Promise<string[]> {
  const rows = await tx.query<Row<Artifact, 'storageKey'>[]>(
    `select storage_key from unnest($2::text[]) file (storage_key)
     where not exists (select 1 from artifacts a where a.account_id = $1 and a.storage_key = file.storage_key)`,
    [accountId, files.map((file) => file.key)],
  );
  return rows.map((row) => row.storage_key);
}

/** Finds the summary of a step that has succeeded. */
function summaryOf(steps: readonly FinishedTask[], kind: FinishedTask['kind']): FinishedTask['summary'] {
  return steps.find((step) => step.kind === kind && step.state === 'SUCCEEDED')?.summary ?? null;
}

/** A file with its size and digest. A text is made once for these, and again for each time that the text is sent. */
async function digested(
  { id, accountId }: Pick<Job, 'id' | 'accountId'>,
  { body, ...file }: FinishFile,
): Promise<DigestedFile> {
  const sent =
    typeof body === 'function'
      ? await streamed(() => bytesOf(body()))
      : { body, byteSize: body.byteLength, sha256: createHash('sha256').update(body).digest('hex') };
  const key = committedKey(accountId, id, 'finish', 0, { name: file.name, sha256: sent.sha256 });
  return { ...file, ...sent, key };
}

async function streamed(
  open: () => AsyncIterable<Uint8Array>,
): Promise<Pick<DigestedFile, 'body' | 'byteSize' | 'sha256'>> {
  const hash = createHash('sha256');
  let byteSize = 0;
  for await (const bytes of open()) {
    hash.update(bytes);
    byteSize += bytes.byteLength;
  }
  const sha256 = hash.digest('hex');
  return { body: { byteSize, sha256, open }, byteSize, sha256 };
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield Buffer.from(piece, 'utf8');
}

function outputOf(file: DigestedFile): ListedOutput {
  return {
    name: file.name,
    kind: file.kind,
    task_kind: 'finish',
    task_ordinal: 0,
    item_id: null,
    media_type: file.mediaType,
    format: file.format,
    byte_size: file.byteSize,
    sha256: file.sha256,
  };
}
