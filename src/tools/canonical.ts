/** Digests of values in their canonical JSON (RFC 8785), the same in TypeScript and in Python. */
import { createHash, hash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { invariantBroken } from '../domain/invariant.ts';
import { nextTurn } from './pieces.ts';

/** So much text is made before the event loop has its turn. */
const TURN_CHARACTERS = 256 * 1024;

/** The canonical JSON of a value. */
export function canonicalJson(value: object): string {
  return canonical(value);
}

/** SHA-256 of a value's canonical JSON, in lower-case hex. */
export function canonicalSha256(value: object): string {
  return sha256(canonical(value));
}

/**
 * SHA-256 of the canonical JSON of an object that an instance wrote and that may be large. The members, and the items of
 * members that are arrays, are written one after another, so that the event loop has its turn between them.
 */
export async function canonicalSha256InTurns(value: object): Promise<string> {
  const hash = createHash('sha256');
  let written = 0;
  for (const text of partsOf(value)) {
    hash.update(text, 'utf8');
    written += text.length;
    if (written < TURN_CHARACTERS) continue;
    written = 0;
    await nextTurn();
  }
  return hash.digest('hex');
}

function* partsOf(value: object): Generator<string> {
  const members = new Map<string, unknown>(Object.entries(value));
  // RFC 8785 orders members by UTF-16 code units, as a sort without a comparison does.
  for (const [index, name] of [...members.keys()].sort().entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    const member = members.get(name);
    if (!Array.isArray(member)) {
      yield canonical(member);
      continue;
    }
    for (const [number, item] of member.entries()) yield `${number === 0 ? '[' : ','}${canonical(item)}`;
    yield member.length === 0 ? '[]' : ']';
  }
  yield members.size === 0 ? '{}' : '}';
}

function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw invariantBroken('a value has no canonical form');
  return text;
}

/** SHA-256 of a text in UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return hash('sha256', text);
}
