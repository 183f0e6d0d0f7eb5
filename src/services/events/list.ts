/** Events as customers read them: a page after a cursor, at once or as soon as there is one. */
import type { DataSource } from 'typeorm';

import { requireScope, requireSession } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../domain/events.ts';
import type { EventListQuery, EventListResponse, EventReaders } from '../../domain/events.ts';
import { Bell } from './bell.ts';
import { cursorOf, placeAfter } from './position.ts';
import { presentEvents } from './present.ts';
import { isSelected, lastPlaceOf, LOG_START, readEvents, readNewestEvents } from './read-events.ts';
import type { EventPage, EventQuery, EventRow, LogPosition } from './read-events.ts';
import type { EventTail } from './tail.ts';

/** The database, and the tail of the process. */
export interface EventDependencies {
  readonly db: DataSource;
  readonly tail: EventTail;
}

/**
 * A page of events after the cursor; with nothing to answer, the page comes with the first such event, or empty when the time is
 * over. The cursor of a page that is not full is the end of the log, so that it stays good while nothing is found. With the newest first a page
 * is answered at once, and goes on with what is older.
 * @throws INSUFFICIENT_SCOPE, SESSION_REQUIRED, VALIDATION_ERROR, CURSOR_EXPIRED.
 */
export async function listEvents(
  deps: EventDependencies,
  actor: Actor,
  query: EventListQuery,
  waitSeconds: number,
): Promise<EventListResponse> {
  const { db, tail } = deps;
  const { accountId } = actor;
  const { limit, subject = null } = query;
  const types = readableTypes(actor, query.types);
  if (query.latest === true) {
    await tail.settle();
    const { newest } = await readEvents(db, { after: 0, limit: 0, accountId, types: null, subject });
    return { events: [], nextCursor: cursorOf(accountId, newest ?? LOG_START) };
  }
  const place = placeAfter(db, accountId, query.cursor);
  if (query.newestFirst === true) {
    await tail.settle();
    const before = query.cursor === undefined ? null : (await place).id;
    const { events } = await readNewestEvents(db, { before, limit, accountId, types, subject });
    const told = await presentEvents(db, events);
    // Before the start of the log there is nothing, whoever goes on there.
    const end = (events.length < limit ? null : lastPlaceOf(events)) ?? LOG_START;
    return { events: [...told.values()], nextCursor: cursorOf(accountId, end) };
  }
  const page = await awaitPage(deps, { limit, accountId, types, subject }, place, waitSeconds);
  const end = (page.events.length < limit ? null : lastPlaceOf(page.events)) ?? page.newest ?? LOG_START;
  const told = await presentEvents(db, page.events);
  return { events: [...told.values()], nextCursor: cursorOf(accountId, end) };
}

/** Reads a page, again whenever an event of the account has come, until the page has events or the time is over. */
async function awaitPage(
  { db, tail }: EventDependencies,
  query: Omit<EventQuery, 'after'>,
  place: Promise<LogPosition>,
  waitSeconds: number,
): Promise<EventPage> {
  const news = new Bell();
  const hear = (events: readonly EventRow[]): void => {
    if (events.some((event) => isSelected(query, event))) news.ring();
  };
  // Followed before the first look, so that no event falls between the look and the wait.
  const leave = waitSeconds > 0 ? tail.follow(query.accountId, { hear }) : () => undefined;
  const until = performance.now() + waitSeconds * 1_000;
  try {
    const [{ id: after }] = await Promise.all([place, tail.settle()]);
    for (;;) {
      const page = await readEvents(db, { ...query, after });
      const leftMs = until - performance.now();
      if (page.events.length > 0 || leftMs <= 0) return page;
      await news.next(leftMs);
    }
  } finally {
    leave();
  }
}

/**
 * The types that the actor reads, null for all: those that were asked for, or all that the actor may read.
 * @throws INSUFFICIENT_SCOPE, SESSION_REQUIRED for a type that the actor may not read.
 */
export function readableTypes(actor: Actor, asked: readonly string[] | undefined): readonly string[] | null {
  if (asked !== undefined) {
    for (const type of asked) requireReader(actor, EVENT_TYPES[type]?.readers ?? 'session');
    return [...new Set(asked)];
  }
  if (actor.kind === 'session') return null;
  const readable = EVENT_TYPE_NAMES.filter((type) => mayRead(actor, EVENT_TYPES[type]?.readers ?? 'session'));
  if (readable.length > 0) return readable;
  throw new AppError(
    'INSUFFICIENT_SCOPE',
    'This key reads no events. Use a key with the scope jobs:read, credits:read or projects:read.',
  );
}

/** Whether an actor reads types of these readers. */
export function mayRead(actor: Actor, readers: EventReaders): boolean {
  return actor.kind === 'session' || actor.scopes.some((scope) => scope === readers);
}

function requireReader(actor: Actor, readers: EventReaders): void {
  if (readers === 'session') requireSession(actor);
  else requireScope(actor, readers);
}
