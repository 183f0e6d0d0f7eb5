/** An instance of a simulated fleet: it boots, runs as many tasks at once as it has slots, and may be taken away. */
import type { Clock } from './clock.ts';

/** Use of an instance, in seconds. */
export interface InstanceUse {
  readonly paid: number;
  /** From the launch to the first contact, or to the end without one. */
  readonly booting: number;
  /** After the first contact, with no task at work. */
  readonly idle: number;
  /** Seconds of slots after the first contact, and those with a task. */
  readonly slotSeconds: number;
  readonly slotSecondsAtWork: number;
}

/** One generation of a slot of a job. */
export class SimulatedInstance {
  isGone = false;
  private readonly clock: Clock;
  private readonly slots: number;
  private readonly launchedAt: number;
  private readyAt: number | null = null;
  private endedAt: number | null = null;
  private readonly waiting: { readonly seconds: number; readonly done: () => void }[] = [];
  private running = 0;
  private changedAt = 0;
  private busy = 0;
  private slotBusy = 0;

  constructor(clock: Clock, slots: number) {
    this.clock = clock;
    this.slots = slots;
    this.launchedAt = clock.now;
  }

  get use(): InstanceUse {
    const end = this.endedAt ?? this.clock.now;
    const ready = this.readyAt ?? end;
    return {
      ...{ paid: end - this.launchedAt, booting: ready - this.launchedAt, idle: end - ready - this.busy },
      ...{ slotSeconds: (end - ready) * this.slots, slotSecondsAtWork: this.slotBusy },
    };
  }

  ready(): void {
    this.readyAt = this.changedAt = this.clock.now;
  }

  /** Runs a task as soon as a slot is free; nothing is heard of the tasks of an instance that is gone. */
  run(seconds: number, done: () => void): void {
    this.waiting.push({ seconds, done });
    this.next();
  }

  end(): void {
    if (this.endedAt !== null) return;
    this.count();
    this.isGone = true;
    this.endedAt = this.clock.now;
  }

  private next(): void {
    if (this.isGone || this.running >= this.slots) return;
    const task = this.waiting.shift();
    if (task === undefined) return;
    this.count();
    this.running += 1;
    this.clock.after(task.seconds, () => {
      if (this.isGone) return;
      this.count();
      this.running -= 1;
      task.done();
      this.next();
    });
  }

  private count(): void {
    const seconds = this.readyAt === null ? 0 : this.clock.now - this.changedAt;
    this.changedAt = this.clock.now;
    if (this.running > 0) this.busy += seconds;
    this.slotBusy += this.running * seconds;
  }
}
