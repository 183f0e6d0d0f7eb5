/**
 * Docks failed ligands of a batch again, as the next run of the batch. Their newest tasks tell which ligands have failed. The id
 * of the run follows from the number of the run, so requests that come at once have one run admitted. A ligand whose repetition
 * was cancelled may be repeated again.
 */
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { DockingRun } from '../../../entities/docking-records.ts';
import type { Task } from '../../../entities/tasks.ts';
import type { Actor } from '../../domain/access.ts';
import { FAILURES_OF_THE_ENGINE } from '../../domain/codes/jobs.ts';
import type { RetryFailedRequest } from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import { isTerminal } from '../../domain/job-state.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { loadJob } from '../job-records/request.ts';
import { recordOf } from '../libraries/record-sql.ts';
import { withoutRecords } from '../libraries/records.ts';
import type { Row } from '../row.ts';
import { readBatchRuns } from './read-batches.ts';
import { readRun } from './read-runs.ts';
import { runResponse } from './runs.ts';
import type { RunDependencies } from './runs.ts';
import { batchRunId, submitWork } from './submit-work.ts';
import type { DockingRunResponse } from '../../domain/answers.ts';

/** The parts that start jobs, and the store with large requests. */
export type RetryDependencies = RunDependencies & { readonly store: ObjectStore };

/** A request to repeat failed ligands; `resumedSince` is set where an earlier attempt of the same request has died. */
export interface RetryCommand {
  readonly body: RetryFailedRequest;
  readonly fingerprint: string;
  readonly resumedSince: string | null;
}

type FailedRow = Row<Task, 'itemId' | 'ordinal' | 'failureCode'> & {
  readonly number: DockingRun['number'];
  readonly place: number;
};

/** The place of a ligand in the batch is the ordinal of its record in the library. */
const FAILED = `
  select t.item_id, t.ordinal, t.failure_code, r.number, rec.ordinal as place
  from docking_batches b join docking_runs r on r.batch_id = b.id
    join tasks t on t.job_id = r.job_id and t.kind = 'task' and t.state <> 'SUCCEEDED' and not t.superseded
    cross join lateral ${recordOf('b.library_id', 't.item_id')} rec
  where b.id = $1 and ((t.state = 'FAILED' and t.failure_code = any($2)) or (t.state = 'CANCELLED' and r.number > 1))
  order by rec.ordinal`;

/**
 * Starts the run.
 * @throws NOT_FOUND; BATCH_RUNNING while a run of the batch is not over; NOTHING_TO_RETRY; and what a submitted job is refused for.
 */
export async function retryFailed(
  deps: RetryDependencies,
  actor: Actor,
  batchId: string,
  { body, fingerprint, resumedSince }: RetryCommand,
): Promise<DockingRunResponse> {
  const batch = await readBatchRuns(deps.db, actor, batchId);
  if (resumedSince !== null && batch.number > 1 && batch.newest_created_at >= resumedSince) {
    return runResponse(deps.tools, await readRun(deps.db, actor, batchRunId(batchId, batch.number)), true);
  }
  if (!isTerminal(batch.status)) throw stillRunning(batch.status);
  const codes = body.codes ?? [...FAILURES_OF_THE_ENGINE];
  const number = batch.number + 1;
  const runId = batchRunId(batchId, number);
  const { replayed } = await submitWork(deps, actor, {
    kind: 'run',
    id: runId,
    runId,
    fingerprint,
    idempotencyKey: null,
    limitCents: body.limitCents,
    prepare: async () => {
      const failed = await deps.db.query<FailedRow[]>(FAILED, [batchId, codes]);
      if (failed.length === 0) throw nothingToRetry(codes);
      const ligands = failed.map(({ place }) => place);
      const { request } = await loadJob(deps.db, deps.store, batch.first_job_id);
      return {
        of: { kind: 'retry', batchId, number, ligands, codes },
        request: onlyLigands(request, ligands),
      };
    },
  }).catch((error: unknown) => {
    // Another request of the same moment has other codes; its run is the run that is made.
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED') throw stillRunning('SUBMITTED');
    throw error;
  });
  return runResponse(deps.tools, await readRun(deps.db, actor, runId), replayed);
}

/** The request of the first run with some of its ligands. */
function onlyLigands(request: SubmitJobRequest, only: readonly number[]): SubmitJobRequest {
  const { taskCount: _all, ...rest } = withoutRecords(request);
  const { libraryUse: used, ...params } = rest.simulationParams ?? {};
  if (used === undefined) throw invariantBroken('a batch has no library');
  // A repetition docks what was asked for, in the order of the library, and no rule stops it.
  const { shuffledBy: _order, ...libraryUse } = used;
  return { ...rest, simulationParams: { ...params, libraryUse: { ...libraryUse, only } } };
}

function stillRunning(status: string): AppError {
  return new AppError(
    'BATCH_RUNNING',
    `A run of this batch is not over: ${status}. Wait until it has ended, or cancel it; then repeat the request.`,
  );
}

function nothingToRetry(codes: readonly string[]): AppError {
  return new AppError(
    'NOTHING_TO_RETRY',
    `No ligand of this batch failed with ${codes.join(', ')}. Look at the failures of the batch, and send the codes to repeat.`,
  );
}
