/** What a job pinned, by the names that its tool knows the files by. */
import type { DataSource } from 'typeorm';

import { AppError } from '../../domain/errors.ts';
import type { Tool } from '../../tools/tool.ts';
import type { LoadedJob } from './request.ts';

/** A stored file with its proven digest. */
export interface StoredFile {
  readonly storageKey: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** A row of a stored file. */
export interface FileRow {
  readonly storage_key: string;
  readonly byte_size: string;
  readonly sha256: string | null;
}

/**
 * Reads the pinned files.
 * @throws SERVICE_UNAVAILABLE while one has no digest yet.
 */
export async function readPinnedFiles(
  db: DataSource,
  { jobId, request }: Pick<LoadedJob, 'jobId' | 'request'>,
  tool: Pick<Tool, 'inputs'>,
): Promise<ReadonlyMap<string, StoredFile>> {
  const rows = await db.query<(FileRow & { readonly name: string | null })[]>(
    'select storage_key, byte_size, sha256, name from job_inputs where job_id = $1',
    [jobId],
  );
  const byKey = new Map(rows.map((row) => [row.storage_key, row]));
  const files = new Map<string, StoredFile>();
  for (const row of rows) if (row.name !== null) files.set(row.name, storedFileOf(row));
  for (const { storageKey, name } of tool.inputs(request))
    files.set(name, storedFileOf(byKey.get(storageKey)));
  return files;
}

/** @throws SERVICE_UNAVAILABLE when the file is not pinned. */
export function storedFileOf(row: FileRow | undefined): StoredFile {
  if (row?.sha256 == null)
    throw new AppError('SERVICE_UNAVAILABLE', 'An input of this job is not pinned yet.');
  return { storageKey: row.storage_key, byteSize: Number(row.byte_size), sha256: row.sha256 };
}
