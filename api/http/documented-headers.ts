/** Request headers as the API document shows them; they are read where they are used. */
import Joi from 'joi';

import type { HeaderDefinition } from './endpoint.ts';

/** Makes a write safe to repeat. */
export const idempotencyHeader: HeaderDefinition = {
  name: 'Idempotency-Key',
  description:
    'Makes the request safe to repeat: 8 to 255 printable characters, quoted or bare, fresh for each new request.',
  schema: Joi.string().min(8).max(257),
};

/** Which bytes of a text are asked for. */
export const rangeHeader: HeaderDefinition = {
  name: 'Range',
  description: 'One range of bytes: bytes=0-99, bytes=100- or bytes=-100.',
  schema: Joi.string(),
};

/** Reading only what has changed. */
export const conditionalHeaders: readonly HeaderDefinition[] = [
  {
    name: 'If-None-Match',
    description: 'ETag of the answer you have; nothing new gives 304.',
    schema: Joi.string(),
  },
  {
    name: 'Prefer',
    description: 'wait=N: with If-None-Match, wait up to N seconds (at most 25) for something new.',
    schema: Joi.string(),
  },
];
