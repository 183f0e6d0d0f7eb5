/** Digests of values in their canonical JSON (RFC 8785), the same in TypeScript and in Python. */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { invariantBroken } from '../domain/invariant.ts';

/** SHA-256 of a value's canonical JSON, in lower-case hex. */
export function canonicalSha256(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw invariantBroken('a value has no canonical form');
  return sha256(text);
}

/** SHA-256 of a text in UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
