/**
 * The compute activity. Idempotency key: (execution, kind, ordinal) on this instance. Temporal makes one attempt, and the
 * workflow decides what follows. An attempt that is lost (time-out, worker shut down, server away) leaves the tools
 * running, and a second attempt joins their runs; only a real cancellation stops the tools.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import type { ComputeActivities, ShardInput, ShardResult, TaskReport } from '../contracts/instance.ts';
import { InstanceError } from './repeat.ts';
import type { TaskBoard } from './task-board.ts';
import type { TaskRun } from './task-run.ts';

/** The job, slot and generation that the instance works for. */
export interface InstanceIdentity {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
}

const HEARTBEATS_PER_TIMEOUT = 3;
const SLOWEST_HEARTBEAT_MS = 5_000;

/** Builds the compute activities over an instance's board. */
export function createComputeActivities(identity: InstanceIdentity, board: TaskBoard): ComputeActivities {
  return { runShard: (input) => runShard(identity, board, input) };
}

async function runShard(
  identity: InstanceIdentity,
  board: TaskBoard,
  input: ShardInput,
): Promise<ShardResult> {
  const { jobId, slot, generation } = input;
  if (jobId !== identity.jobId || slot !== identity.slot || generation !== identity.generation) {
    throw ApplicationFailure.nonRetryable('This shard is for another instance.', 'COMPUTE_PROTOCOL');
  }
  const context = Context.current();
  const drain = whenDraining(board);
  const runs = board.begin(input);
  const stopBeating = beat(context, runs);
  const endShard = board.startShard();
  const all = Promise.all(runs.map(({ report }) => report));
  // The reports are awaited below; a rejection after the attempt was lost must not be an unhandled one.
  all.catch(() => undefined);
  try {
    const reports = await Promise.race([
      all,
      drain.begun.then(() => endedOf(runs)),
      untilLost(context, runs),
    ]);
    if (board.isFenced) return { fenced: true, reports: [] };
    const told = reports.filter((report): report is TaskReport => report !== null);
    return { fenced: false, reports: told, ...(board.drainSignal.aborted ? { draining: true } : {}) };
  } catch (error) {
    if (board.isFenced) return { fenced: true, reports: [] };
    if (context.cancellationSignal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    // The workflow gives the tasks out again, and replaces an instance that fails repeatedly.
    const type = error instanceof InstanceError ? 'INSTANCE_FAULT' : 'COMPUTE_PROTOCOL';
    throw ApplicationFailure.nonRetryable(message, type);
  } finally {
    stopBeating();
    drain.forget();
    endShard();
  }
}

/**
 * Resolves when the instance begins to drain while the shard is under way: the workflow is told at once, and sends the tasks
 * that still run once more. Such a shard finds the instance draining, and waits for all its tasks.
 */
function whenDraining({ drainSignal }: TaskBoard): {
  readonly begun: Promise<unknown>;
  readonly forget: () => void;
} {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  if (drainSignal.aborted) return { begun: promise, forget: () => undefined };
  const tell = (): void => resolve(null);
  drainSignal.addEventListener('abort', tell, { once: true });
  return { begun: promise, forget: () => drainSignal.removeEventListener('abort', tell) };
}

/** The reports of the runs that have ended; a task that was decided already, and one that runs, have none. */
function endedOf(runs: readonly TaskRun[]): (TaskReport | null)[] {
  return runs.map(({ ended }) => ended);
}

/** Rejects when this attempt is lost. A cancellation stops the runs, and the reports of the runs are waited for. */
async function untilLost(context: Context, runs: readonly TaskRun[]): Promise<never> {
  try {
    return await context.cancelled;
  } catch (error) {
    if (context.cancellationDetails?.cancelRequested !== true) throw error;
    for (const run of runs) run.stop();
    return new Promise<never>(() => undefined);
  }
}

/** Beats at a third of the time-out, and tells with each heartbeat how many runs have ended. */
function beat(context: Context, runs: readonly TaskRun[]): () => void {
  const timeoutMs = context.info.heartbeatTimeoutMs;
  if (timeoutMs === undefined) return () => undefined;
  const timer = setInterval(
    () => {
      const ended = runs.filter(({ state }) => state === 'ended').length;
      context.heartbeat({ ended, of: runs.length });
    },
    Math.min(timeoutMs / HEARTBEATS_PER_TIMEOUT, SLOWEST_HEARTBEAT_MS),
  );
  return () => clearInterval(timer);
}
