/**
 * The instances of one job: slots with generations. The instance of a slot is opened when a part first needs it, replaced
 * when it is lost (fence first, then terminate) and ended by `close`. The row of a generation is written before the
 * provider is asked, so `close` finds every instance that may have been launched.
 */
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { fences, instances } from './activities.ts';

/** After so many launches in a row without an instance the job is paused. */
const MAX_FAILED_LAUNCHES = 8;
/** After so many generations of a slot in a row that decided no task the job is paused. */
const MAX_DEAD_ENDS = 3;
const LONGEST_PAUSE_SECONDS = 60;

interface Slot {
  generation: number;
  open: boolean;
  failedLaunches: number;
  /** The launch or replacement that is under way, which every lane of the slot awaits. */
  change: Promise<void> | null;
}

/** The job that the fleet belongs to: what to launch, when to stop, and whom to tell of changes. */
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
  /** Called when launches or generations fail too often: the job is to be paused until an operator has seen to the cause. */
  pauseJob(cause: string): void;
  /** Called when an instance has ended that the job had nothing left for. */
  instanceEnded(): Promise<void>;
  /** Called when the number of open instances changes, with the cause when one was lost. */
  fleetChanged(open: number, lost: string | null): Promise<void>;
}

/** The instances of a job. */
export class Fleet {
  private readonly owner: FleetOwner;
  private readonly slots: Slot[];
  /** Launches that are under way; a stop cancels them. */
  private readonly opening = new Set<CancellationScope>();
  private readonly endings: Promise<void>[] = [];

  constructor(owner: FleetOwner, slots: readonly { readonly generation: number; readonly open: boolean }[]) {
    this.owner = owner;
    this.slots = slots.map((slot) => ({ ...slot, change: null, failedLaunches: 0 }));
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

  /** The slots that so many instances are for: those with an open instance before the others. */
  slotsFor(count: number): readonly number[] {
    const places = this.slots.map((slot, index) => ({ index, open: slot.open }));
    const opened = places.filter(({ open }) => open);
    return [...opened, ...places.filter(({ open }) => !open)].slice(0, count).map(({ index }) => index);
  }

  /**
   * Ends the instance of a slot for which the job has nothing left, and does not wait for the end. The slot can be opened again,
   * with the next generation. False when the slot has no instance.
   */
  end(index: number): boolean {
    const slot = this.at(index);
    if (!slot.open || slot.change !== null) return false;
    const ended = { jobId: this.owner.jobId, slot: index, generation: slot.generation };
    slot.open = false;
    slot.generation += 1;
    const summary = `instance ${String(index)}.${String(ended.generation)}: nothing left to do`;
    const ending = instances.terminateInstances
      .executeWithOptions({ summary }, [ended])
      .then(() => this.owner.instanceEnded());
    ending.catch(() => undefined); // `close` terminates the instance once more and reports a failure.
    this.endings.push(ending);
    return true;
  }

  /** Gives up launches that are under way; `close` ends the instances that may come of them. */
  stopOpening(): void {
    for (const scope of this.opening) scope.cancel();
  }

  /** Fences every generation; from then on no report of an instance of the job is accepted. */
  async fenceAll(cause: string): Promise<void> {
    for (const slot of this.slots) while (slot.change !== null) await slot.change.catch(() => undefined);
    await fences.fenceJob.executeWithOptions({ summary: cause }, [{ jobId: this.owner.jobId, cause }]);
    for (const slot of this.slots) if (slot.open) slot.open = false;
  }

  /** Ends every instance that the job has ever launched; returns when all of them are gone. */
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

  /** Fences a generation whose instance never came, and waits longer after each failure before the next launch. */
  private async launchFailed(index: number, slot: Slot, cause: string): Promise<void> {
    await this.fence(index, slot, cause);
    slot.failedLaunches += 1;
    if (slot.failedLaunches >= MAX_FAILED_LAUNCHES) this.owner.pauseJob(cause);
    const pauseMs = Math.min(2 ** slot.failedLaunches, LONGEST_PAUSE_SECONDS) * 1000;
    await condition(() => this.owner.stopping(), pauseMs, { summary: 'before the next launch' });
  }

  /** Runs a launch; null when the job stops first. The generation's row is written, so `close` ends the instance. */
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
    // The new generation does not wait for the end of the old one, because no report of a fenced generation is accepted.
    const ending = instances.terminateInstances.executeWithOptions({ summary }, [lost]);
    ending.catch(() => undefined); // `close` terminates the instance once more and reports a failure.
    this.endings.push(ending);
    await this.owner.fleetChanged(this.openCount, cause);
  }

  private at(index: number): Slot {
    const slot = this.slots[index];
    if (slot === undefined) throw new RangeError(`no slot ${String(index)}`);
    return slot;
  }
}
