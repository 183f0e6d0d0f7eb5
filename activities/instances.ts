import { activityInfo, sleep } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { DataSource } from 'typeorm';
import type { InstanceProvider } from '../src/adapters/instances/instances.ts';
import { inquire, type InquiryLeases, type Verdict } from '../src/services/execution/instances/inquiry.ts';
import {
  drainInstance,
  fenceJob,
  liveInstances,
  markTerminated,
  markUnseen,
} from '../src/services/execution/instances/instances.ts';
import {
  launchInstance,
  LaunchUnanswered,
  type InstanceLaunch,
  type LaunchAnswer,
} from '../src/services/execution/instances/launch.ts';
import { replaceInstance, type Replacement } from '../src/services/execution/instances/replace.ts';
import type { CountGivenUp } from '../src/metrics/given-up.ts';
import { beating } from './beating.ts';
import { backOff } from '../src/domain/back-off.ts';

/** An instance on this machine is heard of within a second, and its tasks begin no sooner than it is seen. */
const FIRST_LOOK_MS = 100;
const LATER_LOOKS_MS = 500;
/** The longest pauses after the first launch without a definite answer, and after the many that may follow: a cloud may be throttled. */
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = { local: 10_000, cloud: 60_000 } as const;
/** Terminations that one activity has under way at once. */
const TERMINATIONS = 8;

export type { LaunchAnswer, Verdict };

/** The activities of instances, as the workflows of a job call them. */
export type InstanceActivities = ReturnType<typeof createInstanceActivities>;

/** One generation of one slot of a job. */
export interface InstanceId {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
}

/** How long a look at an instance may take, in milliseconds. */
export interface InstanceLook extends InstanceId {
  readonly lookMs?: number;
}

/** The database, the providers by name, and the secret that signs the tokens of instances. */
export interface InstanceDependencies {
  readonly db: DataSource;
  readonly providers: ReadonlyMap<string, InstanceProvider>;
  readonly leases: InquiryLeases;
  readonly secret: string;
  /** Secrets that have signed, or will, while the secret is changed. */
  readonly furtherSecrets?: readonly string[];
  /** How long a generation waits for a spot instance before the slot gets one on demand. */
  readonly spotWaitSeconds?: number;
  /** The first pause of a slot whose instances are lost again and again. */
  readonly replacePauseSeconds?: number;
  readonly countGivenUp?: CountGivenUp;
}

/** Makes the activities that launch, inquire after, replace and end instances. */
export function createInstanceActivities(deps: InstanceDependencies) {
  const { db, leases } = deps;
  const provider = (name: string): InstanceProvider => {
    const found = deps.providers.get(name);
    // Another control worker may have the provider, so the activity is tried again.
    if (found === undefined) throw new Error(`The provider ${name} is not configured here.`);
    return found;
  };

  return {
    /**
     * Writes the generation's row, then asks the provider. Idempotent by launch token; never launches a fenced generation.
     * Answers whether there is a spot instance for a job that wants one.
     */
    launchInstance(request: InstanceLaunch): Promise<LaunchAnswer> {
      const from = provider(request.provider);
      return beating(launchInstance(deps, from, request)).catch((error: unknown) => {
        throw error instanceof LaunchUnanswered ? askedAgain(error, from) : error;
      });
    },

    /**
     * Looks for the first contact of an instance, or for evidence that no contact will come, for at most `lookMs`; one look
     * when `lookMs` is not given. Null while there is neither. Reads only.
     */
    awaitInstance(request: InstanceLook): Promise<Verdict | null> {
      return beating(
        untilKnown(() => inquire({ db, providers: deps.providers, leases }, request, 'launch'), request),
      );
    },

    /**
     * Looks for evidence about an instance, for at most `lookMs`: `alive` after a recent contact, else why the instance is
     * given up. Null while there is neither. Reads only.
     */
    inquireInstance(request: InstanceLook): Promise<Verdict | null> {
      return beating(
        untilKnown(() => inquire({ db, providers: deps.providers, leases }, request, 'running'), request),
      );
    },

    /**
     * Fences a generation, sets its running tasks back or gives them up, and writes the recovery row. Idempotent by
     * generation. Answers how many of the slot's generations in a row were dead ends, and how long the slot pauses.
     */
    async replaceInstance(request: InstanceId & { execution: number; cause: string }): Promise<Replacement> {
      const replacement = await replaceInstance(db, request, deps.replacePauseSeconds);
      deps.countGivenUp?.('instance_lost', replacement.failed);
      return replacement;
    },

    /** Notes that an instance is about to be taken away, so that the slot's next generation may be launched. Idempotent. */
    drainInstance(request: InstanceId): Promise<void> {
      return drainInstance(db, request);
    },

    /** Fences every generation of the job. Idempotent. */
    fenceJob(request: { jobId: string; cause: string }): Promise<void> {
      return fenceJob(db, request.jobId, request.cause);
    },

    /** Ends the instance of one generation, or with nulls every instance of the job; returns when gone. Idempotent. */
    async terminateInstances(which: {
      jobId: string;
      slot: number | null;
      generation: number | null;
    }): Promise<void> {
      const ending = (await liveInstances(db, which)).values();
      const endOneByOne = async (): Promise<void> => {
        for (const { provider: name, providerId, launchToken: token } of ending) {
          const from = provider(name);
          const isKnown = await from.terminate({ token, providerId });
          // A launch under way may still appear at its provider, and the sweep ends the instance then.
          await (isKnown || from.answersExactly ? markTerminated : markUnseen)(db, token);
        }
      };
      await beating(Promise.all(Array.from({ length: TERMINATIONS }, endOneByOne)));
    },
  };
}

/**
 * The failure after which Temporal asks the provider again: later after each attempt, and not at the same moment for launches that
 * have failed together.
 */
function askedAgain(error: LaunchUnanswered, { answersExactly }: InstanceProvider): ApplicationFailure {
  const mostMs = answersExactly ? LONGEST_PAUSE_MS.local : LONGEST_PAUSE_MS.cloud;
  const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (activityInfo().attempt - 1), mostMs);
  return ApplicationFailure.create({
    message: error.message,
    type: 'LaunchUnanswered',
    cause: error,
    nextRetryDelay: Math.round(longestMs * (0.5 + Math.random() / 2)),
  });
}

/**
 * Asks again and again until there is a verdict or the time of the look is over. The workflow waits between looks, so that an instance that boots for minutes holds no slot meanwhile.
 */
async function untilKnown(
  ask: () => Promise<Verdict | null>,
  { lookMs = 0 }: InstanceLook,
): Promise<Verdict | null> {
  const waitsMs = backOff(FIRST_LOOK_MS, LATER_LOOKS_MS);
  const until = performance.now() + lookMs;
  for (;;) {
    const verdict = await ask();
    if (verdict !== null || performance.now() >= until) return verdict;
    await sleep(waitsMs.next().value);
  }
}
