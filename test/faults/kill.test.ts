/**
 * Any process may be killed at any moment: the job ends as it should, nothing that is verified runs again, and nothing
 * is left behind.
 */
import { expect } from 'chai';

import { endsWell, notRunAgain, startedOnce } from '../support/faults/aftermath.ts';
import { instanceOf, ledgerOf, startsOf, submitNoop, untilVerified } from '../support/faults/jobs.ts';
import type { FaultJob, TaskRow } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { inLongRuns, IS_LONG } from '../support/long.ts';
import { until } from '../support/until.ts';

const SERVERS = ['control', 'api', 'gateway', 'temporal', 'postgres', 'storage'];
/** The number of tasks that must become verified before the next kill. */
const STEP = 2;

const longIt = inLongRuns(it);

describe('kill -9 in the middle of a job', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  /**
   * Kills in the middle of the job: some tasks are verified, some run, some wait. Afterwards more tasks become
   * verified.
   */
  const killDuring = async (
    job: FaultJob,
    taskCount: number,
    names: () => Promise<string[]>,
  ): Promise<void> => {
    const verified = await untilVerified(world, job, STEP);
    const killed = await names();
    const startedAt = performance.now();
    await world.killAndRestart(...killed);
    const upAt = performance.now();
    expect(verified.length + STEP, 'verified when killed: the job is too short').to.be.below(taskCount);
    await untilVerified(world, job, verified.length + STEP);
    await notRunAgain(world, job, verified);
    measured(`kill -9 ${killed.length > 2 ? 'all' : killed.join()}`, {
      verifiedThen: verified.length,
      of: taskCount,
      restartSeconds: (upAt - startedAt) / 1000,
      workGoesOnAfterSeconds: (performance.now() - startedAt) / 1000,
    });
  };

  describe('of the servers and the control side', () => {
    const TASKS = 40;
    let job: FaultJob;
    before(async () => {
      job = await submitNoop(world, { tasks: TASKS, seconds: 0.8 });
    });

    for (const name of SERVERS) {
      it(`of ${name}: the job goes on`, () => killDuring(job, TASKS, () => Promise.resolve([name])));
    }

    it('after all of them: every task was started once, the charge is the price', async () => {
      await endsWell(world, job, TASKS);
      await startedOnce(world, job, TASKS);
      const { recovery } = await job.customer.client.status(job.jobId);
      expect(recovery.recoveries, 'instances lost').to.equal(0);
    });
  });

  describe('of compute', () => {
    const TASKS = IS_LONG ? 24 : 18;
    const SLOTS = 2;
    const LOSSES = IS_LONG ? 3 : 2;
    let job: FaultJob;
    before(async () => {
      job = await submitNoop(world, { tasks: TASKS, seconds: 0.8 });
    });

    /** Waits until a task has just begun, so that a kill comes while it runs, and not between two tasks. */
    const untilOneBegins = async (): Promise<void> => {
      const begun = async (): Promise<number> =>
        (await startsOf(world, job)).filter(({ start }) => start === 'task').length;
      const before = await begun();
      await until('a task begins', async () => (await begun()) > before, RECOVERY_MS);
    };

    /** Tasks that an instance had reported may still be committed, so what is verified does not say that its loss was noticed. */
    const lossesAre = (count: number): Promise<unknown> =>
      until(
        `${String(count)} losses are noticed`,
        async () => (await job.customer.client.status(job.jobId)).recovery.recoveries === count,
        RECOVERY_MS,
      );

    it('of the instance: the job goes on with another one', async () => {
      await killDuring(job, TASKS, async () => {
        const instance = await instanceOf(world, job);
        await untilOneBegins();
        return [instance];
      });
      await lossesAre(1);
    });

    it('of the compute host: the job goes on with another instance', async () => {
      await killDuring(job, TASKS, async () => {
        await instanceOf(world, job);
        await untilOneBegins();
        return ['compute'];
      });
      await lossesAre(2);
    });

    longIt('of everything at once: the job goes on where it was', async () => {
      await killDuring(job, TASKS, async () => [await instanceOf(world, job), 'compute', ...SERVERS]);
      await lossesAre(3);
    });

    it('after all of that: only what was running was run again, the losses are seen and not charged', async () => {
      const tasks = await endsWell(world, job, TASKS);
      const { recovery } = await job.customer.client.status(job.jobId);
      expect(recovery.events.map(({ cause }) => cause)).to.deep.equal(Array(LOSSES).fill('INSTANCE_GONE'));
      const losses = await ledgerOf(job);
      expect(losses.map(({ kind, chargedCents }) => [kind, chargedCents])).to.deep.equal(
        Array(LOSSES).fill(['LOSS', 0]),
      );
      expect(await recoveriesInManifest(job), 'in the manifest').to.deep.equal(losses);
      for (const { secondsUntilWork } of losses) expect(secondsUntilWork).to.be.within(0, RECOVERY_MS / 1000);
      expect(recovery.tasksSetBack).to.equal(losses.reduce((sum, { tasksSetBack }) => sum + tasksSetBack, 0));
      expect(attemptsOver(tasks), 'attempts beyond the first').to.be.within(1, LOSSES * SLOTS);
      const starts = (await startsOf(world, job)).filter(({ start }) => start === 'task');
      expect(starts.length, 'task starts').to.be.at.most(TASKS + attemptsOver(tasks));
    });
  });
});

/** The recovery ledger as the manifest has it. */
async function recoveriesInManifest({ jobId, customer }: FaultJob): Promise<unknown> {
  for await (const { kind, url } of customer.client.outputs(jobId))
    if (kind === 'manifest') return Reflect.get(Object(await (await fetch(url)).json()), 'recoveries');
  return null;
}

function attemptsOver(tasks: readonly TaskRow[]): number {
  return tasks.reduce((sum, { attempts }) => sum + attempts - 1, 0);
}
