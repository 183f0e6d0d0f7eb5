/**
 * Ending keys. A key ends once: the time of its end never changes, and a repeat answers the time of the first. A trigger of
 * the table moves the revocation epoch in the transaction of the end, so a process that sees the new epoch sees the ended
 * key, too, and every process forgets the key within seconds.
 */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import { ApiKeyEntity } from '../../../entities/accounts.ts';
import type { ApiKey } from '../../../entities/accounts.ts';
import type { KeyActor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { authorOf, recordChange, SOME_OPERATOR } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { isWellFormedKey, sha256Of } from './key-format.ts';
import { IS_OPEN, KEY_RECORD, presentKey } from './key-records.ts';
import type { KeyRecordRow } from './key-records.ts';
import type { Answers, RevokedApiKey } from '../../domain/answers.ts';

type ApiKeyRecord = Answers['listApiKeys']['keys'][number];

interface EndedRow extends Row<ApiKey, 'accountId' | 'name' | 'last4'> {
  /** Whether this call ended the key. */
  readonly is_new: boolean;
  readonly revoked_at: NonNullable<ExactTimes<ApiKey, 'revokedAt'>['revoked_at']>;
}

/** A key as operators see it, with its account. */
export interface OperatorKey extends ApiKeyRecord {
  readonly accountId: string;
}

/** Revokes a key in a transaction. Answers null when there is no such key; a repeat answers the first end. */
export async function revokeIn(tx: Tx, keyId: string, by: Author): Promise<RevokedApiKey | null> {
  // The next statement begins after the wait for the lock, so it sees the end that another call has made meanwhile.
  await tx.query('select 1 from api_keys where id = $1 for no key update', [keyId]);
  const [row] = await tx.query<EndedRow[]>(
    `with ended as (update api_keys set revoked_at = now() where id = $1 and revoked_at is null returning id, revoked_at)
     select k.account_id, k.name, k.last4, e.id is not null as is_new,
       ${exactTime('coalesce(e.revoked_at, k.revoked_at)')} as revoked_at
     from api_keys k left join ended e on e.id = k.id where k.id = $1`,
    [keyId],
  );
  if (row === undefined) return null;
  if (row.is_new)
    await recordChange(tx, by, {
      accountId: row.account_id,
      action: 'key.revoked',
      subject: keyId,
      before: { name: row.name, last4: row.last4 },
      after: { revokedAt: row.revoked_at },
    });
  return { id: keyId, status: 'REVOKED', revokedAt: row.revoked_at };
}

/** Revokes a key; a second call changes nothing. Answers null when there is no such key. */
export function revokeKey(
  db: DataSource,
  keyId: string,
  by: Author = SOME_OPERATOR,
): Promise<RevokedApiKey | null> {
  return inTransaction(db, (tx) => revokeIn(tx, keyId, by));
}

/** Revokes the key that the call was made with, because whoever holds a key may end it. */
export async function revokeThisKey(
  db: DataSource,
  actor: KeyActor,
  address: string,
): Promise<RevokedApiKey> {
  const revoked = await revokeKey(db, actor.keyId, authorOf(actor, address));
  if (revoked === null) throw new AppError('UNAUTHORIZED', 'The key is gone.');
  return revoked;
}

/** Revokes a key that an operator names by its id, or by the key itself where it has leaked. @throws NOT_FOUND. */
export async function revokeNamedKey(db: DataSource, idOrKey: string, by: Author): Promise<RevokedApiKey> {
  const id = isWellFormedKey(idOrKey) ? await idOfKey(db, idOrKey) : idOrKey;
  const revoked = id !== null && isUuid(id) ? await revokeKey(db, id, by) : null;
  if (revoked !== null) return revoked;
  throw new AppError('NOT_FOUND', 'There is no such key.');
}

async function idOfKey(db: DataSource, key: string): Promise<string | null> {
  const found = await db
    .getRepository(ApiKeyEntity)
    .findOne({ select: { id: true }, where: { secretSha256: sha256Of(key) } });
  return found?.id ?? null;
}

/** The keys of an account, newest first; only those that can be used, or with `all` every one. */
export async function listAccountKeys(
  db: DataSource,
  accountId: string,
  { all }: { readonly all: boolean },
): Promise<readonly OperatorKey[]> {
  const rows = await db.query<KeyRecordRow[]>(
    `select ${KEY_RECORD} from api_keys k where k.account_id = $1 and ($2 or (${IS_OPEN}))
     order by k.created_at desc, k.id desc`,
    [accountId, all],
  );
  return rows.map((row) => ({ accountId, ...presentKey(row) }));
}
