/** Instances of EC2 as the control side knows instances: by the tags that their launch gave them. */
import type { Instance as Ec2Instance } from '@aws-sdk/client-ec2';

import type { InstanceDescription, InstanceOwner } from '../instances.ts';

/** The tags of every instance; the rights of the control side are conditioned on `dockyard:deployment`. */
export const TAGS = {
  deployment: 'dockyard:deployment',
  launch: 'dockyard:launch',
  job: 'dockyard:job',
  account: 'dockyard:account',
  place: 'dockyard:place',
} as const;

/** The states in which an instance exists, or will. Stopped ones are none: they are ended as soon as they are seen. */
export const LIVE_STATES: readonly string[] = ['pending', 'running', 'stopping', 'stopped'];
const SPOT_REASON = 'Server.Spot';

/** The tags that a launch gives its instance. */
export function tagsOf(
  deployment: string,
  { token, jobId, accountId, slot, generation }: InstanceOwner & { readonly token: string },
): { Key: string; Value: string }[] {
  return [
    { Key: TAGS.deployment, Value: deployment },
    { Key: TAGS.launch, Value: token },
    { Key: TAGS.job, Value: jobId },
    { Key: TAGS.account, Value: accountId },
    { Key: TAGS.place, Value: `${String(slot)}.${String(generation)}` },
    { Key: 'Name', Value: `dockyard ${jobId} ${String(slot)}.${String(generation)}` },
  ];
}

/** The description of an instance; null for one without an id or a launch tag. */
export function describedBy(instance: Ec2Instance): InstanceDescription | null {
  const {
    InstanceId: providerId,
    InstanceType: type,
    Placement,
    LaunchTime,
    State,
    InstanceLifecycle,
  } = instance;
  const token = tagOf(instance, TAGS.launch);
  if (providerId === undefined || token === null) return null;
  const isLive = LIVE_STATES.includes(State?.Name ?? '');
  const owner = ownerOf(instance);
  return {
    providerId,
    token,
    state: isLive ? 'running' : 'gone',
    launchedAt: (LaunchTime ?? new Date(0)).toISOString(),
    market: InstanceLifecycle === 'spot' ? 'SPOT' : 'ON_DEMAND',
    ...(type === undefined ? {} : { type }),
    ...(Placement?.AvailabilityZone === undefined ? {} : { zone: Placement.AvailabilityZone }),
    ...(owner === null ? {} : { owner }),
    ...(!isLive && isPreempted(instance) ? { cause: 'PREEMPTED' } : {}),
  };
}

function isPreempted({ StateReason: reason }: Ec2Instance): boolean {
  return reason?.Code?.startsWith(SPOT_REASON) === true;
}

function ownerOf(instance: Ec2Instance): InstanceOwner | null {
  const [jobId, accountId] = [tagOf(instance, TAGS.job), tagOf(instance, TAGS.account)];
  const [slot, generation] = (tagOf(instance, TAGS.place) ?? '').split('.').map(Number);
  if (jobId === null || accountId === null || slot === undefined || generation === undefined) return null;
  return Number.isInteger(slot) && Number.isInteger(generation)
    ? { jobId, accountId, slot, generation }
    : null;
}

function tagOf({ Tags: tags = [] }: Ec2Instance, key: string): string | null {
  return tags.find((tag) => tag.Key === key)?.Value ?? null;
}
