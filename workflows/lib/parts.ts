/**
 * Runs the parts of a job on its instances: two lanes a slot, so that the last tasks of one part overlap with the first of
 * the next. A part whose instance is lost is run again on the slot's next generation.
 */
import { condition, startChild, type ChildWorkflowHandle } from '@temporalio/workflow';
import type { JobPartInput, JobPlan, JobTiming, WorkKind } from '../../src/contracts/job.ts';
import { jobPartWorkflowId } from '../../src/contracts/names.ts';
import { LANES, partRange, partStarts } from '../../src/domain/shards.ts';
import { jobPart, stopSignal } from '../job-part.ts';
import type { Fleet } from './fleet.ts';

/** In jobs whose parts do not fit their fleet, two lanes a slot are opened only while no more parts than this are open. */
const MAX_OPEN_PARTS = 8;
/** The numbers of steps among the parts of a job; they stand in workflow ids, so they never change. */
const STEP_PARTS = { prepare: -1, control: -2, merge: -3 } as const;

/** The job that the parts belong to: its plan, when to stop, and whom to tell of progress. */
export interface PartsOwner {
  readonly jobId: string;
  readonly execution: number;
  readonly plan: JobPlan;
  readonly timing: JobTiming;
  /** How many instances the job may have. */
  instances(): number;
  /** Whether no new part is to be started; open parts end by themselves. */
  draining(): boolean;
  stopping(): 'cancel' | 'pause' | null;
  /** Called when the number of open parts changes. */
  partsAtWork(open: number): void;
  /** Called when a part of tasks has ended, with its counts. */
  partEnded(verified: number, failed: number): void;
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
    const slots = this.owner.instances();
    const isWithinBound = slots * LANES <= MAX_OPEN_PARTS;
    const lanes = this.owner.plan.partSizing === 'fleet' || isWithinBound ? LANES : 1;
    const work = Array.from({ length: slots * lanes }, (_, lane) => this.lane(lane % slots, lanes, queue));
    await this.untilStopped(work);
  }

  /** Runs a step that is no task on slot 0; false when the job stops or drains before it is decided. */
  async runStep(kind: Exclude<WorkKind, 'task'>): Promise<boolean> {
    let done = false;
    const work = async (): Promise<void> => {
      while (!done && this.owner.stopping() === null && !this.owner.draining())
        done = await this.onSlot(0, { kind, from: 0, to: 1, part: STEP_PARTS[kind], window: 1 });
    };
    await this.untilStopped([work()]);
    return done;
  }

  private async lane(slot: number, lanes: number, queue: number[]): Promise<void> {
    while (!this.owner.draining() && this.owner.stopping() === null) {
      const part = queue.shift();
      if (part === undefined) return;
      const window = Math.max(1, Math.ceil((this.owner.plan.slotsPerInstance * LANES) / lanes));
      const range = partRange(part, this.starts, this.owner.plan.taskCount);
      if (!(await this.onSlot(slot, { kind: 'task', ...range, part, window }))) queue.push(part);
    }
  }

  /** Runs one part to its end; false when it is to be run again. */
  private async onSlot(
    slot: number,
    what: { kind: WorkKind; from: number; to: number; part: number; window: number },
  ): Promise<boolean> {
    const generation = await this.fleet.open(slot);
    if (generation === null) return false;
    const { jobId, execution, plan, timing } = this.owner;
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
    };
    this.runs += 1;
    const handle = await startChild(jobPart, {
      workflowId: jobPartWorkflowId(jobId, execution, what.part, this.runs),
      args: [input],
      staticSummary: `${what.kind} ${String(what.from)}-${String(what.to - 1)} on instance ${String(slot)}.${String(generation)}`,
    });
    this.open.add(handle);
    this.owner.partsAtWork(this.open.size);
    const stop = this.owner.stopping();
    if (stop !== null) void signalStop(handle, stop === 'cancel');
    try {
      const result = await handle.result();
      if (what.kind === 'task') this.owner.partEnded(result.verified, result.failed);
      if (result.end === 'lost') await this.fleet.replace(slot, generation, result.cause ?? 'LOST');
      return result.end === 'done';
    } finally {
      this.open.delete(handle);
      this.owner.partsAtWork(this.open.size);
    }
  }

  /** Waits until all work has ended, and signals open parts to stop as soon as a pause or a cancel is known. */
  private async untilStopped(work: readonly Promise<void>[]): Promise<void> {
    let left = work.length;
    const faults: Error[] = [];
    for (const one of work) {
      void one
        .catch((error: unknown) => {
          faults.push(error instanceof Error ? error : new Error(String(error)));
          this.owner.partFailed();
        })
        .finally(() => (left -= 1));
    }
    for (let signalled: 'cancel' | 'pause' | null = null; ;) {
      await condition(() => left === 0 || this.owner.stopping() !== signalled);
      if (left === 0) break;
      signalled = this.owner.stopping();
      if (signalled !== null) this.stopAll(signalled);
    }
    const [fault] = faults;
    if (fault !== undefined) throw fault;
  }

  private stopAll(stop: 'cancel' | 'pause'): void {
    this.fleet.stopOpening();
    for (const handle of this.open) void signalStop(handle, stop === 'cancel');
  }
}

/** Signals a part to stop; the error of a part that has ended in the meantime is ignored. */
async function signalStop(handle: ChildWorkflowHandle<typeof jobPart>, cancel: boolean): Promise<void> {
  await handle.signal(stopSignal, { cancel }).catch(() => undefined);
}
