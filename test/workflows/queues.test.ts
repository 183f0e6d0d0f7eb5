/**
 * Long activities have task queues of their own; a run that began before these queues existed goes on with its one
 * queue.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { CONTROL_QUEUE } from '../../src/contracts/names.ts';
import { until } from '../support/until.ts';
import type { FakeJob } from './fake-job.ts';
import { World } from './world.ts';

const STORAGE = ['planTasks', 'commitTasks', 'checkCompleteness', 'writeManifest', 'sweepStaging'];
const PROVIDER = ['launchInstance', 'awaitInstance', 'inquireInstance', 'terminateInstances'];

describe('the task queues of control workers', function () {
  this.timeout(120_000);
  let folder: string;
  let world: World;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockyard-queues-'));
    const before = readFileSync(await ensureBundle(), 'utf8').replace(
      /\(0, ?\w+\.patched\)\(QUEUES_BY_KIND\)/,
      'false',
    );
    expect(before).to.include('byKind = false');
    writeFileSync(join(folder, 'before.js'), before);
    world = await World.open(join(folder, 'before.js'));
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * The queue of each activity of a run, without compute activities, and the number of patches that the run has
   * recorded.
   */
  const runOf = async (workflowId: string): Promise<{ queues: Map<string, string>; patches: number }> => {
    const { events } = await world.client.workflow.getHandle(workflowId).fetchHistory();
    const queues = new Map<string, string>();
    let patches = 0;
    for (const event of events ?? []) {
      const { activityType, taskQueue } = event.activityTaskScheduledEventAttributes ?? {};
      if (activityType?.name != null && activityType.name !== 'runShard')
        queues.set(activityType.name, taskQueue?.name ?? '');
      if (event.markerRecordedEventAttributes?.markerName === 'core_patch') patches += 1;
    }
    return { queues, patches };
  };
  const partOf = async (job: FakeJob): Promise<string> => (await world.parts(job))[0] ?? '';
  const expected = (name: string): string =>
    STORAGE.includes(name) ? 'storage' : PROVIDER.includes(name) ? 'provider' : 'control';

  it('are left to new runs by one that began before there was more than one', async () => {
    let granted = false;
    const job = world.job();
    job.hooks.set('requestCapacity', () =>
      granted ? undefined : { granted: false, position: 1, reason: 'CAPACITY' },
    );
    const { handle } = await world.start(job);
    await until('the job waits', () => job.states.includes('QUEUED'));
    await world.serve(await ensureBundle());
    granted = true;
    expect(await handle.result()).to.include({ state: 'SUCCEEDED' });

    const run = await runOf(handle.workflowId);
    expect(run.patches).to.equal(0);
    expect([...run.queues.keys()]).to.include.members(['planTasks', 'launchInstance', 'settleJob']);
    for (const [name, queue] of run.queues) expect(queue, name).to.equal(CONTROL_QUEUE);
    // The parts of the job began after the change.
    const part = await runOf(await partOf(job));
    expect(part.queues.get('commitTasks')).to.equal('storage');
  });

  it('keep money and state apart from the store and from the provider, for one marker in a run', async () => {
    const { job, handle, result } = await world.run({});
    expect(result).to.include({ state: 'SUCCEEDED' });
    for (const workflowId of [handle.workflowId, await partOf(job)]) {
      const { queues, patches } = await runOf(workflowId);
      expect(patches, workflowId).to.equal(1);
      expect(queues.size).to.be.greaterThan(1);
      for (const [name, queue] of queues) expect(queue, name).to.equal(expected(name));
    }
    const all = new Map([
      ...(await runOf(handle.workflowId)).queues,
      ...(await runOf(await partOf(job))).queues,
    ]);
    expect([...all.keys()]).to.include.members([
      ...STORAGE,
      ...['launchInstance', 'terminateInstances', 'fenceJob', 'settleJob', 'recordState'],
    ]);
  });

  it('keep housekeeping away from money and state', async () => {
    for (const name of [
      'sweepDeployment',
      'auditLedger',
      'endLongPauses',
      'fetchFxRate',
      'grantDueAllowances',
      'sendAlerts',
      'reconcileBooks',
    ]) {
      const workflowId = `${name}-queue`;
      await world.client.workflow.execute(name, { taskQueue: CONTROL_QUEUE, workflowId, args: [] });
      expect((await runOf(workflowId)).queues.get(name)).to.equal('storage');
    }
  });
});
