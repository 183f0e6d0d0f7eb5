/** A provider of EC2 on moto, with the networks that moto has from the start. */
import { randomUUID } from 'node:crypto';

import { DescribeSecurityGroupsCommand, DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';

import { createEc2Provider } from '../../src/adapters/instances/ec2/provider.ts';
import type { Ec2Options } from '../../src/adapters/instances/ec2/provider.ts';
import type { InstanceProvider, InstanceSpec } from '../../src/adapters/instances/instances.ts';
import { launchTokenOf } from '../../src/services/execution/instances/launch-token.ts';
import { classOf } from '../../src/domain/instance-classes.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';

/** The images of the default settings, which moto's SSM knows. */
export const ECS_IMAGES = {
  cpu: '/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id',
  gpu: '/aws/service/ecs/optimized-ami/amazon-linux-2023/gpu/recommended/image_id',
} as const;

/** The SDK finds these as it finds any credentials; every simulation takes them. */
export function useTestCredentials(): void {
  process.env['AWS_ACCESS_KEY_ID'] = 'test';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
}

/** The options of a provider on an endpoint, with two subnets of it and classes of CPU and GPU. */
export async function ec2OptionsOn(endpoint: string, own: Partial<Ec2Options> = {}): Promise<Ec2Options> {
  useTestCredentials();
  const region = 'us-west-2';
  const client = new EC2Client({ region, endpoint, maxAttempts: 1 });
  const { Subnets: subnets = [] } = await client.send(new DescribeSubnetsCommand({}));
  const { SecurityGroups: groups = [] } = await client.send(new DescribeSecurityGroupsCommand({}));
  client.destroy();
  const places = subnets.flatMap(({ SubnetId: id }) => (id === undefined ? [] : [id])).slice(0, 2);
  const types = loadPriceBook().instanceTypes;
  return {
    ...{ name: 'ec2', region, endpoint, deployment: `test-${randomUUID()}`, images: ECS_IMAGES },
    classes: [
      classOf({ name: 'cpu', types: ['c7i.xlarge', 'm7i.xlarge'], diskGib: 50 }, types, places),
      classOf({ name: 'gpu', types: ['g4dn.xlarge', 'g5.xlarge', 'g6.xlarge'], diskGib: 100 }, types, places),
    ],
    securityGroups: groups.flatMap(({ GroupId: id }) => (id === undefined ? [] : [id])).slice(0, 1),
    instanceProfile: null,
    frame: () => '#!/bin/sh\n: <<END\n@CREDENTIAL@\nEND\n',
    tools: () => Promise.resolve([]),
    quotaUsers: () => Promise.resolve([]),
    lookSeconds: 0.02,
    ...own,
  };
}

/** Opens a provider on an endpoint. */
export async function ec2On(endpoint: string, own: Partial<Ec2Options> = {}): Promise<InstanceProvider> {
  return createEc2Provider(await ec2OptionsOn(endpoint, own));
}

/** A launch of the provider's first candidate, on demand unless `need` says otherwise. */
export async function ec2Spec(
  provider: InstanceProvider,
  need: {
    readonly instanceClass?: string;
    readonly gpus?: number;
    readonly market?: 'ON_DEMAND' | 'SPOT';
    readonly jobId?: string;
    readonly accountId?: string;
    readonly token?: string;
  } = {},
): Promise<InstanceSpec> {
  const machine = { instanceClass: 'cpu', vcpus: 4, gpus: 0, market: 'ON_DEMAND' } as const;
  const place = { jobId: randomUUID(), slot: 0, generation: 1 };
  const token = launchTokenOf(place, { candidate: 0, round: 0 });
  const order = { ...machine, ...place, accountId: randomUUID(), token, ...need };
  const [candidate] = provider.candidates(order);
  if (candidate === undefined) throw new Error('The provider has no candidate.');
  const terms = await provider.prepare(order, candidate);
  if ('state' in terms) throw new Error(terms.cause);
  const { instanceClass: _class, market: _market, ...launch } = order;
  return {
    ...{ ...launch, taskQueue: `compute/${order.jobId}/0.1`, toolSlots: 4 },
    ...{ credential: 'a-credential-of-one-launch', terms, isRepeat: false },
  };
}
