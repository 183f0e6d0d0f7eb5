/** Loss of contact is not loss of work: while Temporal is down the tools go on, and afterwards they are adopted. */
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { endsWell, startedOnce } from '../support/faults/aftermath.ts';
import { startsOf, submitNoop, tasksOf } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
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
