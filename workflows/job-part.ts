import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  isCancellation,
  setHandler,
  TimeoutFailure,
  ActivityFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { ShardResult, TaskReport } from '../src/contracts/instance.ts';
import {
  JOB_MESSAGES,
  PART_STOP_SIGNAL,
  type JobPartInput,
  type JobPartResult,
  type RefusedCover,
} from '../src/contracts/job.ts';
import { shardsOf } from '../src/domain/shards.ts';
import { computeOn, instances, records, storage } from './lib/activities.ts';
import { batchLength, COMMIT_BATCH } from './lib/commit-batch.ts';
import { isHistoryLong } from './lib/history-length.ts';
import { untilVerdict } from './lib/looks.ts';
import { ranges, showPart } from './lib/visibility.ts';

/** Signal: stop dispatching; with `cancel` the running tools are stopped too, and what is complete is committed. */
export const stopSignal = defineSignal<[{ cancel: boolean }]>(PART_STOP_SIGNAL);

/** Why an instance is replaced that its provider takes away. */
const PREEMPTED = 'PREEMPTED';
/** After so many lost contacts in a row the instance is replaced, although its worker still answers. */
const MAX_LOST_CONTACTS = 10;

/**
 * Runs the undecided tasks of a range on one instance generation: dispatches shards with a window so that the
 * instance never idles, commits what comes back in batches, and inquires when contact is lost. Where the hold may be too small
 * for all tasks, the hold covers each shard before the shard is dispatched; when it cannot, the part ends with what runs.
 *
 * A task that keeps checkpoints comes back after each of its legs and is dispatched again, covered anew.
 *
 * When the instance is about to be taken away the part tells the job at once, waits for the tasks that still run there, and
 * leaves the others to the next generation.
 *
 * Signals: `stop`. Timers: the commit delay. Result: `done`, `lost` (the instance is to be replaced and the range
 * run again) or `stopped`. Task states live in Postgres: a second run of the range finds only what is undecided.
 */
export async function jobPart(input: JobPartInput): Promise<JobPartResult> {
  return new PartRun(input).run();
}

class PartRun {
  private readonly input: JobPartInput;
  private readonly waiting: number[][] = [];
  private readonly reports: TaskReport[] = [];
  private readonly scope = new CancellationScope();
  private running = 0;
  private committing = false;
  private stopping: 'drain' | 'cancel' | null = null;
  private lostCause: string | null = null;
  private lostContacts = 0;
  /** Whether the instance is about to be taken away, so that it gets no further tasks. */
  private drains = false;
  /** Whether tasks are left to the next generation. */
  private handedBack = false;
  private inquiry: Promise<void> | null = null;
  private verified = 0;
  private failed = 0;
  private refused: RefusedCover | null = null;
  private broken: Error | null = null;

  constructor(input: JobPartInput) {
    this.input = input;
    setHandler(stopSignal, ({ cancel }) => this.stop(cancel));
    // A part cancelled in the Temporal UI stops its tools; the job then sees `stopped` and decides.
    CancellationScope.current().cancelRequested.catch(() => this.stop(true));
  }

  async run(): Promise<JobPartResult> {
    return CancellationScope.nonCancellable(async () => {
      const pending = await records.listPendingTasks(this.input);
      this.waiting.push(...shardsOf(pending, this.input.shardSize));
      this.show('working');
      const commits = this.commitLoop();
      await this.dispatchLoop();
      await commits;
      this.show(this.end());
      if (this.broken !== null) throw this.broken;
      await condition(allHandlersFinished);
      const { verified, failed, refused, drains } = this;
      const ended = { end: this.end(), cause: this.cause(), verified, failed };
      return {
        ...ended,
        ...(refused === null ? {} : { refused }),
        ...(drains ? { drained: true } : {}),
      };
    });
  }

  private show(end: string): void {
    const { kind, slot, generation } = this.input;
    const instance = `${String(slot)}.${String(generation)}`;
    const { verified, failed, running, lostContacts } = this;
    const waiting = this.waiting.length;
    showPart({ end, kind, instance, verified, failed, running, waiting, lostContacts });
  }

  private cause(): string | null {
    return this.drains ? PREEMPTED : this.lostCause;
  }

  private end(): JobPartResult['end'] {
    if (this.lostCause !== null || this.handedBack || (this.drains && this.waiting.length > 0)) return 'lost';
    return this.stopping === null && this.refused === null ? 'done' : 'stopped';
  }

  private stop(cancel: boolean): void {
    if (cancel && this.stopping !== 'cancel') {
      this.stopping = 'cancel';
      this.scope.cancel();
    } else {
      this.stopping ??= 'drain';
    }
  }

  private isHalted(): boolean {
    return this.isStopped() || this.refused !== null || this.drains;
  }

  private isStopped(): boolean {
    return this.stopping !== null || this.lostCause !== null || this.broken !== null;
  }

  /** Ends when nothing is left to dispatch, to run or to commit. */
  private async dispatchLoop(): Promise<void> {
    const window = this.input.slotsPerInstance;
    for (;;) {
      while (!this.isHalted() && this.running < window) {
        const shard = this.waiting.shift();
        if (shard === undefined) break;
        this.running += 1;
        const run = this.input.coversDispatch === true ? this.runCovered(shard) : this.runShard(shard);
        void run.catch((error: unknown) => this.fail(error));
      }
      if (this.running === 0 && this.isIdle()) return;
      await condition(() => this.mayDispatch() || (this.running === 0 && this.isIdle()));
    }
  }

  private mayDispatch(): boolean {
    return !this.isHalted() && this.running < this.input.slotsPerInstance && this.waiting.length > 0;
  }

  private isIdle(): boolean {
    if (this.broken !== null) return true;
    return this.reports.length === 0 && !this.committing && (this.isHalted() || this.waiting.length === 0);
  }

  /** Runs as much of a shard as the hold covers. */
  private async runCovered(ordinals: number[]): Promise<void> {
    const covered = await this.cover(ordinals).catch((error: unknown) => {
      this.fail(error);
      return [];
    });
    if (covered.length > 0 && !this.drains) return this.runShard(covered);
    if (this.drains) this.handedBack = true;
    this.running -= 1;
  }

  /** The tasks that may be dispatched. Tasks that the hold does not cover are left, and no other shard is begun. */
  private async cover(ordinals: number[]): Promise<number[]> {
    const { jobId, execution, taskTimeoutSeconds: taskSeconds } = this.input;
    const { covered, refused } = await records.coverTasks.executeWithOptions(
      { summary: `the hold covers ${ranges(ordinals)}` },
      [{ jobId, execution, ordinals, taskSeconds }],
    );
    this.refused ??= refused;
    // A settled execution covers nothing, and nothing that comes later would be charged.
    if (covered.length === 0 && refused === null) this.stop(false);
    return this.isStopped() ? [] : [...covered];
  }

  private async runShard(ordinals: number[]): Promise<void> {
    const { jobId, execution, slot, generation, kind } = this.input;
    try {
      const result = await this.scope.run(() =>
        computeOn(this.input, ordinals).runShard({
          jobId,
          execution,
          slot,
          generation,
          kind,
          ordinals,
        }),
      );
      this.acceptResult(ordinals, result);
    } catch (error) {
      await this.shardFailed(ordinals, error);
    } finally {
      this.running -= 1;
    }
  }

  private acceptResult(ordinals: readonly number[], { fenced, reports, draining }: ShardResult): void {
    if (fenced) {
      this.giveUp('FENCED');
      return;
    }
    this.lostContacts = 0;
    const ended = reports.filter(({ end }) => end !== 'stopped' && end !== 'interrupted');
    this.reports.push(...ended);
    const back = reports.filter(({ end }) => end === 'stopped' || end === 'interrupted');
    if (draining !== true) {
      if (back.length === 0) return;
      // A leg is over, or the worker ends. Legs have no end, so another part goes on with the range.
      this.requeue(back.map(({ ordinal }) => ordinal));
      if (isHistoryLong(this.input.maxHistoryEvents ?? Infinity)) this.stop(false);
      return;
    }
    this.handedBack ||= back.length > 0;
    const told = new Set(reports.map(({ ordinal }) => ordinal));
    this.drain(ordinals.filter((ordinal) => !told.has(ordinal)));
  }

  /** The instance is about to be taken away: the job is told once, and the tasks that still run there are waited for. */
  private drain(stillRunning: number[]): void {
    if (!this.drains) {
      this.drains = true;
      void this.tellJob().catch(() => undefined); // The end of the part says the same.
    }
    if (stillRunning.length === 0 || this.isStopped()) return;
    this.running += 1;
    void this.runShard(stillRunning).catch((error: unknown) => this.fail(error));
  }

  private async tellJob(): Promise<void> {
    const { parent } = workflowInfo();
    if (parent === undefined) return;
    const { slot, generation } = this.input;
    await getExternalWorkflowHandle(parent.workflowId).signal(JOB_MESSAGES.drain, { slot, generation });
  }

  private async shardFailed(ordinals: number[], error: unknown): Promise<void> {
    if (this.stopping === 'cancel') return;
    if (this.lostCause !== null) {
      // The instance was found lost already, so no further inquiry is made.
    } else if (error instanceof ActivityFailure && error.cause instanceof TimeoutFailure) {
      // A cancel does not wait for the inquiry, because the job fences and ends the instance anyway.
      await Promise.race([this.inquire(), condition(() => this.stopping === 'cancel')]);
    } else if (!isCancellation(error)) {
      this.lostContacts += 1;
      if (this.lostContacts >= MAX_LOST_CONTACTS) this.giveUp('WORKER_ERROR');
    }
    this.requeue(ordinals);
  }

  /** Has the instance replaced. Shards that its worker has not picked up are cancelled, so that no time-out is awaited. */
  private giveUp(cause: string): void {
    this.lostCause ??= cause;
    this.scope.cancel();
  }

  /** Ends the part and its tools after a fault of the service; the job settles the tasks that are verified. */
  private fail(error: unknown): void {
    this.broken ??= error instanceof Error ? error : new Error(String(error));
    this.scope.cancel();
  }

  /** Sends tasks to the same generation again, whose worker adopts a tool that is running or has finished. */
  private requeue(ordinals: number[]): void {
    this.waiting.unshift(...shardsOf(ordinals, this.input.shardSize));
  }

  /** Makes one inquiry at a time, however many shards have lost contact. */
  private inquire(): Promise<void> {
    this.inquiry ??= this.askProvider().finally(() => (this.inquiry = null));
    return this.inquiry;
  }

  private async askProvider(): Promise<void> {
    const { jobId, slot, generation } = this.input;
    const summary = `instance ${String(slot)}.${String(generation)} lost contact`;
    const id = { jobId, slot, generation };
    const verdict = await untilVerdict(
      (lookMs) => instances.inquireInstance.executeWithOptions({ summary }, [{ ...id, lookMs }]),
      {
        summary: 'before the next look',
        isWanted: () => this.stopping !== 'cancel' && this.lostCause === null,
      },
    );
    if (verdict === null) return;
    this.lostContacts += 1;
    if (verdict.state === 'lost') this.giveUp(verdict.cause);
    else if (this.lostContacts >= MAX_LOST_CONTACTS) this.giveUp('NO_PROGRESS');
  }

  /** Commits reports in batches of up to 100 tasks, smaller ones after the commit delay. Ends with the dispatching. */
  private async commitLoop(): Promise<void> {
    for (;;) {
      await condition(() => this.reports.length > 0 || (this.running === 0 && this.isIdle()));
      if (this.reports.length === 0) return;
      const full = (): boolean =>
        this.reports.length >= COMMIT_BATCH ||
        (this.running === 0 && (this.isHalted() || this.waiting.length === 0));
      if (!full()) await condition(full, this.input.timing.commitDelayMs, { summary: 'a fuller batch' });
      this.committing = true;
      try {
        await this.commit(this.reports.splice(0, batchLength(this.reports)));
      } catch (error) {
        this.fail(error);
        return;
      } finally {
        this.committing = false;
      }
    }
  }

  private async commit(reports: readonly TaskReport[]): Promise<void> {
    const { jobId, execution, slot, generation, kind } = this.input;
    const ordinals = reports.map(({ ordinal }) => ordinal).sort((a, b) => a - b);
    const result = await storage.commitTasks.executeWithOptions({ summary: `${kind} ${ranges(ordinals)}` }, [
      { jobId, execution, slot, generation, kind, reports },
    ]);
    if (result.fenced) this.giveUp('FENCED');
    this.verified += result.verified;
    this.failed += result.failed;
    // The batch has stopped by its rule, so what waits has been cancelled in its rows.
    if (result.stopped === true) this.waiting.length = 0;
    if (result.redo.length > 0) this.waiting.push(...shardsOf(result.redo, this.input.shardSize));
    this.show('working');
  }
}
