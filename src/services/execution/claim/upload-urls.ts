/**
 * Presigned PUTs into the caller's own staging prefix: for tasks that run under its generation, for one name, length and digest
 * each, and for no more bytes than the task may have on disk. A staged file counts for nothing until the control side has
 * committed a copy.
 */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../../entities/jobs.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { InstanceClaims, UploadUrlsRequest, UploadUrlsResponse } from '../../../contracts/instance.ts';
import { stagedKey } from '../../../contracts/names.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Row } from '../../row.ts';
import { rowsOf } from '../../transaction.ts';
import { fenced, fenceOf, UNFENCED } from '../fence.ts';
import type { JobFacts } from './job-facts.ts';

export interface SigningDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly urlSeconds: number;
  readonly factsOf: (jobId: string, execution: number) => Promise<Pick<JobFacts, 'limits'>>;
}

/** Tasks, among $5 of the kind $4, that run under the generation of the caller. */
export const RUNNING_HERE = `
  with fence as (select j.execution, j.tool_id ${UNFENCED})
  select fence.execution, fence.tool_id, coalesce((
    select json_agg(t.ordinal) from tasks t where t.job_id = $1 and t.kind = $4 and t.ordinal = any($5::int[])
      and t.state = 'RUNNING' and t.slot = $2 and t.generation = $3), '[]') as ordinals
  from fence`;

/**
 * Signs a PUT for each file, in the order of the request.
 * @throws AppError FENCED; NOT_FOUND when a task does not run under this generation; PAYLOAD_TOO_LARGE when the files
 * of a task are larger, together, than its disk.
 */
export async function signUploads(
  deps: SigningDependencies,
  claims: InstanceClaims,
  { kind, files }: UploadUrlsRequest,
): Promise<UploadUrlsResponse> {
  const { db, store, urlSeconds, factsOf } = deps;
  const wanted = [...new Set(files.map(({ ordinal }) => ordinal))];
  const [row] = await rowsOf<Row<Job, 'execution'> & { readonly ordinals: readonly Task['ordinal'][] }>(
    db,
    RUNNING_HERE,
    [...fenceOf(claims), kind, wanted],
  );
  if (row === undefined) throw fenced();
  const running = new Set(row.ordinals);
  const missing = wanted.find((ordinal) => !running.has(ordinal));
  if (missing !== undefined) throw new AppError('NOT_FOUND', `No ${kind} ${missing} runs on this instance.`);
  const { limits } = await factsOf(claims.jobId, row.execution);
  refuseMoreThanDisk(files, limits.diskBytes);
  const uploads = await Promise.all(
    files.map(async ({ ordinal, name, byteSize, sha256 }) => {
      const key = stagedKey(...fenceOf(claims), kind, ordinal, name);
      const { url, headers } = await store.signPut(key, { expiresInSeconds: urlSeconds, byteSize, sha256 });
      return { url, headers };
    }),
  );
  return { uploads };
}

/** Refuses files that a task could never have written within its limit of disk. */
function refuseMoreThanDisk(files: UploadUrlsRequest['files'], diskBytes: number): void {
  const bytesOf = new Map<number, number>();
  for (const { ordinal, byteSize } of files) {
    const bytes = (bytesOf.get(ordinal) ?? 0) + byteSize;
    if (bytes > diskBytes)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The outputs of task ${ordinal} are larger than its limit of ${diskBytes} bytes on disk.`,
      );
    bytesOf.set(ordinal, bytes);
  }
}
