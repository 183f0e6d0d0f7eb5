/**
 * Verifying what a webhook has sent, as Standard Webhooks says: the signature covers id, time and the bytes of the body, so a body that
 * was parsed and written anew is refused. It needs nothing but WebCrypto, and so works in browsers and at the edge, too. A message is
 * never the first one for sure: a receiver ignores an id that it has seen.
 */
import { CLIENT_CODES, localError } from './errors.ts';
import type { AccountEvent } from './types.ts';

/** A message as it came. */
export interface WebhookMessage {
  /** The body as it was sent, before anything has parsed it. */
  readonly body: string | Uint8Array;
  /** The headers, of a Request or of Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Options of a verification. */
export interface VerifyOptions {
  /** How far the clocks of sender and receiver may differ, and how long a message may have been on its way; 300 by default. */
  readonly toleranceSeconds?: number;
  /** The time that messages are held against; now by default. */
  readonly now?: Date;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const VERSION = 'v1,';

/**
 * Verifies a message and gives its event. While a secret rotates, both are given; a message that any of them has signed is good.
 * @throws ClientError WEBHOOK_UNREADABLE, WEBHOOK_EXPIRED, WEBHOOK_SIGNATURE_WRONG, WEBHOOK_SECRET_INVALID.
 */
export async function verifyWebhook(
  { body, headers }: WebhookMessage,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<AccountEvent> {
  const [id, time, signed] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || time === undefined || signed === undefined)
    throw unreadable('It lacks webhook-id, webhook-timestamp or webhook-signature.');
  if (!/^\d{1,12}$/.test(time)) throw unreadable('Its webhook-timestamp is no time.');
  const behind = Math.floor(now.getTime() / 1000) - Number(time);
  if (Math.abs(behind) > toleranceSeconds)
    throw localError(
      CLIENT_CODES.webhookExpired,
      `The message was signed ${Math.abs(behind)} s ${behind > 0 ? 'ago' : 'ahead of this clock'}, and ${toleranceSeconds} s are allowed.`,
    );
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const content = concat(new TextEncoder().encode(`${id}.${time}.`), bytes);
  const keys = await Promise.all([secrets].flat().map(importKey));
  const signatures = signed
    .split(' ')
    .filter((one) => one.startsWith(VERSION))
    .flatMap((one) => bytesOf(one.slice(VERSION.length)) ?? []);
  // The comparison of `verify` takes as long for a wrong signature as for the right one.
  const found = await Promise.all(
    keys.flatMap((key) =>
      signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, content)),
    ),
  );
  if (!found.includes(true))
    throw localError(
      CLIENT_CODES.webhookSignatureWrong,
      'No signature of the message is of this body and one of these secrets.',
    );
  return eventOf(bytes);
}

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function headerOf(headers: WebhookMessage['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([known]) => known.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value.join(' ') : value;
}

async function importKey(secret: string): Promise<HmacKey> {
  const raw = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (raw === null || raw.length === 0)
    throw localError(CLIENT_CODES.webhookSecretInvalid, 'A secret is not whsec_ with base64 behind it.');
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function eventOf(bytes: Uint8Array): AccountEvent {
  const event = parsed(new TextDecoder().decode(bytes));
  if (isEvent(event)) return event;
  throw unreadable('Its body is no event.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a value that the service has signed is an event; what the event tells is not checked. */
function isEvent(value: unknown): value is AccountEvent {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value && 'data' in value;
}

/** The bytes of a text in base64; null where it is none. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function unreadable(reason: string): Error {
  return localError(CLIENT_CODES.webhookUnreadable, `This is no message of a webhook. ${reason}`);
}
