/**
 * The end of the log, read once for everybody in this process who follows it. The tail numbers what was committed, reads what is
 * new of the followed accounts, and hands it on in the order of the numbers. Nothing is handed on twice and nothing left out; what
 * came before a follower's first round the follower reads from the table.
 *
 * A round comes with an announcement of a followed account, and each second in any case while somebody follows: announcements may
 * be lost, and not every event is announced. A round in which nothing is new is one statement, however many follow.
 */
import type { DataSource } from 'typeorm';

import type { JobWatch } from './job-watch.ts';
import { numberEvents } from './number-events.ts';
import { readFollowed } from './read-events.ts';
import type { EventRow } from './read-events.ts';

/** Hands new events to those who follow an account. */
export interface EventTail {
  /** Calls back with new events of the account, from the next round on, until the returned function is called. */
  follow(accountId: string, hear: (events: readonly EventRow[]) => void): () => void;
  /** Resolves after a whole round: what was committed before this call is numbered, and followers have it. */
  settle(): Promise<void>;
  close(): void;
}

type Hear = (events: readonly EventRow[]) => void;

const TICK_MS = 1_000;
/** Announcements within this time are one round. */
const GATHER_MS = 50;
const BATCH = 1_000;

const LOOK = `
  select exists (select from events where id is null) as "hasUnnumbered",
    coalesce((select max(id) from events where id is not null), 0) as newest`;

/** Makes the tail of a process. It reads nothing until somebody asks. */
export function createEventTail(db: DataSource, watch: Pick<JobWatch, 'hear'>): EventTail {
  return new Tail(db, watch);
}

class Tail implements EventTail {
  readonly #db: DataSource;
  readonly #followers = new Map<string, Set<Hear>>();
  /** The number up to which followers have everything; null while nobody follows. */
  #position: number | null = null;
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();
  #tick: NodeJS.Timeout | null = null;
  #gathering: NodeJS.Timeout | null = null;

  constructor(db: DataSource, watch: Pick<JobWatch, 'hear'>) {
    this.#db = db;
    watch.hear((accountId) => {
      if (accountId === null || this.#followers.has(accountId)) this.#wake();
    });
  }

  follow(accountId: string, hear: Hear): () => void {
    const set = this.#followers.get(accountId) ?? new Set();
    this.#followers.set(accountId, set.add(hear));
    this.#tick ??= setInterval(() => this.#wake(), TICK_MS).unref();
    return () => {
      set.delete(hear);
      if (set.size === 0 && this.#followers.get(accountId) === set) this.#followers.delete(accountId);
      if (this.#followers.size === 0) this.#rest();
    };
  }

  async settle(): Promise<void> {
    this.#next ??= this.#openAfter(this.#last);
    await this.#next;
  }

  close(): void {
    this.#followers.clear();
    this.#rest();
  }

  #rest(): void {
    if (this.#tick !== null) clearInterval(this.#tick);
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    [this.#tick, this.#gathering, this.#position] = [null, null, null];
  }

  #wake(): void {
    if (this.#followers.size === 0) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      // The next round reads whatever a failed one would have read.
      this.settle().catch(() => undefined);
    }, GATHER_MS).unref();
  }

  /** Opens the next round, which begins when the last one has ended; all who ask until then share the next. */
  #openAfter(last: Promise<void>): Promise<void> {
    const round = last
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.#round();
      });
    this.#last = round;
    return round;
  }

  async #round(): Promise<void> {
    const [seen] = await this.#db.query<{ hasUnnumbered: boolean; newest: number }[]>(LOOK);
    if (seen === undefined) return;
    if (seen.hasUnnumbered) await numberEvents(this.#db);
    if (this.#followers.size === 0) return;
    this.#position ??= seen.newest;
    if (seen.hasUnnumbered || seen.newest > this.#position) await this.#handOn();
  }

  async #handOn(): Promise<void> {
    for (;;) {
      const after = this.#position;
      if (after === null) return;
      const { events, newest } = await readFollowed(this.#db, after, [...this.#followers.keys()], BATCH);
      // Nobody follows any more, and perhaps somebody else follows again.
      if (this.#position !== after) return;
      const isWhole = events.length < BATCH;
      this.#position = (isWhole ? newest?.id : events.at(-1)?.id) ?? after;
      for (const [accountId, own] of Map.groupBy(events, (event) => event.account_id))
        for (const hear of this.#followers.get(accountId) ?? []) hear(own);
      if (isWhole) return;
    }
  }
}
