/**
 * What the gateway must know of a job to hand out its tasks: fixed at admission, so cached per job and execution.
 * Large requests are stored objects and are read once.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { TaskLimits } from '../../contracts/compute.ts';
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { Tool } from '../../tools/tool.ts';
import { loadJob } from '../jobs/request.ts';
import { createJobFiles } from './job-files.ts';
import type { JobFiles } from './job-files.ts';

/** What handing out tasks needs of a tool. */
export type ComputeTool = Pick<
  Tool,
  'id' | 'inputs' | 'taskInputs' | 'limits' | 'sessionSpec' | 'taskSpec' | 'preparation' | 'cachedOutputs'
>;

/** A job as the gateway sees it. */
export interface JobFacts extends Omit<JobFiles, 'pinned'> {
  readonly tool: ComputeTool;
  readonly request: SubmitJobRequest;
  readonly session: Readonly<Record<string, unknown>>;
  readonly limits: TaskLimits;
}

/** What reading the facts needs. */
export interface JobFactsDependencies {
  readonly database: DataSource;
  readonly store: ObjectStore;
  readonly findTool: (id: string) => ComputeTool | null;
  readonly urlSeconds: number;
  readonly taskTimeoutSeconds: number;
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
  const job = await loadJob(database, store, jobId);
  const tool = findTool(job.toolId);
  if (tool === null) throw new AppError('SERVICE_UNAVAILABLE', 'The tool of this job is not installed here.');
  const { request, requestCharacters, effectiveSeed } = job;
  const limits = tool.limits(request);
  const { pinned, ...files } = await createJobFiles(dependencies, job, tool);
  const facts: JobFacts = {
    tool,
    request,
    session: tool.sessionSpec(request, { effectiveSeed, inputs: pinned }),
    limits: { ...limits, wallSeconds: Math.min(limits.wallSeconds, taskTimeoutSeconds) },
    ...files,
  };
  return { facts, bytes: Math.max(requestCharacters, 1) };
}
