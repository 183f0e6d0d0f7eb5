/** The call that launches an instance: a pure function of the launch and its terms, so that every repeat is the same. */
import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2';

import { isRecord } from '../../../domain/is-record.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { InstanceSpec, LaunchTerms } from '../instances.ts';
import { tagsOf } from './described.ts';

/** What the terms of a launch have besides candidate and image. */
export interface Ec2Terms {
  readonly diskGib: number;
  readonly securityGroups: string[];
  readonly instanceProfile: string | null;
  /** What the machine is to run. */
  readonly machine: JsonObject;
}

/** The root device of Amazon Linux. */
const ROOT_DEVICE = '/dev/xvda';

/** The call for a launch. */
export function requestOf(
  spec: InstanceSpec,
  { deployment, userData }: { readonly deployment: string; readonly userData: string },
): RunInstancesCommandInput {
  const { token, terms } = spec;
  const { type, subnet, market, image } = terms;
  if (type === null || !isTypeName(type) || subnet === null || image === null) throw notOfEc2();
  const { diskGib, securityGroups, instanceProfile } = ec2TermsOf(terms);
  const tags = tagsOf(deployment, spec);
  return {
    ClientToken: token,
    MinCount: 1,
    MaxCount: 1,
    ImageId: image,
    InstanceType: type,
    UserData: Buffer.from(userData, 'utf8').toString('base64'),
    InstanceInitiatedShutdownBehavior: 'terminate',
    // The container is one hop further than the machine, so that it does not reach the metadata.
    MetadataOptions: { HttpTokens: 'required', HttpEndpoint: 'enabled', HttpPutResponseHopLimit: 1 },
    NetworkInterfaces: [
      {
        ...{ DeviceIndex: 0, SubnetId: subnet, Groups: [...securityGroups] },
        ...{ AssociatePublicIpAddress: false, DeleteOnTermination: true },
      },
    ],
    BlockDeviceMappings: [
      {
        DeviceName: ROOT_DEVICE,
        Ebs: { VolumeType: 'gp3', VolumeSize: diskGib, Encrypted: true, DeleteOnTermination: true },
      },
    ],
    ...(instanceProfile === null ? {} : { IamInstanceProfile: { Name: instanceProfile } }),
    ...(market === 'SPOT' ? { InstanceMarketOptions: SPOT } : {}),
    TagSpecifications: [
      { ResourceType: 'instance', Tags: tags },
      { ResourceType: 'volume', Tags: tags },
    ],
  };
}

const SPOT = {
  MarketType: 'spot',
  SpotOptions: { SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'terminate' },
} as const;

function ec2TermsOf({ sent }: LaunchTerms): Omit<Ec2Terms, 'machine'> {
  const { diskGib, securityGroups, instanceProfile } = sent;
  const groups = Array.isArray(securityGroups)
    ? securityGroups.filter((group) => typeof group === 'string')
    : [];
  if (typeof diskGib !== 'number' || (instanceProfile !== null && typeof instanceProfile !== 'string'))
    throw notOfEc2();
  return { diskGib, securityGroups: groups, instanceProfile };
}

/** What the machine of a launch is to run. */
export function machineOf({ sent: { machine } }: LaunchTerms): JsonObject {
  if (isRecord(machine)) return machine;
  throw notOfEc2();
}

type TypeName = NonNullable<RunInstancesCommandInput['InstanceType']>;

/** EC2 has new types more often than its SDK, so a name of the right form is taken. */
function isTypeName(name: string): name is TypeName {
  return /^[a-z0-9-]+\.[a-z0-9-]+$/.test(name);
}

function notOfEc2(): Error {
  return new Error('The terms of the launch are not of EC2.');
}
