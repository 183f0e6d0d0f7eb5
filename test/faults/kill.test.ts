/** Any process may be killed at any moment: the job ends right, nothing verified is done again, nothing is left. */
import { expect } from 'chai';

import { endsWell, notRunAgain, startedOnce } from '../support/faults/aftermath.ts';
import { instanceOf, startsOf, submitNoop, tasksOf, untilVerified } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';

const TASKS = 10;
const JOB = { tasks: TASKS, seconds: 0.6 };
/** Without an instance's loss no task is ever started twice. */
const SERVERS = ['api', 'gateway', 'control', 'temporal', 'postgres', 'storage'];

describe('kill -9 in the middle of a job', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: FaultWorld;
  before(async () => {
    world = await faultWorld();
  });

  for (const victim of SERVERS) {
    it(`of ${victim}: the job ends right and every task was started once`, async () => {
      const job = await submitNoop(world, JOB);
      const verified = await untilVerified(world, job, 2);
      const killedAt = performance.now();
      await world.killAndRestart(victim);
      const upAgain = performance.now();
      await endsWell(world, job, TASKS);
      await notRunAgain(world, job, verified);
      await startedOnce(world, job, TASKS);
      console.log(
        `      ${victim}: ${verified.length} of ${TASKS} verified when killed, up again after ` +
          `${seconds(upAgain - killedAt)}, job ended after ${seconds(performance.now() - killedAt)}`,
      );
    });
  }

  it('of the compute worker: only what it was running is run again', async () => {
    const job = await submitNoop(world, JOB);
    const verified = await untilVerified(world, job, 2);
    const killedAt = performance.now();
    world.stack.kill(await instanceOf(world, job));
    await endsWell(world, job, TASKS);
    await notRunAgain(world, job, verified);
    await recoveredFrom(world, job, 1);
    console.log(`      instance: job ended after ${seconds(performance.now() - killedAt)}`);
  });

  it('of the compute host with its instances: only what was running is run again', async () => {
    const job = await submitNoop(world, JOB);
    const verified = await untilVerified(world, job, 2);
    const killedAt = performance.now();
    await world.killAndRestart('compute');
    await endsWell(world, job, TASKS);
    await notRunAgain(world, job, verified);
    await recoveredFrom(world, job, 1);
    console.log(`      compute: job ended after ${seconds(performance.now() - killedAt)}`);
  });

  it('of everything at once: the job goes on where it was', async () => {
    const job = await submitNoop(world, JOB);
    const verified = await untilVerified(world, job, 2);
    const killedAt = performance.now();
    await world.killAndRestart(await instanceOf(world, job), 'compute', ...SERVERS);
    await endsWell(world, job, TASKS);
    await notRunAgain(world, job, verified);
    console.log(`      all at once: job ended after ${seconds(performance.now() - killedAt)}`);
  });
});

/** The customer sees each loss, and pays nothing for it. */
async function recoveredFrom(world: FaultWorld, job: FaultJob, losses: number): Promise<void> {
  const { recovery } = await job.customer.client.status(job.jobId);
  expect(recovery.recoveries).to.equal(losses);
  expect(recovery.events.map(({ cause }) => cause)).to.deep.equal(Array(losses).fill('INSTANCE_GONE'));
  const starts = await startsOf(world, job);
  const running = (await tasksOf(world, job)).filter(({ attempts }) => attempts > 1);
  expect(running.length, 'tasks that were running').to.be.within(1, 2 * losses);
  expect(starts.filter(({ start }) => start === 'task').length).to.be.at.most(TASKS + running.length);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
