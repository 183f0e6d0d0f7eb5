/**
 * Cursors of lists. A cursor is opaque to clients. A cursor holds the place of a row, and a digest of the list, the account
 * and the query that the place belongs to. A cursor of another list, account or query, or one that was changed on its
 * way, is refused: it would answer an empty page, or one with a gap, that reads as the end of the list. A cursor names
 * a place, never a permission: the digest finds mistakes and is no secret, so every list reads its own account only and
 * names the kinds of the parts of its places, so that no statement meets a part that no row has.
 */
import { createHash } from 'node:crypto';

import { validate as isUuid } from 'uuid';

import type { Actor } from '../domain/access.ts';
import { AppError } from '../domain/errors.ts';
import { isExactTime } from './exact-time.ts';

/** The list that a cursor belongs to: the account, the rows and their order. */
export interface CursorScope {
  readonly list: string;
  readonly accountId: string;
  /** Every part of the query that decides which rows the list has and in which order. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Check of a part of a place, by its kind. */
const IS_OF_KIND = {
  text: () => true,
  time: isExactTime,
  uuid: isUuid,
  /** An ordinal of a task; -1 stands for what belongs to no task. */
  ordinal: (part) => /^(?:-1|\d{1,9})$/.test(part),
  /** A number of a sequence. */
  place: (part) => /^\d{1,15}$/.test(part),
  /** A key that rows are ordered by; empty where a row has none. */
  number: (part) => !Number.isNaN(Number(part)),
} satisfies Readonly<Record<string, (part: string) => boolean>>;

/** The kind of a part of a place. */
export type PlaceKind = keyof typeof IS_OF_KIND;

/** The version is raised when places change their meaning, so that an older cursor is refused instead of misread. */
const CURSOR_VERSION = 1;
const DIGEST_BYTES = 16;

/** The scope of a list as it was asked for. The size of a page is no part of it: the next page may have another one. */
export function scopeOf(
  list: string,
  actor: Pick<Actor, 'accountId'>,
  query: { readonly limit?: number; readonly cursor?: string; readonly [filter: string]: unknown },
): CursorScope {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  return { list, accountId: actor.accountId, filters };
}

/** Makes the cursor of the place after a row. */
export function encodeCursor(scope: CursorScope, place: readonly string[]): string {
  return Buffer.from(JSON.stringify([digestOf(scope, place), ...place]), 'utf8').toString('base64url');
}

/**
 * Reads the place of a cursor, a text for each of the kinds; null without a cursor, which stands for the first page.
 * @throws VALIDATION_ERROR when this list did not answer it to this query.
 */
export function readCursor<const Kinds extends readonly PlaceKind[]>(
  scope: CursorScope,
  cursor: string | undefined,
  kinds: Kinds,
): { readonly [At in keyof Kinds]: string } | null;
/** Reads the place whatever its kinds are. */
export function readCursor(
  scope: CursorScope,
  cursor: string | undefined,
  kinds: readonly PlaceKind[],
): readonly string[] | null {
  if (cursor === undefined) return null;
  const sealed = parse(cursor);
  const place = Array.isArray(sealed) ? sealed.slice(1).filter((part) => typeof part === 'string') : [];
  const isOurs =
    place.length === kinds.length &&
    encodeCursor(scope, place) === cursor &&
    // PostgreSQL stores no NUL in a text, so no place that a list answered contains a NUL.
    kinds.every((kind, at) => !place[at]?.includes('\0') && IS_OF_KIND[kind](place[at] ?? ''));
  if (!isOurs) throw foreignCursor();
  return place;
}

/** The refusal of a cursor that the list did not answer to the same query. */
export function foreignCursor(): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    'cursor: is not one that this list answered to this query. Send nextCursor unchanged and with the same filters, or leave cursor out to start again.',
  );
}

/** A page cut from one row more than was asked for, and the place after its last row. */
export function pageOf<Row>(
  scope: CursorScope,
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => readonly string[],
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(scope, placeOf(last)) : null,
  };
}

function digestOf({ list, accountId, filters }: CursorScope, place: readonly string[]): string {
  const asked = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const bytes = createHash('sha256')
    .update(JSON.stringify([CURSOR_VERSION, list, accountId, asked, place]))
    .digest();
  return bytes.subarray(0, DIGEST_BYTES).toString('base64url');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
