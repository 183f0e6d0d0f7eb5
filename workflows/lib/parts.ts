/**
 * Runs the parts of a job on its instances: two lanes a slot, so that the last tasks of one part overlap with the first of
 * the next. A part whose instance is lost is run again on the slot's next generation.
 */
import { condition, startChild, type ChildWorkflowHandle } from '@temporalio/workflow';
import type { JobPartInput, JobPlan, JobTiming, RefusedCover, WorkKind } from '../../src/contracts/job.ts';
import { jobPartWorkflowId } from '../../src/contracts/names.ts';
import { LANES, partRange, partStarts, staysIdle, usefulInstances } from '../../src/domain/shards.ts';
import { jobPart, stopSignal } from '../job-part.ts';
import type { Capacity } from './capacity.ts';
import type { Fleet } from './fleet.ts';

/** The numbers of steps among the parts of a job; they stand in workflow ids, so they never change. */
const STEP_PARTS = { prepare: -1, control: -2, merge: -3 } as const;

/** The job that the parts belong to: its plan, when to stop, and whom to tell of progress. */
export interface PartsOwner {
  readonly jobId: string;
  readonly execution: number;
  readonly plan: JobPlan;
  /** Whether the hold must cover a task before the task is dispatched. */
  readonly coversDispatch: boolean;
  readonly timing: JobTiming;
  /** How many instances the job may have now. */
  instances(): number;
  /** The capacity of the job, which may grow while parts wait. */
  readonly growth: Pick<Capacity, 'isGrowing' | 'grow' | 'untilGrown' | 'stopGrowing' | 'reduceBy'>;
  readonly maxHistoryEvents: number;
  /** Whether no new part is to be started; open parts end by themselves. */
  draining(): boolean;
  stopping(): 'cancel' | 'pause' | null;
  /** Called when the number of open parts changes. */
  partsAtWork(open: number): void;
  /** Called when a part of tasks has ended, with its counts. */
  partEnded(verified: number, failed: number): void;
  /** Called when the hold did not cover what is left: from here on `stopping` answers at least `pause`. */
  holdRefused(refused: RefusedCover): void;
  /** Called when a part failed by a fault of the service: from here on `stopping` answers `cancel`. */
  partFailed(): void;
}

/** Starts parts and waits for them until none is left, or the job drains or stops. */
export class Parts {
  private readonly owner: PartsOwner;
  private readonly fleet: Fleet;
  private readonly open = new Set<ChildWorkflowHandle<typeof jobPart>>();
  private readonly starts: readonly number[];
  private runs: number;
  /** Whether open parts were told that this run is to continue as new; a part whose start was under way is told, too. */
  private drains = false;
  /** The slots on which steps run. */
  private readonly stepSlots: number[] = [];
  /** How many open parts each generation has. */
  private readonly partsOn = new Map<string, number>();

  constructor(owner: PartsOwner, fleet: Fleet, runs: number) {
    this.owner = owner;
    this.fleet = fleet;
    this.starts = partStarts(owner.plan);
    this.runs = runs;
  }

  /** How many parts the job has started so far; a part's workflow id ends with its number. */
  get startCount(): number {
    return this.runs;
  }

  /** Runs the given parts; tasks that a drain or a stop leaves stay undecided in Postgres. */
  async run(parts: readonly number[]): Promise<void> {
    const queue = [...parts];
    const work = new Work(() => this.owner.partFailed());
    work.add(this.runOnFleet(queue, work));
    await this.untilStopped(work);
  }

  /** Runs a step that is no task on one instance; false when the job stops or drains before the step is decided. */
  async runStep(kind: Exclude<WorkKind, 'task'>): Promise<boolean> {
    let done = false;
    const what = { kind, from: 0, to: 1, part: STEP_PARTS[kind], window: 1 };
    const step = async (): Promise<void> => {
      while (!done && !this.isOver() && !this.fleet.lacksRoom(this.slotForStep())) {
        const slot = this.slotForStep();
        this.stepSlots.push(slot);
        done = await this.onSlot(slot, what).finally(() => {
          this.stepSlots.splice(this.stepSlots.indexOf(slot), 1);
        });
      }
    };
    const work = new Work(() => this.owner.partFailed());
    work.add(step());
    await this.untilStopped(work);
    return done;
  }

  private slotForStep(): number {
    const [open = 0] = this.fleet.slotsFor(1);
    return open;
  }

  /** Runs the parts on all lanes: instances that are granted meanwhile join, and those with nothing left end. */
  private async runOnFleet(queue: number[], work: Work): Promise<void> {
    const { growth, plan } = this.owner;
    const useful = usefulInstances(plan, queue.length);
    const lanesOf = new Map<number, number>();
    const isOver = (): boolean => queue.length === 0 || this.isOver();
    this.join(lanesOf, queue, work);
    if (plan.instances === 1) return;
    await growth.grow(useful);
    while (growth.isGrowing && !isOver()) {
      this.join(lanesOf, queue, work);
      await growth.untilGrown(isOver);
      if (!isOver()) await growth.grow(useful);
    }
    this.join(lanesOf, queue, work);
    if (!this.isOver()) await growth.stopGrowing();
  }

  /** Opens the lanes of slots that have none yet, until as many slots have lanes as there may be instances. */
  private join(lanesOf: Map<number, number>, queue: number[], work: Work): void {
    const free = this.fleet.slotsFor(this.owner.plan.instances).filter((slot) => !lanesOf.has(slot));
    const joining = free.slice(0, Math.max(0, this.owner.instances() - lanesOf.size));
    for (const slot of joining) lanesOf.set(slot, LANES);
    for (let lane = 0; lane < LANES; lane += 1)
      for (const slot of joining) work.add(this.laneOfFleet(slot, queue, lanesOf));
  }

  private async laneOfFleet(slot: number, queue: number[], lanesOf: Map<number, number>): Promise<void> {
    await this.lane(slot, queue);
    const left = (lanesOf.get(slot) ?? 0) - 1;
    lanesOf.set(slot, left);
    const isLast = [...lanesOf.values()].every((lanes) => lanes === 0);
    if (left === 0) await this.endIdle(slot, isLast);
  }

  /** Ends an instance that has nothing left to do, and gives back what was granted for one that was never needed. */
  private async endIdle(slot: number, isLast: boolean): Promise<void> {
    if (this.isOver()) return;
    const { growth, plan } = this.owner;
    const isOtherOpen = this.fleet.openCount > (this.fleet.isOpen(slot) ? 1 : 0);
    if (staysIdle({ hasStep: this.stepSlots.includes(slot), isLast, isOtherOpen })) return;
    if (this.fleet.end(slot) || plan.instances === 1) return;
    await growth.reduceBy(plan.vcpusPerInstance);
  }

  private isOver(): boolean {
    return this.owner.stopping() !== null || this.owner.draining() || this.fleet.isStarved;
  }

  private async lane(slot: number, queue: number[]): Promise<void> {
    while (!this.isOver() && !this.fleet.lacksRoom(slot)) {
      const part = queue.shift();
      if (part === undefined) return;
      const window = this.owner.plan.slotsPerInstance;
      const range = partRange(part, this.starts, this.owner.plan.taskCount);
      if (await this.onSlot(slot, { kind: 'task', ...range, part, window })) continue;
      if (this.owner.plan.partTasks === undefined) queue.push(part);
      else queue.unshift(part);
    }
  }

  /** Runs one part to its end; false when it is to be run again. */
  private async onSlot(
    slot: number,
    what: { kind: WorkKind; from: number; to: number; part: number; window: number },
  ): Promise<boolean> {
    const generation = await this.fleet.open(slot);
    if (generation === null) return false;
    const { jobId, execution, plan, timing, coversDispatch, maxHistoryEvents } = this.owner;
    const input: JobPartInput = {
      jobId,
      execution,
      slot,
      generation,
      kind: what.kind,
      from: what.from,
      to: what.to,
      shardSize: plan.shardSize,
      slotsPerInstance: what.window,
      taskTimeoutSeconds: plan.taskTimeoutSeconds,
      timing,
      maxHistoryEvents,
      // Steps are never charged, so nothing is held for them.
      ...(what.kind === 'task' && coversDispatch ? { coversDispatch } : {}),
    };
    this.runs += 1;
    const handle = await startChild(jobPart, {
      workflowId: jobPartWorkflowId(jobId, execution, what.part, this.runs),
      args: [input],
      staticSummary: `${what.kind} ${String(what.from)}-${String(what.to - 1)} on instance ${String(slot)}.${String(generation)}`,
    });
    this.open.add(handle);
    this.countOn(slot, generation, 1);
    this.owner.partsAtWork(this.open.size);
    const stop = this.owner.stopping();
    if (stop !== null || this.drains) void signalStop(handle, stop === 'cancel');
    try {
      const result = await handle.result();
      if (what.kind === 'task') this.owner.partEnded(result.verified, result.failed);
      if (result.refused !== undefined) this.owner.holdRefused(result.refused);
      if (result.drained === true) this.fleet.drain(slot, generation);
      else if (result.end === 'lost') await this.fleet.replace(slot, generation, result.cause ?? 'LOST');
      return result.end === 'done';
    } finally {
      this.open.delete(handle);
      this.owner.partsAtWork(this.open.size);
      const isLast = this.countOn(slot, generation, -1) === 0;
      if (isLast && this.fleet.drains(slot, generation)) await this.fleet.retire(slot, generation);
    }
  }

  /** Counts an open part of a generation in or out; answers how many the generation has. */
  private countOn(slot: number, generation: number, by: 1 | -1): number {
    const place = `${String(slot)}.${String(generation)}`;
    const count = (this.partsOn.get(place) ?? 0) + by;
    if (count === 0) this.partsOn.delete(place);
    else this.partsOn.set(place, count);
    return count;
  }

  /** Waits until all work has ended, and signals open parts to stop as soon as a pause, a cancel or a drain is known. */
  private async untilStopped(work: Work): Promise<void> {
    let signalled: 'cancel' | 'pause' | null = null;
    let isDraining = false;
    const isNews = (): boolean =>
      this.owner.stopping() !== signalled || (!isDraining && this.owner.draining());
    for (;;) {
      await condition(() => work.isDone || isNews());
      if (work.isDone) break;
      const stop = this.owner.stopping();
      if (stop !== signalled && stop !== null) this.stopAll(stop);
      signalled = stop;
      if (isDraining || !this.owner.draining()) continue;
      isDraining = true;
      // The shards that run are waited for, and not whole parts, which may take hours.
      this.drains = stop === null;
      if (this.drains) this.signalAll(false);
    }
    work.throwFault();
  }

  private stopAll(stop: 'cancel' | 'pause'): void {
    this.fleet.stopOpening();
    this.signalAll(stop === 'cancel');
  }

  private signalAll(cancel: boolean): void {
    for (const handle of this.open) void signalStop(handle, cancel);
  }
}

/** Promises that are awaited together, while others may be added. */
class Work {
  private readonly failed: () => void;
  private readonly faults: Error[] = [];
  private left = 0;

  constructor(failed: () => void) {
    this.failed = failed;
  }

  /** Whether all of them have ended. */
  get isDone(): boolean {
    return this.left === 0;
  }

  add(one: Promise<void>): void {
    this.left += 1;
    void one
      .catch((error: unknown) => {
        this.faults.push(error instanceof Error ? error : new Error(String(error)));
        this.failed();
      })
      .finally(() => (this.left -= 1));
  }

  /** Throws the first error of one of them. */
  throwFault(): void {
    const [fault] = this.faults;
    if (fault !== undefined) throw fault;
  }
}

/** Signals a part to stop; the error of a part that has ended in the meantime is ignored. */
async function signalStop(handle: ChildWorkflowHandle<typeof jobPart>, cancel: boolean): Promise<void> {
  await handle.signal(stopSignal, { cancel }).catch(() => undefined);
}
