/** Answers kept under the idempotency keys of writes. */
import { EntitySchema } from 'typeorm';

import { defaulted, insertTime, integer, json, nullable, primary, text, time, uuid } from './columns.ts';

/** A write with an idempotency key. The write runs while it has no answer and `lockedUntil` has not passed. */
export interface IdempotencyKey {
  accountId: string;
  environment: 'live' | 'test';
  operation: string;
  key: string;
  fingerprint: string;
  responseStatus: number | null;
  responseBody: unknown;
  lockedUntil: Date | null;
  createdAt: Date;
  expiresAt: Date;
}

/** Table `idempotency_keys`. */
export const IdempotencyKeyEntity = new EntitySchema<IdempotencyKey>({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  columns: {
    accountId: primary(uuid),
    environment: primary(defaulted(text, "'live'")),
    operation: primary(text),
    key: primary(text),
    fingerprint: text,
    responseStatus: nullable(integer),
    responseBody: nullable(json),
    lockedUntil: nullable(time),
    createdAt: insertTime,
    expiresAt: time,
  },
});
