/** The audit log as owners of an account read it: the entries of their account, newest first. */
import type { DataSource } from 'typeorm';

import type { User } from '../../../entities/accounts.ts';
import type { AuditEntry } from '../../../entities/audit.ts';
import type { SessionActor } from '../../domain/access.ts';
import type { AuditListQuery } from '../../domain/audit.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, OuterRow, Row } from '../row.ts';
import type { AuditListResponse } from '../../domain/answers.ts';

type AuditRecord = AuditListResponse['entries'][number];

interface EntryRow
  extends
    Row<AuditEntry, 'id' | 'authorKind' | 'authorId' | 'userId' | 'address' | 'action' | 'subject'>,
    Pick<AuditRecord, 'before' | 'after'>,
    OuterRow<User, 'email'>,
    ExactTimes<AuditEntry, 'createdAt'> {}

const LIST = 'audit';

/** A page of the entries of the account. */
export async function listAudit(
  db: DataSource,
  actor: SessionActor,
  query: AuditListQuery,
): Promise<AuditListResponse> {
  const scope = scopeOf(LIST, actor, { ...query });
  const [at, id] = readCursor(scope, query.cursor, ['time', 'uuid']) ?? [null, null];
  const rows = await db.query<EntryRow[]>(
    `select l.id, l.author_kind, l.author_id, l.user_id, u.email, l.address, l.action, l.subject, l.before, l.after,
       ${exactTime('l.created_at')} as created_at
     from audit_log l left join users u on u.id = l.user_id
     where l.account_id = $1 and ($2::text is null or l.action = $2)
       and ($3::timestamptz is null or (l.created_at, l.id) < ($3, $4::uuid))
     order by l.created_at desc, l.id desc limit $5`,
    [actor.accountId, query.action ?? null, at, id, query.limit + 1],
  );
  const page = pageOf(scope, rows, query.limit, (row) => [row.created_at, row.id]);
  return { entries: page.rows.map(present), nextCursor: page.nextCursor };
}

/** The name of an operator is the operator's own matter. */
function present(row: EntryRow): AuditRecord {
  const isOperator = row.author_kind === 'operator';
  return {
    id: row.id,
    at: row.created_at,
    action: row.action,
    subject: row.subject,
    address: row.address,
    author: {
      kind: row.author_kind,
      id: isOperator ? null : row.author_id,
      userId: row.user_id,
      email: row.email,
    },
    before: row.before,
    after: row.after,
  };
}
