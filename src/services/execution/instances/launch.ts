/**
 * A launch asks for one candidate after the other until one is launched. Everything that is sent is in the row first, so a call
 * whose answer is not known is made again with the same, under the same token; only a definite lack of capacity moves on to the
 * next candidate. A refusal that no repeat mends, and no room anywhere, are answers of their own: the workflow pauses the job, or
 * lets it queue again. None of them is the customer's to pay.
 *
 * A job in resumable recovery asks for spot instances where the provider offers such. As long as the provider has none, the row
 * waits; after the longest wait the generation is fenced, and the slot's next generation is one on demand. The wait is ours to pay:
 * the price of the job is that of spot instances whichever it gets.
 */
import type { DataSource } from 'typeorm';
import type { Instance } from '../../../../entities/instances.ts';
import type {
  Candidate,
  InstanceProvider,
  InstanceSpec,
  LaunchTerms,
} from '../../../adapters/instances/instances.ts';
import { computeQueue } from '../../../contracts/names.ts';
import { announceJob } from '../../events/announce.ts';
import type { Row } from '../../row.ts';
import { notePause } from '../../job-records/pending-pause.ts';
import {
  boundCpuClass,
  freezeTerms,
  giveUpLaunch,
  moveOn,
  noteAsked,
  noteLaunched,
  openLaunch,
  type InstanceLaunch,
  type LaunchRow,
} from './launch-rows.ts';
import { credentialKeyOf, signCredential } from './bootstrap.ts';

export type { InstanceLaunch } from './launch-rows.ts';

/** The answer to a launch. */
export interface LaunchAnswer {
  /**
   * `asked`: the provider launches the instance, or nothing is to be launched any more. `no-spot`: no spot instance is to be
   * had now. `spot-given-up`: none was to be had for long, and the generation is fenced. `exhausted`: no candidate has room.
   * `never`: the provider refuses until an operator has mended the cause. After the last two the generation is fenced, too.
   */
  readonly state: 'asked' | 'no-spot' | 'spot-given-up' | 'exhausted' | 'never';
  /** When it makes sense to ask again. */
  readonly againSeconds?: number;
}

export interface LaunchDependencies {
  readonly db: DataSource;
  readonly secret: string;
  /** A launch that one of these has signed before is repeated with its signature. */
  readonly furtherSecrets?: readonly string[];
  /** How long a generation waits for a spot instance. */
  readonly spotWaitSeconds?: number;
}

/** The longest wait for a spot instance, in seconds; configuration. */
const SPOT_WAIT_SECONDS = 120;
/** The provider is asked for a spot instance no more often; the last time is at the end of the wait. */
const SPOT_LOOK_SECONDS = 10;
const SPOT_UNAVAILABLE = 'SPOT_UNAVAILABLE';
/** Why a generation was fenced of which no instance came; the workflow pauses the job, or lets it queue, with the same word. */
const NO_CAPACITY = 'NO_CAPACITY';
const LAUNCH_REFUSED = 'LAUNCH_REFUSED';
/** An instance that ends while its launch is under way is launched again so often; then its end is looked into. */
const ENDED_ROUNDS = 3;
const ASKED: LaunchAnswer = { state: 'asked' };
const OF_FENCE: Readonly<Record<string, LaunchAnswer>> = {
  [SPOT_UNAVAILABLE]: { state: 'spot-given-up' },
  [NO_CAPACITY]: { state: 'exhausted' },
  [LAUNCH_REFUSED]: { state: 'never' },
};

/**
 * The provider has given no definite answer: the same is asked again, after pauses that grow. Many launches that fail together would
 * otherwise keep a provider throttled.
 */
export class LaunchUnanswered extends Error {}

interface Launch extends LaunchDependencies {
  readonly provider: InstanceProvider;
  readonly request: InstanceLaunch;
}

/** Result of one step of a launch: an answer, or the row is read again and the launch goes on from there. */
type Step = LaunchAnswer | 'again' | 'ended';

/**
 * Writes the row, asks the provider, notes its answer. A generation that was fenced meanwhile is not launched. Repeatable.
 * @throws LaunchUnanswered when an answer is not definite; the same is then asked again.
 */
export async function launchInstance(
  deps: LaunchDependencies,
  provider: InstanceProvider,
  request: InstanceLaunch,
): Promise<LaunchAnswer> {
  const launch: Launch = { ...deps, provider, request };
  const mayBeSpot = provider.offersSpot && request.market !== 'ON_DEMAND';
  for (let endedRounds = 0; endedRounds < ENDED_ROUNDS;) {
    const row = await openLaunch(deps.db, request, mayBeSpot);
    if (row === null) return ASKED;
    if (row.fenced_at !== null) return OF_FENCE[row.fence_cause ?? ''] ?? ASKED;
    if (row.state !== 'LAUNCHING') return ASKED;
    const step = await (row.terms === null
      ? settle(launch, row)
      : ask(launch, row, { ...row.terms, frame: row.frame }));
    if (step === 'ended') endedRounds += 1;
    else if (step !== 'again') return step;
  }
  return ASKED;
}

/** Settles what is sent for the candidate that the row names, or for the next one that the job may have. */
async function settle(launch: Launch, row: LaunchRow): Promise<Step> {
  const { db, provider, request } = launch;
  const { instance_class: instanceClass, vcpus, gpus, market } = row;
  const need = { instanceClass, vcpus, gpus, market };
  const candidates = provider.candidates(need);
  if (candidates.length === 0)
    return refused(
      launch,
      row,
      `${provider.name} has no candidate of the class ${instanceClass} on the market ${market}`,
    );
  const bound = await boundCpuClass(db, request);
  const mayBe = ({ cpuClass }: Candidate): boolean =>
    bound === null || cpuClass === null || cpuClass === bound;
  const index = candidates.findIndex((candidate, place) => place >= row.candidate && mayBe(candidate));
  const candidate = candidates[index];
  if (candidate === undefined) return withoutRoom(launch, row);
  if (index !== row.candidate) {
    await moveOn(db, request, row, { candidate: index, round: row.round, refusal: null });
    return 'again';
  }
  const { launch_token: token, account_id: accountId } = row;
  const { jobId, slot, generation } = request;
  const order = { ...need, token, accountId, jobId, slot, generation };
  const terms = await answered(provider.prepare(order, candidate));
  if ('state' in terms) return refused(launch, row, terms.cause);
  await freezeTerms(db, request, row, { ...terms, credentialKey: credentialKeyOf(launch.secret) });
  return 'again';
}

/** Asks the provider for the candidate, with what the row has. */
async function ask(launch: Launch, row: LaunchRow, terms: LaunchTerms): Promise<Step> {
  const { db, provider, request } = launch;
  const { launch_token: token, candidate, round } = row;
  const spec = { ...specOf(launch, row, terms), isRepeat: await noteAsked(db, token) };
  const answer = await answered(provider.ensure(spec));
  switch (answer.state) {
    case 'launched': {
      const { providerId } = answer.instance;
      // A fence may have come from a process that looked for an instance before there was one.
      if (!(await noteLaunched(db, token, answer.instance))) await provider.terminate({ token, providerId });
      return ASKED;
    }
    case 'never':
      return refused(launch, row, answer.cause);
    case 'capacity':
      await moveOn(db, request, row, { candidate: candidate + 1, round, refusal: answer.cause });
      return 'again';
    case 'ended':
      await moveOn(db, request, row, { candidate, round: round + 1, refusal: null });
      return 'ended';
  }
}

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new LaunchUnanswered(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function specOf(
  { secret, furtherSecrets = [], request: { jobId, slot, generation, toolSlots } }: Launch,
  { launch_token: token, account_id: accountId, vcpus, gpus, credential_key: key }: LaunchRow,
  terms: LaunchTerms,
): Omit<InstanceSpec, 'isRepeat'> {
  // Each attempt sends the same, because a provider takes a token once, and for the same request only.
  const signing = furtherSecrets.find((further) => credentialKeyOf(further) === key) ?? secret;
  return {
    jobId,
    accountId,
    slot,
    generation,
    token,
    vcpus,
    gpus,
    toolSlots,
    terms,
    taskQueue: computeQueue(jobId, slot, generation),
    credential: signCredential(signing, { launchToken: token, toolSlots }),
  };
}

async function refused(
  { db, request }: Launch,
  { launch_token: token }: LaunchRow,
  refusal: string,
): Promise<Step> {
  await giveUpLaunch(db, token, { cause: LAUNCH_REFUSED, refusal });
  // The workflow pauses the job for this answer, once the tasks of other instances have ended.
  if (await notePause(db.manager, request.jobId, 'OPERATOR')) await announceJob(db, request.jobId);
  return 'again';
}

/** No candidate has room: a spot launch begins again in a while, or is given up; one on demand is given up at once. */
async function withoutRoom(launch: Launch, row: LaunchRow): Promise<Step> {
  const { db } = launch;
  if (row.market === 'SPOT') return withoutSpot(launch, row);
  const refusal = row.refusal ?? `no candidate has the kind of processor that the job is bound to`;
  await giveUpLaunch(db, row.launch_token, { cause: NO_CAPACITY, refusal });
  return 'again';
}

/** There is no spot instance: the generation waits and begins with its first candidate again, or is given up after its longest wait. */
async function withoutSpot(
  { db, request, spotWaitSeconds = SPOT_WAIT_SECONDS }: Launch,
  row: LaunchRow,
): Promise<Step> {
  const [standing] = await db.query<(Row<Instance, 'fencedAt'> & { readonly seconds_left: number })[]>(
    `with over as (update instances set fenced_at = now(), fence_cause = $3
       where launch_token = $1 and fenced_at is null and launched_at <= now() - make_interval(secs => $2) returning fenced_at)
     select coalesce(i.fenced_at, (select fenced_at from over)) as fenced_at,
       $2 - extract(epoch from now() - i.launched_at)::float8 as seconds_left
     from instances i where i.launch_token = $1`,
    [row.launch_token, spotWaitSeconds, SPOT_UNAVAILABLE],
  );
  if (standing === undefined || standing.fenced_at !== null) return 'again';
  await moveOn(db, request, row, { candidate: 0, round: row.round + 1, refusal: null });
  return {
    state: 'no-spot',
    againSeconds: Math.min(Math.max(standing.seconds_left, 0.1), SPOT_LOOK_SECONDS),
  };
}
