/** In standard recovery a task that loses its instance again and again fails; what is verified is kept and charged. */
import { expect } from 'chai';

import { loadConfig } from '../../src/config.ts';
import { endsWell, endsWith, notRunAgain, startedOnce } from '../support/faults/aftermath.ts';
import {
  instanceOf,
  submitNoop,
  taskStarts,
  tasksOf,
  untilRunning,
  untilVerified,
} from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { sideBySide } from '../support/side-by-side.ts';
import { until } from '../support/until.ts';

const STARTS = 4;
const LAST = 10;

describe('a task that loses its instance each time it runs', function () {
  this.timeout(RECOVERY_MS * (LAST + 1));
  let world: FaultWorld;
  // Each case waits for one loss after the other, and kills no process that the other case needs: they run side by side.
  const { test, start } = sideBySide(2);
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
    start();
  });

  test('is started again three times, then fails as WORKER_LOST; nothing of the losses is charged', async () => {
    // The second task hangs far longer than the test waits; the first task ends at once.
    const job = await submitNoop(world, {
      tasks: 2,
      seconds: 0.1,
      fail: [{ index: 1, kind: 'hang' }],
    });
    const verified = await untilVerified(world, job, 1);
    const startedAt = performance.now();
    for (let start = 1; start <= STARTS; start += 1) {
      await until('the task runs', async () => (await taskStarts(world, job)).get(1) === start, RECOVERY_MS);
      const [running] = await untilRunning(world, job);
      expect(running).to.include({ ordinal: 1, attempts: start, losses: start - 1, generation: start });
      world.stack.kill(await instanceOf(world, job));
    }
    await endsWith(world, job, { state: 'PARTIALLY_SUCCEEDED', verified: 1 });
    await notRunAgain(world, job, verified);
    const { failures, recovery } = await job.customer.client.status(job.jobId);
    expect(failures.map(({ index, code, attempts }) => ({ index, code, attempts }))).to.deep.equal([
      { index: 1, code: 'WORKER_LOST', attempts: STARTS },
    ]);
    expect(recovery.recoveries).to.equal(STARTS);
    expect((await tasksOf(world, job))[1]).to.include({ losses: STARTS });
    measured('lost four times', {
      endedAfterSeconds: (performance.now() - startedAt) / 1000,
      perLoss: (performance.now() - startedAt) / 1000 / STARTS,
    });
  });

  test('is given up at its tenth loss where lost instances are replaced as long as the job lives', async () => {
    // The first two tasks have a second to be committed before the third task ends the instance.
    const job = await submitNoop(world, {
      ...{ tasks: 3, seconds: 1, mode: 'resumable' },
      fail: [{ index: 2, kind: 'killinstance' }],
    });
    const startedAt = performance.now();
    for (let loss = 1; loss < LAST; loss += 1)
      await until(
        'another loss',
        async () => ((await tasksOf(world, job))[2]?.losses ?? 0) >= loss,
        RECOVERY_MS,
      );
    await endsWith(world, job, { state: 'PARTIALLY_SUCCEEDED', verified: 2 });
    const { failures, recovery } = await job.customer.client.status(job.jobId);
    expect(failures.map(({ index, code, attempts }) => ({ index, code, attempts }))).to.deep.equal([
      { index: 2, code: 'WORKER_LOST', attempts: LAST },
    ]);
    expect(recovery.recoveries).to.equal(LAST);
    measured('lost ten times', { endedAfterSeconds: (performance.now() - startedAt) / 1000 });
  });
});

describe('an instance that its provider could not launch for long', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  it('is not taken for silent when it comes at last: nothing is recovered, no task starts twice', async () => {
    const { giveUpSeconds } = loadConfig('control', world.stack.env);
    await world.stack.stopChild('compute', 'SIGKILL');
    let job: FaultJob;
    try {
      job = await submitNoop(world, { tasks: 2, seconds: 0.1 });
      await until(
        'the launch is older than an instance may be silent',
        async () => {
          const old = await world.rows(
            `select 1 from instances where job_id = $1 and launched_at < now() - make_interval(secs => $2)`,
            [job.jobId, giveUpSeconds + 1],
          );
          return old.length > 0;
        },
        RECOVERY_MS * 2,
      );
    } finally {
      await world.stack.startChild('compute');
    }
    await endsWell(world, job, 2);
    await startedOnce(world, job, 2);
    const { recovery } = await job.customer.client.status(job.jobId);
    expect(recovery.recoveries).to.equal(0);
  });
});
