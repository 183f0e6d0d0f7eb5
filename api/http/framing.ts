/**
 * Refuses requests that two readers could read in two ways: a header that counts once and stands twice, of which a proxy may
 * take the first and this service the last, no Host, an expectation or a body in a transfer coding that is not known here.
 */
import type { IncomingMessage } from 'node:http';

import { AppError } from '../../src/domain/errors.ts';
import type { Middleware } from './context.ts';
import { validationError } from './validation.ts';

/** Headers that decide who asks, for what host, under which key, with what kind of body. */
const SINGLE = ['host', 'authorization', 'content-type', 'idempotency-key'];

/** @throws VALIDATION_ERROR, TRANSFER_CODING_UNSUPPORTED; the connection ends with the answer. */
export function refuseAmbiguous(): Middleware {
  return (context, next) => {
    const refusal = refusalOf(context.req);
    if (refusal === null) return next();
    context.set('Connection', 'close');
    throw refusal;
  };
}

function refusalOf({ headers, httpVersion, rawHeaders }: IncomingMessage): AppError | null {
  const doubled = SINGLE.find((name) => isTwice(rawHeaders, name));
  if (doubled !== undefined)
    return validationError(`"${doubled}" stands twice among the headers; send it once`);
  if (headers.host === undefined && httpVersion !== '1.0')
    return validationError('"host" is missing among the headers; name the host that is asked');
  const { expect: expected } = headers;
  if (expected !== undefined && expected.trim().toLowerCase() !== '100-continue')
    return validationError('"expect" may be 100-continue and nothing else; leave it out');
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return null;
  return new AppError(
    'TRANSFER_CODING_UNSUPPORTED',
    `A body with Transfer-Encoding ${coding.slice(0, 40)} is not read here. Send it as it is, in chunks or with its length.`,
  );
}

/** Whether a header stands twice; Node joins or drops what stands twice, and keeps all as they came beside that. */
function isTwice(rawHeaders: readonly string[], name: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    if (sent?.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times > 1;
}
