/** The request that a job was admitted with: in its row, or a stored object when it is large. */
import type { DataSource } from 'typeorm';
import { JobEntity } from '../../../entities/jobs.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { PinnedInput } from '../../contracts/job.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { withRecords } from '../libraries/records.ts';
import { readAtMost } from '../stored-objects/read-object.ts';

/** A job as the execution side reads it. */
export interface LoadedJob {
  readonly jobId: string;
  readonly accountId: string;
  /** The job's execution when it was read. */
  readonly execution: number;
  readonly toolId: string;
  readonly request: SubmitJobRequest;
  /** Length of the request as JSON, for caches. */
  readonly requestCharacters: number;
  readonly effectiveSeed: number | null;
  /** Files that were pinned at submit, when the list is too long for the start of a workflow; else null. */
  readonly storedInputs: readonly PinnedInput[] | null;
}

/** Several times the largest body of a submit. A larger object cannot be the one that the submit has stored. */
const MOST_REQUEST_BYTES = 128 * 1024 * 1024;

/** About what a record of a library takes beside its request, for caches. */
const RECORD_CHARACTERS = 400;

/** A stored request with the inputs that were pinned at submit. */
interface StoredSubmit {
  readonly request: SubmitJobRequest;
  readonly inputs: readonly PinnedInput[];
}

/**
 * Loads the job and its request.
 * @throws a broken invariant when there is no such job, or its stored request is missing.
 */
export async function loadJob(db: DataSource, store: ObjectStore, jobId: string): Promise<LoadedJob> {
  const job = await db.getRepository(JobEntity).findOne({
    select: {
      id: true,
      accountId: true,
      execution: true,
      toolId: true,
      request: true,
      requestKey: true,
      effectiveSeed: true,
    },
    where: { id: jobId },
  });
  if (job === null) throw invariantBroken(`job ${jobId} does not exist`);
  const stored =
    job.request === null ? await storedRequest(store, job.requestKey) : inline(jobId, job.request);
  const request = await withRecords(db, stored.request);
  return {
    jobId,
    accountId: job.accountId,
    execution: job.execution,
    toolId: job.toolId,
    ...stored,
    request,
    requestCharacters: stored.requestCharacters + recordCharacters(request),
    effectiveSeed: job.effectiveSeed,
  };
}

/** The request of a job as it was admitted, without the records of its library; null when there is no such job of the account. */
export async function readRequest(
  db: DataSource,
  store: ObjectStore,
  { jobId, accountId }: { readonly jobId: string; readonly accountId: string },
): Promise<Pick<LoadedJob, 'request' | 'effectiveSeed'> | null> {
  const job = await db.getRepository(JobEntity).findOne({
    select: { id: true, request: true, requestKey: true, effectiveSeed: true },
    where: { id: jobId, accountId, internal: false },
  });
  if (job === null) return null;
  const { request } =
    job.request === null ? await storedRequest(store, job.requestKey) : inline(jobId, job.request);
  return { request, effectiveSeed: job.effectiveSeed };
}

/** The stored object of a large request, or of one that names many files; `request` is without records. */
export function composeStoredRequest(
  request: SubmitJobRequest,
  inputs: readonly PinnedInput[] | null,
): Uint8Array {
  return Buffer.from(
    JSON.stringify(inputs === null ? request : ({ request, inputs } satisfies StoredSubmit)),
  );
}

function recordCharacters({ simulationParams }: SubmitJobRequest): number {
  return RECORD_CHARACTERS * (simulationParams?.libraryUse?.records?.length ?? 0);
}

type RequestOf = Pick<LoadedJob, 'request' | 'requestCharacters' | 'storedInputs'>;

function inline(jobId: string, request: unknown): RequestOf {
  if (!isRequest(request)) throw invariantBroken(`the request of the job ${jobId} is no request`);
  return { request, requestCharacters: JSON.stringify(request).length, storedInputs: null };
}

async function storedRequest(store: ObjectStore, key: string | null): Promise<RequestOf> {
  const bytes = key === null ? null : await readAtMost(store, key, MOST_REQUEST_BYTES);
  if (bytes === null) throw invariantBroken(`the stored request ${String(key)} is missing`);
  const body = new TextDecoder().decode(bytes);
  const stored: unknown = JSON.parse(body);
  const requestCharacters = body.length;
  if (isSubmit(stored)) return { request: stored.request, requestCharacters, storedInputs: stored.inputs };
  if (!isRequest(stored)) throw invariantBroken(`the stored request ${String(key)} is no request`);
  return { request: stored, requestCharacters, storedInputs: null };
}

/** Only this service writes the stored request, so only the form of the object is checked again. */
function isSubmit(value: unknown): value is StoredSubmit {
  if (typeof value !== 'object' || value === null || !('request' in value) || !('inputs' in value))
    return false;
  return isRequest(value.request) && Array.isArray(value.inputs);
}

/** The request was validated at its submit, so only its being an object is checked again. */
function isRequest(value: unknown): value is SubmitJobRequest {
  return typeof value === 'object' && value !== null && 'jobType' in value;
}
