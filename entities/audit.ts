/** Audit log: who changed what. */
import { EntitySchema } from 'typeorm';

import { json, nullable, primary, text, uuid, writeTime } from './columns.ts';

/** One change; rows are never changed or removed. */
export interface AuditEntry {
  id: string;
  /** Null where the change belongs to no account. */
  accountId: string | null;
  authorKind: 'key' | 'session' | 'visitor' | 'operator' | 'payments';
  /** The key or the session, or the name of the operator; null for a visitor and for the provider of payments. */
  authorId: string | null;
  userId: string | null;
  address: string | null;
  action: string;
  /** The id of what was changed. */
  subject: string;
  before: unknown;
  after: unknown;
  createdAt: Date;
}

/** Table `audit_log`. */
export const AuditEntryEntity = new EntitySchema<AuditEntry>({
  name: 'AuditEntry',
  tableName: 'audit_log',
  columns: {
    id: primary(uuid),
    accountId: nullable(uuid),
    authorKind: text,
    authorId: nullable(text),
    userId: nullable(uuid),
    address: nullable(text),
    action: text,
    subject: text,
    before: nullable(json),
    after: nullable(json),
    createdAt: writeTime,
  },
});
