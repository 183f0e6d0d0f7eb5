/**
 * A job of a simulated fleet. How it is cut into parts, how many instances are worth asking for and which idle instance stays are
 * the product's decisions (`src/domain/shards.ts`); what is written here is what carries them out: lanes that take one part
 * after the other (`workflows/lib/parts.ts`), slots with generations (`workflows/lib/fleet.ts`).
 */
import { LANES, partRange, partStarts, staysIdle, usefulInstances } from '../../../src/domain/shards.ts';
import type { CapacityBook, SimulatedRequest } from './capacity-book.ts';
import type { Clock } from './clock.ts';
import type { Draws, FleetFigures } from './distributions.ts';
import { SimulatedInstance } from './simulated-instance.ts';

/** Facts of a job before it runs. */
export interface JobSketch {
  readonly jobId: string;
  readonly accountId: string;
  readonly at: number;
  /** The seconds of each task. */
  readonly tasks: readonly number[];
  readonly instances: number;
  readonly slotsPerInstance: number;
  /** The seconds of the merge; null where the job has none. */
  readonly mergeSeconds: number | null;
}

/** World in which the job runs. */
export interface SimulatedWorld {
  readonly clock: Clock;
  readonly draws: Draws;
  readonly figures: FleetFigures;
  readonly capacity: CapacityBook;
  readonly vcpusPerInstance: number;
}

interface Slot {
  instance: SimulatedInstance | null;
  /** Lanes that wait for the instance that is being launched; null while none is. */
  launching: ((instance: SimulatedInstance) => void)[] | null;
  lanes: number;
  /** Parts on the instance, which are told when it is lost. */
  readonly lost: Set<() => void>;
}

/** A job from its submit to its end. */
export class SimulatedJob {
  readonly instances: SimulatedInstance[] = [];
  /** How often each task ended. */
  readonly ended: number[];
  endedAt: number | null = null;
  lostInstances = 0;
  private readonly sketch: JobSketch;
  private readonly world: SimulatedWorld;
  private readonly plan;
  private readonly starts: readonly number[];
  private readonly queue: number[];
  private readonly slots: Slot[];
  private readonly joined = new Set<number>();
  private readonly request: SimulatedRequest;
  private lanesOpen = 0;

  constructor(sketch: JobSketch, world: SimulatedWorld) {
    this.sketch = sketch;
    this.world = world;
    const { instances, slotsPerInstance } = sketch;
    const size = { taskCount: sketch.tasks.length, shardSize: 1, instances, slotsPerInstance };
    this.plan = size;
    this.starts = partStarts(this.plan);
    this.queue = this.starts.map((_, part) => part);
    this.ended = sketch.tasks.map(() => 0);
    this.slots = Array.from({ length: instances }, () => newSlot());
    this.request = {
      ...{ jobId: sketch.jobId, accountId: sketch.accountId, asked: sketch.at },
      ...{ step: world.vcpusPerInstance, granted: null, wanted: world.vcpusPerInstance },
      told: () => this.world.clock.after(this.world.figures.commit, () => this.grow()),
    };
    world.clock.after(sketch.at, () => world.capacity.grant(this.request));
  }

  /** Opens lanes for what was granted, and asks for what is still useful. */
  private grow(): void {
    if (this.endedAt !== null) return;
    this.join();
    if (this.queue.length === 0) return;
    const useful = usefulInstances(this.plan, this.starts.length);
    const wanted = useful * this.world.vcpusPerInstance;
    if (wanted <= this.request.wanted) return;
    this.request.wanted = wanted;
    this.world.capacity.grant(this.request);
  }

  private join(): void {
    const granted = Math.floor((this.request.granted ?? 0) / this.world.vcpusPerInstance);
    const joining = this.slots
      .map((_, slot) => slot)
      .filter((slot) => !this.joined.has(slot))
      .slice(0, Math.max(0, granted - this.joined.size));
    for (const slot of joining) this.joined.add(slot);
    for (let lane = 0; lane < LANES; lane += 1)
      for (const slot of joining) {
        this.at(slot).lanes += 1;
        this.lanesOpen += 1;
        this.nextPart(slot);
      }
  }

  private nextPart(slot: number): void {
    const part = this.queue.shift();
    if (part === undefined) return this.laneEnded(slot);
    this.open(slot, (instance) => this.runPart(slot, instance, part));
  }

  private laneEnded(slot: number): void {
    this.lanesOpen -= 1;
    this.at(slot).lanes -= 1;
    if (this.lanesOpen === 0) return this.finish();
    if (this.at(slot).lanes > 0) return;
    const isOtherOpen = this.slots.some((other, index) => index !== slot && other.instance !== null);
    if (staysIdle({ hasStep: false, isLast: false, isOtherOpen })) return;
    this.endInstance(slot);
    this.reduce();
  }

  /** Gives one instance back, and asks for no more. */
  private reduce(): void {
    this.request.granted = this.request.wanted = (this.request.granted ?? 0) - this.world.vcpusPerInstance;
    this.world.capacity.grant(this.request);
  }

  private runPart(slot: number, instance: SimulatedInstance, part: number): void {
    const range = partRange(part, this.starts, this.sketch.tasks.length);
    const ordinals = Array.from({ length: range.to - range.from }, (_, at) => range.from + at);
    const waiting = ordinals.filter((ordinal) => this.ended[ordinal] === 0);
    let running = 0;
    const lost = (): void => {
      this.queue.push(part);
      this.nextPart(slot);
    };
    const dispatch = (): void => {
      while (running < this.sketch.slotsPerInstance && waiting.length > 0) {
        const ordinal = waiting.shift() ?? 0;
        running += 1;
        instance.run(this.sketch.tasks[ordinal] ?? 0, () => {
          this.ended[ordinal] = (this.ended[ordinal] ?? 0) + 1;
          running -= 1;
          dispatch();
        });
      }
      if (running > 0 || waiting.length > 0) return;
      this.at(slot).lost.delete(lost);
      this.world.clock.after(this.world.figures.commit, () => this.nextPart(slot));
    };
    this.at(slot).lost.add(lost);
    dispatch();
  }

  private open(index: number, use: (instance: SimulatedInstance) => void): void {
    const slot = this.at(index);
    if (slot.instance !== null) return use(slot.instance);
    if (slot.launching !== null) {
      slot.launching.push(use);
      return;
    }
    slot.launching = [use];
    this.launch(index);
  }

  private launch(index: number): void {
    const { clock, draws, figures } = this.world;
    const slot = this.at(index);
    const instance = new SimulatedInstance(clock, this.sketch.slotsPerInstance);
    this.instances.push(instance);
    if (draws.uniform() < figures.failedBoots.share) {
      clock.after(figures.failedBoots.noticedAfter, () => {
        instance.end();
        this.launch(index);
      });
      return;
    }
    clock.after(draws.logNormal(figures.boot), () => {
      instance.ready();
      slot.instance = instance;
      for (const use of slot.launching ?? []) use(instance);
      slot.launching = null;
    });
    clock.after(draws.exponential(figures.loss.mean), () => this.lose(index, instance));
  }

  /** The provider takes the instance away; the job notices later, and sets the parts back. */
  private lose(index: number, instance: SimulatedInstance): void {
    const slot = this.at(index);
    // An instance that is taken away while it boots comes late in this simulation; its boot is counted as paid.
    if (instance.isGone || slot.instance !== instance) return;
    instance.end();
    this.lostInstances += 1;
    this.world.clock.after(this.world.figures.loss.noticedAfter, () => {
      if (slot.instance === instance) slot.instance = null;
      const told = [...slot.lost];
      slot.lost.clear();
      for (const lost of told) lost();
    });
  }

  private finish(): void {
    const { mergeSeconds } = this.sketch;
    if (mergeSeconds === null) return this.close();
    const merge = (): void =>
      this.open(this.slotForStep(), (instance) => {
        this.at(this.slotForStep()).lost.add(merge);
        instance.run(mergeSeconds, () => this.close());
      });
    merge();
  }

  private slotForStep(): number {
    return Math.max(
      0,
      this.slots.findIndex(({ instance }) => instance !== null),
    );
  }

  private close(): void {
    this.endedAt = this.world.clock.now;
    for (const slot of this.slots.keys()) this.endInstance(slot);
    this.world.capacity.release(this.request);
  }

  private endInstance(slot: number): void {
    this.at(slot).instance?.end();
    this.at(slot).instance = null;
  }

  private at(index: number): Slot {
    const slot = this.slots[index];
    if (slot === undefined) throw new RangeError(`no slot ${String(index)}`);
    return slot;
  }
}

function newSlot(): Slot {
  return { instance: null, launching: null, lanes: 0, lost: new Set() };
}
