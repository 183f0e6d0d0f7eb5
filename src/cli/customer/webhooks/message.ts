/** Messages that the command line itself sends to a receiver: signed as Standard Webhooks says, to whatever address a person names. */
import { createHmac, randomBytes } from 'node:crypto';

import { InvalidArgumentError } from 'commander';

import type { AccountEvent } from '../../../client/types.ts';

/** End of a try: an answer, or why there is none. */
export type Sent =
  | { readonly status: number; readonly durationMs: number }
  | { readonly fault: 'away' | 'silent'; readonly reason: string };

const PREFIX = 'whsec_';
const SECRET_BYTES = 24;
/** As long as the service waits for a receiver. */
const LIMIT_MS = 15_000;

/** Draws a secret. */
export function drawSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Reads a secret. */
export function webhookSecret(text: string): string {
  if (text.startsWith(PREFIX) && keyOf(text).length > 0) return text;
  throw new InvalidArgumentError('It is whsec_ with base64 behind it, as the service has shown it.');
}

/** Reads the address of a receiver, on this machine or elsewhere. */
export function receiverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url !== null && isWeb && url.username === '' && url.password === '') return url.href;
  throw new InvalidArgumentError(
    'It is an address such as http://127.0.0.1:4000/hooks, without user and password.',
  );
}

/** Sends an event once; redirects are not followed, as the service follows none. */
export async function sendEvent(
  url: string,
  secret: string,
  event: AccountEvent,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Sent> {
  const body = JSON.stringify(event);
  const seconds = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', keyOf(secret)).update(`${event.id}.${seconds}.${body}`).digest('base64');
  const began = performance.now();
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${mac}`,
        ...headers,
      },
      body,
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    await response.body?.cancel();
    return { status: response.status, durationMs: Math.round(performance.now() - began) };
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) return { fault: 'silent', reason: `no answer within ${LIMIT_MS / 1000} s` };
    return { fault: 'away', reason: reasonOf(error) };
  }
}

/** Whether a receiver has taken an event. */
export function isTaken(sent: Sent): boolean {
  return 'status' in sent && sent.status >= 200 && sent.status < 300;
}

/** The end of a try for people. */
export function sentText(sent: Sent): string {
  return 'status' in sent ? `${sent.status} after ${sent.durationMs} ms` : sent.reason;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'not reached';
}
