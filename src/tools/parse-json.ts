/**
 * JSON that an instance wrote, read so that no text can harm who reads it: it is measured before it is parsed, and what
 * two readers could understand in two ways is no JSON here: equal names in one object, numbers that no number holds,
 * halves of characters. `__proto__` would become the prototype of a copy.
 */
import { measureJson } from '../domain/json-bounds.ts';
import type { JsonBounds } from '../domain/json-bounds.ts';

/** The report of a large receptor names a few ten thousand values, in six levels. */
const BOUNDS: JsonBounds = { depth: 64, values: 250_000 };
const MAX_BYTES = 16 * 1024 * 1024;

/** The value of a JSON text in UTF-8; undefined when it is none, or deeper or larger than any honest one. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_BYTES) return undefined;
  const measure = measureJson(bytes, BOUNDS);
  if (measure === null) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isPlain(value, measure.members) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Looks at every value without recursion; `members`: how many the text named. */
function isPlain(root: unknown, members: number): boolean {
  const open: unknown[] = [root];
  let found = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value === 'number' && !Number.isFinite(value)) return false;
    if (!isContainer(value)) continue;
    if (!Array.isArray(value)) {
      const names = Object.keys(value);
      found += names.length;
      if (names.some((name) => name === '__proto__' || !name.isWellFormed())) return false;
    }
    for (const inner of Object.values(value)) open.push(inner);
  }
  return found === members;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
