/**
 * The instances of one job: slots with generations. The instance of a slot is opened when a part first needs it, replaced
 * when it is lost (fence first, then terminate) and ended by `close`. The row of a generation is written before the
 * provider is asked, so `close` finds every instance that may have been launched.
 */
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { InstanceId } from '../../activities/instances.ts';
import { MAX_DEAD_ENDS } from '../../src/domain/recoveries.ts';
import { fences, instances } from './activities.ts';
import { untilVerdict } from './looks.ts';

/** After so many launches in a row without an instance the job is paused. */
const MAX_FAILED_LAUNCHES = 8;
const LONGEST_PAUSE_SECONDS = 60;
/** Why an instance is replaced that its provider takes away. */
const PREEMPTED = 'PREEMPTED';

interface Slot {
  generation: number;
  open: boolean;
  failedLaunches: number;
  /** How long the slot waits before its next launch. */
  pauseSeconds: number;
  /** Whether the next launch is one on demand, because no spot instance was to be had for long. */
  onDemand: boolean;
  /** Whether the provider had no room for the slot's last launch; the slot is not opened until that is forgotten. */
  lacksRoom: boolean;
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
  /** GPUs of an instance, and the class of instances that the job was planned for; absent: the only class there is, without GPUs. */
  readonly gpusPerInstance?: number;
  readonly instanceClass?: string;
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

const ON_DEMAND = { market: 'ON_DEMAND' } as const;
/** Why the job is paused when the provider refuses an instance for good. */
const LAUNCH_REFUSED = 'LAUNCH_REFUSED';

/** The machine that is launched. */
function machineOf({ slotsPerInstance: toolSlots, vcpusPerInstance: vcpus, ...owner }: FleetOwner) {
  const { gpusPerInstance: gpus, instanceClass } = owner;
  return {
    toolSlots,
    vcpus,
    ...(gpus === undefined ? {} : { gpus }),
    ...(instanceClass === undefined ? {} : { instanceClass }),
  };
}

/** The instances of a job. */
export class Fleet {
  private readonly owner: FleetOwner;
  private readonly slots: Slot[];
  /** Launches that are under way; a stop cancels them. */
  private readonly opening = new Set<CancellationScope>();
  private readonly endings: Promise<void>[] = [];
  /** Generations that are about to be taken away, by slot and generation: parts still wait for what runs there. */
  private readonly draining = new Set<string>();
  /** Generations that have called the gateway, by slot and generation, and that were not looked at since. */
  private readonly calls = new Set<string>();
  /** Whether the newest answer to a launch was that the provider has no room. */
  private hasNoRoom = false;

  constructor(owner: FleetOwner, slots: readonly { readonly generation: number; readonly open: boolean }[]) {
    this.owner = owner;
    this.slots = slots.map((slot) => ({
      ...slot,
      change: null,
      failedLaunches: 0,
      pauseSeconds: 0,
      onDemand: false,
      lacksRoom: false,
    }));
  }

  /** How many instances are open. */
  get openCount(): number {
    return this.slots.filter((slot) => slot.open).length;
  }

  /** Whether the slot has an instance. */
  isOpen(index: number): boolean {
    return this.at(index).open;
  }

  /** Whether the job has no instance, is starting none, and its provider has no room: it is to queue again. */
  get isStarved(): boolean {
    return this.hasNoRoom && this.slots.every(({ open, change }) => !open && change === null);
  }

  /** Whether the provider had no room for the slot's instance, so that the others are to do its work. */
  lacksRoom(index: number): boolean {
    return this.at(index).lacksRoom;
  }

  /** From here on every slot may be opened again. */
  forgetShortage(): void {
    this.hasNoRoom = false;
    for (const slot of this.slots) slot.lacksRoom = false;
  }

  /** Slots as they are carried into a continued run. */
  carry(): { generation: number; open: boolean }[] {
    return this.slots.map(({ generation, open }) => ({ generation, open }));
  }

  /** The open generation of a slot, opening it when needed; null when the job stops or drains, or there is no room for the slot. */
  async open(index: number): Promise<number | null> {
    const slot = this.at(index);
    while (!slot.open && !slot.lacksRoom && !this.owner.stopping() && !this.owner.draining()) {
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

  /**
   * An instance is about to be taken away: its slot goes on with the next generation, which is launched at once. The old
   * generation is not fenced yet, because what runs there may still end and be committed.
   */
  drain(index: number, generation: number): void {
    const slot = this.at(index);
    if (!slot.open || slot.generation !== generation || slot.change !== null) return;
    slot.open = false;
    slot.generation += 1;
    this.draining.add(placeOf(index, generation));
    const drained = { jobId: this.owner.jobId, slot: index, generation };
    const options = { summary: `instance ${String(index)}.${String(generation)} is to be taken away` };
    // The next generation is launched only when the row says that the old one drains.
    slot.change = fences.drainInstance
      .executeWithOptions(options, [drained])
      .finally(() => (slot.change = null));
    // Lanes that come meanwhile wait for the same launch; a launch that fails is theirs to report.
    void slot.change.then(() => this.open(index)).catch(() => undefined);
  }

  /** An instance has called the gateway, so that the launch that waits for it looks at once. */
  heard(index: number, generation: number): void {
    const slot = this.slots[index];
    if (slot?.open === false && slot.generation === generation) this.calls.add(placeOf(index, generation));
  }

  /** Whether the generation is about to be taken away, and not retired yet. */
  drains(index: number, generation: number): boolean {
    return this.draining.has(placeOf(index, generation));
  }

  /** Fences and ends a drained generation, once no part waits for it any more. */
  async retire(index: number, generation: number): Promise<void> {
    this.draining.delete(placeOf(index, generation));
    const { jobId, execution } = this.owner;
    const lost = { jobId, slot: index, generation };
    const options = { summary: `instance ${String(index)}.${String(generation)}: ${PREEMPTED}` };
    const request = { ...lost, execution, cause: PREEMPTED };
    const { deadEnds } = await fences.replaceInstance.executeWithOptions(options, [request]);
    if (deadEnds >= MAX_DEAD_ENDS) this.owner.pauseJob(PREEMPTED);
    this.terminate(lost, options.summary);
    await this.owner.fleetChanged(this.openCount, PREEMPTED);
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
    const { provider } = this.owner;
    if (slot.pauseSeconds > 0 && !(await this.waitsOut(index, slot))) return;
    const id = { jobId: this.owner.jobId, slot: index, generation: slot.generation };
    const summary = `instance ${String(index)}.${String(id.generation)}`;
    const answer = await this.unlessGivenUp(async () => {
      const { state, againSeconds = 0 } = await instances.launchInstance.executeWithOptions(
        { summary: `${summary} at ${provider}` },
        [{ ...id, provider, ...machineOf(this.owner), ...(slot.onDemand ? ON_DEMAND : {}) }],
      );
      if (state === 'exhausted' || state === 'never') return state;
      if (state !== 'asked') return this.withoutSpot(state, againSeconds, summary);
      const contact = { summary: `first contact of ${summary}` };
      return untilVerdict(
        (lookMs) => instances.awaitInstance.executeWithOptions(contact, [{ ...id, lookMs }]),
        {
          summary: 'instance starting',
          isWanted: () => !this.owner.stopping(),
          takeCall: () => this.calls.delete(placeOf(index, id.generation)),
          isMachine: this.owner.instanceClass !== undefined,
        },
      );
    });
    if (answer === null) return;
    if (answer === 'exhausted' || answer === 'never') {
      this.launchRefused(slot, answer);
      return;
    }
    if (answer === 'spot-given-up') this.giveUpSpot(id, slot, summary);
    if (answer === 'spot-given-up' || answer === 'no-spot') return;
    slot.onDemand = false;
    if (answer.state === 'lost') return this.launchFailed(index, slot, answer.cause);
    slot.open = true;
    slot.failedLaunches = 0;
    this.hasNoRoom = false;
    await this.owner.fleetChanged(this.openCount, null);
  }

  /** Nothing was launched, and the generation is fenced: there is no room, or the provider refuses until an operator has seen to it. */
  private launchRefused(slot: Slot, answer: 'exhausted' | 'never'): void {
    slot.generation += 1;
    if (answer === 'never') this.owner.pauseJob(LAUNCH_REFUSED);
    else slot.lacksRoom = this.hasNoRoom = true;
  }

  /** There is no spot instance. As long as there may be one, waits a while; `open` then asks again. */
  private async withoutSpot<S extends string>(state: S, againSeconds: number, summary: string): Promise<S> {
    const isOver = (): boolean => this.owner.stopping() || this.owner.draining();
    const waiting = { summary: `${summary}: no spot instance yet` };
    if (againSeconds > 0) await condition(isOver, againSeconds * 1000, waiting);
    return state;
  }

  /** The generation that waited for a spot instance is fenced; the next one is on demand, and nothing was lost. */
  private giveUpSpot(id: InstanceId, slot: Slot, summary: string): void {
    slot.onDemand = true;
    slot.generation += 1;
    this.terminate(id, `${summary}: no spot instance`);
  }

  /** Ends an instance, and does not wait for its end. */
  private terminate(id: InstanceId, summary: string): void {
    const ending = instances.terminateInstances.executeWithOptions({ summary }, [id]);
    ending.catch(() => undefined); // `close` terminates the instance once more and reports a failure.
    this.endings.push(ending);
  }

  /** Waits out the pause after losses in a row; false when nothing is to be launched any more. */
  private async waitsOut(index: number, slot: Slot): Promise<boolean> {
    const { pauseSeconds } = slot;
    slot.pauseSeconds = 0;
    const isOver = (): boolean => this.owner.stopping() || this.owner.draining();
    await condition(isOver, pauseSeconds * 1000, {
      summary: `before the next instance of slot ${String(index)}`,
    });
    return !isOver();
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
    const { deadEnds, pauseSeconds } = await fences.replaceInstance.executeWithOptions({ summary }, [
      request,
    ]);
    if (deadEnds >= MAX_DEAD_ENDS) this.owner.pauseJob(cause);
    slot.pauseSeconds = pauseSeconds;
    slot.open = false;
    slot.generation += 1;
    // The new generation does not wait for the end of the old one, because no report of a fenced generation is accepted.
    this.terminate(lost, summary);
    await this.owner.fleetChanged(this.openCount, cause);
  }

  private at(index: number): Slot {
    const slot = this.slots[index];
    if (slot === undefined) throw new RangeError(`no slot ${String(index)}`);
    return slot;
  }
}

function placeOf(slot: number, generation: number): string {
  return `${String(slot)}.${String(generation)}`;
}
