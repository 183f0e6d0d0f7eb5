/**
 * The workers of a control process: one for each task queue, each with slots of its own, so that what takes long never
 * takes the slots of what is short. They start and end together; when one fails, the others end too.
 */
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';

import type { ControlQueue } from '../../contracts/names.ts';
import { CONTROL_QUEUE, CONTROL_QUEUES } from '../../contracts/names.ts';

/** What the workers are made of. */
export interface ControlWorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** Where the bundle of workflow code is. */
  readonly codePath: string;
  readonly slots: Readonly<Record<ControlQueue, number>>;
  /** What each queue runs; histories of before there was more than one have all of it on the queue of money and state. */
  readonly activities: Readonly<Record<ControlQueue, object>>;
}

/** A running set of workers. */
export interface ControlWorkers {
  /** How many activities a queue runs now, and how many it may. */
  slots(queue: ControlQueue): { readonly used: number; readonly all: number };
  /** @throws when one of them does not run. */
  check(): void;
  /** Runs until they are stopped. @throws when one of them failed. */
  run(): Promise<void>;
  /** Repeatable. */
  stop(): void;
}

/** What a worker's work of last seconds may take when it ends. */
const SHUTDOWN_GRACE = '5s';

/** Makes them; they take nothing before they run. */
export async function createControlWorkers(options: ControlWorkersOptions): Promise<ControlWorkers> {
  const workers = new Map<ControlQueue, Worker>();
  for (const queue of CONTROL_QUEUES) workers.set(queue, await Worker.create(optionsOf(queue, options)));
  const all = [...workers.values()];
  const stop = (): void => {
    for (const worker of all) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    slots: (queue) => ({
      used: workers.get(queue)?.getStatus().numInFlightNonLocalActivities ?? 0,
      all: options.slots[queue],
    }),
    check() {
      for (const [queue, worker] of workers)
        if (worker.getState() !== 'RUNNING')
          throw new Error(`the worker of ${queue} is ${worker.getState()}`);
    },
    async run() {
      const runs = all.map((worker) => worker.run().finally(stop));
      // All of them have ended before the first failure is told, because they share a connection.
      await Promise.allSettled(runs);
      await Promise.all(runs);
    },
    stop,
  };
}

function optionsOf(
  queue: ControlQueue,
  { connection, namespace, codePath, slots, activities }: ControlWorkersOptions,
): WorkerOptions {
  return {
    connection,
    namespace,
    taskQueue: queue,
    activities: activities[queue],
    maxConcurrentActivityTaskExecutions: slots[queue],
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: SHUTDOWN_GRACE,
    // Cached workflows are most of this process's memory; a workflow that is not cached is replayed.
    ...(queue === CONTROL_QUEUE ? { workflowBundle: { codePath }, maxCachedWorkflows: 300 } : {}),
  };
}
