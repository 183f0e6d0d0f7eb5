/**
 * From bytes to a validated body: UTF-8, JSON, no prototype keys, nothing that the database or the canonical form
 * cannot hold, then the schema. Pure, so that it runs in the request or in a worker thread alike.
 */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';
import type Joi from 'joi';

import type { JsonExcess } from '../../src/domain/json-bounds.ts';
import { excessOf } from '../../src/domain/json-bounds.ts';
import { check } from './validation.ts';

/**
 * The most that a body may hold. The largest legal body, 10,000 ligands with every field, has about 300,000 values. An object
 * with more names than any has is refused here, because the schema looks at every name of an object before it refuses one.
 */
export const BODY_BOUNDS = { depth: 64, values: 1_000_000, members: 10_000 } as const;

const EXCESS: Readonly<Record<JsonExcess, string>> = {
  depth: `The request body is nested deeper than ${BODY_BOUNDS.depth} levels`,
  values: `The request body has more than ${BODY_BOUNDS.values} values`,
  members: `An object of the request body has more than ${BODY_BOUNDS.members} members`,
};
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
  /** Place of the value: its name or index in the value around it; null at the top. */
  readonly within: { readonly node: Node; readonly key: string } | null;
}

/** The path of a value, which is put together only for one that is refused. */
function pathOf(within: Node['within']): string {
  let path = '';
  for (let at = within; at !== null; at = at.node.within) {
    const dot = at.node.within === null ? '' : '.';
    path = `${Array.isArray(at.node.value) ? `[${at.key}]` : `${dot}${at.key}`}${path}`;
  }
  return path;
}

/** Looks at every key and value, without recursion. */
function findUnstorable(root: unknown): string | null {
  const open: Node[] = isContainer(root) ? [{ value: root, within: null }] : [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [key, child] of Object.entries<unknown>(node.value)) {
      const failure = keyFailure(key, child) ?? valueFailure(child);
      if (failure !== null)
        return `"${pathOf({ node, key }).replaceAll(UNPRINTABLE, '?').slice(0, 300)}" ${failure}`;
      if (isContainer(child)) open.push({ value: child, within: { node, key } });
    }
  }
  return null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A body that is refused for what it has too much of. */
export function refuseExcess(excess: JsonExcess): ParsedBody {
  return refuse(EXCESS[excess]);
}

/** Measures, parses and validates a body. */
export function parseBody(bytes: Uint8Array, schema: Joi.Schema): ParsedBody {
  const excess = excessOf(bytes, BODY_BOUNDS);
  return excess === null ? parseMeasured(bytes, schema) : refuseExcess(excess);
}

/** Parses and validates a body that is within the bounds. */
export function parseMeasured(bytes: Uint8Array, schema: Joi.Schema): ParsedBody {
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
