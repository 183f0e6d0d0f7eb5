import { heartbeat, sleep } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import type { InstanceProvider } from '../src/adapters/instances/instances.ts';
import { inquire, type InquiryLeases, type Verdict } from '../src/services/execution/instances/inquiry.ts';
import {
  fenceJob,
  launchInstance,
  liveInstances,
  markTerminated,
  type InstanceLaunch,
} from '../src/services/execution/instances/instances.ts';
import { replaceInstance, type Replacement } from '../src/services/execution/instances/replace.ts';
import type { CountGivenUp } from '../src/metrics/given-up.ts';
import { beating } from './beating.ts';
import { backOff } from '../src/domain/back-off.ts';
import { invariantBroken } from '../src/domain/invariant.ts';

/** An instance on this machine is heard of within a second, and its tasks begin no sooner than it is seen. */
const FIRST_LOOK_MS = 100;
const LATER_LOOKS_MS = 500;

/** The activities of instances, as the workflows of a job call them. */
export type InstanceActivities = ReturnType<typeof createInstanceActivities>;

/** One generation of one slot of a job. */
export interface InstanceId {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
}

/** The database, the providers by name, and the secret that signs the tokens of instances. */
export interface InstanceDependencies {
  readonly db: DataSource;
  readonly providers: ReadonlyMap<string, InstanceProvider>;
  readonly leases: InquiryLeases;
  readonly secret: string;
  readonly tokenHours: number;
  readonly countGivenUp?: CountGivenUp;
}

/** Makes the activities that launch, inquire after, replace and end instances. */
export function createInstanceActivities(deps: InstanceDependencies) {
  const { db, leases } = deps;
  const provider = (name: string): InstanceProvider => {
    const found = deps.providers.get(name);
    if (found === undefined) throw invariantBroken(`no provider ${name} is configured`);
    return found;
  };

  return {
    /** Writes the generation's row, then asks the provider. Idempotent by launch token; never launches a fenced generation. */
    launchInstance(request: InstanceLaunch): Promise<void> {
      return beating(launchInstance(deps, provider(request.provider), request));
    },

    /** Waits for the first contact of an instance, or for evidence that no contact will come. Reads only. */
    awaitInstance(id: InstanceId): Promise<Verdict> {
      return untilKnown(() => inquire({ db, providers: deps.providers, leases }, id, 'launch'));
    },

    /** Waits for evidence about an instance: `alive` after a recent contact, else why the instance is given up. Reads only. */
    inquireInstance(id: InstanceId): Promise<Verdict> {
      return untilKnown(() => inquire({ db, providers: deps.providers, leases }, id, 'running'));
    },

    /**
     * Fences a generation, sets its running tasks back or gives them up, and writes the recovery row. Idempotent by
     * generation. Answers how many of the slot's generations in a row were dead ends.
     */
    async replaceInstance(request: InstanceId & { execution: number; cause: string }): Promise<Replacement> {
      const replacement = await replaceInstance(db, request);
      deps.countGivenUp?.('instance_lost', replacement.failed);
      return replacement;
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
      for (const instance of await liveInstances(db, which)) {
        await beating(provider(instance.provider).terminate(instance.launchToken));
        await markTerminated(db, instance.launchToken);
      }
    },
  };
}

/** Asks again and again until there is a verdict; beats, so that the time-out finds a dead control worker. */
async function untilKnown(ask: () => Promise<Verdict | null>): Promise<Verdict> {
  const waitsMs = backOff(FIRST_LOOK_MS, LATER_LOOKS_MS);
  for (;;) {
    const verdict = await ask();
    if (verdict !== null) return verdict;
    heartbeat();
    await sleep(waitsMs.next().value);
  }
}
