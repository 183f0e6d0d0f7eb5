/**
 * One stream. A part is made when the reader takes it, so a stream holds one part and a few lists that the tail has handed to all.
 * A reader that is slower than the events falls behind: it gets the rest from the table, and the last state of what is not kept. So
 * no end is dropped, and a slow reader costs no memory.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { isAway } from '../../domain/away.ts';
import type { JobProgress } from '../../domain/events.ts';
import { Bell } from './bell.ts';
import { frameOf } from './frames.ts';
import type { FrameMaker } from './frames.ts';
import type { LiveFollower } from './live.ts';
import { isSelected, lastPlaceOf, LOG_START, placeOf } from './read-events.ts';
import type { EventPage, EventQuery, EventRow, LogPosition } from './read-events.ts';
import type { Follower } from './tail.ts';

/** The job of a stream, whose status is told as it changes. */
export interface FollowedJob {
  read(): Promise<{ readonly version: string; readonly status: unknown }>;
}

/** Plan of a stream: its events, and the place to begin behind. */
export interface StreamPlan extends Pick<EventQuery, 'accountId' | 'types' | 'subject'> {
  readonly place: LogPosition;
  /** The parts that the stream begins with. */
  readonly opening: string;
  readonly job: FollowedJob | null;
  /** Whether the reader is told of results that were added. */
  readonly tellsResults: boolean;
}

/** Where a stream reads. */
export interface StreamSource {
  readonly frames: FrameMaker;
  page(query: EventQuery): Promise<EventPage>;
  /** The place up to which followers have everything. */
  readonly end: LogPosition | null;
  /** How often a stream in which nothing happens shows that it lives. */
  readonly heartbeatMs: number;
}

const STATUS_MS = 250;
const RESULTS_MS = 1_000;
const AWAY_MS = 1_000;
/** Heartbeats come this many ticks apart, a second each. */
const TICKS = 15;
/** A reader whose key or session has ended gets this long to take its last part. */
const LAST_PART_MS = 1_000;
/** Of events that were handed on and not taken, before the stream is behind; an event has less than 4 kB. */
const MOST_HELD = 50;
const PAGE = 50;
/** Of jobs with results that were not told. */
const MOST_JOBS = 1_000;

/** A stream of server-sent events; `destroy` when the reader has gone. */
export class EventStream extends Readable implements Follower, LiveFollower {
  readonly #source: StreamSource;
  readonly #plan: StreamPlan;
  readonly #bell = new Bell();
  readonly #progress = new Map<string, JobProgress>();
  #lists: (readonly EventRow[])[] = [];
  #place: LogPosition;
  #isBehind = true;
  #last: string | null = null;
  #hasEnded = false;
  #toldAt = performance.now();
  #knownVersion: string | null = null;
  /** When the status is to be read next; null while it is as it was told. */
  #statusDueAt: number | null;
  #statusFrom = 0;
  #resultsFrom = 0;
  #opening: string | null;

  constructor(source: StreamSource, plan: StreamPlan) {
    super({ highWaterMark: 1 });
    this.#source = source;
    this.#plan = plan;
    this.#place = plan.place;
    this.#opening = plan.opening;
    this.#statusDueAt = plan.job === null ? null : 0;
  }

  hear(events: readonly EventRow[]): void {
    // An announcement may have been lost; the event was not.
    for (const { subject } of events) if (subject === this.#plan.subject) this.onAnnounced(subject);
    if (this.#isBehind) return;
    this.#lists.push(events);
    this.#isBehind = this.#lists.reduce((held, list) => held + list.length, 0) > MOST_HELD;
    this.#bell.ring();
  }

  onAnnounced(jobId: string | null): void {
    if (this.#plan.job === null || (jobId !== null && jobId !== this.#plan.subject)) return;
    this.#statusDueAt ??= this.#statusFrom;
    this.#bell.ring();
  }

  onResults(progress: JobProgress): void {
    const { tellsResults, subject } = this.#plan;
    if (!tellsResults || (subject !== null && progress.jobId !== subject)) return;
    if (this.#progress.size < MOST_JOBS || this.#progress.has(progress.jobId))
      this.#progress.set(progress.jobId, progress);
    this.#bell.ring();
  }

  /** Ends the stream with a last part; a reader that does not take it is cut off. */
  end(last: string): void {
    this.#last ??= last;
    this.#bell.ring();
    setTimeout(() => this.destroy(), LAST_PART_MS).unref();
  }

  override _read(): void {
    this.#part().then(
      (part) => {
        if (!this.destroyed) this.push(part);
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#bell.ring();
    done(error);
  }

  /** The next part, once there is one; null after the last. */
  async #part(): Promise<string | null> {
    for (;;) {
      if (this.#hasEnded || this.destroyed) return null;
      const part = await this.#next();
      if (part === '') continue;
      this.#toldAt = performance.now();
      return part;
    }
  }

  async #next(): Promise<string> {
    if (this.#opening !== null) return this.#open();
    if (this.#last !== null) {
      this.#hasEnded = true;
      return this.#last;
    }
    try {
      if (this.#isBehind) return await this.#catchUp();
      if (this.#lists.length > 0) return await this.#handedOn();
      if (this.#isDue(this.#statusDueAt)) return await this.#status();
      if (this.#progress.size > 0 && this.#isDue(this.#resultsFrom)) return this.#results();
    } catch (error) {
      if (!isAway(error)) throw error;
      this.#isBehind = true;
      if (this.#plan.job !== null) this.#statusDueAt = 0;
      await sleep(AWAY_MS);
      return this.#isDue(this.#toldAt + this.#source.heartbeatMs)
        ? this.#source.frames.heartbeat(this.#plan.accountId, this.#place)
        : '';
    }
    return this.#idle();
  }

  #open(): string {
    const { opening } = this.#plan;
    this.#opening = null;
    return opening;
  }

  #isDue(at: number | null): boolean {
    return at !== null && performance.now() >= at;
  }

  /** A page of the table. What is handed on meanwhile is kept, and left out where the page had it. */
  async #catchUp(): Promise<string> {
    const { accountId, types, subject } = this.#plan;
    this.#isBehind = false;
    this.#lists = [];
    const query = { after: this.#place.id, limit: PAGE, accountId, types, subject };
    const { events, newest } = await this.#source.page(query);
    const frames = await this.#source.frames.of(events);
    const isWhole = events.length < PAGE;
    if (!isWhole) this.#isBehind = true;
    this.#place = (isWhole ? newest : lastPlaceOf(events)) ?? LOG_START;
    return [...frames.values()].join('');
  }

  async #handedOn(): Promise<string> {
    const lists = this.#lists;
    this.#lists = [];
    // All texts are there before the place moves: what fails leaves the place where it was.
    const made = await Promise.all(lists.map((list) => this.#source.frames.of(list)));
    let text = '';
    for (const [at, list] of lists.entries())
      for (const row of list) {
        if (row.id <= this.#place.id) continue;
        this.#place = placeOf(row);
        if (isSelected(this.#plan, row)) text += made[at]?.get(row) ?? '';
      }
    return text;
  }

  async #status(): Promise<string> {
    const { job } = this.#plan;
    if (job === null) return '';
    // An announcement during the reading asks for another one.
    this.#statusDueAt = null;
    this.#statusFrom = performance.now() + STATUS_MS;
    const { version, status } = await job.read();
    if (version === this.#knownVersion) return '';
    this.#knownVersion = version;
    return frameOf({ name: 'status', data: { version, status } });
  }

  #results(): string {
    const told = [...this.#progress.values()];
    this.#progress.clear();
    this.#resultsFrom = performance.now() + RESULTS_MS;
    return told.map((data) => frameOf({ name: 'results.changed', data })).join('');
  }

  async #idle(): Promise<string> {
    const now = performance.now();
    // At whole ticks of the process, so that it wakes once for all of its streams that are due.
    const { heartbeatMs } = this.#source;
    const tickMs = heartbeatMs / TICKS;
    const beatAt = Math.floor((this.#toldAt + heartbeatMs) / tickMs) * tickMs;
    const resultsAt = this.#progress.size > 0 ? this.#resultsFrom : beatAt;
    const until = Math.min(beatAt, resultsAt, this.#statusDueAt ?? beatAt);
    await this.#bell.next(Math.max(1, Math.ceil(until - now)));
    if (!this.#isDue(beatAt)) return '';
    const end = this.#source.end;
    // An event before the end of the tail was handed on, and no list waits here. Streams at one end share its object, and so its frame.
    if (end !== null && end.id >= this.#place.id && !this.#isBehind && this.#lists.length === 0)
      this.#place = end;
    return this.#source.frames.heartbeat(this.#plan.accountId, this.#place);
  }
}
