/**
 * In standard recovery a task that loses its instance again and again fails; what is verified is kept and charged. In resumable
 * recovery lost instances are replaced as long as the job lives.
 */
import { expect } from 'chai';

import { loadConfig } from '../../src/config.ts';
import { endsWell, endsWith, notRunAgain, startedOnce } from '../support/faults/aftermath.ts';
import {
  instanceOf,
  ledgerOf,
  submitNoop,
  taskStarts,
  tasksOf,
  untilRunning,
  untilVerified,
} from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { IS_FULL, measured, RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { sideBySide } from '../support/side-by-side.ts';
import { until } from '../support/until.ts';

const STARTS = 4;
/** Losses of a resumable task in a row, far more than end a standard one; at full length the pauses between them grow to a minute. */
const IN_A_ROW = timed({ scaled: 11, full: 6 });
/** Instances that the task with checkpoints loses. */
const LOST = 10;
/** Seconds of work between two checkpoints, and of each attempt before its instance is lost. */
const [INTERVAL, WORK] = [0.5, 1.2];

describe('a task that loses its instance each time it runs', function () {
  this.timeout(RECOVERY_MS * (LOST + 1));
  let world: FaultWorld;
  // Each case waits for one loss after the other, and kills no process that the other case needs: they run side by side.
  const { test, start } = sideBySide(timed({ scaled: 2, full: 3 }));
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

  test('is started again and again in resumable recovery, with more and more time between, until it succeeds', async () => {
    // The first two tasks have a second to be committed before the third task ends the instance.
    const job = await submitNoop(world, {
      ...{ tasks: 3, seconds: 1, mode: 'resumable' },
      fail: [{ index: 2, kind: 'killinstance', times: IN_A_ROW }],
    });
    const startedAt = performance.now();
    for (let loss = 1; loss <= IN_A_ROW; loss += 1)
      await until(
        'another loss',
        async () => ((await tasksOf(world, job))[2]?.losses ?? 0) >= loss,
        RECOVERY_MS,
      );
    const tasks = await endsWell(world, job, 3);
    expect(tasks[2]).to.include({ attempts: IN_A_ROW + 1, losses: IN_A_ROW });
    const { recovery } = await job.customer.client.status(job.jobId);
    expect(recovery.recoveries).to.equal(IN_A_ROW);
    measured(`lost ${String(IN_A_ROW)} times in a row`, {
      endedAfterSeconds: (performance.now() - startedAt) / 1000,
    });
  });

  // With a tool that is killed twice `npm test` shows the same on one instance (test/integration/containment.test.ts).
  if (IS_FULL)
    test('goes on from its last checkpoint, so that less than an interval of its work is done again for each loss', async () => {
      const job = await submitNoop(world, {
        ...{ tasks: 1, seconds: LOST * WORK * 1.5, mode: 'resumable', checkpoint: INTERVAL },
        fail: [{ index: 0, kind: 'killinstance', times: LOST, after: WORK }],
      });
      await endsWith(world, job, { state: 'SUCCEEDED', verified: 1 });
      const [task] = await tasksOf(world, job);
      expect(task).to.include({ attempts: LOST + 1, losses: LOST });
      const starts = await startSecondsOf(job);
      expect(starts).to.have.length(LOST + 1);
      for (const [attempt, second] of starts.slice(1).entries())
        expect(second - (starts[attempt] ?? 0), `kept by attempt ${String(attempt + 1)}`).to.be.greaterThan(
          WORK - INTERVAL,
        );
      const ledger = await ledgerOf(job);
      expect(ledger.map(({ kind, tasksSetBack }) => [kind, tasksSetBack])).to.deep.equal(
        Array(LOST).fill(['LOSS', 1]),
      );
      await until(
        'the sweep has removed the checkpoint',
        async () => {
          const kept = await world.rows('select 1 from tasks where job_id = $1 and checkpoint is not null', [
            job.jobId,
          ]);
          return kept.length === 0;
        },
        RECOVERY_MS,
      );
    });
});

/** With which second of its work each attempt at the job's one task began, as the task itself says. */
async function startSecondsOf({ jobId, customer }: FaultJob): Promise<readonly number[]> {
  for await (const { summary } of customer.client.tasks(jobId)) {
    const starts: unknown = Reflect.get(Object(summary), 'starts');
    return Array.isArray(starts) ? starts.map(Number) : [];
  }
  return [];
}

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
