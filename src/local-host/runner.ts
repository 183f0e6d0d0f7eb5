/** How a host runs an instance: as a child process, or as one of many in its own process. */
import type { LaunchOrder } from '../contracts/local-host.ts';

/** An instance that was started. */
export interface RunningInstance {
  /** Its process; null when it has none of its own. */
  readonly pid: number | null;
  /** Settled when it and everything that it started are gone. */
  readonly ended: Promise<void>;
  /** Asks it to end, then makes it end; returns when all is gone. */
  stop(graceSeconds: number): Promise<void>;
}

/** Starts instances. */
export interface InstanceRunner {
  start(order: LaunchOrder): RunningInstance;
  /** Ends what an earlier life of the host has left of an instance. */
  cleanUp(instanceId: string): Promise<void>;
}
