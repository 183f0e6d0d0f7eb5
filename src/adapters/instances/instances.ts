/**
 * Instances that compute workers run on: processes of this machine (local.ts), or machines of a cloud (ec2/). A launch has
 * candidates: type of machine, place and market. All that is sent for a candidate is settled by `prepare`, before the first call,
 * and every repeat sends the same under the same token, also from a process of another build or with other settings. So a call
 * whose answer was lost is made again until there is a definite answer, and starts nothing twice.
 */
import type { Containment } from '../../contracts/containment.ts';
import type { GpuFacts } from '../../contracts/local-host.ts';
import type { ToolReport } from '../../domain/availability.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Market } from '../../domain/recoveries.ts';

/** The machine that a launch is for. */
export interface InstanceNeed {
  /** The class of instances that the job was planned for. */
  readonly instanceClass: string;
  readonly vcpus: number;
  readonly gpus: number;
  /** Market on which the instance is rented; `SPOT` is asked only of a provider that offers it. */
  readonly market: Market;
}

/** One choice of a launch. A provider without types and subnets has one candidate, with nulls. */
export interface Candidate {
  readonly type: string | null;
  readonly subnet: string | null;
  readonly market: Market;
  /** The kind of processor of the type; null where the provider does not tell kinds apart. */
  readonly cpuClass: string | null;
}

/** All that is sent for a candidate. The row of the instance has the terms before the first call. */
export interface LaunchTerms extends Candidate {
  /** The image that the instance starts; null where the provider has none. */
  readonly image: string | null;
  /** Whatever else the provider sends. */
  readonly sent: JsonObject;
  /** Text for the first boot of the instance, with a place for the credential, which no row has. Null where the provider sends none. */
  readonly frame: string | null;
}

/** The provider will never do what was asked, until an operator has mended the cause. */
export interface Never {
  readonly state: 'never';
  /** The provider's code and words, for operators. */
  readonly cause: string;
}

/** An instance to launch. `token` is the idempotency token and the tag: the same token never starts a second instance. */
export interface InstanceSpec {
  readonly jobId: string;
  readonly accountId: string;
  readonly slot: number;
  readonly generation: number;
  readonly token: string;
  readonly taskQueue: string;
  readonly vcpus: number;
  readonly gpus: number;
  /** Tools that may run at once. */
  readonly toolSlots: number;
  /** Secret for which the gateway gives the instance its bearer. */
  readonly credential: string;
  readonly terms: LaunchTerms;
  /** Whether the provider may have been asked under this token before. */
  readonly isRepeat: boolean;
}

/** An instance as its provider tells it. Fields that the provider does not know are absent. */
export interface InstanceDescription {
  readonly providerId: string;
  readonly token: string;
  readonly state: 'running' | 'gone';
  readonly launchedAt: string;
  readonly type?: string;
  readonly market?: Market;
  readonly zone?: string;
  readonly owner?: InstanceOwner;
  /** Why the instance is gone, where that is more than its end. */
  readonly cause?: 'PREEMPTED';
}

/** Owner of an instance, as its tags name it. */
export interface InstanceOwner {
  readonly jobId: string;
  readonly accountId: string;
  readonly slot: number;
  readonly generation: number;
}

/** A launch whose terms are to be settled: the machine, whose instance it will be, and the token under which it is asked for. */
export interface LaunchOrder extends InstanceNeed, InstanceOwner {
  readonly token: string;
}

/** There is no instance of a token, or not any more. */
export interface Gone {
  readonly state: 'gone';
  readonly cause?: 'PREEMPTED';
}

/**
 * The definite answers to a launch. `ended`: the instance of the token has ended, so the token starts no other. `capacity`: the
 * provider has no room for the candidate now, and nothing was started.
 */
export type EnsureAnswer =
  | { readonly state: 'launched'; readonly instance: InstanceDescription }
  | { readonly state: 'ended' }
  | { readonly state: 'capacity'; readonly cause: string }
  | Never;

/** An instance that is to end; `providerId` is null where the answer to its launch is not known. */
export interface EndingInstance {
  readonly token: string;
  readonly providerId: string | null;
}

/** A provider of instances. `describe` answers null when the provider gave no answer in time. */
export interface InstanceProvider {
  readonly name: string;
  /**
   * Whether `gone` is certain from the first moment; with false, `gone` may also mean that the provider does not know a
   * launch yet.
   */
  readonly answersExactly: boolean;
  /** Whether the provider has a spot market: cheaper instances that it may take away, and that it may not have at all times. */
  readonly offersSpot: boolean;
  /** The candidates of a launch, the best first; none where the provider knows no such class. */
  candidates(need: InstanceNeed): readonly Candidate[];
  /** Settles all that is to be sent for a candidate, and starts nothing. @throws Error without a definite answer. */
  prepare(order: LaunchOrder, candidate: Candidate): Promise<LaunchTerms | Never>;
  /**
   * Starts the instance, or returns the one that this token started before.
   * @throws Error without a definite answer: the same is to be asked again.
   */
  ensure(spec: InstanceSpec): Promise<EnsureAnswer>;
  /**
   * The instance that this token started. The answer is `gone` when there is no such instance or it has ended, null
   * when the provider gives no answer. An answer may have been given to somebody else some seconds ago, unless it is to be `fresh`.
   */
  describe(token: string, how?: 'fresh'): Promise<InstanceDescription | Gone | null>;
  /**
   * Ends the instance and everything that it started; repeatable; returns when no call can bring the instance back. False when the
   * provider knows no such instance, which of a young launch proves nothing unless the provider answers exactly.
   */
  terminate(instance: EndingInstance): Promise<boolean>;
  /** Every instance of this deployment that has not ended. @throws Error without an answer. */
  list(): Promise<readonly InstanceDescription[]>;
  /** The tools that instances of this provider know, and whether they can run them. @throws Error without an answer. */
  tools(): Promise<readonly ToolReport[]>;
  /**
   * Finds the containment of tools on the instances; null where each machine finds its own at its start. @throws Error without an
   * answer.
   */
  containment(): Promise<Containment | null>;
  /** The GPUs of the machine on which the instances run; none where each instance has a machine of its own. */
  gpus(): Promise<readonly GpuFacts[]>;
}
