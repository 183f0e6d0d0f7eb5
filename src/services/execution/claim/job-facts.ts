/**
 * Facts of a job with which the gateway hands out its tasks: fixed while an execution lasts, so cached by job and execution.
 * Large requests are stored objects and are read once.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { TaskLimits } from '../../../contracts/instance.ts';
import { AppError } from '../../../domain/errors.ts';
import type { SubmitJobRequest } from '../../../domain/requests.ts';
import { loadJob } from '../../job-records/request.ts';
import { createJobFiles } from './job-files.ts';
import type { JobFiles } from './job-files.ts';
import { guarded } from './tool-fault.ts';
import type { ComputeTool } from './tool-fault.ts';

/** A job as the gateway sees it. */
export interface JobFacts extends Omit<JobFiles, 'pinned'> {
  readonly tool: ComputeTool;
  readonly request: SubmitJobRequest;
  readonly session: Readonly<Record<string, unknown>>;
  readonly limits: TaskLimits;
  /** Whether the execution is charged for the measured seconds of its tasks. */
  readonly isMetered: boolean;
  /** The longest leg of a task that keeps checkpoints. */
  readonly legSeconds: number;
}

export interface JobFactsDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly findTool: (id: string) => ComputeTool | null;
  readonly urlSeconds: number;
  readonly taskTimeoutSeconds: number;
  readonly legSeconds: number;
}

/** Bytes of parsed requests that one gateway keeps, as JSON. */
const CACHE_BYTES = 256 * 1024 * 1024;
const CACHE_JOBS = 500;

/**
 * The facts of a job's execution.
 * @throws NOT_FOUND when the execution is not the job's present one; ToolFault when the job's tool throws.
 */
export type FactsOf = (jobId: string, execution: number) => Promise<JobFacts>;

interface Asked {
  readonly jobId: string;
  readonly execution: number;
}

/** Opens the cache. A job that cannot be read is asked for again at the next call. */
export function createJobFacts(deps: JobFactsDependencies): FactsOf {
  const cache = new LRUCache<string, { facts: JobFacts; bytes: number }, Asked>({
    max: CACHE_JOBS,
    maxSize: CACHE_BYTES,
    sizeCalculation: (entry) => entry.bytes,
    fetchMethod: (_key, _stale, { context }) => readFacts(deps, context),
  });
  return async (jobId, execution) => {
    const asked = { jobId, execution };
    const key = `${jobId}/${String(execution)}`;
    const entry = (await cache.fetch(key, { context: asked })) ?? (await readFacts(deps, asked));
    return entry.facts;
  };
}

async function readFacts(
  deps: JobFactsDependencies,
  { jobId, execution }: Asked,
): Promise<{ facts: JobFacts; bytes: number }> {
  const { db, store, findTool, taskTimeoutSeconds, legSeconds } = deps;
  const [job, isMetered] = await Promise.all([
    loadJob(db, store, jobId),
    isMeasured(db, { jobId, execution }),
  ]);
  // The row is read first, so what is kept under an execution was never read in one before it.
  if (job.execution !== execution) throw noSuchExecution();
  const found = findTool(job.toolId);
  if (found === null)
    throw new AppError('SERVICE_UNAVAILABLE', 'The tool of this job is not installed here.');
  const tool = guarded(found);
  const { request, requestCharacters, effectiveSeed } = job;
  const limits = tool.work.limits(request);
  const { pinned, ...files } = await createJobFiles(deps, job, tool);
  const facts: JobFacts = {
    tool,
    request,
    session: tool.work.sessionSpec(request, { effectiveSeed, inputs: pinned }),
    limits: { ...limits, wallSeconds: Math.min(limits.wallSeconds, taskTimeoutSeconds) },
    isMetered,
    legSeconds,
    ...files,
  };
  return { facts, bytes: Math.max(requestCharacters, 1) };
}

async function isMeasured(db: DataSource, { jobId, execution }: Asked): Promise<boolean> {
  const rows = await db.query<unknown[]>(
    `select 1 from job_executions where job_id = $1 and n = $2 and quote -> 'pricing' ->> 'model' = 'measured'`,
    [jobId, execution],
  );
  return rows.length > 0;
}

/** The refusal of an execution that is not the job's present one. */
export function noSuchExecution(): AppError {
  return new AppError('NOT_FOUND', 'The job has no such open execution.');
}
