/**
 * Instances of EC2. One token is one instance: the token is the ClientToken of the call and a tag of the instance, and a call
 * that may have been made before is preceded by a look for the tag. The content of a call is in the terms, so a repeat sends the
 * same (request.ts). The SDK repeats nothing by itself: whoever calls repeats, after pauses that grow, with the same terms.
 *
 * The answers are not exact: for half a minute EC2 may not show what it has launched.
 */
import { EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { SSMClient } from '@aws-sdk/client-ssm';

import type { ToolReport } from '../../../domain/availability.ts';
import type {
  Candidate,
  EndingInstance,
  EnsureAnswer,
  Gone,
  InstanceDescription,
  InstanceProvider,
  InstanceSpec,
  LaunchOrder,
  LaunchTerms,
  Never,
} from '../instances.ts';
import { codeOf, meaningOf, QUOTA_CODES, wordsOf } from './answers.ts';
import { describedBy } from './described.ts';
import { createEndings } from './endings.ts';
import type { EndInstance } from './endings.ts';
import { imageIdOf } from './images.ts';
import { createLooks } from './looks.ts';
import type { Looks } from './looks.ts';
import { useOfQuota, usesQuota } from './quotas.ts';
import type { QuotaUser } from './quotas.ts';
import { callOf, requestOf } from './request.ts';

/** A class of instances, as the provider needs it. */
export interface Ec2Class {
  readonly name: string;
  readonly gpus: number;
  readonly diskGib: number;
  readonly candidates: readonly (Candidate & { readonly type: string; readonly subnet: string })[];
}

export interface Ec2Options {
  readonly name: string;
  readonly region: string;
  /** The address of a simulation; null for AWS. */
  readonly endpoint: string | null;
  /** The name by which the instances of this installation are told from all others. */
  readonly deployment: string;
  readonly classes: readonly Ec2Class[];
  /** The images, by id or SSM parameter. */
  readonly images: { readonly cpu: string; readonly gpu: string };
  readonly securityGroups: readonly string[];
  /** The role of the machine, with which it reads the registry; null for none. */
  readonly instanceProfile: string | null;
  /** The frame of the user-data of a machine with so many GPUs. @throws RangeError where no machine may be told such. */
  readonly frame: (gpus: number) => string;
  /** The tools of the image. */
  readonly tools: () => Promise<readonly ToolReport[]>;
  /** Launches of all processes of the installation that may count into a quota, the launch of the token left out. */
  readonly quotaUsers: (token: string) => Promise<readonly QuotaUser[]>;
  /** The least time between two listings. */
  readonly lookSeconds?: number;
}

const LOOK_SECONDS = 5;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const SIMULATED = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
const CONNECT_MS = 3_000;
const ANSWER_MS = 15_000;

/** Opens the provider; nothing is sent before the first call. Credentials are found as the SDK finds them. */
export function createEc2Provider(options: Ec2Options): InstanceProvider {
  const { name, region, endpoint, deployment, lookSeconds = LOOK_SECONDS } = options;
  const access = {
    region,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    ...(endpoint === null ? {} : { endpoint }),
    // A simulation on this machine takes any credentials, and gets none that are good elsewhere.
    ...(endpoint !== null && LOOPBACK.test(new URL(endpoint).hostname) ? { credentials: SIMULATED } : {}),
  };
  const client = new EC2Client(access);
  const ssm = new SSMClient(access);
  const looks = createLooks(client, { deployment, betweenMs: lookSeconds * 1000 });
  const end = createEndings(client);
  return {
    name,
    answersExactly: false,
    offersSpot: options.classes.some(({ candidates }) => candidates.some(({ market }) => market === 'SPOT')),
    candidates: ({ instanceClass, market }) =>
      classOf(options, instanceClass)?.candidates.filter((candidate) => candidate.market === market) ?? [],
    prepare: (order, candidate) => prepare(options, ssm, order, candidate),
    ensure: (spec) => ensure({ client, looks, options }, spec),
    describe: (token, how) => describe(how === 'fresh' ? looks.fresh(token) : looks.recent(token)),
    terminate: (instance) => terminate(looks, end, instance),
    list: async () => [...(await looks.all()).values()].filter(({ state }) => state === 'running'),
    tools: options.tools,
    containment: () => Promise.resolve(null),
    gpus: () => Promise.resolve([]),
  };
}

function classOf({ classes }: Ec2Options, named: string): Ec2Class | undefined {
  return classes.find(({ name }) => name === named);
}

async function prepare(
  options: Ec2Options,
  ssm: SSMClient,
  order: LaunchOrder,
  candidate: Candidate,
): Promise<LaunchTerms | Never> {
  const { images } = options;
  const image = await imageIdOf(ssm, order.gpus > 0 ? images.gpu : images.cpu);
  if (typeof image !== 'string') return image;
  const diskGib = classOf(options, order.instanceClass)?.diskGib ?? 0;
  const call = callOf(order, { ...candidate, image }, { ...options, diskGib });
  try {
    return { ...candidate, image, sent: { call }, frame: options.frame(order.gpus) };
  } catch (error) {
    // No repeat makes another text of the same settings.
    if (error instanceof RangeError) return { state: 'never', cause: error.message };
    throw error;
  }
}

interface Ec2 {
  readonly client: EC2Client;
  readonly looks: Looks;
  readonly options: Ec2Options;
}

async function ensure(ec2: Ec2, spec: InstanceSpec): Promise<EnsureAnswer> {
  const { client, looks } = ec2;
  if (spec.isRepeat) {
    const known = await looks.fresh(spec.token);
    if (known !== undefined) return known.state === 'gone' ? ENDED : { state: 'launched', instance: known };
  }
  try {
    const request = requestOf(spec);
    const { Instances: [instance] = [] } = await client.send(new RunInstancesCommand(request));
    const described = instance === undefined ? null : describedBy(instance);
    if (described === null) throw new Error('RunInstances answered no instance.');
    if (described.state === 'gone') return ENDED;
    return { state: 'launched', instance: described };
  } catch (error) {
    return answerOf(error, ec2, spec);
  }
}

const ENDED: EnsureAnswer = { state: 'ended' };

/** @throws the error where it is not a definite answer. */
async function answerOf(error: unknown, ec2: Ec2, spec: InstanceSpec): Promise<EnsureAnswer> {
  const isQuota = QUOTA_CODES.includes(codeOf(error) ?? '');
  const meaning = meaningOf(error, isQuota && (await isQuotaInUse(ec2, spec, error)));
  switch (meaning) {
    case 'capacity':
      return { state: 'capacity', cause: wordsOf(error) };
    case 'never':
      return { state: 'never', cause: wordsOf(error) };
    case 'ended':
      return ENDED;
    case 'unknown':
      throw error;
  }
}

/**
 * Whether a quota is used up or there is none is told by the instances that count into it.
 * @throws the refusal as long as an earlier launch, which may count, has no answer: the same is then asked again.
 */
async function isQuotaInUse(
  { looks, options }: Ec2,
  { token, terms: { type, market } }: InstanceSpec,
  refusal: unknown,
): Promise<boolean> {
  if (type === null) return false;
  const use = useOfQuota(await options.quotaUsers(token), type, market);
  if (use === 'used') return true;
  // An instance of which no row tells, such as one that its job has given up, may still run.
  if (usesQuota((await looks.all()).values(), type, market)) return true;
  if (use === 'unknown') throw refusal;
  return false;
}

async function describe(
  look: Promise<InstanceDescription | undefined>,
): Promise<InstanceDescription | Gone | null> {
  return look.then(
    (found) => found ?? { state: 'gone' },
    () => null,
  );
}

async function terminate(
  looks: Looks,
  end: EndInstance,
  { token, providerId }: EndingInstance,
): Promise<boolean> {
  if (providerId !== null) return end(providerId);
  const found = await looks.fresh(token);
  if (found === undefined) return false;
  return found.state === 'gone' || end(found.providerId);
}
