/** The capacity of one execution: asked for until it is granted, and given back at the end of the execution. */
import { condition } from '@temporalio/workflow';
import { records } from './activities.ts';
import type { JobSignals } from './job-signals.ts';
import type { Progress } from './progress.ts';

/** The execution that needs capacity, and how many vCPUs it needs. */
export interface CapacityNeed {
  readonly jobId: string;
  readonly execution: number;
  readonly accountId: string;
  readonly accountPlan: 'free' | 'pro';
  readonly vcpus: number;
}

/** The job that the capacity belongs to: its signals, its state, and how often it asks again. */
export interface CapacityJob {
  readonly signals: JobSignals;
  readonly progress: Pick<Progress, 'enter'>;
  /** How often a waiting job asks again when no signal tells it that capacity was given back. */
  readonly pollSeconds: number;
  /** Whether this run of the workflow takes up nothing new. */
  draining(): boolean;
}

/** Requests and releases the capacity of an execution. */
export class Capacity {
  private readonly need: CapacityNeed;
  private readonly job: CapacityJob;
  private granted: boolean;
  private vcpus: number | null;

  constructor(
    need: CapacityNeed,
    job: CapacityJob,
    before: { readonly hasCapacity: boolean; readonly grantedVcpus?: number | null },
  ) {
    this.need = need;
    this.job = job;
    this.granted = before.hasCapacity;
    this.vcpus = before.grantedVcpus ?? null;
  }

  /** Whether the execution has its capacity now; carried into a continued run. */
  get isGranted(): boolean {
    return this.granted;
  }

  /** The vCPUs that are granted; null for all that were asked for, as in runs of before. Carried into a continued run. */
  get grantedVcpus(): number | null {
    return this.vcpus;
  }

  /** Waits until the capacity is granted; false when the job is stopping or its history grew long. */
  async obtain(): Promise<boolean> {
    const { signals, progress, pollSeconds } = this.job;
    while (!this.granted) {
      const answer = await records.requestCapacity.executeWithOptions(
        { summary: `${String(this.need.vcpus)} vCPUs` },
        [this.need],
      );
      this.granted = answer.granted;
      this.vcpus = answer.vcpus ?? null;
      if (answer.granted) break;
      await progress.enter('QUEUED', answer.reason);
      const awake = (): boolean => signals.capacityHint || signals.stopping() !== null;
      await condition(awake, pollSeconds * 1000, { summary: 'look for capacity' });
      signals.capacityHint = false;
      if (signals.stopping() !== null || this.job.draining()) return false;
    }
    return true;
  }

  /** Gives the capacity back, and wakes the jobs that get it. */
  async release(): Promise<void> {
    this.granted = false;
    const { jobId, execution } = this.need;
    await records.releaseCapacity({ jobId, execution });
  }
}
