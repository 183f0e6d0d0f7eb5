/** Answers kept under the idempotency keys of writes. */
import { EntitySchema } from 'typeorm';

import { insertTime, integer, json, nullable, primary, text, time, uuid } from './columns.ts';

/** A keyed write: running while it has no answer and its lock has not run out. */
export interface IdempotencyKey {
  accountId: string;
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
