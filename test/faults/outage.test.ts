/** Loss of contact is not loss of work: while Temporal is down the tools go on, and afterwards they are adopted. */
import { closeSync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { viewJobWorkflow } from '../../src/adapters/temporal/job-view.ts';
import { loadConfig } from '../../src/config.ts';
import { capacityLimitsOf } from '../../src/config/capacity-settings.ts';
import { explainJob } from '../../src/services/operations/explain-job.ts';
import { readJobPage } from '../../src/services/operations/job-page.ts';
import type { JobStatusResponse } from '../../src/client/types.ts';
import { endsWell, startedOnce } from '../support/faults/aftermath.ts';
import { startsOf, submitNoop, tasksOf } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { openTinyDisk } from '../support/tiny-disk.ts';
import { until } from '../support/until.ts';

const SLOTS = 2;
/** Longer than the heartbeat time-out of a compute activity (2 s, 8 s). */
const DOWN_SECONDS = timed({ scaled: 5, full: 60 });
/** Tasks that last longer than the outage, and tasks that end while no process can take their results. */
const LONG = { tasks: SLOTS, seconds: timed({ scaled: 8, full: 180 }) };
const SHORT = { tasks: SLOTS, seconds: timed({ scaled: 3, full: 30 }) };

describe('Temporal down for longer than the heartbeat time-out', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  it('no tool is started again: running tasks and tasks that have ended meanwhile are adopted', async () => {
    const jobs = await Promise.all([submitNoop(world, LONG), submitNoop(world, SHORT)]);
    for (const job of jobs)
      await until('its tools run', async () => (await startsOf(world, job)).length === 2 * SLOTS);
    const before = await Promise.all(jobs.map((job) => startsOf(world, job)));
    await world.stack.stopChild('temporal', 'SIGKILL');
    const stoppedAt = performance.now();
    await sleep(DOWN_SECONDS * 1000);
    await world.stack.startChild('temporal');
    const downSeconds = (performance.now() - stoppedAt) / 1000;
    for (const [index, job] of jobs.entries()) {
      await endsWell(world, job, SLOTS);
      await startedOnce(world, job, SLOTS);
      const starts = await startsOf(world, job);
      expect(starts, 'starts of processes and tasks').to.deep.equal(before[index]);
      expect(starts.filter(({ start }) => start === 'process').length).to.equal(SLOTS);
      expect((await tasksOf(world, job)).map(({ losses }) => losses)).to.deep.equal([0, 0]);
      const { recovery } = await job.customer.client.status(job.jobId);
      expect(recovery.recoveries).to.equal(0);
    }
    measured('Temporal down', { downSeconds, endedAfterSeconds: (performance.now() - stoppedAt) / 1000 });
  });
});

describe('A store without room', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: FaultWorld;
  let disk: Awaited<ReturnType<typeof openTinyDisk>>;
  const bucket = (): string => dirname(world.fileOf('x'));
  const kept = (): string => `${bucket()}.kept`;
  const restartOver = async (change: () => void): Promise<void> => {
    await world.stack.stopChild('storage');
    change();
    await world.stack.startChild('storage');
  };
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
    disk = await openTinyDisk();
    await restartOver(() => {
      renameSync(bucket(), kept());
      symlinkSync(disk.folder, bucket());
    });
  });
  after(async () => {
    await restartOver(() => {
      rmSync(bucket());
      renameSync(kept(), bucket());
    });
    await disk.close();
  });

  it('is told to whoever waits for the job and to operators, and the job ends well once there is room', async () => {
    const filler = join(disk.folder, 'filler');
    const file = openSync(filler, 'w');
    expect(() => {
      for (;;) writeSync(file, Buffer.alloc(4096, 1));
    }).to.throw('ENOSPC');
    closeSync(file);
    const job = await submitNoop(world, { tasks: SLOTS, seconds: 0 });
    const status = (): Promise<JobStatusResponse> => job.customer.client.status(job.jobId);
    await until('the status says so', async () => (await status()).statusReason === 'STORE_FULL');
    const config = loadConfig('cli', world.stack.env);
    const page = await readJobPage(world.db, job.jobId, capacityLimitsOf(config));
    const { next } = explainJob(page, await viewJobWorkflow(config, job.jobId));
    expect(next.join()).to.include('Make room in the object store');
    rmSync(filler);
    await endsWell(world, job, SLOTS);
    expect((await status()).statusReason).to.equal(null);
  });
});
