/** What the fake activities keep of a job, and how a test can hold, break or replace a step. */
import { randomUUID } from 'node:crypto';

import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Worker } from '@temporalio/worker';

import type { TaskReport } from '../../src/contracts/instance.ts';
import type { JobAdmission, JobPlan, JobTiming } from '../../src/contracts/job.ts';
import { oneClass } from '../../src/domain/pricing.ts';
import { until } from '../support/until.ts';

/** One call of an activity. */
export interface Call {
  readonly name: string;
  // The tests look into requests of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly request: any;
}

/** Runs before the effect of an activity; a value that the hook answers becomes the result of the activity instead. */
export type Hook = (request: unknown, call: number) => unknown;

/** A job that a test starts, with a record of everything that happened to it. */
export class FakeJob {
  readonly admission: JobAdmission;
  readonly calls: Call[] = [];
  readonly states: string[] = [];
  readonly done = new Map<number, 'SUCCEEDED' | 'FAILED'>();
  readonly settlements: { to: string; charged: number }[] = [];
  readonly fenced = new Set<string>();
  readonly workers = new Map<string, { worker: Worker; ended: Promise<void> }>();
  readonly hooks = new Map<string, Hook>();
  /** The tools that run on an instance now, and the most of its activities that ran at one time. */
  runningNow = 0;
  runningMost = 0;

  /** Whether the merge has succeeded, and whether it is decided. */
  hasMerged = false;
  isMergeDecided = false;

  constructor(admission: JobAdmission) {
    this.admission = admission;
  }

  get id(): string {
    return this.admission.jobId;
  }

  /** Names of the activities that were called, each once, in the order of their first call. */
  get order(): string[] {
    return [...new Set(this.calls.map(({ name }) => name))];
  }

  /** The requests of one activity. */
  of(name: string): Call['request'][] {
    return this.calls.filter((call) => call.name === name).map(({ request }) => request);
  }

  /** `hook` runs before the activity takes effect; a value that the hook answers becomes the result of the activity. */
  on(name: string, hook: Hook): this {
    this.hooks.set(name, hook);
    return this;
  }

  /** Makes the activity fail for good. */
  breaks(name: string): this {
    return this.on(name, () => {
      throw ApplicationFailure.create({
        message: `${name} is broken`,
        type: 'Invariant',
        nonRetryable: true,
      });
    });
  }

  /** Makes the activity wait; the returned functions tell when it is called and let it go on. */
  holds(name: string): { called: () => Promise<void>; release: () => void } {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let isCalled = false;
    this.on(name, async () => {
      isCalled = true;
      await gate;
    });
    return { called: () => until(`${name} is called`, () => isCalled), release };
  }

  count(state: 'SUCCEEDED' | 'FAILED'): number {
    return [...this.done.values()].filter((one) => one === state).length;
  }

  /** Decides the merge by its report. */
  merge(reports: readonly TaskReport[]): void {
    this.isMergeDecided = true;
    this.hasMerged = reports.some(({ end }) => end === 'done');
  }

  pending(from: number, to: number): number[] {
    return Array.from({ length: to - from }, (_, index) => from + index).filter((one) => !this.done.has(one));
  }
}

/** Time-outs that are short enough for a test; a test may replace each of them. */
export const QUICK: JobTiming = {
  computeHeartbeatSeconds: 1.5,
  computePickupSeconds: 60,
  capacityPollSeconds: 60,
  commitDelayMs: 20,
  noRoomSeconds: 60,
};

/** How a test's job differs from the default: 4 tasks, one task a shard, one instance of 2 slots. */
export interface JobOptions {
  readonly plan?: Partial<JobPlan>;
  readonly timing?: Partial<JobTiming>;
  readonly maxHistoryEvents?: number;
  readonly admission?: Partial<JobAdmission>;
}

/** A job as the API would submit it. */
export function admissionOf({ plan, admission }: JobOptions): JobAdmission {
  const jobId = randomUUID();
  const taskCount = plan?.taskCount ?? 4;
  return {
    jobId,
    submitId: randomUUID(),
    accountId: randomUUID(),
    userId: randomUUID(),
    caller: { kind: 'session', id: randomUUID() },
    toolId: 'noop',
    internal: false,
    warnings: [],
    accountPlan: 'free',
    jobType: 'simulation',
    simulator: 'noop',
    jobName: 'a name for nobody else',
    recoveryMode: 'standard',
    idempotencyKey: null,
    fingerprint: 'f'.repeat(64),
    request: { jobType: 'simulation', simulator: 'noop', taskCount },
    requestKey: null,
    plan: {
      unit: 'task',
      taskCount,
      shardSize: 1,
      steps: [],
      instances: 1,
      slotsPerInstance: 2,
      vcpusPerInstance: 2,
      taskTimeoutSeconds: 60,
      ...plan,
    },
    quote: {
      priceBookVersion: 'test',
      fxRateMicro: 790_000,
      pricing: {
        model: 'fixed',
        currency: 'GBP',
        classes: oneClass(taskCount, 10_000),
        startFeeMicro: 20_000,
        softwareMicro: 0,
        storageMicro: 0,
        egressMicro: 0,
        licenceNames: [],
      },
      taskCount,
      estimatedMicro: taskCount * 10_000 + 20_000,
      heldPence: taskCount + 2,
    },
    inputs: [],
    provider: 'local',
    effectiveSeed: null,
    admitBy: new Date(Date.now() + 60_000).toISOString(),
    response: {
      jobId,
      jobType: 'simulation',
      estimatedCost: 0,
      currency: 'GBP',
      status: 'SUBMITTED',
      provider: 'local',
      message: 'held',
      creditCurrency: 'GBP',
      fxRate: 1,
      heldCents: taskCount + 2,
    },
    ...admission,
  };
}

/** A report of a task that is complete. */
export function doneReport(ordinal: number): TaskReport {
  return { ordinal, end: 'done', outputs: [], seconds: 0, summary: null };
}

/** Beats until the activity is cancelled; for hooks of `runShard`. */
export async function untilCancelled(): Promise<void> {
  const timer = setInterval(() => heartbeat(), 50);
  try {
    await Context.current().cancelled.catch(() => undefined);
  } finally {
    clearInterval(timer);
  }
}

/** Hangs without a sign of life, as a dead instance does, until the test ends. */
export function hangs(): Promise<never> {
  return new Promise(() => undefined);
}
