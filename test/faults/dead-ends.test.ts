/**
 * A compute host whose instances cannot run the tool at all: the fault is in no task, and no further instance would
 * help.
 */
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { smilesLigand } from '../support/docking.ts';
import { leavesNothing, moneyIsExact } from '../support/faults/aftermath.ts';
import { reaches, tasksOf } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { endTestStack } from '../support/stack.ts';

const DEAD_ENDS = 3;

describe('instances on which the tool does not start', function () {
  this.timeout(RECOVERY_MS * (DEAD_ENDS + 1));
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    const missing = join(repositoryRoot, '.cache', 'no-such-python');
    world = await openFaultWorld({ settings: { DOCKYARD_SCIENCE_PYTHON: missing } });
  });
  after(async function () {
    this.timeout(240_000);
    await endTestStack(world.stack);
  });

  it('are replaced twice; then the job rests for an operator with the cause, costs nothing, and can be cancelled', async () => {
    const startedAt = performance.now();
    const customer = await world.customer();
    const path = join(repositoryRoot, 'examples', '1a28', '1a28.pdb');
    const { storageKey } = await customer.client.upload({ path });
    const { jobId, heldCents } = await customer.client.submit({
      jobType: 'simulation',
      simulator: 'autodock-vina',
      sceneFile: storageKey,
      recovery: { mode: 'resumable' },
      simulationParams: {
        ...{ boxCenterAngstrom: [0, 0, 0], boxSizeAngstrom: 20 },
        ligandLibrary: [smilesLigand('phenol', 'Oc1ccccc1')],
      },
    });
    const job: FaultJob = { jobId, customer, heldPence: heldCents };
    await reaches(world, job, 'PAUSED');
    measured('three dead ends', { pausedAfterSeconds: (performance.now() - startedAt) / 1000 });
    const { pauseReason, statusReason } = await customer.client.status(jobId);
    expect({ pauseReason, statusReason }).to.deep.equal({
      pauseReason: 'OPERATOR',
      statusReason: 'WORKER_ERROR',
    });
    const launched = await world.rows<{ fence_cause: string }>(
      'select fence_cause from instances where job_id = $1 order by generation',
      [jobId],
    );
    expect(launched.map((row) => row.fence_cause)).to.deep.equal(Array(DEAD_ENDS).fill('WORKER_ERROR'));
    expect((await tasksOf(world, job)).map(({ state }) => state)).to.deep.equal(['PENDING']);
    await moneyIsExact(world, job, 0);
    await customer.client.cancel(jobId);
    await reaches(world, job, 'CANCELLED');
    await leavesNothing(world, job);
  });
});
