/** The simulated EC2: what it refuses, and that a machine does what its user-data says, from the first boot to the power-off. */
import {
  DescribeInstancesCommand,
  EC2Client,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { expect } from 'chai';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { createEc2Provider } from '../../src/adapters/instances/ec2/provider.ts';
import { frameOf, userDataOf } from '../../src/adapters/instances/user-data.ts';
import { launchInstance } from '../../src/services/execution/instances/launch.ts';
import { ec2OptionsOn } from '../support/ec2.ts';
import { SimulatedEc2 } from '../support/ec2/simulated-ec2.ts';
import { suiteHome } from '../support/home.ts';
import { openMoto, type Moto } from '../support/moto.ts';
import { runningJob } from '../support/running-job.ts';
import { until } from '../support/until.ts';

const IMAGE = '/aws/service/ecs/optimized-ami/amazon-linux-2023/gpu/recommended/image_id';
const PATIENCE_MS = 120_000;
const PROBE = pathToFileURL(join(repositoryRoot, 'test', 'support', 'ec2', 'probe.mjs')).href;
/** Nobody listens there, so the worker never gets a bearer, and gives no sign of life. */
const NO_GATEWAY = 'http://127.0.0.1:1';

describe('the simulated EC2', function () {
  this.timeout(PATIENCE_MS * 2);
  const home = suiteHome();
  let moto: Moto;
  let cloud: SimulatedEc2;
  let ec2: EC2Client;
  let image: string;
  before(async () => {
    moto = await openMoto();
    // Each container tries the metadata service first of all.
    cloud = await SimulatedEc2.open({ moto, imageEnvironment: { NODE_OPTIONS: `--import=${PROBE}` } });
    const access = {
      ...{ endpoint: cloud.url, region: cloud.region, maxAttempts: 1 },
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    };
    ec2 = new EC2Client(access);
    const found = await new SSMClient(access).send(new GetParameterCommand({ Name: IMAGE }));
    image = found.Parameter?.Value ?? '';
  });
  after(async () => {
    await cloud.close();
    await moto.close();
  });

  const launch = async (
    token: string,
    deadManMinutes: number,
    more: object = {},
    { lifetimeMinutes = 60, rewritten = (frame: string): string => frame } = {},
  ): Promise<string> => {
    const frame = frameOf({
      image: `registry.example.org/compute@sha256:${'a'.repeat(64)}`,
      gpus: 1,
      settings: { DOCKYARD_GATEWAY_URL: NO_GATEWAY },
      ...{ deadManMinutes, lifetimeMinutes, lookSeconds: 1 },
    });
    const userData = userDataOf(rewritten(frame), `credential-of-${token}`.padEnd(32, 'x'));
    const { Instances: [instance] = [] } = await ec2.send(
      new RunInstancesCommand({
        ...{ ImageId: image, InstanceType: 'g5.xlarge', MinCount: 1, MaxCount: 1, ClientToken: token },
        ...{ SubnetId: [...cloud.subnets.keys()][0], UserData: Buffer.from(userData).toString('base64') },
        ...more,
      }),
    );
    return instance?.InstanceId ?? '';
  };
  const refusalOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'taken',
      (error: unknown) => (error instanceof Error ? error.name : String(error)),
    );

  it('takes a token once, refuses what is not there, and has no room where it is told so', async () => {
    const first = await launch('token-1', 60);
    expect(await launch('token-1', 60)).to.equal(first);
    expect(await refusalOf(launch('token-1', 59))).to.equal('IdempotentParameterMismatch');
    expect(await refusalOf(launch('token-2', 60, { InstanceType: 'zz9.large' }))).to.equal(
      'InvalidParameterValue',
    );
    expect(await refusalOf(launch('token-2', 60, { ImageId: 'ami-0abc' }))).to.equal('InvalidAMIID.NotFound');
    const makeRoom = cloud.faults.fill({ type: 'g5.xlarge' });
    expect(await refusalOf(launch('token-2', 60))).to.equal('InsufficientInstanceCapacity');
    makeRoom();
    cloud.faults.fail('RunInstances', 'lost', 1);
    expect(await refusalOf(launch('token-3', 60)), 'the answer was lost').to.not.equal('taken');
    const third = await launch('token-3', 60);
    expect(cloud.running.map(({ id }) => id)).to.deep.equal([first, third]);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [first, third] }));
    expect(cloud.running).to.deep.equal([]);
  });

  it('starts one instance where the answer was lost and a control worker of another build, with other settings, asks again', async () => {
    const options = await ec2OptionsOn(cloud.url);
    const build = (name: string): Parameters<typeof launchInstance>[1] =>
      createEc2Provider({
        ...{ ...options, deployment: name },
        frame: () => `#!/bin/bash\n# ${name}\n: <<'END'\n@CREDENTIAL@\nEND\n`,
      });
    const { jobId } = await runningJob(home);
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    const request = { jobId, slot: 0, generation: 2, provider: 'ec2', vcpus: 4, toolSlots: 4 };
    const ask = (name: string): Promise<unknown> =>
      launchInstance({ db: home.db, secret: '0'.repeat(64) }, build(name), request).catch(() => 'no answer');
    const callsBefore = cloud.countOf('RunInstances');
    const runsBefore = cloud.running.length;
    const answers = cloud.faults.fail('RunInstances', 'lost', 1);
    expect(await ask('one-build')).to.equal('no answer');
    answers();
    // The next build does not find the instance by its tags, whose deployment it has under another name.
    expect(await ask('next-build')).to.deep.equal({ state: 'asked' });
    expect(cloud.countOf('RunInstances') - callsBefore).to.equal(2);
    expect(cloud.running.length - runsBefore, 'instances').to.equal(1);
    const [row] = await home.db.query<Record<string, unknown>[]>(
      `select i.state, i.provider_id, f.content from instances i join instance_frames f on f.digest = i.frame_digest
       where i.job_id = $1 and i.generation = 2`,
      [jobId],
    );
    const { id } = cloud.running.at(-1) ?? expect.fail('no instance');
    expect(row).to.deep.include({ state: 'RUNNING', provider_id: id });
    expect(row?.['content']).to.include('# one-build').and.include('@CREDENTIAL@');
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  });

  it('gives the worker the notice, and a machine without a sign of life powers itself off with all that it runs', async () => {
    const id = await launch('token-4', 0.3);
    const notice = (): string => cloud.machines.fileOf(id, 'var/lib/dockyard/notice/spot');
    cloud.reclaim(id, 3_600);
    await until('the notice is there', () => notice() !== '', PATIENCE_MS);
    expect(JSON.parse(notice())).to.include({ action: 'terminate' });
    const commands = cloud.machines.fileOf(id, 'commands.log');
    expect(commands)
      .to.match(/^docker run .*--gpus all/m)
      .and.match(/^iptables .*169\.254/m);
    expect(commands, 'no secret on a command line').to.not.include('credential-of');
    await until('it has powered itself off', () => !cloud.running.some((one) => one.id === id), PATIENCE_MS);
    expect(cloud.instances.get(id)?.reason).to.equal('Client.InstanceInitiatedShutdown');
    const { Reservations: reservations = [] } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [id] }),
    );
    expect(reservations[0]?.Instances?.[0]?.StateReason?.Code).to.equal('Client.InstanceInitiatedShutdown');
    expect(cloud.machines.consoleOf(id)).to.include('powering off');
  });

  it('keeps the container from the metadata by the hop limit, and by the firewall where somebody raises the limit', async function () {
    if (process.platform !== 'linux') this.skip();
    const unfirewalled = {
      rewritten: (frame: string): string => frame.replace(/^ *iptables .*$/m, '  :'),
    };
    const limitedTo = (HttpPutResponseHopLimit: number): object => ({
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit },
    });
    const ids = await Promise.all([
      launch('probe-1', 60, limitedTo(1)),
      launch('probe-2', 60, limitedTo(2)),
      launch('probe-3', 60, limitedTo(1), unfirewalled),
      launch('probe-4', 60, limitedTo(2), unfirewalled),
    ]);
    const found = await Promise.all(
      ids.map(async (id) => {
        const probe = (): string => cloud.machines.fileOf(id, 'var/lib/dockyard/work/probe.json');
        await until(`the container of ${id} has tried`, () => probe().endsWith('}'), PATIENCE_MS);
        return JSON.parse(probe()) as unknown;
      }),
    );
    expect(found).to.deep.equal([
      { token: 'no answer', userData: 'no answer' },
      { token: 'no answer', userData: 'no answer' },
      { token: 'no answer', userData: 401 },
      { token: 200, userData: 200 },
    ]);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: ids }));
  });

  it('powers a machine off that has lived for as long as it may, however well its worker is', async () => {
    const id = await launch('token-5', 60, {}, { lifetimeMinutes: 0.1 });
    await until('it has powered itself off', () => !cloud.running.some((one) => one.id === id), PATIENCE_MS);
    expect(cloud.instances.get(id)?.reason).to.equal('Client.InstanceInitiatedShutdown');
    expect(cloud.machines.consoleOf(id)).to.include('the machine has lived for as long as it may');
  });
});
