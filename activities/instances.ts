import { heartbeat, sleep } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import type { InstanceProvider } from '../src/adapters/instances/instances.ts';
import { inquire, type InquiryLeases, type Verdict } from '../src/services/execution/instances/inquiry.ts';
import {
  fenceJob,
  launchInstance,
  liveInstances,
  markTerminated,
  type LaunchRequest,
} from '../src/services/execution/instances/instances.ts';
import { replaceInstance, type Replacement } from '../src/services/execution/instances/replace.ts';
import type { CountGivenUp } from '../src/metrics/given-up.ts';
import { beating } from './beating.ts';
import { invariantBroken } from '../src/domain/invariant.ts';

/** Instances, as the job's workflows call them. */
export type InstanceActivities = ReturnType<typeof createInstanceActivities>;

/** Names one generation of one slot. */
export interface InstanceId {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
}

export interface InstanceDependencies {
  readonly db: DataSource;
  readonly providers: ReadonlyMap<string, InstanceProvider>;
  readonly leases: InquiryLeases;
  readonly secret: string;
  readonly tokenHours: number;
  readonly countGivenUp?: CountGivenUp;
}

/** Activities that launch, inquire after, replace and end instances. */
export function createInstanceActivities(deps: InstanceDependencies) {
  const { db, leases } = deps;
  const provider = (name: string): InstanceProvider => {
    const found = deps.providers.get(name);
    if (found === undefined) throw invariantBroken(`no provider ${name} is configured`);
    return found;
  };

  return {
    /** Writes the generation's row, then asks the provider. Idempotent by the launch token; a fenced one is not launched. */
    launchInstance(request: LaunchRequest): Promise<void> {
      return beating(launchInstance(deps, provider(request.provider), request));
    },

    /** Waits for the first contact, or for evidence that there will be none. Reads only. */
    awaitInstance(id: InstanceId): Promise<Verdict> {
      return untilKnown(() => inquire({ db, providers: deps.providers, leases }, id, 'launch'));
    },

    /** Waits for evidence: `alive` when the instance has contacted the gateway lately, else why it is given up. */
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

    /** Ends one generation's instance, or with nulls every one of the job; returns when gone. Idempotent. */
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

/** Asks again and again until there is a verdict; heartbeats, so a dead control worker is noticed. */
async function untilKnown(ask: () => Promise<Verdict | null>): Promise<Verdict> {
  for (;;) {
    const verdict = await ask();
    if (verdict !== null) return verdict;
    heartbeat();
    await sleep('500ms');
  }
}
