/**
 * Random walks over jobs on the real stack, from seeds. Whatever was lost, killed, paused, cancelled and resumed in whichever
 * order: each task is charged once, and the outputs are those of a job that nothing disturbed. The same walks over a model are
 * in `test/unit/domain/job-walks.test.ts`. `DOCKYARD_WALK_SEEDS=17,23` walks these seeds alone.
 */
import { expect } from 'chai';

import { createJobWorkflows } from '../../src/adapters/temporal/client.ts';
import type { JobWorkflows } from '../../src/adapters/temporal/client.ts';
import { loadConfig } from '../../src/config.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { leavesNothing, priceOf } from '../support/faults/aftermath.ts';
import { ended, submitNoop } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import type { NoopWish } from '../support/faults/noop.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { Draws } from '../support/fleet/distributions.ts';
import { sideBySide } from '../support/side-by-side.ts';
import { walk, walkOf } from '../support/walks/real-walk.ts';

const WALKS = 50;
const AT_ONCE = 3;
const TASKS = 6;
const seeds = process.env['DOCKYARD_WALK_SEEDS']?.split(',').map(Number);

describe('a random walk over a job on the real stack', function () {
  this.timeout(40 * 60_000);
  let world: FaultWorld;
  let workflows: JobWorkflows;
  let undisturbed: ReadonlyMap<string, string>;
  const walks = sideBySide(AT_ONCE);

  before(async function () {
    this.timeout(120_000);
    world = await openFaultWorld({ settings: { DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '8' } });
    workflows = createJobWorkflows(loadConfig('cli', world.stack.env));
    const job = await submitNoop(world, wish());
    expect((await ended(world, job)).status).to.equal('SUCCEEDED');
    undisturbed = await outputsOf(job);
    walks.start();
  });
  after(() => workflows.close());

  for (const seed of seeds ?? Array.from({ length: WALKS }, (_, n) => n + 1)) {
    const draws = new Draws(seed);
    const fail =
      draws.uniform() < 0.4
        ? [{ index: Math.floor(draws.uniform() * TASKS), kind: 'exit' as const, times: 1 }]
        : [];
    const names = walkOf(draws);
    walks.test(
      `${String(seed)}${fail.length > 0 ? ' (a task fails)' : ''}: ${names.join(', ')}`,
      async () => {
        const job = await submitNoop(world, { ...wish(), fail });
        await walk({ world, workflows }, job, names, draws);
        await leavesNothing(world, job);
        expect(await outputsOf(job)).to.deep.equal(undisturbed);
        const { executions } = await job.customer.client.bill(job.jobId);
        const billed = executions.flatMap(({ lines }) => lines.map(({ tasks }) => tasks ?? 0));
        expect(
          billed.reduce((sum, tasks) => sum + tasks, 0),
          'tasks on the bill',
        ).to.equal(TASKS);
        const charged = executions.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
        expect(charged, 'charged').to.equal(priceOf(TASKS));
        expect((await job.customer.client.balance()).held_cents).to.equal(0);
      },
    );
  }

  it('leaves books that add up', async () => {
    expect(await verifyLedger(world.db)).to.deep.equal([]);
  });
});

function wish(): NoopWish {
  return { tasks: TASKS, seconds: 0.4, merge: true };
}

/** The digests of the outputs of tasks and merge, by name. */
async function outputsOf({ customer, jobId }: FaultJob): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for await (const output of customer.client.outputs(jobId))
    if (output.kind !== 'manifest') digests.set(`${String(output.taskIndex)}/${output.name}`, output.sha256);
  return digests;
}
