/**
 * What the gateway must know of a job to hand out its tasks: fixed at admission, so cached per job and execution.
 * Large requests are stored objects and are read once.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { StagedInput, TaskLimits } from '../../contracts/compute.ts';
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { loadJob } from '../jobs/request.ts';
import { rowsOf } from './fence.ts';

/** What handing out tasks needs of a tool. */
export interface ComputeTool {
  readonly id: string;
  inputs(request: SubmitJobRequest): readonly { readonly storageKey: string; readonly name: string }[];
  limits(request: SubmitJobRequest): TaskLimits;
  sessionSpec(request: SubmitJobRequest, effectiveSeed: number | null): Readonly<Record<string, unknown>>;
  taskSpec(
    request: SubmitJobRequest,
    kind: 'task' | 'prepare' | 'control',
    ordinal: number,
  ): Readonly<Record<string, unknown>>;
}

/** A job as the gateway sees it. */
export interface JobFacts {
  readonly tool: ComputeTool;
  readonly request: SubmitJobRequest;
  readonly session: Readonly<Record<string, unknown>>;
  readonly limits: TaskLimits;
  /** Presigned GETs, signed anew when half of their life has passed. */
  inputs(): Promise<readonly StagedInput[]>;
}

/** What reading the facts needs. */
export interface JobFactsDependencies {
  readonly database: DataSource;
  readonly store: ObjectStore;
  readonly findTool: (id: string) => ComputeTool | null;
  readonly urlSeconds: number;
  readonly taskTimeoutSeconds: number;
}

interface InputRow {
  readonly storage_key: string;
  readonly byte_size: string;
  readonly sha256: string | null;
}

/** Bytes of parsed requests that one gateway keeps, as JSON. */
const CACHE_BYTES = 256 * 1024 * 1024;
const CACHE_JOBS = 500;

/** Opens the cache. A job that cannot be read is asked for again at the next call. */
export function createJobFacts(dependencies: JobFactsDependencies): (jobId: string) => Promise<JobFacts> {
  const cache = new LRUCache<string, { facts: JobFacts; bytes: number }>({
    max: CACHE_JOBS,
    maxSize: CACHE_BYTES,
    sizeCalculation: (entry) => entry.bytes,
    fetchMethod: (jobId) => readFacts(dependencies, jobId),
  });
  return async (jobId) => {
    const entry = (await cache.fetch(jobId)) ?? (await readFacts(dependencies, jobId));
    return entry.facts;
  };
}

async function readFacts(
  dependencies: JobFactsDependencies,
  jobId: string,
): Promise<{ facts: JobFacts; bytes: number }> {
  const { database, store, findTool, taskTimeoutSeconds } = dependencies;
  const { toolId, request, requestCharacters, effectiveSeed } = await loadJob(database, store, jobId);
  const tool = findTool(toolId);
  if (tool === null) throw new AppError('SERVICE_UNAVAILABLE', 'The tool of this job is not installed here.');
  const limits = tool.limits(request);
  const facts: JobFacts = {
    tool,
    request,
    session: tool.sessionSpec(request, effectiveSeed),
    limits: { ...limits, wallSeconds: Math.min(limits.wallSeconds, taskTimeoutSeconds) },
    inputs: createInputSigner(dependencies, jobId, tool.inputs(request)),
  };
  return { facts, bytes: Math.max(requestCharacters, 1) };
}

function createInputSigner(
  { database, store, urlSeconds }: JobFactsDependencies,
  jobId: string,
  wanted: ReturnType<ComputeTool['inputs']>,
): () => Promise<readonly StagedInput[]> {
  let signed: { inputs: readonly StagedInput[]; renewAt: number } = { inputs: [], renewAt: 0 };
  return async () => {
    if (wanted.length === 0 || performance.now() < signed.renewAt) return signed.inputs;
    const rows = await rowsOf<InputRow>(
      database,
      'select storage_key, byte_size, sha256 from job_inputs where job_id = $1',
      [jobId],
    );
    const known = new Map(rows.map((row) => [row.storage_key, row]));
    const inputs = await Promise.all(wanted.map(({ storageKey, name }) => sign(known.get(storageKey), name)));
    signed = { inputs, renewAt: performance.now() + (urlSeconds * 1000) / 2 };
    return inputs;
  };

  async function sign(row: InputRow | undefined, name: string): Promise<StagedInput> {
    if (row?.sha256 == null)
      throw new AppError('SERVICE_UNAVAILABLE', 'An input of this job is not pinned yet.');
    const { url } = await store.signGet(row.storage_key, { expiresInSeconds: urlSeconds });
    return { storageKey: row.storage_key, name, url, byteSize: Number(row.byte_size), sha256: row.sha256 };
  }
}
