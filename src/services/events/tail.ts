/**
 * The end of the log, read once for everybody in this process who follows it. The tail numbers what was committed, reads what is
 * new of the followed accounts, and hands it on in the order of the numbers. Nothing is handed on twice and nothing left out; what
 * came before a follower's first round the follower reads from the table.
 *
 * A round comes with an announcement of a followed account, and each second in any case while somebody follows: announcements may
 * be lost, and not every event is announced. A round in which nothing is new is one statement, however many follow. The same
 * statement finds the keys and sessions of followers that have ended, so a follower that stays is told within two seconds.
 */
import type { DataSource } from 'typeorm';

import type { JobWatch } from './job-watch.ts';
import { numberEvents } from './number-events.ts';
import { lastPlaceOf, LOG_START, readFollowed } from './read-events.ts';
import type { EventRow, LogPosition } from './read-events.ts';

/** Somebody who follows the events of an account. */
export interface Follower {
  /** Takes new events; all followers of an account are handed the same list. */
  hear(events: readonly EventRow[]): void;
  /** The key or session that the follower reads with, and what is to be done once the key or session has ended. */
  readonly caller?: { readonly id: string; onEnded(): void };
}

/** Hands new events to those who follow an account. */
export interface EventTail {
  /** Tells the follower of new events of the account, from the next round on, until the returned function is called. */
  follow(accountId: string, follower: Follower): () => void;
  /** The place up to which followers have everything; null before the first round. */
  readonly position: LogPosition | null;
  /** Resolves after a whole round: what was committed before this call is numbered, and followers have it. */
  settle(): Promise<void>;
  close(): void;
}

const TICK_MS = 1_000;
/** Rounds that announcements ask for begin at least this long after one another. */
const APART_MS = 50;
const BATCH = 1_000;
/** Keys and sessions are looked at with each tick and not with each announcement. */
const CALLERS_MS = TICK_MS * 0.9;

/** Keys and sessions of `$1` that let nobody in any more. */
const ENDED = `
  array(select caller from unnest($1::uuid[]) caller
    where not exists (select from api_keys k join accounts a on a.id = k.account_id
      where k.id = caller and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and a.state = 'ACTIVE')
    and not exists (select from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
      where s.id = caller and s.ended_at is null and s.expires_at > now() and a.state = 'ACTIVE'))`;

const LOOK = `
  select exists (select from events where id is null) as "hasUnnumbered", newest.id as "newestId", newest.public_id as "newestPublicId",
    ${ENDED} as ended
  from (values (1)) one left join lateral (select id, public_id from events where id is not null order by id desc limit 1) newest on true`;

interface Seen {
  readonly hasUnnumbered: boolean;
  readonly newestId: number | null;
  readonly newestPublicId: string | null;
  readonly ended: readonly string[];
}

/** Makes the tail of a process. It reads nothing until somebody asks. */
export function createEventTail(db: DataSource, watch: Pick<JobWatch, 'hear'>): EventTail {
  return new Tail(db, watch);
}

class Tail implements EventTail {
  readonly #db: DataSource;
  readonly #followers = new Map<string, Set<Follower>>();
  /** The place up to which followers have everything; null while nobody follows. */
  #position: LogPosition | null = null;
  #callersSeenAt = 0;
  #roundAt = -APART_MS;
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

  follow(accountId: string, follower: Follower): () => void {
    const set = this.#followers.get(accountId) ?? new Set();
    this.#followers.set(accountId, set.add(follower));
    this.#tick ??= setInterval(() => this.#wake(), TICK_MS).unref();
    return () => {
      set.delete(follower);
      if (set.size === 0 && this.#followers.get(accountId) === set) this.#followers.delete(accountId);
      if (this.#followers.size === 0) this.#rest();
    };
  }

  get position(): LogPosition | null {
    return this.#position;
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

  /** Asks for a round: at once, or, soon after the last one, together with all who ask until then. */
  #wake(): void {
    if (this.#followers.size === 0) return;
    const waitMs = Math.max(0, this.#roundAt + APART_MS - performance.now());
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      // The next round reads whatever a failed one would have read.
      this.settle().catch(() => undefined);
    }, waitMs).unref();
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
    this.#roundAt = performance.now();
    const [seen] = await this.#db.query<Seen[]>(LOOK, [this.#callersToSee()]);
    if (seen === undefined) return;
    this.#tellEnded(seen.ended);
    if (seen.hasUnnumbered) await numberEvents(this.#db);
    if (this.#followers.size === 0) return;
    const { newestId: id, newestPublicId: publicId } = seen;
    this.#position ??= id === null || publicId === null ? LOG_START : { id, publicId };
    if (seen.hasUnnumbered || (id ?? 0) > this.#position.id) await this.#handOn();
  }

  #callersToSee(): readonly string[] {
    if (performance.now() - this.#callersSeenAt < CALLERS_MS) return [];
    this.#callersSeenAt = performance.now();
    return [...new Set(this.#all().flatMap(({ caller }) => caller?.id ?? []))];
  }

  #tellEnded(ended: readonly string[]): void {
    if (ended.length === 0) return;
    for (const { caller } of this.#all())
      if (caller !== undefined && ended.includes(caller.id)) caller.onEnded();
  }

  #all(): readonly Follower[] {
    return [...this.#followers.values()].flatMap((set) => [...set]);
  }

  async #handOn(): Promise<void> {
    for (;;) {
      const after = this.#position;
      if (after === null) return;
      const { events, newest } = await readFollowed(this.#db, after.id, [...this.#followers.keys()], BATCH);
      // Nobody follows any more, and perhaps somebody else follows again.
      if (this.#position !== after) return;
      const isWhole = events.length < BATCH;
      this.#position = (isWhole ? newest : lastPlaceOf(events)) ?? after;
      for (const [accountId, own] of Map.groupBy(events, (event) => event.account_id))
        for (const follower of this.#followers.get(accountId) ?? []) follower.hear(own);
      if (isWhole) return;
    }
  }
}
