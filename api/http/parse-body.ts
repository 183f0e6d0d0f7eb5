/**
 * From bytes to a validated body: UTF-8, JSON, no prototype keys, nothing that the database or the canonical form
 * cannot hold, then the schema. Pure, so that it runs in the request or in a worker thread alike.
 */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';
import type Joi from 'joi';

import { check } from './validation.ts';

const MAX_DEPTH = 64;
/** Most values of a body; the largest legal body, 10,000 ligands with every field, has about 300,000 values. */
const MAX_VALUES = 1_000_000;
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
const UNPRINTABLE = /[\p{Surrogate}\0]/gu;

/** A body that passed all checks, or the reason why the body did not pass. */
export type ParsedBody =
  | { readonly ok: true; readonly value: unknown; readonly fingerprint: string }
  | { readonly ok: false; readonly message: string };

type Failure = { readonly ok: false; readonly message: string };
const refuse = (message: string): Failure => ({ ok: false, message });

/**
 * SHA-256 (hex) of the RFC 8785 form of a body, without its top-level idempotency key and quote. A quote says at which price
 * a job is submitted and not which job, so a repeat with another quote is the same request.
 */
export function fingerprintOf(body: unknown): string {
  const keyless =
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? { ...body, idempotencyKey: undefined, quoteId: undefined }
      : body;
  return createHash('sha256')
    .update(canonicalize(keyless) ?? '')
    .digest('hex');
}

function textFailure(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character';
  return UNPAIRED_SURROGATE.test(text) ? 'contains an unpaired surrogate' : null;
}

/** Names of members through which later code that merges objects carelessly could reach a prototype. */
function keyFailure(key: string, value: unknown): string | null {
  if (key === '__proto__') return 'is a forbidden key';
  if (key === 'constructor' && isContainer(value) && Object.hasOwn(value, 'prototype'))
    return 'is a forbidden key';
  return textFailure(key);
}

function valueFailure(value: unknown): string | null {
  if (typeof value === 'string') return textFailure(value);
  return typeof value === 'number' && !Number.isFinite(value) ? 'is beyond the range of numbers' : null;
}

function isContainer(value: unknown): value is Node['value'] {
  return typeof value === 'object' && value !== null;
}

interface Node {
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[];
  readonly path: string;
  readonly depth: number;
}

/** Looks at every key and value without recursion, because a deep body must not exhaust the stack. */
function findUnstorable(root: unknown): string | null {
  const open: Node[] = isContainer(root) ? [{ value: root, path: '', depth: 1 }] : [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.depth > MAX_DEPTH) return `The request body is nested deeper than ${MAX_DEPTH} levels`;
    const isArray = Array.isArray(node.value);
    for (const [key, child] of Object.entries<unknown>(node.value)) {
      const path = isArray ? `${node.path}[${key}]` : `${node.path}${node.path === '' ? '' : '.'}${key}`;
      const failure = keyFailure(key, child) ?? valueFailure(child);
      if (failure !== null) return `"${path.replaceAll(UNPRINTABLE, '?').slice(0, 300)}" ${failure}`;
      if (isContainer(child)) open.push({ value: child, path, depth: node.depth + 1 });
    }
  }
  return null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const STARTS_A_VALUE = new Set([0x2c, 0x5b, 0x7b]);

/**
 * Whether a text has more values than any legal body, counted on its bytes: a small text of millions of empty objects
 * takes a gigabyte once it is parsed.
 */
function hasTooManyValues(bytes: Uint8Array): boolean {
  if (bytes.byteLength <= MAX_VALUES) return false;
  let values = 0;
  let quoted = false;
  for (let at = 0; at < bytes.byteLength && values <= MAX_VALUES; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) at += byte === BACKSLASH ? 1 : 0;
    else if (STARTS_A_VALUE.has(byte)) values += 1;
  }
  return values > MAX_VALUES;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Parses and validates a body. */
export function parseBody(bytes: Uint8Array, schema: Joi.Schema): ParsedBody {
  if (hasTooManyValues(bytes)) return refuse(`The request body has more than ${MAX_VALUES} values`);
  const text = decode(bytes);
  if (text === null) return refuse('The request body is not valid UTF-8');
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (error) {
    return refuse(
      `The request body is not valid JSON: ${error instanceof Error ? error.message.slice(0, 300) : 'unreadable'}`,
    );
  }
  const unstorable = findUnstorable(sent);
  if (unstorable !== null) return refuse(unstorable);
  const checked = check(schema, sent, false);
  return checked.ok
    ? { ok: true, value: checked.value, fingerprint: fingerprintOf(sent) }
    : refuse(checked.message);
}
