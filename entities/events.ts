/** Events of an account's things, in an order that readers can follow. */
import { EntitySchema } from 'typeorm';

import { bigint, defaulted, identity, json, nullable, text, uuid, writeTime } from './columns.ts';

/** One event. */
export interface AccountEvent {
  /** Drawn when the row is written, so entries do not become visible in their order. */
  entry: number;
  /** The place in the order that readers follow; null until the event is numbered, which is after its commit. */
  id: number | null;
  accountId: string;
  kind: string;
  /** The id that customers know; no other event ever has it. */
  publicId: string;
  /** The type that customers know, which follows from kind and payload. */
  type: string;
  /** The id of what the event tells of. */
  subject: string;
  payload: unknown;
  /** When the row was written, by the database's clock. */
  at: Date;
}

/** Table `events`. */
export const EventEntity = new EntitySchema<AccountEvent>({
  name: 'AccountEvent',
  tableName: 'events',
  columns: {
    entry: identity,
    id: nullable(bigint),
    accountId: uuid,
    kind: text,
    publicId: defaulted(uuid, 'uuidv7()'),
    type: { ...text, insert: false, update: false },
    subject: text,
    payload: json,
    at: writeTime,
  },
});
