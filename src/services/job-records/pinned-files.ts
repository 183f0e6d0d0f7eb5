/** Files that a job pinned, by the names that its tool knows them by. */
import type { DataSource } from 'typeorm';

import type { JobInputObject } from '../../../entities/storage.ts';
import { AppError } from '../../domain/errors.ts';
import type { ToolInputs } from '../../tools/tool.ts';
import type { LoadedJob } from './request.ts';

/** A stored file with its proven digest. */
export interface StoredFile {
  readonly storageKey: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/**
 * Reads the pinned files.
 * @throws SERVICE_UNAVAILABLE while one has no digest yet.
 */
export async function readPinnedFiles(
  db: DataSource,
  { jobId, request }: Pick<LoadedJob, 'jobId' | 'request'>,
  tool: { readonly inputs: Pick<ToolInputs, 'stored'> },
): Promise<ReadonlyMap<string, StoredFile>> {
  // A job may have ten thousand inputs, and a repository takes three times the time of the process for each row.
  const rows = await db.query<Pick<JobInputObject, 'storageKey' | 'byteSize' | 'sha256' | 'name'>[]>(
    'select storage_key as "storageKey", byte_size as "byteSize", sha256, name from job_inputs where job_id = $1',
    [jobId],
  );
  const byKey = new Map(rows.map((row) => [row.storageKey, row]));
  const files = new Map<string, StoredFile>();
  for (const row of rows) if (row.name !== null) files.set(row.name, storedFileOf(row));
  for (const { storageKey, name } of tool.inputs.stored(request))
    files.set(name, storedFileOf(byKey.get(storageKey)));
  return files;
}

/** @throws SERVICE_UNAVAILABLE when the file is not pinned. */
export function storedFileOf(
  row: Pick<JobInputObject, 'storageKey' | 'byteSize' | 'sha256'> | undefined,
): StoredFile {
  if (row?.sha256 == null)
    throw new AppError('SERVICE_UNAVAILABLE', 'An input of this job is not pinned yet.');
  return { storageKey: row.storageKey, byteSize: row.byteSize, sha256: row.sha256 };
}
