/** Long activities have task queues of their own. */
import { expect } from 'chai';

import { CONTROL_QUEUE } from '../../src/contracts/names.ts';
import type { FakeJob } from './fake-job.ts';
import { World } from './world.ts';

const STORAGE = ['planTasks', 'commitTasks', 'checkCompleteness', 'writeManifest', 'sweepStaging'];
const PROVIDER = ['launchInstance', 'awaitInstance', 'inquireInstance', 'terminateInstances'];

describe('the task queues of control workers', function () {
  this.timeout(120_000);
  let world: World;

  before(async () => {
    world = await World.open();
  });
  after(() => world.close());

  /** The queue of each activity of a run, without compute activities. */
  const queuesOf = async (workflowId: string): Promise<Map<string, string>> => {
    const { events } = await world.client.workflow.getHandle(workflowId).fetchHistory();
    const queues = new Map<string, string>();
    for (const event of events ?? []) {
      const { activityType, taskQueue } = event.activityTaskScheduledEventAttributes ?? {};
      if (activityType?.name != null && activityType.name !== 'runShard')
        queues.set(activityType.name, taskQueue?.name ?? '');
    }
    return queues;
  };
  const partOf = async (job: FakeJob): Promise<string> => (await world.parts(job))[0] ?? '';
  const expected = (name: string): string =>
    STORAGE.includes(name) ? 'storage' : PROVIDER.includes(name) ? 'provider' : 'control';

  it('keep money and state apart from the store and from the provider', async () => {
    const { job, handle, result } = await world.run({});
    expect(result).to.include({ state: 'SUCCEEDED' });
    for (const workflowId of [handle.workflowId, await partOf(job)]) {
      const queues = await queuesOf(workflowId);
      expect(queues.size).to.be.greaterThan(1);
      for (const [name, queue] of queues) expect(queue, name).to.equal(expected(name));
    }
    const all = new Map([...(await queuesOf(handle.workflowId)), ...(await queuesOf(await partOf(job)))]);
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
      expect((await queuesOf(workflowId)).get(name)).to.equal('storage');
    }
  });
});
