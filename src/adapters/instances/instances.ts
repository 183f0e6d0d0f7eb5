/** Where compute workers run. Implementations: local processes (now), EC2 (later). */

/** What to launch. `token` is the idempotency token and the tag: the same token never starts a second instance. */
export interface InstanceSpec {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  readonly token: string;
  readonly taskQueue: string;
  readonly vcpus: number;
  /** Tools that may run at once. */
  readonly toolSlots: number;
  /** Bearer for the compute gateway. */
  readonly gatewayToken: string;
}

/** An instance as its provider tells it. */
export interface InstanceDescription {
  readonly providerId: string;
  readonly token: string;
  readonly state: 'running' | 'gone';
  readonly launchedAt: string;
}

/** A provider of instances. `describe` answers null when the provider gave no answer in time. */
export interface InstanceProvider {
  readonly name: string;
  /** Whether `gone` is certain from the first moment; else it may be a provider that does not know a launch yet. */
  readonly answersExactly: boolean;
  /** Starts the instance, or returns the one that this token started before. */
  ensure(spec: InstanceSpec): Promise<InstanceDescription>;
  /** The instance that this token started; `gone` when there is none or it has ended; null when nobody answers. */
  describe(token: string): Promise<InstanceDescription | { readonly state: 'gone' } | null>;
  /** Ends it and everything it started; repeatable; returns when it is gone. */
  terminate(token: string): Promise<void>;
  /** Every instance of this deployment that is not gone. */
  list(): Promise<readonly InstanceDescription[]>;
}
