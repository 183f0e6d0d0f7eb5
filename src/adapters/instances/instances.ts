/** Where compute workers run. Implementations: local processes (now), EC2 (later). */
import type { ToolReport } from '../../domain/availability.ts';
import type { Market } from '../../domain/recoveries.ts';

/** What to launch. `token` is the idempotency token and the tag: the same token never starts a second instance. */
export interface InstanceSpec {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  readonly token: string;
  readonly taskQueue: string;
  readonly vcpus: number;
  /** How the instance is rented; `SPOT` is asked only of a provider that offers it. */
  readonly market: Market;
  /** Tools that may run at once. */
  readonly toolSlots: number;
  /** What the instance asks the gateway for its bearer with. */
  readonly credential: string;
}

/** An instance as its provider tells it. */
export interface InstanceDescription {
  readonly providerId: string;
  readonly token: string;
  readonly state: 'running' | 'gone';
  readonly launchedAt: string;
}

/** The provider has no room on the market that was asked for now: nothing was started, and a later call may start the instance. */
export interface NoCapacity {
  readonly state: 'unavailable';
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
  /** Starts the instance, or returns the one that this token started before. */
  ensure(spec: InstanceSpec): Promise<InstanceDescription | NoCapacity>;
  /**
   * The instance that this token started. The answer is `gone` when there is no such instance or it has ended, null
   * when the provider gives no answer.
   */
  describe(token: string): Promise<InstanceDescription | { readonly state: 'gone' } | null>;
  /** Ends the instance and everything that it started; repeatable; returns when the instance is gone. */
  terminate(token: string): Promise<void>;
  /** Every instance of this deployment that has not ended. */
  list(): Promise<readonly InstanceDescription[]>;
  /** The tools that instances of this provider know, and whether they can run them. @throws Error without an answer. */
  tools(): Promise<readonly ToolReport[]>;
}
