/**
 * From bytes to a validated body: UTF-8, JSON, no prototype keys, no name twice, nothing that the database or the canonical form
 * cannot hold, then the schema. Pure, so that it runs in the request or in a worker thread alike.
 */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { AppError, isErrorCode } from '../../src/domain/errors.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import type { JsonExcess } from '../../src/domain/json-bounds.ts';
import { createJsonMeter, repeatedMemberOf } from '../../src/domain/json-bounds.ts';
import type { Endpoint, Prepared } from './endpoint.ts';
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
const UNPRINTABLE = /[\p{Surrogate}\0]/gu;

/** A body that passed all checks, or the reason why the body did not pass. */
export type ParsedBody = Parsed | Failure;

interface Parsed extends Omit<Prepared<unknown>, 'identity'> {
  readonly ok: true;
  readonly fingerprint: string;
}

interface Failure {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Schema of a body, and the step by which its endpoint prepares what has passed the schema. */
export type BodyForm = Pick<Endpoint, 'prepare'> & { readonly body: NonNullable<Endpoint['body']> };

const refuse = (message: string, code: ErrorCode = 'VALIDATION_ERROR'): Failure => ({
  ok: false,
  code,
  message,
});

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
  return text.isWellFormed() ? null : 'contains an unpaired surrogate';
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

/** A value that cannot be stored, or how many members the value has in all its objects. */
type Examined = { readonly failure: string } | { readonly failure: null; readonly members: number };

/** Looks at every key and value, without recursion. */
function examine(root: unknown): Examined {
  let members = 0;
  const open: Node[] = isContainer(root) ? [{ value: root, within: null }] : [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const entries = Object.entries<unknown>(node.value);
    if (!Array.isArray(node.value)) members += entries.length;
    for (const [key, child] of entries) {
      const failure = keyFailure(key, child) ?? valueFailure(child);
      if (failure !== null) return { failure: `${shown(pathOf({ node, key }))} ${failure}` };
      if (isContainer(child)) open.push({ value: child, within: { node, key } });
    }
  }
  return { failure: null, members };
}

function shown(path: string): string {
  return `"${path.replaceAll(UNPRINTABLE, '?').slice(0, 300)}"`;
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
export function parseBody(bytes: Uint8Array, form: BodyForm): ParsedBody {
  const meter = createJsonMeter(BODY_BOUNDS);
  const excess = meter.read(bytes);
  return excess === null ? parseMeasured(bytes, meter.members(), form) : refuseExcess(excess);
}

/**
 * Parses and validates a body that is within the bounds. A parser keeps the last of two members with one name, so a text with
 * more members than its value means different things to different readers, and is refused.
 */
export function parseMeasured(bytes: Uint8Array, members: number, form: BodyForm): ParsedBody {
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
  const examined = examine(sent);
  if (examined.failure !== null) return refuse(examined.failure);
  if (examined.members < members)
    return refuse(
      `${shown(repeatedMemberOf(bytes) ?? '')} is there twice; name each member of an object once`,
    );
  const checked = check(form.body, sent, false);
  if (!checked.ok) return refuse(checked.message);
  if (form.prepare === undefined) return { ok: true, value: checked.value, fingerprint: fingerprintOf(sent) };
  try {
    const { identity, ...prepared } = form.prepare(checked.value);
    return { ok: true, fingerprint: fingerprintOf(identity), ...prepared };
  } catch (error) {
    // A thread hands no error over as what it is, so a refusal is told by its code.
    if (error instanceof AppError && isErrorCode(error.code)) return refuse(error.publicMessage, error.code);
    throw error;
  }
}
