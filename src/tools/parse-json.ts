/**
 * Reads JSON that an instance wrote, so that no text can harm its reader. A text is measured before it is parsed. A
 * text that two readers could understand in two ways counts as no JSON: equal names in one object, numbers that no
 * number type holds, unpaired surrogates, and the name `__proto__`, which would become the prototype of a copy.
 */
import { measureJson } from '../domain/json-bounds.ts';
import type { JsonBounds } from '../domain/json-bounds.ts';

/**
 * The report of a large receptor has a few ten thousand values in six levels; the bounds allow several times as much.
 */
const BOUNDS: JsonBounds = { depth: 64, values: 250_000 };
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The value of a JSON text in UTF-8; undefined when the text is no JSON, or is deeper or larger than the bounds. A file
 * whose honest form has more values than others names its own bound.
 */
export function parseJson(bytes: Uint8Array, mostValues: number = BOUNDS.values): unknown {
  if (bytes.byteLength > MAX_BYTES) return undefined;
  const measure = measureJson(bytes, { ...BOUNDS, values: mostValues });
  if (measure === null) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isPlain(value, measure.members) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checks every value without recursion; `members` is the number of members that the text has. */
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
