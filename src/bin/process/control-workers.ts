/**
 * The workers of a control process: one worker for each task queue, each with slots of its own, so that long activities
 * never take the slots of short ones. The workers start and end together; when one worker fails, the others end too.
 */
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';

import type { ControlQueue } from '../../contracts/names.ts';
import { CONTROL_QUEUE, CONTROL_QUEUES } from '../../contracts/names.ts';
import type { TracedWorker } from '../../tracing/temporal.ts';

/** A build and the deployment that the build belongs to. */
export interface BuildVersion {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** The connections, bundle, activities and slots of the workers of one control process. */
export interface ControlWorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** The build that the workers are; null where builds are not told apart. */
  readonly build: BuildVersion | null;
  /** Path of the bundle of workflow code. */
  readonly codePath: string;
  readonly slots: Readonly<Record<ControlQueue, number>>;
  /** The activities that each queue runs. */
  readonly activities: Readonly<Record<ControlQueue, object>>;
  readonly traced?: TracedWorker;
  /** Converter of payloads and failures; the SDK's own when absent. */
  readonly dataConverter?: WorkerOptions['dataConverter'];
}

/** A running set of workers. */
export interface ControlWorkers {
  /** How many activities a queue runs now, and how many it may. */
  slots(queue: ControlQueue): { readonly used: number; readonly all: number };
  /** @throws when one of the workers does not run. */
  check(): void;
  /** Runs the workers until they are stopped. @throws when one of the workers failed. */
  run(): Promise<void>;
  /** Stops the workers; a second call changes nothing. */
  stop(): void;
}

/** The build that the settings name; null where they name none. */
export function buildOf({ buildId, deploymentName }: BuildVersion): BuildVersion | null {
  return buildId === '' ? null : { buildId, deploymentName };
}

/** How long activities that run at a shutdown may take to end. */
const SHUTDOWN_GRACE = '5s';

/** Makes the workers; the workers take no task before `run` is called. */
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
      // Every worker has ended before the first failure is thrown, because the workers share a connection.
      await Promise.allSettled(runs);
      await Promise.all(runs);
    },
    stop,
  };
}

function optionsOf(
  queue: ControlQueue,
  { connection, namespace, build, codePath, slots, activities, traced, dataConverter }: ControlWorkersOptions,
): WorkerOptions {
  return {
    connection,
    namespace,
    taskQueue: queue,
    activities: activities[queue],
    ...traced,
    ...(dataConverter === undefined ? {} : { dataConverter }),
    maxConcurrentActivityTaskExecutions: slots[queue],
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: SHUTDOWN_GRACE,
    // Every queue is of the build, so that the activities of a job run on the build of the job.
    ...(build === null ? {} : versionedAs(build)),
    // Half a megabyte each. A workflow that is not cached is replayed, and of more than are cached, by turns, every one is replayed.
    ...(queue === CONTROL_QUEUE ? { workflowBundle: { codePath }, maxCachedWorkflows: 400 } : {}),
  };
}

/** Workflows that say nothing else move on to the build that is current; workflows/index.ts names those that stay. */
function versionedAs(version: BuildVersion): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  return {
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
