/**
 * Depth and size of a JSON text, measured on its bytes before the text is parsed. A small text of millions of empty objects takes
 * a gigabyte once it is parsed, a deep text exhausts the stack of a recursive reader, and an object of very many names is looked
 * at name by name before anything can refuse it. The pass over the bytes does not recurse, and keeps one number a level.
 */

/** The most that a JSON text may hold. */
export interface JsonBounds {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Values of every kind, in all levels together. */
  readonly values: number;
  /** Members of one object, equal names counted each time. */
  readonly members: number;
}

/** Name of the bound that a JSON text exceeds. */
export type JsonExcess = keyof JsonBounds;

/** Counts over a JSON text that comes piece by piece, cut anywhere. */
export interface JsonMeter {
  /** Values so far. */
  readonly values: () => number;
  /** Members of all objects so far, equal names counted each time. */
  readonly members: () => number;
  /** Counts the next piece; answers what the text has too much of by then, after which nothing more is to be read. */
  readonly read: (piece: Uint8Array) => JsonExcess | null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** The bytes that begin or end a value, with 1. */
const COUNTED = new Uint8Array(256);
for (const byte of [COMMA, COLON, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT]) COUNTED[byte] = 1;

/** Places of a byte: outside of strings, in a string, or in a string behind a backslash. */
const OUTSIDE = 0;
const QUOTED = 1;
const ESCAPED = 2;
type Place = typeof OUTSIDE | typeof QUOTED | typeof ESCAPED;

/**
 * Measures a JSON text in UTF-8. Where a text is no JSON, the part before the first mistake is measured exactly; a parser
 * stops at that mistake, so the rest of the text cannot do harm.
 */
export function createJsonMeter(bounds: JsonBounds): JsonMeter {
  let [values, named, depth, place]: [number, number, number, Place] = [1, 0, 0, OUTSIDE];
  /** Members so far of the object that is open at each level. */
  const members = [0];
  const count = (byte: number): JsonExcess | null => {
    if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth = Math.max(0, depth - 1);
    else if (byte === COLON) {
      named += 1;
      const of = (members[depth] ?? 0) + 1;
      members[depth] = of;
      if (of > bounds.members) return 'members';
    } else {
      values += 1;
      if (values > bounds.values) return 'values';
      if (byte === COMMA) return null;
      depth += 1;
      members[depth] = 0;
      if (depth > bounds.depth) return 'depth';
    }
    return null;
  };
  const read = (piece: Uint8Array): JsonExcess | null => {
    let at = 0;
    while (at < piece.length) {
      if (place !== OUTSIDE) {
        const quote = closingQuote(piece, place === ESCAPED ? at + 1 : at);
        place = quote.place;
        at = quote.at + 1;
        continue;
      }
      const byte = piece[at] ?? 0;
      at += 1;
      if (byte === QUOTE) place = QUOTED;
      else if (COUNTED[byte] === 1) {
        const excess = count(byte);
        if (excess !== null) return excess;
      }
    }
    return null;
  };
  return { values: () => values, members: () => named, read };
}

/** The quote that ends the string around a place of a piece, or the end of the piece, and where the text goes on from there. */
function closingQuote(piece: Uint8Array, from: number): { readonly at: number; readonly place: Place } {
  for (let start = from; ;) {
    const quote = piece.indexOf(QUOTE, start);
    const end = quote === -1 ? piece.length : quote;
    let backslashes = 0;
    while (end - backslashes > start && piece[end - backslashes - 1] === BACKSLASH) backslashes += 1;
    const isEscaped = backslashes % 2 === 1;
    if (quote === -1) return { at: end, place: isEscaped ? ESCAPED : QUOTED };
    if (!isEscaped) return { at: quote, place: OUTSIDE };
    start = quote + 1;
  }
}

/** Finds the bound that a whole JSON text exceeds. */
export function excessOf(bytes: Uint8Array, bounds: JsonBounds): JsonExcess | null {
  return createJsonMeter(bounds).read(bytes);
}

/**
 * Finds the first member of a JSON text whose object has another of its name before it, and answers the path of the member. The
 * text is one that a parser has taken.
 */
export function repeatedMemberOf(bytes: Uint8Array): string | null {
  const open: { readonly path: string; readonly names: Set<string>; index: number | null }[] = [];
  let [from, to, place] = [0, 0, ''];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    const level = open.at(-1);
    if (byte === QUOTE) {
      from = at;
      at = to = closingQuote(bytes, at + 1).at;
    } else if (byte === COLON && level !== undefined) {
      const name: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(from, to + 1)));
      place = `${level.path}${level.path === '' ? '' : '.'}${String(name)}`;
      if (level.names.has(String(name))) return place;
      level.names.add(String(name));
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      const path = level?.index == null ? place : `${level.path}[${level.index}]`;
      open.push({ path, names: new Set(), index: byte === OPEN_ARRAY ? 0 : null });
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) open.pop();
    else if (byte === COMMA && level?.index != null) level.index += 1;
  }
  return null;
}

/**
 * Whether a parsed value has at most `depth` levels of arrays and objects; the value is walked level by level, without
 * recursion.
 */
export function isWithinDepth(value: unknown, depth: number): boolean {
  let level = [value].filter(isContainer);
  for (let left = depth; level.length > 0; left -= 1) {
    if (left === 0) return false;
    level = level.flatMap((container) => Object.values<unknown>(container).filter(isContainer));
  }
  return true;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
