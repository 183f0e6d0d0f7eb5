/**
 * Reading events that are numbered, in the order of their numbers. A page is one statement and so one snapshot: it tells how far
 * the log went, and every event of the selection up to there is in the page, or the page is full.
 */
import type { DataSource } from 'typeorm';
import { NIL } from 'uuid';

import type { AccountEvent } from '../../../entities/events.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';

/** A place in the log: the number and the id of the last event that a reader has looked at. */
export interface LogPosition {
  readonly id: number;
  readonly publicId: string;
}

/** The place before the first event. */
export const LOG_START: LogPosition = { id: 0, publicId: NIL };

/** An event as readers get it, by its columns. */
export interface EventRow
  extends
    Row<AccountEvent, 'accountId' | 'publicId' | 'type' | 'subject' | 'payload'>,
    ExactTimes<AccountEvent, 'at'> {
  readonly id: number;
}

/** The place of an event that was read. */
export function placeOf(row: EventRow): LogPosition {
  return { id: row.id, publicId: row.public_id };
}

/** The place of the last of the events that were read; null without any. */
export function lastPlaceOf(rows: readonly EventRow[]): LogPosition | null {
  const last = rows.at(-1);
  return last === undefined ? null : placeOf(last);
}

/** Selection of events. */
export interface EventQuery {
  /** The number of the last event that the reader has looked at; 0 for the first that is kept. */
  readonly after: number;
  readonly limit: number;
  readonly accountId: string;
  /** The types to read; null for all. */
  readonly types: readonly string[] | null;
  /** The id of what the events tell of; null for everything of the account. */
  readonly subject: string | null;
}

/** Whether an event of the account is one of the selection. */
export function isSelected(
  { types, subject }: Pick<EventQuery, 'types' | 'subject'>,
  event: Pick<EventRow, 'type' | 'subject'>,
): boolean {
  return (types === null || types.includes(event.type)) && (subject === null || event.subject === subject);
}

/** Events that were read, and the end of the log at that time; null while the log is empty. */
export interface EventPage {
  readonly events: readonly EventRow[];
  readonly newest: LogPosition | null;
}

const COLUMNS = `id, public_id, account_id, type, subject, payload, ${exactTime('at')} as at`;
const NEWEST = `newest as (select id, public_id from events where id is not null order by id desc limit 1)`;

/** The text of a page: `$1` is the number to begin after. The end of the log comes with each row, and alone where there is none. */
function page(selected: string, order: 'asc' | 'desc' = 'asc'): string {
  return `with ${NEWEST}
    select newest.id as newest_id, newest.public_id as newest_public_id, e.*
    from newest left join lateral (${selected}) e on true order by e.id ${order}`;
}

const OF_ACCOUNT = page(
  `select ${COLUMNS} from events where account_id = $2 and id > $1 order by id limit $3`,
);

// One short walk of the index for each type: other types, however many lie between, are never met.
const OF_TYPES = page(
  `select ${COLUMNS} from events where entry in (
     select found.entry from unnest($4::text[]) wanted(type) cross join lateral (
       select id, entry from events where account_id = $2 and type = wanted.type and id > $1 order by id limit $3) found
     order by found.id limit $3)`,
);

const OF_SUBJECT = page(
  `select ${COLUMNS} from events where account_id = $2 and subject = $5 and id > $1
     and ($4::text[] is null or type = any($4)) order by id limit $3`,
);

// The same backwards: `$1` is the number to end before.
const NEWEST_OF_ACCOUNT = page(
  `select ${COLUMNS} from events where account_id = $2 and id < $1 order by id desc limit $3`,
  'desc',
);

const NEWEST_OF_TYPES = page(
  `select ${COLUMNS} from events where entry in (
     select found.entry from unnest($4::text[]) wanted(type) cross join lateral (
       select id, entry from events where account_id = $2 and type = wanted.type and id < $1 order by id desc limit $3) found
     order by found.id desc limit $3)`,
  'desc',
);

const NEWEST_OF_SUBJECT = page(
  `select ${COLUMNS} from events where account_id = $2 and subject = $5 and id < $1
     and ($4::text[] is null or type = any($4)) order by id desc limit $3`,
  'desc',
);

const OF_FOLLOWED = page(
  `select ${COLUMNS} from events where account_id = any($2::uuid[]) and id > $1 and id <= newest.id order by id limit $3`,
);

type PageRow = { readonly newest_id: number; readonly newest_public_id: string } & (EventRow | { id: null });

/** Reads events of an account after a place. What was committed before and is not numbered yet is not among them. */
export async function readEvents(db: DataSource, query: EventQuery): Promise<EventPage> {
  const { after, limit, accountId, types, subject } = query;
  const given = [after, accountId, limit];
  if (subject !== null) return pageOf(await db.query(OF_SUBJECT, [...given, types, subject]));
  return pageOf(
    types === null ? await db.query(OF_ACCOUNT, given) : await db.query(OF_TYPES, [...given, types]),
  );
}

/** Reads events of an account before a place, the newest first; null for the newest of all. */
export async function readNewestEvents(
  db: DataSource,
  query: Omit<EventQuery, 'after'> & { readonly before: number | null },
): Promise<EventPage> {
  const { before, limit, accountId, types, subject } = query;
  const given = [before ?? Number.MAX_SAFE_INTEGER, accountId, limit];
  if (subject !== null) return pageOf(await db.query(NEWEST_OF_SUBJECT, [...given, types, subject]));
  return pageOf(
    types === null
      ? await db.query(NEWEST_OF_ACCOUNT, given)
      : await db.query(NEWEST_OF_TYPES, [...given, types]),
  );
}

/** Reads events of several accounts after a place. */
export async function readFollowed(
  db: Pick<Queryable, 'query'>,
  after: number,
  accountIds: readonly string[],
  limit: number,
): Promise<EventPage> {
  return pageOf(await db.query(OF_FOLLOWED, [after, accountIds, limit]));
}

function pageOf(rows: readonly PageRow[]): EventPage {
  const [first] = rows;
  return {
    events: rows.flatMap(({ newest_id: _id, newest_public_id: _publicId, ...row }) =>
      row.id === null ? [] : [row],
    ),
    newest: first === undefined ? null : { id: first.newest_id, publicId: first.newest_public_id },
  };
}
