/** Cursors of lists: opaque to clients, a few strings to us. A cursor names a place, never a permission. */
import { AppError } from '../domain/errors.ts';

/** Makes the cursor of the place after a row. */
export function encodeCursor(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place), 'utf8').toString('base64url');
}

/**
 * Reads a cursor of so many parts.
 * @throws VALIDATION_ERROR when no list answered it.
 */
export function decodeCursor(cursor: string, parts: number): readonly string[] {
  const place = parse(cursor);
  if (Array.isArray(place) && place.length === parts) {
    const strings = place.filter((part): part is string => typeof part === 'string' && !part.includes('\0'));
    if (strings.length === parts) return strings;
  }
  throw new AppError('VALIDATION_ERROR', 'cursor: is not one that this list answered.');
}

/** A page cut from one row more than was asked for, and the place after its last row. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => readonly string[],
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(placeOf(last)) : null,
  };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
