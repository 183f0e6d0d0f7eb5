/**
 * Instances of the simulated EC2 when the control side dies: a control worker between the row of a launch, its call and the answer, a
 * workflow that is terminated by hand, and the whole control plane for good. New instances are in no listing for a while.
 */
import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { onePerToken, openCloudWorld, type CloudWorld } from '../support/ec2/world.ts';
import { endsWell, endsWith } from '../support/faults/aftermath.ts';
import { closeGate } from '../support/faults/gate.ts';
import { ledgerOf, reaches, submitNoop, untilRunning } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { until } from '../support/until.ts';
import { tuned } from '../support/tuning.ts';

const INVISIBLE_SECONDS = 8;
const DEAD_MAN_SECONDS = 45;
/** Longer than a killed control worker is away. */
const IDLE_SECONDS = 30;
/** No instance outlives its workflow by more, in the scaled times of five minutes. */
const LEAK_MS = 60_000;
/** The watcher looks every five seconds, and a busy machine takes its time. */
const SPARE_MS = 30_000;

describe('instances of the simulated EC2 whose control side dies', function () {
  this.timeout(RECOVERY_MS * 6);
  let world: CloudWorld;
  before(async function () {
    this.timeout(180_000);
    world = await openCloudWorld(
      {
        settings: tuned({ deadManMinutes: DEAD_MAN_SECONDS / 60, idleMinutes: IDLE_SECONDS / 60 }),
      },
      { invisibleSeconds: INVISIBLE_SECONDS },
    );
  });
  after(async function () {
    this.timeout(60_000);
    await world.close();
  });

  /** The job ends well on the one instance that was started for it, and nothing of it was lost. */
  const endsOnOne = async (job: FaultJob, tasks: number): Promise<void> => {
    await endsWell(world, job, tasks);
    expect(await world.machinesOf(job), 'instances').to.have.length(1);
    await onePerToken(world, job);
    expect(await ledgerOf(job), 'replaced instances').to.deep.equal([]);
    await world.untilGone(job, LEAK_MS);
  };
  /** Kills the control worker while it writes this to the row of a launch; nothing else is launched meanwhile. */
  const killedAt = async (when: string): Promise<void> => {
    const gate = await closeGate(world, { table: 'instances', event: 'update', moment: 'row', when });
    try {
      const job = await submitNoop(world, { tasks: 2, seconds: 0 });
      await gate.reached();
      await world.killAndRestart('control');
      await gate.refuse();
      await gate.open();
      await endsOnOne(job, 2);
    } finally {
      await gate.open();
    }
  };

  it('are one where the control worker dies between the row and the call', () =>
    killedAt(`new.provider = 'ec2' and new.asked_at is not null and new.provider_id is null`));

  it('are one where it dies between the call and the answer', async () => {
    const answers = world.cloud.faults.fail('RunInstances', 'stall', 1);
    const job = await submitNoop(world, { tasks: 2, seconds: 0 });
    await until(
      'the instance is launched',
      async () => (await world.machinesOf(job)).length > 0,
      RECOVERY_MS,
    );
    await world.killAndRestart('control');
    answers();
    await endsOnOne(job, 2);
  });

  it('are one where it dies between the answer and its note in the row', () =>
    killedAt(`new.provider = 'ec2' and new.provider_id is not null and new.last_contact_at is null`));

  it('are one where the answer is lost and no listing shows the instance yet', async () => {
    const answers = world.cloud.faults.fail('RunInstances', 'lost', 1);
    const job = await submitNoop(world, { tasks: 2, seconds: 0 });
    await endsOnOne(job, 2).finally(answers);
    expect(world.cloud.countOf('RunInstances')).to.be.above(1);
  });

  it('leave nothing, and their job no hold, when it is cancelled while every answer to the launch is lost', async () => {
    const { faults } = world.cloud;
    const seesAgain = faults.fail('RunInstances', 'lost');
    const job = await submitNoop(world, { tasks: 4, seconds: 1 });
    await until(
      'the instance is launched',
      async () => (await world.machinesOf(job)).length > 0,
      RECOVERY_MS,
    );
    await job.customer.client.cancel(job.jobId);
    await endsWith(world, job, { state: 'CANCELLED', verified: 0 }).finally(seesAgain);
    measured('cancelled in a launch', { goneAfterMs: await world.untilGone(job, LEAK_MS) });
    await onePerToken(world, job);
  });

  it('end soon after their workflow was terminated by hand', async () => {
    const job = await submitNoop(world, { tasks: 4, seconds: 120 });
    await untilRunning(world, job, 4);
    const [first = expect.fail('no machine')] = await world.machinesOf(job);
    const temporal = await world.temporal();
    await temporal.workflow.getHandle(jobWorkflowId(job.jobId)).terminate('by hand');
    const startedAt = performance.now();
    await until('the instance has ended', () => first.endedMs !== null, LEAK_MS);
    measured('a workflow that was terminated', { endedAfterMs: performance.now() - startedAt });
    await job.customer.client.cancel(job.jobId);
    await reaches(world, job, 'CANCELLED');
    await world.untilGone(job, LEAK_MS);
  });

  it('end by themselves when they are without work for long, although the gateway hears them', async () => {
    const job = await submitNoop(world, { tasks: 8, seconds: 3 });
    await untilRunning(world, job, 4);
    const [machine = expect.fail('no machine')] = await world.machinesOf(job);
    // What runs ends, and nobody sends the next tasks.
    await world.stack.stopChild('control', 'SIGKILL');
    const startedAt = performance.now();
    await until('it has ended', () => machine.endedMs !== null, IDLE_SECONDS * 1000 + SPARE_MS * 2);
    measured('no work', { endedAfterMs: performance.now() - startedAt });
    expect(performance.now() - startedAt).to.be.above(IDLE_SECONDS * 1000);
    expect(machine.reason).to.equal('Client.InstanceInitiatedShutdown');
    expect(world.cloud.machines.consoleOf(machine.id)).to.include('the worker has ended');
    const [row] = await world.rows<{ silent: number }>(
      `select extract(epoch from now() - last_contact_at)::float8 as silent from instances where job_id = $1`,
      [job.jobId],
    );
    expect(row?.silent, 'the gateway heard it to its end').to.be.below(IDLE_SECONDS);
    await world.stack.startChild('control');
    await endsWell(world, job, 8);
    await world.untilGone(job, LEAK_MS);
  });

  it('power themselves off when the control plane is gone for good', async () => {
    const job = await submitNoop(world, { tasks: 4, seconds: 600 });
    await untilRunning(world, job, 4);
    const [machine = expect.fail('no machine')] = await world.machinesOf(job);
    await Promise.all(['control', 'gateway', 'api'].map((name) => world.stack.stopChild(name, 'SIGKILL')));
    const startedAt = performance.now();
    await until(
      'it has powered itself off',
      () => machine.endedMs !== null,
      DEAD_MAN_SECONDS * 1000 + SPARE_MS,
    );
    measured('no control plane', { offAfterMs: performance.now() - startedAt });
    expect(machine.reason).to.equal('Client.InstanceInitiatedShutdown');
    expect(world.cloud.machines.consoleOf(machine.id)).to.include('no sign of life');
  });
});
