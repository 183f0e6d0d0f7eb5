/** A seat stays with its job while the instance of the job or a server is lost, and goes to the next job when the job ends. */
import { expect } from 'chai';

import { endsWell } from '../support/faults/aftermath.ts';
import { instanceOf, reaches, submitNoop, untilRunning } from '../support/faults/jobs.ts';
import { RECOVERY_MS } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { SETTING_WITHOUT_SANDBOX } from '../support/containments.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** Seconds of a task in which an instance and every server are killed. */
const TASK_SECONDS = 15;

describe('the only seat of a software', function () {
  this.timeout(RECOVERY_MS * 4);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await openFaultWorld({
      settings: { ...SETTING_WITHOUT_SANDBOX, DOCKYARD_CAPACITY_SEATS: '{"noop":1}' },
    });
  });
  after(() => endTestStack(world.stack));

  const heldBy = async (): Promise<readonly string[]> => {
    const rows = await world.rows<{ job: string }>(
      `select job_id as job from capacity_requests where state = 'GRANTED' and seats > 0`,
    );
    return rows.map(({ job }) => job);
  };

  it('is never held twice and never lost, whoever is killed, and goes to the oldest job that waits', async () => {
    const first = await submitNoop(world, { tasks: 2, seconds: TASK_SECONDS });
    await untilRunning(world, first);
    const [second, third] = [
      await submitNoop(world, { tasks: 1, seconds: 0 }),
      await submitNoop(world, { tasks: 1, seconds: 0 }),
    ];
    for (const job of [second, third]) await reaches(world, job, 'QUEUED');
    world.stack.kill(await instanceOf(world, first));
    await until(
      'the instance is replaced',
      async () => (await first.customer.client.status(first.jobId)).recovery.recoveries === 1,
      RECOVERY_MS,
    );
    expect(await heldBy()).to.deep.equal([first.jobId]);
    await world.killAndRestart('control', 'postgres');
    expect(await heldBy()).to.deep.equal([first.jobId]);
    await endsWell(world, first, 2);
    await endsWell(world, second, 1);
    await endsWell(world, third, 1);
    const [row] = await world.rows<{ inOrder: boolean }>(
      `select (select granted_at from capacity_requests where job_id = $1)
         < (select granted_at from capacity_requests where job_id = $2) as "inOrder"`,
      [second.jobId, third.jobId],
    );
    expect(row?.inOrder).to.equal(true);
    expect(await heldBy()).to.deep.equal([]);
  });
});
