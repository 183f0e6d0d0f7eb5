/**
 * The instances of one job: slots with generations. A slot's instance is opened when first needed, replaced when lost
 * (fence first, then terminate) and closed at the end. The row of a generation is written before the provider is
 * asked, so closing finds everything that may have been launched.
 */
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { fences, instances } from './activities.ts';

/** Launches in a row that come to nothing before the job is paused. */
const MAX_FAILED_LAUNCHES = 8;
/** Generations of a slot in a row that decide nothing before the job is paused: the next one would not either. */
const MAX_DEAD_ENDS = 3;
const LONGEST_PAUSE_SECONDS = 60;

interface Slot {
  generation: number;
  open: boolean;
  failedLaunches: number;
  /** The opening or replacement under way, which every lane of the slot awaits. */
  change: Promise<void> | null;
}

/** What the fleet needs from its job. */
export interface FleetOwner {
  readonly jobId: string;
  readonly execution: number;
  readonly provider: string;
  readonly slotsPerInstance: number;
  readonly vcpusPerInstance: number;
  /** Whether the job wants no more work done. */
  stopping(): boolean;
  /** Whether this run of the workflow takes up nothing new. */
  draining(): boolean;
  /** Instances do not come, or come to nothing: the job is to be paused until an operator has seen to it. */
  pauseJob(cause: string): void;
  /** Called when the number of open instances changes, with the cause when one was lost. */
  fleetChanged(open: number, lost: string | null): Promise<void>;
}

/** The instances of a job. */
export class Fleet {
  private readonly owner: FleetOwner;
  private readonly slots: Slot[];
  /** Launches under way; a stop gives them up. */
  private readonly opening = new Set<CancellationScope>();
  private readonly endings: Promise<void>[] = [];

  constructor(owner: FleetOwner, slots: readonly { readonly generation: number; readonly open: boolean }[]) {
    this.owner = owner;
    this.slots = slots.map((slot) => ({ ...slot, change: null, failedLaunches: 0 }));
  }

  get size(): number {
    return this.slots.length;
  }

  /** How many instances are open. */
  get openCount(): number {
    return this.slots.filter((slot) => slot.open).length;
  }

  /** Slots as they are carried into a continued run. */
  carry(): { generation: number; open: boolean }[] {
    return this.slots.map(({ generation, open }) => ({ generation, open }));
  }

  /** The open generation of a slot, opening it when needed; null when the job is stopping or draining. */
  async open(index: number): Promise<number | null> {
    const slot = this.at(index);
    while (!slot.open && !this.owner.stopping() && !this.owner.draining()) {
      slot.change ??= this.launch(index, slot).finally(() => (slot.change = null));
      await slot.change;
    }
    return slot.open ? slot.generation : null;
  }

  /** Replaces a lost generation once, whoever reports it. The next generation is opened when it is needed. */
  async replace(index: number, generation: number, cause: string): Promise<void> {
    const slot = this.at(index);
    while (slot.change !== null) await slot.change;
    if (slot.generation !== generation) return;
    slot.change = this.fence(index, slot, cause).finally(() => (slot.change = null));
    await slot.change;
  }

  /** A launch that is waited for is given up; the instance is ended by `close`. */
  stopOpening(): void {
    for (const scope of this.opening) scope.cancel();
  }

  /** Fences every generation: from here on no instance of the job is believed. */
  async fenceAll(cause: string): Promise<void> {
    for (const slot of this.slots) while (slot.change !== null) await slot.change.catch(() => undefined);
    await fences.fenceJob.executeWithOptions({ summary: cause }, [{ jobId: this.owner.jobId, cause }]);
    for (const slot of this.slots) if (slot.open) slot.open = false;
  }

  /** Ends every instance that this job ever launched; returns when they are gone. */
  async close(): Promise<void> {
    await Promise.allSettled(this.endings);
    await instances.terminateInstances({ jobId: this.owner.jobId, slot: null, generation: null });
    for (const slot of this.slots) slot.generation += 1;
  }

  private async launch(index: number, slot: Slot): Promise<void> {
    const { jobId, provider, slotsPerInstance, vcpusPerInstance } = this.owner;
    const id = { jobId, slot: index, generation: slot.generation };
    const answer = await this.unlessGivenUp(async () => {
      const request = { ...id, provider, toolSlots: slotsPerInstance, vcpus: vcpusPerInstance };
      const summary = `instance ${String(index)}.${String(id.generation)}`;
      await instances.launchInstance.executeWithOptions({ summary: `${summary} at ${provider}` }, [request]);
      return instances.awaitInstance.executeWithOptions({ summary: `first contact of ${summary}` }, [id]);
    });
    if (answer === null) return;
    if (answer.state === 'lost') return this.launchFailed(index, slot, answer.cause);
    slot.open = true;
    slot.failedLaunches = 0;
    await this.owner.fleetChanged(this.openCount, null);
  }

  /** An instance that never came: tried again after a pause that grows; what can never work is an operator's to mend. */
  private async launchFailed(index: number, slot: Slot, cause: string): Promise<void> {
    await this.fence(index, slot, cause);
    slot.failedLaunches += 1;
    if (slot.failedLaunches >= MAX_FAILED_LAUNCHES) this.owner.pauseJob(cause);
    const pauseMs = Math.min(2 ** slot.failedLaunches, LONGEST_PAUSE_SECONDS) * 1000;
    await condition(() => this.owner.stopping(), pauseMs, { summary: 'before the next launch' });
  }

  /** A launch without an answer is given up when the job stops; its row is there, so `close` ends what came of it. */
  private async unlessGivenUp<T>(launch: () => Promise<T>): Promise<T | null> {
    const scope = new CancellationScope();
    this.opening.add(scope);
    try {
      return await scope.run(launch);
    } catch (error) {
      if (isCancellation(error)) return null;
      throw error;
    } finally {
      this.opening.delete(scope);
    }
  }

  private async fence(index: number, slot: Slot, cause: string): Promise<void> {
    const { jobId, execution } = this.owner;
    const lost = { jobId, slot: index, generation: slot.generation };
    const summary = `instance ${String(index)}.${String(slot.generation)}: ${cause}`;
    const request = { ...lost, execution, cause };
    const { deadEnds = 0 } = await fences.replaceInstance.executeWithOptions({ summary }, [request]);
    if (deadEnds >= MAX_DEAD_ENDS) this.owner.pauseJob(cause);
    slot.open = false;
    slot.generation += 1;
    // The new generation need not wait for the old one's end: the fence makes the old one harmless.
    const ending = instances.terminateInstances.executeWithOptions({ summary }, [lost]);
    ending.catch(() => undefined); // `close` ends it once more and reports what fails.
    this.endings.push(ending);
    await this.owner.fleetChanged(this.openCount, cause);
  }

  private at(index: number): Slot {
    const slot = this.slots[index];
    if (slot === undefined) throw new RangeError(`no slot ${String(index)}`);
    return slot;
  }
}
