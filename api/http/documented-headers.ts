/** Request headers as the API document shows them; each header is read by the code that uses it. */
import Joi from 'joi';

import type { HeaderDefinition } from './endpoint.ts';
import { characters } from './fields.ts';
import { IDEMPOTENCY_KEY_HEADER } from './idempotency-key.ts';

/** The header that makes a write safe to repeat. */
export const idempotencyHeader: HeaderDefinition = {
  name: 'Idempotency-Key',
  description:
    'Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \\ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another.',
  schema: Joi.string().pattern(IDEMPOTENCY_KEY_HEADER).example('save-2026-11-28-1'),
};

/** The header that asks for some bytes of a text. */
export const rangeHeader: HeaderDefinition = {
  name: 'Range',
  description:
    'One range of bytes: bytes=0-99, bytes=100- or bytes=-100; anything else asks for the whole text.',
  schema: characters(0),
};

/** The header by which a client reads only what has changed. */
export const ifNoneMatch: HeaderDefinition = {
  name: 'If-None-Match',
  description: 'ETag of the answer you have; nothing new gives 304.',
  schema: characters(0),
};

/** The header by which a client waits for the next event. */
export const waitHeader: HeaderDefinition = {
  name: 'Prefer',
  description:
    'wait=N: wait up to N seconds (at most 25) for an event where there is none; other preferences are ignored.',
  schema: characters(0),
};

/** The header by which a reader of a stream goes on. */
export const lastEventId: HeaderDefinition = {
  name: 'Last-Event-ID',
  description:
    'Id of the last part that was read; browsers send it by themselves. One that is refused is told in a part with the name reset.',
  schema: characters(0),
};

/** The headers by which a client reads a status only when the status has changed. */
export const conditionalHeaders: readonly HeaderDefinition[] = [
  ifNoneMatch,
  {
    name: 'Prefer',
    description:
      'wait=N: with If-None-Match, wait up to N seconds (at most 25) for something new; other preferences are ignored.',
    schema: characters(0),
  },
];
