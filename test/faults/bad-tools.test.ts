/**
 * Tools that misbehave in every way, in one job of a customer: each such task fails with a code, is contained and is
 * not charged; the other tasks are done.
 */
import { globSync } from 'node:fs';

import { expect } from 'chai';

import { endsWith } from '../support/faults/aftermath.ts';
import { startsOf, submitNoop, tasksOf } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { inLongRuns } from '../support/long.ts';

const GOOD = 3;
const CODES = {
  hang: 'ENGINE_TIMEOUT',
  error: 'NOOP_ERROR',
  exit: 'ENGINE_CRASHED',
  flood: 'ENGINE_LIMIT_EXCEEDED',
  escape: 'OUTPUT_UNVERIFIED',
  fork: 'ENGINE_CRASHED',
  spec: 'INTERNAL_ERROR',
} as const;
const KINDS = ['hang', 'error', 'exit', 'flood', 'escape', 'fork', 'spec'] as const;

const longIt = inLongRuns(it);

describe('tools that fail, hang, exit, flood, escape, fork and throw at the gateway', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  it('each fails its own task with a code; the others are verified and alone are charged', async () => {
    const startedAt = performance.now();
    const job = await submitNoop(world, {
      tasks: KINDS.length + GOOD,
      seconds: 0.1,
      fail: KINDS.map((kind, index) => ({ index, kind })),
    });
    await endsWith(world, job, { state: 'PARTIALLY_SUCCEEDED', verified: GOOD });
    const { failures, progress, recovery } = await job.customer.client.status(job.jobId);
    expect(failures.map(({ index, code, attempts }) => ({ index, code, attempts }))).to.deep.equal(
      KINDS.map((kind, index) => ({ index, code: CODES[kind], attempts: 1 })),
    );
    expect(failures.every(({ message }) => message.length > 0 && message.length <= 1000)).to.equal(true);
    expect(progress).to.include({ completed: GOOD, failed: KINDS.length, running: 0 });
    expect(recovery.recoveries, 'a failing tool is no lost instance').to.equal(0);
    const tasks = (await startsOf(world, job)).filter(({ start }) => start === 'task');
    expect(tasks.length, 'task starts, but of the one that has no specification').to.equal(
      KINDS.length + GOOD - 1,
    );
    expect(globSync('**/escaped.txt', { cwd: world.stack.home })).to.deep.equal([]);
    measured('misbehaving tools', { endedAfterSeconds: (performance.now() - startedAt) / 1000 });
  });

  it('one that the system kills is done again three times; the instance stays, and it is charged once', async () => {
    const job = await submitNoop(world, {
      ...{ tasks: 2, seconds: 0 },
      fail: [
        { index: 0, kind: 'killself' },
        { index: 1, kind: 'killself', times: 3 },
      ],
    });
    await endsWith(world, job, { state: 'PARTIALLY_SUCCEEDED', verified: 1 });
    const { failures, recovery } = await job.customer.client.status(job.jobId);
    expect(failures.map(({ index, code, attempts }) => ({ index, code, attempts }))).to.deep.equal([
      { index: 0, code: 'ENGINE_OUT_OF_MEMORY', attempts: 4 },
    ]);
    expect((await tasksOf(world, job)).map(({ attempts, losses }) => ({ attempts, losses }))).to.deep.equal([
      { attempts: 4, losses: 4 },
      { attempts: 4, losses: 3 },
    ]);
    expect(recovery.recoveries).to.equal(0);
  });

  longIt('a job of failures alone is FAILED and costs nothing', async () => {
    const fail = (['exit', 'error'] as const).map((kind, index) => ({ index, kind }));
    const failing = await submitNoop(world, { tasks: 2, seconds: 0, fail });
    await endsWith(world, failing, { state: 'FAILED', verified: 0 });
  });
});
