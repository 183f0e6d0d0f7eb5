/** The capacity of one execution: asked for until it is granted, and given back at the end of the execution. */
import { condition } from '@temporalio/workflow';
import { records } from './activities.ts';
import type { JobSignals } from './job-signals.ts';
import type { Progress } from './progress.ts';

/** The execution that needs capacity, and how many vCPUs it needs. With a step it begins with one instance, and grows. */
export interface CapacityNeed {
  readonly jobId: string;
  readonly execution: number;
  readonly accountId: string;
  readonly accountPlan: 'free' | 'pro';
  readonly vcpus: number;
  /** The vCPUs of one instance, where capacity is granted one instance after the other. */
  readonly stepVcpus?: number;
  /** The class of the instances, and the GPUs of one; absent: instances without GPUs. */
  readonly instanceClass?: string;
  readonly stepGpus?: number;
  /** The software of which each instance takes a seat; absent: none. */
  readonly licence?: string;
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

type Answer = Awaited<ReturnType<typeof records.requestCapacity>>;

/** Requests and releases the capacity of an execution. */
export class Capacity {
  private readonly need: CapacityNeed;
  private readonly job: CapacityJob;
  private granted: boolean;
  private vcpus: number;
  /** The vCPUs that were asked for last; more than are granted as long as the execution grows. */
  private wanted: number;
  /** The change of the grant that is under way: answers are taken up in the order of the questions. */
  private change: Promise<void> = Promise.resolve();

  constructor(
    need: CapacityNeed,
    job: CapacityJob,
    before: { readonly hasCapacity: boolean; readonly grantedVcpus: number },
  ) {
    this.need = need;
    this.job = job;
    this.granted = before.hasCapacity;
    this.vcpus = before.grantedVcpus;
    this.wanted = this.vcpus;
  }

  /** Whether the execution has its capacity now; carried into a continued run. */
  get isGranted(): boolean {
    return this.granted;
  }

  /** The vCPUs that are granted; 0 without capacity. Carried into a continued run. */
  get grantedVcpus(): number {
    return this.vcpus;
  }

  /** Whether more vCPUs may still be granted. */
  get isGrowing(): boolean {
    return this.granted && this.vcpus < this.wanted;
  }

  /** Waits until the first capacity is granted; false when the job is stopping or its history grew long. */
  async obtain(): Promise<boolean> {
    const { signals, progress, pollSeconds } = this.job;
    while (!this.granted) {
      const { granted, reason } = await this.ask(this.need.stepVcpus ?? this.need.vcpus);
      if (granted) break;
      await progress.enter('QUEUED', reason);
      const awake = (): boolean => signals.capacityHint || signals.stopping() !== null;
      await condition(awake, pollSeconds * 1000, { summary: 'look for capacity' });
      signals.capacityHint = false;
      if (signals.stopping() !== null || this.job.draining()) return false;
    }
    return true;
  }

  /** Asks for so many instances, or looks what was granted of them meanwhile. */
  async grow(instances: number): Promise<void> {
    const { stepVcpus, vcpus } = this.need;
    if (stepVcpus === undefined) return;
    const wanted = Math.min(vcpus, instances * stepVcpus);
    this.job.signals.capacityHint = false;
    if (this.vcpus >= wanted) return;
    await this.inTurn(async () => {
      await this.ask(wanted);
    });
  }

  /** Waits until capacity may have been granted, or nothing more is to be taken up. */
  async untilGrown(isOver: () => boolean): Promise<void> {
    await condition(() => this.job.signals.capacityHint || isOver());
  }

  /** Asks for nothing more than is granted. */
  async stopGrowing(): Promise<void> {
    await this.inTurn(async () => {
      if (this.isGrowing) await this.reduceTo(this.vcpus);
    });
  }

  /** Gives the vCPUs of one instance back, whose end is known; the others stay. */
  async reduceBy(vcpus: number): Promise<void> {
    await this.inTurn(async () => {
      if (this.granted) await this.reduceTo(this.vcpus - vcpus);
    });
  }

  /** Gives the capacity back for a while, because the provider has no room; `obtain` asks for it again. */
  async giveBackForNow(): Promise<void> {
    this.granted = false;
    this.vcpus = this.wanted = 0;
    const { jobId, execution } = this.need;
    await records.returnCapacity({ jobId, execution });
  }

  /** Gives the capacity back, and wakes the jobs that get it. */
  async release(): Promise<void> {
    this.granted = false;
    const { jobId, execution } = this.need;
    await records.releaseCapacity({ jobId, execution });
  }

  private async ask(vcpus: number): Promise<Answer> {
    const summary = `${String(vcpus)} vCPUs`;
    const answer = await records.requestCapacity.executeWithOptions({ summary }, [{ ...this.need, vcpus }]);
    this.granted = answer.granted;
    this.vcpus = answer.vcpus;
    this.wanted = vcpus;
    return answer;
  }

  private async reduceTo(vcpus: number): Promise<void> {
    this.vcpus = this.wanted = vcpus;
    const { jobId, execution } = this.need;
    await records.reduceCapacity({ jobId, execution, vcpus });
  }

  private async inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.change.then(change);
    this.change = done.catch(() => undefined);
    await done;
  }
}
