/**
 * What the control side makes at the end, never charged: `manifest.json` with every verified output, size and digest,
 * and what the tool makes of all tasks.
 */
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { JobEntity } from '../../../../entities/jobs.ts';
import type { Job } from '../../../../entities/jobs.ts';
import { ArtifactEntity } from '../../../../entities/storage.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { committedKey } from '../../../contracts/names.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import { isTerminal } from '../../../domain/job-state.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import type { FinishedTask, FinishFile } from '../../../tools/tool.ts';
import { insertIfNew } from '../../insert-if-new.ts';
import { presentItem } from '../../present-item.ts';
import type { Row } from '../../row.ts';
import { inTransaction, type Tx } from '../../transaction.ts';
import { loadJob } from '../../jobs/request.ts';
import { removeStrays } from './completeness.ts';

/** The manifest's format; a change of meaning gets a new one. */
export const MANIFEST_SCHEMA = 'dockyard.manifest/v1';

type ListedJob = Pick<Job, 'jobType' | 'simulator' | 'jobName' | 'unit' | 'taskTotal' | 'effectiveSeed'>;

type OutputRow = Row<
  Artifact,
  'name' | 'kind' | 'taskKind' | 'taskOrdinal' | 'itemId' | 'mediaType' | 'format' | 'byteSize' | 'sha256'
>;

export interface FinishDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
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
  if (!isProven) await removeStrays(deps, jobId);
}

async function write(deps: FinishDependencies, jobId: string): Promise<void> {
  const { db, store } = deps;
  const job = await db.getRepository(JobEntity).findOne({
    select: {
      ...{ id: true, accountId: true, jobType: true, simulator: true, toolId: true, jobName: true },
      ...{ unit: true, taskTotal: true, effectiveSeed: true },
    },
    where: { id: jobId },
  });
  if (job === null) throw invariantBroken(`job ${jobId} does not exist`);
  const outputs = await db.query<OutputRow[]>(
    `select name, kind, task_kind, task_ordinal, item_id, media_type, format, byte_size, sha256 from artifacts
     where job_id = $1 and task_kind <> 'finish' order by task_kind, task_ordinal, name`,
    [jobId],
  );
  if (outputs.length === 0) return;
  const tool = deps.tools.find(job.toolId);
  const tasks = await finishedTasks(db, jobId, tool.outputs.finishNumbers);
  const { request } = await loadJob(db, store, jobId);
  const made = tool.outputs.finishFiles(request, tasks).map((file) => digested(job.accountId, jobId, file));
  const manifest = {
    ...manifestOf(jobId, job, [...outputs, ...made.map(outputOf)]),
    ...deps.tools.statusParts(job.toolId, {
      prepare: summaryOf(tasks, 'prepare'),
      control: summaryOf(tasks, 'control'),
    }),
  };
  const files = [...made, digested(job.accountId, jobId, manifestFile(manifest))];
  for (const file of files) await store.put(file.key, file.body, file.mediaType);
  const stale = await inTransaction(db, (tx) => record(tx, jobId, job.accountId, files));
  if (stale.length > 0) await store.remove(stale);
}

interface DigestedFile extends FinishFile {
  readonly key: string;
  readonly sha256: string;
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
      ...{ id: uuidv7(), accountId, jobId, taskKind: 'finish', taskOrdinal: 0, storageKey: file.key },
      ...{ name, kind, mediaType, format, byteSize: file.body.byteLength, sha256 },
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

/** All tasks and steps. A summary is an instance's: ten thousand whole ones may be more than the worker has memory. */
function finishedTasks(
  db: DataSource,
  jobId: string,
  numbers: readonly string[],
): Promise<readonly FinishedTask[]> {
  return db.query<FinishedTask[]>(
    `select kind, ordinal, item_id as "itemId", state, failure_code as "failureCode",
       case when kind <> 'task' then summary else (select jsonb_object_agg(key, value) from jsonb_each(summary)
         where key = any($2) and jsonb_typeof(value) = 'number') end as summary
     from tasks where job_id = $1 and kind <> 'finish' order by kind, ordinal`,
    [jobId, numbers],
  );
}

/** What a step has said, once it has succeeded. */
function summaryOf(tasks: readonly FinishedTask[], kind: FinishedTask['kind']): FinishedTask['summary'] {
  return tasks.find((task) => task.kind === kind && task.state === 'SUCCEEDED')?.summary ?? null;
}

function digested(accountId: string, jobId: string, file: FinishFile): DigestedFile {
  const sha256 = createHash('sha256').update(file.body).digest('hex');
  return { ...file, sha256, key: committedKey(accountId, jobId, 'finish', 0, { name: file.name, sha256 }) };
}

function manifestFile(manifest: Record<string, unknown>): FinishFile {
  const body = Buffer.from(JSON.stringify(manifest), 'utf8');
  return { name: 'manifest.json', kind: 'manifest', mediaType: 'application/json', format: 'json', body };
}

function outputOf(file: DigestedFile): OutputRow {
  return {
    name: file.name,
    kind: file.kind,
    task_kind: 'finish',
    task_ordinal: 0,
    item_id: null,
    media_type: file.mediaType,
    format: file.format,
    byte_size: file.body.byteLength,
    sha256: file.sha256,
  };
}

function manifestOf(jobId: string, job: ListedJob, outputs: readonly OutputRow[]): Record<string, unknown> {
  return {
    schema: MANIFEST_SCHEMA,
    jobId,
    jobType: job.jobType,
    simulator: job.simulator,
    jobName: job.jobName,
    taskCount: job.taskTotal,
    effectiveSeed: job.effectiveSeed,
    outputs: outputs.map((row) => listedOutput(job.unit, row)),
  };
}

function listedOutput(unit: Job['unit'], row: OutputRow): Record<string, unknown> {
  const item = presentItem(unit, { kind: row.task_kind, ordinal: row.task_ordinal, itemId: row.item_id });
  return {
    name: row.name,
    kind: row.kind,
    taskIndex: item.index,
    frame: item.frame,
    ligandId: item.ligandId,
    mediaType: row.media_type,
    format: row.format,
    byteSize: row.byte_size,
    sha256: row.sha256,
  };
}
