/**
 * Makes the file of an export: the rows of its ligands, streamed into the store and recorded as an artifact. An attempt writes under a
 * key of its own, so attempts that overlap never write one object; the first one to record its file ends the export, and what
 * others have stored is removed, here or by the sweep.
 */
import { randomBytes } from 'node:crypto';

import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import type { DockingExport } from '../../../../entities/docking-exports.ts';
import { ArtifactEntity } from '../../../../entities/storage.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { ExportOutcome } from '../../../contracts/docking.ts';
import { exportPrefix } from '../../../contracts/names.ts';
import type { ExportFailureCode } from '../../../domain/codes/exports.ts';
import type { ExportFormat, ExportQuery } from '../../../domain/docking-exports.ts';
import type { FileTurns } from '../../file-turns.ts';
import type { Documents, Row } from '../../row.ts';
import { streamToStore } from '../../stream-to-store.ts';
import type { StoredStream } from '../../stream-to-store.ts';
import { inTransaction } from '../../transaction.ts';
import { scopeOfResults } from '../results/scope.ts';
import { csvFile } from './csv.ts';
import { dockedPages } from './included.ts';
import type { ExportSource, IncludedRun } from './included.ts';
import { parquetFile } from './parquet.ts';
import { ExportFault, sdfFile } from './sdf.ts';
import { smilesFile } from './smiles.ts';
import { columnsOf, tablePages } from './table.ts';

export interface WriteExportDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly turns: FileTurns;
}

/** Options of an attempt: the signal that stops it, and a listener to its progress. */
export interface WriteExportOptions {
  readonly signal: AbortSignal;
  /** How many results are written. */
  readonly onProgress: (results: number) => void;
}

interface ExportRow
  extends
    Row<
      DockingExport,
      'id' | 'accountId' | 'batchId' | 'runId' | 'format' | 'state' | 'resultCount' | 'complete'
    >,
    Documents<DockingExport, { query: ExportQuery; included: readonly IncludedRun[] }> {}

const MARK_BYTES = 8;
const FILES = {
  csv: { name: 'results.csv', mediaType: 'text/csv' },
  sdf: { name: 'poses.sdf', mediaType: 'chemical/x-mdl-sdfile' },
  parquet: { name: 'results.parquet', mediaType: 'application/vnd.apache.parquet' },
  smi: { name: 'results.smi', mediaType: 'chemical/x-daylight-smiles' },
} as const satisfies Readonly<Record<ExportFormat, object>>;

const READ = `
  select id, account_id, batch_id, run_id, format, state, result_count, complete, query, included from docking_exports where id = $1`;
const BEGIN = `
  update docking_exports set state = 'RUNNING', started_at = coalesce(started_at, now())
  where id = $1 and state in ('QUEUED', 'RUNNING')`;
const END = `
  with ended as (update docking_exports set state = 'SUCCEEDED', artifact_id = $2::uuid, finished_at = clock_timestamp()
    where id = $1 and state in ('QUEUED', 'RUNNING') 
    returning id, account_id, batch_id, run_id, artifact_id
  ), told as (
    insert into events (account_id, kind, subject, payload)
    select account_id, 'docking.export.made', id,
      jsonb_build_object('batchId', batch_id, 'runId', run_id, 'artifactId', artifact_id) from ended
  ) select id from ended`;
const FAIL = `
  with ended as (
    update docking_exports set state = 'FAILED', failure_code = $2, failure_message = $3, finished_at = clock_timestamp()
    where id = $1 and state in ('QUEUED', 'RUNNING') returning id, account_id, batch_id, run_id, failure_code
  ) insert into events (account_id, kind, subject, payload)
  select account_id, 'docking.export.failed', id, jsonb_build_object('batchId', batch_id, 'runId', run_id, 'code', failure_code)
  from ended`;
const NAMES = 'select property_names as names from ligand_libraries where id = $1';

/**
 * Makes the file of an export. An export that has ended is answered as it has ended. A fault that no attempt can mend ends the
 * export; whatever else is thrown leaves it to the next attempt. @throws NoTurnError.
 */
export async function writeExport(
  deps: WriteExportDependencies,
  exportId: string,
  options: WriteExportOptions,
): Promise<ExportOutcome> {
  const [row] = await deps.db.query<ExportRow[]>(READ, [exportId]);
  if (row === undefined) return { state: 'GONE', results: 0 };
  if (row.state === 'SUCCEEDED' || row.state === 'FAILED') return outcomeOf(row.state, row);
  return deps.turns.during({ id: exportId, accountId: row.account_id }, async () => {
    await deps.db.query(BEGIN, [exportId]);
    try {
      await makeFile(deps, row, options);
    } catch (error) {
      if (!(error instanceof ExportFault)) throw error;
      await failExport(deps.db, exportId, error.code, error.message);
    }
    const [ended] = await deps.db.query<ExportRow[]>(READ, [exportId]);
    return outcomeOf(ended?.state === 'SUCCEEDED' ? 'SUCCEEDED' : 'FAILED', row);
  });
}

/** Ends an export without a file; one that has ended stays as it is. */
export async function failExport(
  db: DataSource,
  exportId: string,
  code: ExportFailureCode,
  message: string,
): Promise<void> {
  await db.query(FAIL, [exportId, code, message]);
}

function outcomeOf(state: 'SUCCEEDED' | 'FAILED', { result_count: results }: ExportRow): ExportOutcome {
  return { state, results: state === 'SUCCEEDED' ? results : 0 };
}

async function makeFile(
  { db, store }: WriteExportDependencies,
  row: ExportRow,
  options: WriteExportOptions,
): Promise<void> {
  const source = await sourceOf(db, row);
  const { name, mediaType } = FILES[row.format];
  const mark = randomBytes(MARK_BYTES).toString('hex');
  const key = `${exportPrefix(row.account_id, row.id)}${mark}-${name}`;
  const pieces = stoppable(await bytesOf({ db, store }, source, row, options), options.signal);
  const stored = await streamToStore(store, { key, contentType: mediaType }, pieces);
  const isOurs = await record(db, row, { key, ...stored });
  if (!isOurs) await store.remove([key]);
}

async function sourceOf(db: DataSource, row: ExportRow): Promise<ExportSource> {
  const { account_id: accountId, batch_id: batchId, run_id: runId, format, query, included } = row;
  const [kind, id] = batchId === null ? (['run', runId ?? ''] as const) : (['batch', batchId] as const);
  return { scope: await scopeOfResults(db, { accountId }, kind, id), format, query, included };
}

async function bytesOf(
  { db, store }: Pick<WriteExportDependencies, 'db' | 'store'>,
  source: ExportSource,
  row: ExportRow,
  { onProgress }: WriteExportOptions,
): Promise<AsyncGenerator<Uint8Array>> {
  let done = 0;
  const more = (count: number): void => onProgress((done += count));
  if (source.format === 'sdf') return sdfFile({ db, store }, source, () => more(1));
  if (source.format === 'smi') return smilesFile(counted(dockedPages(db, source), more));
  const columns = columnsOf(source, await propertyNamesOf(db, source));
  const pages = counted(tablePages(db, source), more);
  if (source.format === 'csv') return csvFile(columns, pages);
  return parquetFile(columns, pages, {
    'dockyard.export_id': row.id,
    'dockyard.complete': String(row.complete),
    'dockyard.result_count': String(row.result_count),
  });
}

async function* counted<Row>(
  pages: AsyncIterable<readonly Row[]>,
  more: (count: number) => void,
): AsyncGenerator<readonly Row[]> {
  for await (const rows of pages) {
    yield rows;
    more(rows.length);
  }
}

async function propertyNamesOf(db: DataSource, { scope }: ExportSource): Promise<readonly string[]> {
  if (scope.libraryId === null) return [];
  const [library] = await db.query<{ names: string[] }[]>(NAMES, [scope.libraryId]);
  return library?.names ?? [];
}

/** The pieces until the attempt is told to stop. */
async function* stoppable(
  pieces: AsyncGenerator<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

/** Records the file; false where another attempt has ended the export. */
function record(
  db: DataSource,
  row: ExportRow,
  file: StoredStream & { readonly key: string },
): Promise<boolean> {
  const { name, mediaType } = FILES[row.format];
  return inTransaction(db, async (tx) => {
    const id = uuidv7();
    await tx.getRepository(ArtifactEntity).insert({
      id,
      accountId: row.account_id,
      storageKey: file.key,
      name,
      kind: 'export',
      mediaType,
      format: row.format,
      byteSize: file.byteSize,
      sha256: file.sha256,
    });
    const ended = await tx.query<unknown[]>(END, [row.id, id]);
    if (ended.length > 0) return true;
    await tx.getRepository(ArtifactEntity).delete({ id });
    return false;
  });
}
