// Two builds of control workers beside each other, and new work that is sent to one and to the other under load. Jobs end on the
// build that they began on, nothing is begun again, and no task runs twice.
import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { endsWell, startedOnce } from '../support/faults/aftermath.ts';
import { openBuilds } from '../support/faults/builds.ts';
import type { Builds } from '../support/faults/builds.ts';
import { submitNoop, untilRunning } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { RECOVERY_MS, measured } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';

const TASKS = 4;
const JOB = { tasks: TASKS, seconds: 1 };

describe('builds of control workers', function () {
  this.timeout(2 * RECOVERY_MS);
  let world: FaultWorld;
  let builds: Builds;
  before('starts a stack whose control workers are of a build', async () => {
    world = await openFaultWorld({ roles: ['gateway', 'compute', 'api'] });
    builds = await openBuilds(world);
  });
  after(() => builds.close());

  const endsOn = async (job: FaultJob, buildId: string): Promise<void> => {
    await endsWell(world, job, TASKS);
    await startedOnce(world, job, TASKS);
    expect(await builds.workedOn(jobWorkflowId(job.jobId)), job.jobId).to.deep.equal({
      builds: [buildId],
      runs: 1,
    });
    const { recovery } = await job.customer.client.status(job.jobId);
    expect(recovery.recoveries).to.equal(0);
  };

  it('lets the first build become current by itself, and no later one', async () => {
    builds.start('one');
    await builds.untilCurrent('one');
    builds.start('two');
    await builds.untilReady('two');
    expect((await builds.deployments.read())?.deployment.currentBuild).to.equal('one');
  });

  it('ends each job on the build that the job began on, forward and back under load', async () => {
    const startedAt = performance.now();
    const first = await Promise.all([submitNoop(world, JOB), submitNoop(world, JOB)]);
    for (const job of first) await untilRunning(world, job);
    await builds.setCurrent('two');
    const second = await Promise.all([submitNoop(world, JOB), submitNoop(world, JOB)]);
    for (const job of second) await untilRunning(world, job);
    await builds.setCurrent('one');
    const third = await Promise.all([submitNoop(world, JOB), submitNoop(world, JOB)]);
    for (const job of [...first, ...third]) await endsOn(job, 'one');
    for (const job of second) await endsOn(job, 'two');
    measured('two builds', { seconds: (performance.now() - startedAt) / 1000 });
  });
});
