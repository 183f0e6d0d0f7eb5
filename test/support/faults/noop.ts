import { createHash } from 'node:crypto';

import type { NoopFailure } from '../../fixtures/noop-tool/index.ts';
import type { SubmitJobRequest } from '../../../src/domain/requests.ts';

/** The tasks of a noop job and what they do. */
export interface NoopWish {
  readonly tasks: number;
  readonly seconds: number;
  readonly outputBytes?: number;
  readonly fail?: readonly NoopFailure[];
  readonly mode?: 'standard' | 'resumable';
  readonly merge?: boolean;
  readonly mergeSeconds?: number;
  /** Seconds of work between two checkpoints. */
  readonly checkpoint?: number;
  /** Tasks that one compute activity carries. */
  readonly shardSize?: number;
  /** With `measured` the seconds of the tasks are charged, a penny each. */
  readonly pricing?: 'fixed' | 'measured';
  /** The seconds that the customer expects of a measured task. */
  readonly expectedSeconds?: number;
  /** The instance that the job asks for. */
  readonly instance?: { readonly gpus: number; readonly vcpus: number };
}

/** A penny for each task and a start fee of two pence, as the price book has them for the test tool. */
export const PENNY_PER_TASK = 1;
export const START_FEE_PENCE = 2;

/** The output of a noop task, which depends on its index alone. */
export function noopOutput(index: number, bytes = 100): Buffer {
  const seed = createHash('sha512')
    .update(`noop/${String(index)}`)
    .digest();
  return Buffer.alloc(bytes, seed);
}

/** The request of a noop job. */
export function noopRequest({
  tasks,
  mode,
  shardSize,
  expectedSeconds,
  ...noop
}: NoopWish): SubmitJobRequest {
  const recovery = mode === undefined ? {} : { recovery: { mode } };
  const shards = shardSize === undefined ? {} : { simulationParams: { dockingExecution: { shardSize } } };
  const hint = expectedSeconds === undefined ? {} : { taskRuntimeMinutes: expectedSeconds / 60 };
  return {
    ...{ jobType: 'simulation', simulator: 'noop', taskCount: tasks, metadata: { ...hint, noop } },
    ...{ ...recovery, ...shards },
  };
}
