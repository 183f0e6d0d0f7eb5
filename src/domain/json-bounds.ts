/**
 * How deep and how large a JSON text is, measured on its bytes before the text is parsed. A small text of millions of
 * empty objects takes a gigabyte once it is parsed, and a deep text exhausts the stack of a recursive reader. The pass
 * over the bytes neither recurses nor keeps anything.
 */

/** The most that a JSON text may hold. */
export interface JsonBounds {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Values of every kind, in all levels together. */
  readonly values: number;
}

/** What one pass over the bytes of a JSON text has counted. */
export interface JsonMeasure {
  /** Members of all objects together, equal names counted each time. */
  readonly members: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

/**
 * Measures a JSON text in UTF-8; answers null when the text is beyond the bounds. Where a text is no JSON, the part
 * before the first mistake is measured exactly; a parser stops at that mistake, so the rest of the text cannot do harm.
 */
export function measureJson(bytes: Uint8Array, bounds: JsonBounds): JsonMeasure | null {
  let [values, members, depth] = [1, 0, 0];
  let isQuoted = false;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) values += 1;
    else if (byte === COLON) members += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (values > bounds.values || depth > bounds.depth) return null;
  }
  return { members };
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
