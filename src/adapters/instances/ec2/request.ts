/**
 * The call that launches an instance. It is settled once, kept in the terms of the launch, and sent from there: a repeat by a process
 * with other settings or of another build, which would make another call, sends the one that is kept.
 */
import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2';

import { isRecord } from '../../../domain/is-record.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { InstanceOwner, LaunchTerms } from '../instances.ts';
import { userDataOf } from '../user-data.ts';
import { tagsOf } from './described.ts';

/** Owner of the instance to launch, and the token of the launch. */
type Launch = InstanceOwner & { readonly token: string };

export interface CallSettings {
  readonly deployment: string;
  readonly diskGib: number;
  readonly securityGroups: readonly string[];
  readonly instanceProfile: string | null;
}

/** The root device of Amazon Linux. */
const ROOT_DEVICE = '/dev/xvda';

/** The call for a launch, without its user-data. */
export function callOf(
  launch: Launch,
  { type, subnet, market, image }: Pick<LaunchTerms, 'type' | 'subnet' | 'market' | 'image'>,
  { deployment, diskGib, securityGroups, instanceProfile }: CallSettings,
): JsonObject {
  if (type === null || !TYPE_NAME.test(type) || subnet === null || image === null) throw notOfEc2();
  const tags = tagsOf(deployment, launch);
  return {
    ClientToken: launch.token,
    MinCount: 1,
    MaxCount: 1,
    ImageId: image,
    InstanceType: type,
    InstanceInitiatedShutdownBehavior: 'terminate',
    // The container is one hop further than the machine, so that it does not reach the metadata.
    MetadataOptions: { HttpTokens: 'required', HttpEndpoint: 'enabled', HttpPutResponseHopLimit: 1 },
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        SubnetId: subnet,
        Groups: [...securityGroups],
        AssociatePublicIpAddress: false,
        DeleteOnTermination: true,
      },
    ],
    BlockDeviceMappings: [
      {
        DeviceName: ROOT_DEVICE,
        Ebs: { VolumeType: 'gp3', VolumeSize: diskGib, Encrypted: true, DeleteOnTermination: true },
      },
    ],
    ...(instanceProfile === null ? {} : { IamInstanceProfile: { Name: instanceProfile } }),
    ...(market === 'SPOT' ? { InstanceMarketOptions: { ...SPOT } } : {}),
    TagSpecifications: [
      { ResourceType: 'instance', Tags: tags },
      { ResourceType: 'volume', Tags: tags },
    ],
  };
}

/** Makes the request of a launch: the call and the frame of its terms, with the credential in its place. */
export function requestOf({
  terms: { sent, frame },
  credential,
}: {
  readonly credential: string;
  readonly terms: LaunchTerms;
}): RunInstancesCommandInput {
  const call: unknown = sent['call'];
  if (!isCall(call) || frame === null) throw notOfEc2();
  return { ...call, UserData: Buffer.from(userDataOf(frame, credential), 'utf8').toString('base64') };
}

const SPOT = {
  MarketType: 'spot',
  SpotOptions: { SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'terminate' },
} as const;
/** EC2 has new types more often than its SDK, so a name of the right form is taken. */
const TYPE_NAME = /^[a-z0-9-]+\.[a-z0-9-]+$/;

/** A call that was kept is one that `callOf` made, of whichever build; EC2 judges what is in it. */
function isCall(value: unknown): value is RunInstancesCommandInput {
  return isRecord(value) && typeof value['ClientToken'] === 'string' && value['MaxCount'] === 1;
}

function notOfEc2(): Error {
  return new Error('The terms of the launch are not of EC2.');
}
