/**
 * Buckets in a store that all processes share, and in this process while that store does not answer. A request is never
 * refused or failed because of the store: it is counted here then, at the level that the store told last, so that all
 * processes together let through at most as many times the quota as there are processes. When the store is back, the
 * first call for each bucket tells it what was counted here. A store that does not answer is asked once a second. One late
 * answer of a store that has just answered others is no outage: the request of the late answer is counted here, and the
 * next request asks the store.
 */
import { NoAnswerInTime } from '../../src/domain/buckets.ts';
import type { Bucket, BucketStore, SharedBuckets, TakenTokens } from '../../src/domain/buckets.ts';
import type { ProcessBuckets } from './buckets.ts';

/** Listener that is told when limits are not shared. */
export interface SharedLimitsAlarm {
  /** Whether the store answers, at each change. */
  changed(isAway: boolean): void;
  /** The store does not answer; raised at most once a minute, with the error of the last call. */
  away(error: unknown): void;
  /** The store answers again after an alarm. */
  back(): void;
}

const ASK_AGAIN_MS = 1_000;
/** A store that has answered within this time is still there when an answer comes late. */
const GRACE_MS = 250;
const ALARM_EVERY_MS = 60_000;

/** Makes the store. */
export function createSharedBuckets(
  shared: SharedBuckets,
  own: ProcessBuckets,
  alarm: SharedLimitsAlarm,
): BucketStore {
  const gate = new Gate(() => own.now(), alarm);
  return {
    async take(buckets, count) {
      if (!gate.mayAsk()) return own.take(buckets, count);
      try {
        const taken = await takeShared(buckets, count, { shared, own, gate });
        gate.answered();
        return taken;
      } catch (error) {
        gate.failed(error);
        return own.take(buckets, count);
      }
    },
  };
}

interface Stores {
  readonly shared: SharedBuckets;
  readonly own: ProcessBuckets;
  readonly gate: Gate;
}

async function takeShared(buckets: readonly Bucket[], count: 0 | 1, stores: Stores): Promise<TakenTokens> {
  const reading = await changeShared(buckets, count, stores);
  let isBack = count === 0 || !reading.isTaken;
  return {
    ...reading,
    async giveBack() {
      if (isBack) return;
      isBack = true;
      // A token that cannot be put back comes again with time.
      await changeShared(buckets, -1, stores).catch((error: unknown) => stores.gate.failed(error));
    },
  };
}

async function changeShared(buckets: readonly Bucket[], count: -1 | 0 | 1, { shared, own }: Stores) {
  // The level is noted for the time before the call, so that it is never lower here than it is in the store.
  const at = own.now();
  const source = shared.source();
  const asked = buckets.map((bucket) => ({ ...bucket, ceiling: own.ceiling(bucket, source) }));
  const reading = await shared.change(asked, count);
  for (const [index, bucket] of buckets.entries()) {
    const tokens = reading.tokens[index];
    if (tokens !== undefined) own.note(bucket, tokens, at, source);
  }
  return reading;
}

/** Whether the shared store is asked: always while it answers, and once in a while when it does not. */
class Gate {
  readonly #now: () => number;
  readonly #alarm: SharedLimitsAlarm;
  #isAway = false;
  #answeredAt = -Infinity;
  #askAgainAt = 0;
  #alarmAt = -Infinity;
  #isAlarmed = false;

  constructor(now: () => number, alarm: SharedLimitsAlarm) {
    this.#now = now;
    this.#alarm = alarm;
  }

  mayAsk(): boolean {
    if (!this.#isAway) return true;
    const at = this.#now();
    if (at < this.#askAgainAt) return false;
    this.#askAgainAt = at + ASK_AGAIN_MS;
    return true;
  }

  answered(): void {
    this.#answeredAt = this.#now();
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#alarm.changed(false);
    if (this.#isAlarmed) this.#alarm.back();
    this.#isAlarmed = false;
  }

  failed(error: unknown): void {
    const at = this.#now();
    if (!this.#isAway && error instanceof NoAnswerInTime && at - this.#answeredAt < GRACE_MS) return;
    if (!this.#isAway) this.#alarm.changed(true);
    this.#isAway = true;
    this.#askAgainAt = Math.max(this.#askAgainAt, at + ASK_AGAIN_MS);
    if (at - this.#alarmAt < ALARM_EVERY_MS) return;
    this.#alarmAt = at;
    this.#isAlarmed = true;
    this.#alarm.away(error);
  }
}
