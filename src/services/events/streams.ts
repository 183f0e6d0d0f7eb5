/** The streams of a process: who may open one, where it begins, how many there are, and how all of them end. */
import type { DataSource } from 'typeorm';

import { callerOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError, envelopeOf } from '../../domain/errors.ts';
import type { EventStreamQuery } from '../../domain/events.ts';
import { FrameMaker, frameOf } from './frames.ts';
import type { LiveJobs } from './live.ts';
import { mayRead, readableTypes } from './list.ts';
import { cursorOf, placeAfter } from './position.ts';
import { LOG_START, readEvents } from './read-events.ts';
import type { LogPosition } from './read-events.ts';
import { EventStream } from './stream.ts';
import type { FollowedJob, StreamPlan, StreamSource } from './stream.ts';
import type { EventTail } from './tail.ts';

/** Of one account at once, in a process. */
const MOST_STREAMS = 20;
const LIMIT_RETRY_SECONDS = 15;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1_000, 5_000];

/** Streams read from the database, the tail and what hears of running jobs. */
export interface StreamDependencies {
  readonly db: DataSource;
  readonly tail: EventTail;
  readonly live: LiveJobs;
  readonly heartbeatMs: number;
}

/** The streams of a process. */
export class EventStreams {
  readonly #deps: StreamDependencies;
  readonly #source: StreamSource;
  readonly #open = new Set<EventStream>();
  readonly #ofAccount = new Map<string, number>();

  constructor(deps: StreamDependencies) {
    const { db, tail, heartbeatMs } = deps;
    this.#deps = deps;
    this.#source = {
      frames: new FrameMaker(db),
      page: (query) => readEvents(db, query),
      get end() {
        return tail.position;
      },
      heartbeatMs,
    };
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream that goes on after a cursor, or begins now. A refused cursor is told in the stream, because a browser cannot read
   * a refusal. @throws INSUFFICIENT_SCOPE, SESSION_REQUIRED, STREAM_LIMIT.
   */
  async open(actor: Actor, query: EventStreamQuery, job: FollowedJob | null): Promise<EventStream> {
    const types = readableTypes(actor, query.types);
    const leave = this.#take(actor.accountId);
    let begun;
    try {
      begun = await this.#begin(actor.accountId, query.after);
    } catch (error) {
      leave();
      throw error;
    }
    const { subject = null } = query;
    const tellsResults = query.types === undefined && mayRead(actor, 'jobs:read');
    const { accountId } = actor;
    return this.#start(actor, { ...begun, accountId, types, subject, job, tellsResults }, leave);
  }

  /** Ends all streams; their readers come back within 1 to 5 s, spread, to this service started anew or to another process. */
  endAll(): void {
    for (const stream of this.#open) stream.end(frameOf({ retryMs: someRetryMs() }));
  }

  #take(accountId: string): () => void {
    const open = this.#ofAccount.get(accountId) ?? 0;
    if (open >= MOST_STREAMS)
      throw new AppError(
        'STREAM_LIMIT',
        `${MOST_STREAMS} streams of this account are open, which is the most at once. Close one first.`,
        { retryAfterSeconds: LIMIT_RETRY_SECONDS },
      );
    this.#ofAccount.set(accountId, open + 1);
    return () => {
      const left = (this.#ofAccount.get(accountId) ?? 1) - 1;
      if (left === 0) this.#ofAccount.delete(accountId);
      else this.#ofAccount.set(accountId, left);
    };
  }

  /** Where a stream begins, and what it begins with. Each reader comes back at another time, so that many do not come at once. */
  async #begin(accountId: string, after: string | undefined): Promise<Pick<StreamPlan, 'place' | 'opening'>> {
    let reset: AppError | null = null;
    let place: LogPosition | null = null;
    try {
      if (after !== undefined) place = await placeAfter(this.#deps.db, accountId, after);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      reset = error;
    }
    place ??= await this.#now(accountId);
    const part = { id: cursorOf(accountId, place), retryMs: someRetryMs() };
    return {
      place,
      opening: frameOf(reset === null ? part : { ...part, name: 'reset', data: envelopeOf(reset) }),
    };
  }

  async #now(accountId: string): Promise<LogPosition> {
    await this.#deps.tail.settle();
    const none = { after: 0, limit: 0, accountId, types: null, subject: null };
    return (await readEvents(this.#deps.db, none)).newest ?? LOG_START;
  }

  async #start(actor: Actor, plan: StreamPlan, leave: () => void): Promise<EventStream> {
    const { tail, live } = this.#deps;
    const stream = new EventStream(this.#source, plan);
    const caller = {
      id: callerOf(actor).id,
      onEnded: () => stream.end(': the key or the session has ended\n\n'),
    };
    const stops = [
      leave,
      // Followed before the first look at the table, so that no event falls between the two.
      tail.follow(actor.accountId, { hear: (events) => stream.hear(events), caller }),
      live.follow(actor.accountId, stream),
      () => this.#open.delete(stream),
    ];
    this.#open.add(stream);
    stream.once('close', () => {
      for (const stop of stops) stop();
    });
    try {
      await tail.settle();
    } catch (error) {
      stream.destroy();
      throw error;
    }
    return stream;
  }
}

function someRetryMs(): number {
  return Math.round(FIRST_RETRY_MS + Math.random() * (LAST_RETRY_MS - FIRST_RETRY_MS));
}
