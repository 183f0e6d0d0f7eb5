import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { expect } from 'chai';

import type { InstanceProvider } from '../../src/adapters/instances/instances.ts';
import { ec2On, ec2OptionsOn, ec2Spec } from '../support/ec2.ts';
import { answeringWay, failure, watchedWay } from '../support/ec2/way.ts';
import { openMoto } from '../support/moto.ts';
import type { Moto } from '../support/moto.ts';
import { keepsProviderContract } from '../support/provider-contract.ts';

describe('instances of EC2', function () {
  this.timeout(240_000);
  let moto: Moto;
  let provider: InstanceProvider;
  before(async () => {
    moto = await openMoto();
    provider = await ec2On(moto.url);
  });
  after(() => moto.close());

  keepsProviderContract(async () => ({ provider, newSpec: () => ec2Spec(provider) }));

  it('have the type, the image, the tags and the guards that a launch asks for', async () => {
    const spec = await ec2Spec(provider, { instanceClass: 'gpu', gpus: 1, market: 'SPOT' });
    const answer = await provider.ensure(spec);
    if (answer.state !== 'launched') return expect.fail(answer.state);
    const { jobId, accountId, token } = spec;
    expect(answer.instance).to.deep.include({
      ...{ type: 'g4dn.xlarge', market: 'SPOT', token },
      owner: { jobId, accountId, slot: 0, generation: 1 },
    });
    const client = new EC2Client({ region: moto.region, endpoint: moto.url, maxAttempts: 1 });
    const found = await client.send(
      new DescribeInstancesCommand({ InstanceIds: [answer.instance.providerId] }),
    );
    const instance = found.Reservations?.[0]?.Instances?.[0];
    expect(instance?.ImageId).to.equal(spec.terms.image);
    expect(instance?.MetadataOptions).to.include({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
    expect(instance?.PublicIpAddress ?? null).to.equal(null);
    expect(instance?.SubnetId).to.equal(spec.terms.subnet);
    expect(answer.instance.zone).to.equal(instance?.Placement?.AvailabilityZone);
    client.destroy();
  });

  it('of others are never listed, described or ended', async () => {
    const stranger = await ec2On(moto.url);
    const spec = await ec2Spec(stranger);
    expect(await stranger.ensure(spec)).to.include({ state: 'launched' });
    expect((await provider.list()).map(({ token }) => token)).to.not.include(spec.token);
    expect(await provider.describe(spec.token)).to.deep.equal({ state: 'gone' });
    expect(await provider.terminate({ token: spec.token, providerId: null })).to.equal(false);
    expect(await stranger.describe(spec.token)).to.include({ state: 'running' });
  });

  it('are listed over all pages', async () => {
    const many = await ec2On(moto.url);
    const tokens = Array.from({ length: 103 }, (_, index) => `${'t'.repeat(58)}-${String(index)}`);
    for (const token of tokens) await many.ensure(await ec2Spec(many, { token }));
    expect((await many.list()).map(({ token }) => token).sort()).to.deep.equal([...tokens].sort());
  });

  it('that many ask for at once are looked at by one listing', async () => {
    const options = await ec2OptionsOn(moto.url, { lookSeconds: 5 });
    const way = await watchedWay(moto.url);
    const many = await ec2On(way.url, { ...options, endpoint: way.url });
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => many.describe(`t-${String(index)}`)),
    );
    expect(new Set(answers.map((answer) => answer?.state))).to.deep.equal(new Set(['gone']));
    await Promise.all([many.describe('one more'), many.describe('and another')]);
    expect(way.calls()).to.deep.equal(['DescribeInstances']);
    await way.close();
  });

  it('are not taken for gone when EC2 is throttled, does not answer or is away', async () => {
    for (const answer of [
      failure('RequestLimitExceeded', 503),
      failure('InternalError', 500),
      { status: 500, body: '<html>' },
    ]) {
      const way = await answeringWay(() => answer);
      const blind = await ec2On(moto.url, { endpoint: way.url });
      expect(await blind.describe('any')).to.equal(null);
      expect(await blind.list().catch(() => 'no answer')).to.equal('no answer');
      await way.close();
    }
  });

  it('whose answer is lost after the effect are found by the repeat, and there is one', async () => {
    let isLost = true;
    const way = await answeringWay(
      () => null,
      moto.url,
      (action) => action === 'RunInstances' && isLost,
    );
    const asked = await ec2On(moto.url, { endpoint: way.url });
    const spec = await ec2Spec(asked);
    expect(await asked.ensure(spec).catch(() => 'lost')).to.equal('lost');
    isLost = false;
    const again = await asked.ensure({ ...spec, isRepeat: true });
    expect(again).to.include({ state: 'launched' });
    expect(await asked.list()).to.have.length(1);
    await way.close();
  });

  it('one of whose ids is unknown do not keep the others running', async () => {
    const own = await ec2On(moto.url);
    const specs = await Promise.all([ec2Spec(own), ec2Spec(own), ec2Spec(own)]);
    const ids = await Promise.all(
      specs.map(async (spec) => {
        const answer = await own.ensure(spec);
        return {
          token: spec.token,
          providerId: answer.state === 'launched' ? answer.instance.providerId : '',
        };
      }),
    );
    const bad = { token: 'none', providerId: 'i-0123456789abcdef0' };
    const ended = await Promise.all([...ids, bad].map((instance) => own.terminate(instance)));
    expect(ended).to.deep.equal([true, true, true, false]);
    expect(await own.list()).to.deep.equal([]);
  });

  it('of an image that no parameter names are for an operator, before anything is launched', async () => {
    const nowhere = await ec2On(moto.url, { images: { cpu: '/aws/service/none', gpu: '/aws/service/none' } });
    expect(await refusalOf(nowhere)).to.include('ParameterNotFound');
  });

  it('that cannot be told what to run are for an operator, before anything is launched', async () => {
    const frame = (): string => {
      throw new RangeError('The user-data may be larger than 16384 bytes.');
    };
    expect(await refusalOf(await ec2On(moto.url, { frame }))).to.include('16384 bytes');
  });

  it('are asked for by the same call whatever the settings and the build of the process that repeats it', async () => {
    const seen: string[] = [];
    const way = await answeringWay(
      () => null,
      moto.url,
      () => false,
      (body) => seen.push(body),
    );
    const options = await ec2OptionsOn(moto.url, { endpoint: way.url });
    const before = await ec2On(moto.url, options);
    const spec = await ec2Spec(before, { instanceClass: 'gpu', gpus: 1, market: 'SPOT' });
    await before.ensure(spec);
    const after = await ec2On(moto.url, {
      ...options,
      ...{ deployment: 'renamed', instanceProfile: 'another', classes: [] },
      ...{ securityGroups: ['sg-0'], frame: () => '#!/bin/sh\n# another build\n@CREDENTIAL@\n' },
    });
    // The row is read as JSON.
    await after.ensure(JSON.parse(JSON.stringify(spec)));
    const runs = seen.filter((body) => body.includes('Action=RunInstances'));
    expect(runs).to.have.length(2);
    expect(fieldsOf(runs[1])).to.deep.equal(fieldsOf(runs[0]));
    const told = Buffer.from(fieldsOf(runs[0])['UserData'] ?? '', 'base64').toString();
    expect(told).to.equal(`#!/bin/sh\n: <<END\n${spec.credential}\nEND\n`);
    await way.close();
  });

  it('told as taken away by the spot market are PREEMPTED', async () => {
    const way = await answeringWay(
      (action) => (action === 'DescribeInstances' ? { status: 200, body: PREEMPTED } : null),
      moto.url,
    );
    const asked = await ec2On(moto.url, { endpoint: way.url });
    expect(await asked.describe('taken')).to.deep.include({ state: 'gone', cause: 'PREEMPTED' });
    await way.close();
  });

  it('are launched by a call that a snapshot keeps', async () => {
    const seen: string[] = [];
    const way = await answeringWay(
      () => null,
      moto.url,
      () => false,
      (body) => seen.push(body),
    );
    const asked = await ec2On(moto.url, { endpoint: way.url, deployment: 'snapshot' });
    const spec = await ec2Spec(asked, {
      ...{ market: 'SPOT', jobId: 'j', accountId: 'a', token: 't'.repeat(64) },
    });
    await asked.ensure(spec);
    await asked.ensure({ ...spec, isRepeat: false });
    const runs = seen.filter((body) => body.includes('Action=RunInstances'));
    expect(runs).to.have.length(2);
    expect(runs[0]).to.equal(runs[1]);
    const fields = [...new URLSearchParams(runs[0])].filter(
      ([name]) => !/SubnetId|Group|ImageId|UserData/.test(name),
    );
    expect(Object.fromEntries(fields)).to.deep.equal(SNAPSHOT);
    await way.close();
  });
});

/** The fields of a call, by name. */
function fieldsOf(body = ''): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}

/** Why a provider settles no terms. */
async function refusalOf(provider: InstanceProvider): Promise<string> {
  return ec2Spec(provider).then(
    () => 'settled',
    (error: unknown) => String(error),
  );
}

const TAG_SNAPSHOT = ['instance', 'volume'].flatMap((resource, index) => {
  const tags = [
    ['dockyard:deployment', 'snapshot'],
    ['dockyard:launch', 't'.repeat(64)],
    ['dockyard:job', 'j'],
    ['dockyard:account', 'a'],
    ['dockyard:place', '0.1'],
    ['Name', 'dockyard j 0.1'],
  ];
  const at = `TagSpecification.${String(index + 1)}`;
  return [
    [`${at}.ResourceType`, resource],
    ...tags.flatMap(([key, value], place) => [
      [`${at}.Tag.${String(place + 1)}.Key`, key],
      [`${at}.Tag.${String(place + 1)}.Value`, value],
    ]),
  ];
});

const SNAPSHOT = {
  Action: 'RunInstances',
  Version: '2016-11-15',
  'BlockDeviceMapping.1.DeviceName': '/dev/xvda',
  'BlockDeviceMapping.1.Ebs.DeleteOnTermination': 'true',
  'BlockDeviceMapping.1.Ebs.VolumeType': 'gp3',
  'BlockDeviceMapping.1.Ebs.VolumeSize': '50',
  'BlockDeviceMapping.1.Ebs.Encrypted': 'true',
  InstanceType: 'c7i.xlarge',
  MaxCount: '1',
  MinCount: '1',
  InstanceInitiatedShutdownBehavior: 'terminate',
  'NetworkInterface.1.DeviceIndex': '0',
  'NetworkInterface.1.AssociatePublicIpAddress': 'false',
  'NetworkInterface.1.DeleteOnTermination': 'true',
  ClientToken: 't'.repeat(64),
  'InstanceMarketOptions.MarketType': 'spot',
  'InstanceMarketOptions.SpotOptions.SpotInstanceType': 'one-time',
  'InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior': 'terminate',
  'MetadataOptions.HttpTokens': 'required',
  'MetadataOptions.HttpPutResponseHopLimit': '1',
  'MetadataOptions.HttpEndpoint': 'enabled',
  ...Object.fromEntries(TAG_SNAPSHOT),
};

const PREEMPTED = `<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><reservationSet><item><instancesSet><item>
  <instanceId>i-1</instanceId><instanceState><code>48</code><name>terminated</name></instanceState>
  <stateReason><code>Server.SpotInstanceTermination</code><message>taken</message></stateReason>
  <instanceLifecycle>spot</instanceLifecycle><launchTime>2026-11-25T00:00:00.000Z</launchTime>
  <tagSet><item><key>dockyard:launch</key><value>taken</value></item></tagSet>
  </item></instancesSet></item></reservationSet></DescribeInstancesResponse>`;
