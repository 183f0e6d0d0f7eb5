/**
 * Jobs on the simulated EC2: what user-data says is executed, and the worker that it starts knows the gateway alone. The whole line
 * is that of production; what is simulated is the cloud (`test/support/ec2`). `test/endurance/ec2.test.ts` has what takes minutes.
 */
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import { ECS_IMAGES } from '../support/ec2.ts';
import { dockOnce } from '../support/ec2/docked.ts';
import { secretsWithin } from '../support/ec2/secrets.ts';
import { launchesOf, onePerToken, openCloudWorld, startsOn, type CloudWorld } from '../support/ec2/world.ts';
import { endsWell } from '../support/faults/aftermath.ts';
import { ledgerOf, submitNoop, tasksOf, untilRunning, untilVerified } from '../support/faults/jobs.ts';
import { RECOVERY_MS, timed } from '../support/faults/times.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = RECOVERY_MS * 3;
/** A boot that is longer than the silence after which an instance that has worked is replaced. */
const LONG_BOOT_SECONDS = timed({ scaled: 6, full: 90 });
/** EC2 answers no look for longer than that silence. */
const BLIND_MS = timed({ scaled: 10_000, full: 600_000 });
/** No instance outlives its job by more. */
const LEAK_MS = timed({ scaled: 60_000, full: 300_000 });
const NOTICE_SECONDS = timed({ scaled: 30, full: 120 });

const longIt = inLongRuns(it);

describe('jobs on the simulated EC2', function () {
  this.timeout(PATIENCE_MS);
  let world: CloudWorld;
  before(async function () {
    this.timeout(180_000);
    world = await openCloudWorld();
  });
  after(async function () {
    this.timeout(60_000);
    await world.close();
  });

  const imageOf = async (parameter: string): Promise<string> => {
    const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
    const ssm = new SSMClient({ region: world.cloud.region, endpoint: world.cloud.url, credentials });
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: parameter }));
    ssm.destroy();
    return Parameter?.Value ?? expect.fail('no image');
  };

  longIt(
    'end as on the local provider: the same result bytes, the same charge, each on the provider that it began with',
    async () => {
      const { key, client } = await world.customer();
      const local = createClient({ apiUrl: await world.localApi(), apiKey: key });
      const [there, here] = await Promise.all([dockOnce(client), dockOnce(local)]);
      expect(there.digests).to.deep.equal(here.digests);
      expect(there.chargedPence).to.equal(here.chargedPence).and.to.be.above(0);
      const providers = await world.rows<{ provider: string }>(
        'select distinct provider from instances where job_id = any($1) order by 1',
        [[there.jobId, here.jobId]],
      );
      expect(providers.map(({ provider }) => provider)).to.deep.equal(['ec2', 'local']);
      await world.untilGone(there, LEAK_MS);
    },
  );

  longIt(
    'with a GPU queue while no candidate has room, go on by themselves on the first that has some, and take a long boot for no loss',
    async () => {
      const { cloud } = world;
      const [makeRoom, makeMore] = [cloud.faults.fill({}), cloud.faults.fill({ type: 'g4dn.xlarge' })];
      cloud.bootSeconds = LONG_BOOT_SECONDS;
      try {
        const job = await submitNoop(world, { tasks: 2, seconds: 0, instance: { gpus: 1, vcpus: 4 } });
        let status = await job.customer.client.status(job.jobId);
        await until(
          'the job queues for room',
          async () => {
            status = await job.customer.client.status(job.jobId);
            return status.statusReason === 'NO_CAPACITY';
          },
          RECOVERY_MS,
        );
        expect(status).to.deep.include({ status: 'QUEUED', instances: [] });
        makeRoom();
        await endsWell(world, job, 2);
        const asked = launchesOf(world, job).map(({ form }) => ({
          type: form['InstanceType'],
          image: form['ImageId'],
        }));
        const image = await imageOf(ECS_IMAGES.gpu);
        expect(image).to.not.equal(await imageOf(ECS_IMAGES.cpu));
        expect(new Set(asked.map((one) => one.image))).to.deep.equal(new Set([image]));
        expect(asked[0]?.type, 'the first candidate').to.equal('g4dn.xlarge');
        expect(asked.at(-1)?.type, 'the one that has room').to.equal('g5.xlarge');
        const machines = await world.machinesOf(job);
        expect(machines.map(({ type }) => type)).to.deep.equal(['g5.xlarge']);
        expect(await ledgerOf(job), 'replaced instances').to.deep.equal([]);
      } finally {
        makeRoom();
        makeMore();
        cloud.bootSeconds = 0;
      }
    },
  );

  it('are started once where the answer was lost, show tools no secret, and lose nothing while EC2 answers no look', async () => {
    const { faults } = world.cloud;
    const answersLaunches = faults.fail('RunInstances', 'lost', 1);
    const job = await submitNoop(world, { tasks: 8, seconds: BLIND_MS / 2000 + 2 });
    await untilRunning(world, job, 4);
    answersLaunches();
    const answersLooks = faults.fail('DescribeInstances', 'throttle');
    const seesAt = performance.now() + BLIND_MS;
    const [machine = expect.fail('no machine')] = await world.machinesOf(job);
    const { instances } = await job.customer.client.status(job.jobId);
    expect(instances.map(({ since: _since, ...one }) => one)).to.deep.equal([
      {
        ...{ slot: 0, generation: 1, state: 'WORKING', gpus: 0 },
        ...{ type: 'c7i.xlarge', market: 'ON_DEMAND', zone: machine.zone },
      },
    ]);
    const found = secretsWithin(world.cloud, machine, job.jobId);
    expect(found.tools, 'tools that were looked at').to.be.above(0);
    expect(found.filesRead, 'files that were looked at').to.be.above(0);
    expect(found.secrets).to.deep.equal([]);
    await until('EC2 was blind for long', () => performance.now() > seesAt, BLIND_MS * 2).finally(
      answersLooks,
    );
    await endsWell(world, job, 8);
    expect(await ledgerOf(job), 'replaced instances').to.deep.equal([]);
    expect(await world.machinesOf(job)).to.have.length(1);
    await onePerToken(world, job);
  });

  longIt(
    'drain on a spot notice: nothing verified runs twice, and the next instance is asked for before the old one ends',
    async () => {
      const TASKS = 40;
      const job = await submitNoop(world, { tasks: TASKS, seconds: 1.5, mode: 'resumable' });
      const verified = await untilVerified(world, job, 4);
      const [first] = await world.machinesOf(job);
      if (first === undefined) expect.fail('no machine');
      expect(first.isSpot, 'on the spot market').to.equal(true);
      world.cloud.reclaim(first.id, NOTICE_SECONDS);
      await endsWell(world, job, TASKS);
      const machines = await world.machinesOf(job);
      expect(machines).to.have.length(2);
      expect(machines[1]?.launchedMs, 'the next launch').to.be.below(first.endedMs ?? 0);
      const losses = (await ledgerOf(job)).map(({ kind, cause }) => ({ kind, cause }));
      expect(losses).to.deep.equal([{ kind: 'LOSS', cause: 'PREEMPTED' }]);
      const starts = startsOn(world, machines);
      for (const { ordinal } of verified)
        expect(starts.get(ordinal), `starts of task ${String(ordinal)}, verified at the notice`).to.equal(1);
      // What ran at the notice has run once more at most. No start is without an attempt; an attempt that the drain met before its tool
      // was started is without a start.
      for (const { ordinal, attempts } of await tasksOf(world, job))
        expect(starts.get(ordinal), `starts of task ${String(ordinal)}`)
          .to.be.at.most(attempts)
          .and.to.be.within(1, 2);
      await onePerToken(world, job);
    },
  );
});
