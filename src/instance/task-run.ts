/**
 * One task on this instance, from the moment a shard names the task until the task is reported. A run does not depend on
 * the activity attempt that started the run: when the attempt is lost the run goes on, and the next attempt finds the run
 * by its key.
 */
import type { ShardInput, TaskReport } from '../contracts/instance.ts';
import type { WorkKind } from '../contracts/job.ts';
import { deferred } from './deferred.ts';
import type { LogCollector } from './log-collector.ts';

/** The state of a run. `staging`: the tool has ended, and its outputs are being uploaded. */
export type RunState = 'waiting' | 'running' | 'staging' | 'ended';

/** How long a stop waits for the outputs of a finished task to be staged. */
const STAGING_GRACE_MS = 5_000;

/** The key under which a later attempt finds a run. */
export function runKey(input: Pick<ShardInput, 'execution' | 'kind'>, ordinal: number): string {
  return `${input.execution}/${input.kind}/${ordinal}`;
}

/** The run of one task. */
export class TaskRun {
  readonly kind: WorkKind;
  readonly ordinal: number;
  state: RunState = 'waiting';
  percent: number;
  attempt: number | null = null;
  /** The log of the attempt; the next leg of the attempt goes on with it. */
  log: LogCollector | null = null;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  readonly #report = deferred<TaskReport | null>();
  #ended: TaskReport | null = null;
  #isInterrupted = false;
  #previous: TaskRun | null;

  constructor(kind: WorkKind, ordinal: number, previous: TaskRun | null) {
    this.kind = kind;
    this.ordinal = ordinal;
    this.#previous = previous;
    this.percent = previous?.ended?.end === 'interrupted' ? previous.percent : 0;
    // A report may be rejected while no attempt waits for the report.
    this.#report.promise.catch(() => undefined);
  }

  /**
   * The earlier, ended run of the same task, until this run has ended, too; its report is adopted when the claim answers the same attempt
   * number.
   */
  get previous(): TaskRun | null {
    return this.#previous;
  }

  /** The report of the run; null when the task was decided already. */
  get report(): Promise<TaskReport | null> {
    return this.#report.promise;
  }

  /** The report of an ended run. */
  get ended(): TaskReport | null {
    return this.#ended;
  }

  /** Whether the run is stopped because the instance is taken away or a leg is over, so that the task is dispatched again. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** A signal that is aborted when the tool has to stop. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  /** A signal that is aborted when the staging of outputs has to stop too. */
  get abandonSignal(): AbortSignal {
    return this.#abandon.signal;
  }

  /** Stops the run: a task that waits or runs ends as `stopped`, a finished task has some seconds to be staged. */
  stop(): void {
    if (this.state === 'ended') return;
    this.#stop.abort();
    if (this.state === 'waiting') this.settle(stoppedReport(this));
    else setTimeout(() => this.#abandon.abort(), STAGING_GRACE_MS).unref();
  }

  /** Stops the run as `stop` does, because the instance is taken away or a leg is over: the task is handed back. */
  interrupt(): void {
    if (this.state === 'ended' || this.#stop.signal.aborted) return;
    this.#isInterrupted = true;
    this.stop();
  }

  /** Stops the run and the staging of its outputs at once, because the instance ends. */
  abandon(): void {
    this.stop();
    this.#abandon.abort();
  }

  /** Ends the run with its report. */
  settle(report: TaskReport | null): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.#ended = report;
    this.#previous = null;
    this.#report.resolve(report);
  }

  /** Ends the run with an error, which fails the attempt of the activity and not the task. */
  fail(error: unknown): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.#report.reject(error);
  }
}

/** The report of a task that was stopped before it was decided. */
export function stoppedReport({
  ordinal,
  isInterrupted,
}: Pick<TaskRun, 'ordinal' | 'isInterrupted'>): TaskReport {
  return { ordinal, end: isInterrupted ? 'interrupted' : 'stopped' };
}
