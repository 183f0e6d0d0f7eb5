/**
 * One task on this instance, from the moment a shard names it until it is reported. It is independent of the activity
 * attempt that started it: when the attempt is lost the run goes on, and the next attempt finds it by its key.
 */
import type { ShardInput, TaskReport } from '../contracts/instance.ts';
import { deferred } from './deferred.ts';

/** Where a run is. `staging`: the tool has ended, its outputs are on their way. */
export type RunState = 'waiting' | 'running' | 'staging' | 'ended';

/** How long a stop waits for complete outputs that are on their way. */
const STAGING_GRACE_MS = 5_000;

/** The key under which attempts find a run. */
export function runKey(input: Pick<ShardInput, 'execution' | 'kind'>, ordinal: number): string {
  return `${input.execution}/${input.kind}/${ordinal}`;
}

/** One task's run. */
export class TaskRun {
  readonly kind: ShardInput['kind'];
  readonly ordinal: number;
  /** The finished run of the same task before this one: adopted when the gateway says that the attempt is the same. */
  readonly previous: TaskRun | null;
  state: RunState = 'waiting';
  percent = 0;
  attempt: number | null = null;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  readonly #report = deferred<TaskReport | null>();
  #ended: TaskReport | null = null;

  constructor(kind: ShardInput['kind'], ordinal: number, previous: TaskRun | null) {
    this.kind = kind;
    this.ordinal = ordinal;
    this.previous = previous;
    // Nobody may be waiting for it at the moment.
    this.#report.promise.catch(() => undefined);
  }

  /** What became of it; null when there was nothing to do. */
  get report(): Promise<TaskReport | null> {
    return this.#report.promise;
  }

  /** The report of an ended run. */
  get ended(): TaskReport | null {
    return this.#ended;
  }

  /** Aborted when the tool has to stop. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted when even staging has to stop. */
  get abandonSignal(): AbortSignal {
    return this.#abandon.signal;
  }

  /** Stops it: what waits or runs is `stopped`, what is complete has a moment to be staged. */
  stop(): void {
    if (this.state === 'ended') return;
    this.#stop.abort();
    if (this.state === 'waiting') this.settle(stoppedReport(this));
    else setTimeout(() => this.#abandon.abort(), STAGING_GRACE_MS).unref();
  }

  /** Stops it with nothing staged any more: the instance ends. */
  abandon(): void {
    this.stop();
    this.#abandon.abort();
  }

  /** Ends it. */
  settle(report: TaskReport | null): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.#ended = report;
    this.#report.resolve(report);
  }

  /** Ends it with an error of the protocol. */
  fail(error: unknown): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.#report.reject(error);
  }
}

/** The report of a task that was stopped before it was decided. */
export function stoppedReport({ ordinal }: Pick<TaskRun, 'ordinal'>): TaskReport {
  return { ordinal, end: 'stopped' };
}
