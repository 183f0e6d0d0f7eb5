/** The interface behind which a host runs an instance: as a child process, or inside the host's own process. */
import type { LaunchOrder } from '../contracts/local-host.ts';

/** An instance that was started. */
export interface RunningInstance {
  /** The process of the instance; null when the instance runs inside the host's process. */
  readonly pid: number | null;
  /** Settled when the instance and every process that it started are gone. */
  readonly ended: Promise<void>;
  /** Asks the instance to end, and kills it after the grace; returns when all its processes are gone. */
  stop(graceSeconds: number): Promise<void>;
}

/** Starts instances. */
export interface InstanceRunner {
  start(order: LaunchOrder): RunningInstance;
  /** Ends the processes of an instance that an earlier process of the host has started. */
  cleanUp(instanceId: string): Promise<void>;
}
