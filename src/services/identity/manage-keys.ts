/**
 * Keys as people manage them. An owner of an account manages all keys of the account, a member the keys that the member made; every
 * other key is unknown to that person. The id of a new key derives from the idempotency key of its request, so a repeat, also after
 * a crash between the effect and the answer, finds the key that was made, and is told the id of the key: the key itself is shown
 * once, by the answer of the call that made the key, and is stored nowhere. Keys are made under the lock of their account's row, which
 * bounds how many keys there are and lets no key come into being beside the end of the account.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import type { ApiKey } from '../../../entities/accounts.ts';
import { ApiKeyEntity } from '../../../entities/accounts.ts';
import type { SessionActor } from '../../domain/access.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { MOST_OPEN_KEYS } from '../../domain/keys.ts';
import type { CreateApiKeyRequest, RotateApiKeyRequest } from '../../domain/keys.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import { changeLimits, roomForMemberKey } from '../ledger/index.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { revokeIn, revokeThisKey } from './end-keys.ts';
import { drawKey } from './key-format.ts';
import { IS_OPEN, KEY_RECORD, limitOf, presentKey } from './key-records.ts';
import type { KeyRecordRow } from './key-records.ts';
import { lockOwnAccount } from './membership.ts';
import { bound } from '../bound.ts';
import type { Answers, IssuedApiKey, RevokedApiKey, RotatedApiKey } from '../../domain/answers.ts';

type ApiKeyRecord = Answers['listApiKeys']['keys'][number];

/** A page of keys. */
export interface KeyListQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** A request that makes a key. */
export interface KeyCommand<Body> {
  readonly body: Body;
  /** SHA-256 (hex) of the canonical body as sent. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  /** The address that the request came from. */
  readonly address: string;
}

type Draft = Pick<
  ApiKey,
  'accountId' | 'userId' | 'name' | 'environment' | 'scopes' | 'allowedCidrs' | 'firstKeyId'
>;

const LIST = 'keys';
/** The name space of ids that derive from idempotency keys. */
const KEY_IDS = 'a5a1c0de-3c6e-5b0f-9a3c-6f2f4f7d1b11';

/** The keys that a person manages, newest first. */
export async function listKeys(
  db: DataSource,
  actor: SessionActor,
  query: KeyListQuery,
): Promise<{ readonly keys: ApiKeyRecord[]; readonly nextCursor: string | null }> {
  const scope = scopeOf(LIST, actor, { ...query, userId: actor.userId });
  const [createdAt, id] = readCursor(scope, query.cursor, ['time', 'uuid']) ?? [null, null];
  const rows = await db.query<KeyRecordRow[]>(
    `select ${KEY_RECORD} from api_keys k
     where k.account_id = $1 and ($2::uuid is null or k.user_id = $2)
       and ($3::timestamptz is null or (k.created_at, k.id) < ($3, $4::uuid))
     order by k.created_at desc, k.id desc limit $5`,
    [actor.accountId, managedUser(actor), createdAt, id, query.limit + 1],
  );
  const page = pageOf(scope, rows, query.limit, (row) => [row.created_at, row.id]);
  return { keys: page.rows.map(presentKey), nextCursor: page.nextCursor };
}

/**
 * Makes a key and shows the key this once. Where owners have set what a member's keys may cost together, a member makes keys
 * within that limit only.
 * @throws KEY_ALREADY_ISSUED for a repeat, IDEMPOTENCY_KEY_REUSED, KEY_LIMIT_REACHED, COST_LIMIT_EXCEEDED, ACCOUNT_SUSPENDED,
 * ACCOUNT_CLOSED.
 */
export function issueKey(
  db: DataSource,
  actor: SessionActor,
  command: KeyCommand<CreateApiKeyRequest>,
): Promise<IssuedApiKey> {
  const { accountId, userId } = actor;
  const { name, environment, scopes, allowedCidrs = null, monthlyLimitCents = null } = command.body;
  const draft: Draft = {
    accountId,
    userId,
    name,
    environment,
    scopes: [...new Set(scopes)],
    allowedCidrs: allowedCidrs === null ? null : [...allowedCidrs],
    firstKeyId: null,
  };
  const id = idOf(actor, 'keys.create', command);
  return inTransaction(db, async (tx) => {
    const { role } = await prepare(tx, actor, id, command);
    if (role === 'member' && environment === 'live') await requireRoom(tx, actor, monthlyLimitCents);
    const issued = await insertKey(tx, id, draft, command);
    if (monthlyLimitCents !== null)
      await changeLimits(tx, accountId, { key: { keyId: id, monthLimitPence: monthlyLimitCents } });
    await recordChange(tx, authorOf(actor, command.address), {
      accountId,
      action: 'key.created',
      subject: id,
      after: { ...tellable(draft), monthlyLimitCents },
    });
    return { ...issued, ...limitOf(monthlyLimitCents, 0) };
  });
}

/**
 * Makes a key like an old key, which goes on for a while and then ends by itself. The new key is of the line of the old key, so both
 * have one limit of a month together, and the new key goes on with what the old one used.
 * @throws NOT_FOUND, KEY_ENDED, and what `issueKey` throws.
 */
export function rotateKey(
  db: DataSource,
  actor: SessionActor,
  keyId: string,
  command: KeyCommand<RotateApiKeyRequest>,
): Promise<RotatedApiKey> {
  const { accountId, userId } = actor;
  const id = idOf(actor, `keys.rotate/${keyId}`, command);
  return inTransaction(db, async (tx) => {
    const old = await findManaged(tx, await prepare(tx, actor, id, command), keyId);
    if (old.status !== 'ACTIVE')
      throw new AppError(
        'KEY_ENDED',
        'This key has ended, so there is nothing to rotate. Create another key.',
      );
    const expiresAt = await endLater(tx, keyId, command.body.overlapSeconds);
    const draft: Draft = {
      accountId,
      userId,
      name: old.name,
      environment: old.environment,
      scopes: old.scopes,
      allowedCidrs: old.allowed_cidrs,
      firstKeyId: old.first_key_id ?? keyId,
    };
    const { key, ...record } = await insertKey(tx, id, draft, command);
    await recordChange(tx, authorOf(actor, command.address), {
      accountId,
      action: 'key.rotated',
      subject: keyId,
      before: { expiresAt: old.expires_at },
      after: { expiresAt, successor: id },
    });
    return { ...record, key, replaces: { id: keyId, expiresAt } };
  });
}

/** Revokes a key that the person manages; a repeat answers the first end. @throws NOT_FOUND. */
export function revokeOwnKey(
  db: DataSource,
  actor: SessionActor,
  keyId: string,
  address: string,
): Promise<RevokedApiKey> {
  return inTransaction(db, async (tx) => {
    await findManaged(tx, actor, keyId);
    const revoked = await revokeIn(tx, keyId, authorOf(actor, address));
    if (revoked === null) throw unknownKey();
    return revoked;
  });
}

/** Null for an owner, who manages the keys of everybody in the account. */
function managedUser(actor: SessionActor): string | null {
  return actor.role === 'owner' ? null : actor.userId;
}

function idOf(actor: SessionActor, operation: string, { idempotencyKey }: KeyCommand<unknown>): string {
  return idempotencyKey === null
    ? uuidv7()
    : uuidv5(`${actor.accountId}/${operation}/${idempotencyKey}`, KEY_IDS);
}

/** Takes the lock under which keys of the account are made, refuses a repeat, and answers the actor as the lock finds it. */
async function prepare(
  tx: Tx,
  actor: SessionActor,
  id: string,
  command: KeyCommand<unknown>,
): Promise<SessionActor> {
  const locked = await lockOwnAccount(tx, actor);
  const made = await tx
    .getRepository(ApiKeyEntity)
    .findOne({ select: { id: true, requestSha256: true }, where: { id } });
  if (made === null) return locked;
  if (made.requestSha256 !== command.fingerprint) throw keyReused();
  throw new AppError(
    'KEY_ALREADY_ISSUED',
    `The key ${id} was made and shown for this Idempotency-Key. If it was lost, revoke it and create another one.`,
  );
}

/** Refuses the key of a member that would pass the limit of a member's keys. @throws COST_LIMIT_EXCEEDED. */
async function requireRoom(
  tx: Tx,
  { accountId, userId }: SessionActor,
  wantedPence: number | null,
): Promise<void> {
  const room = await roomForMemberKey(tx, accountId, userId);
  if (room === null || (wantedPence !== null && wantedPence <= room.restPence)) return;
  throw new AppError(
    'COST_LIMIT_EXCEEDED',
    `The owners of the account let the keys of a member cost ${String(room.limitPence)} pence together in a month, of which ${String(room.restPence)} are left for another key. Send monthlyLimitCents of at most ${String(room.restPence)}, revoke a key, or ask an owner.`,
  );
}

async function insertKey(
  tx: Tx,
  id: string,
  draft: Draft,
  { fingerprint }: KeyCommand<unknown>,
): Promise<IssuedApiKey> {
  const [open] = await tx.query<{ readonly keys: number }[]>(
    `select count(*)::int as keys from api_keys k where k.account_id = $1 and ${IS_OPEN}`,
    [draft.accountId],
  );
  if (open !== undefined && open.keys >= MOST_OPEN_KEYS)
    throw new AppError(
      'KEY_LIMIT_REACHED',
      `The account has ${open.keys} keys that can be used, and no more are possible. Revoke one first.`,
    );
  const drawn = drawKey(draft.environment);
  await tx.getRepository(ApiKeyEntity).insert({
    id,
    ...draft,
    secretSha256: drawn.sha256,
    prefix: drawn.prefix,
    last4: drawn.last4,
    requestSha256: fingerprint,
  });
  const [row] = await tx.query<KeyRecordRow[]>(`select ${KEY_RECORD} from api_keys k where k.id = $1`, [id]);
  if (row === undefined) throw new Error('A key that was just made is not there');
  return { ...presentKey(row), key: drawn.key };
}

/** The row of a key that the person manages, locked. @throws NOT_FOUND. */
async function findManaged(tx: Tx, actor: SessionActor, keyId: string): Promise<KeyRecordRow> {
  const [row] = await tx.query<KeyRecordRow[]>(
    `select ${KEY_RECORD} from api_keys k where k.id = $1 and k.account_id = $2 and ($3::uuid is null or k.user_id = $3)
     for no key update`,
    [keyId, actor.accountId, managedUser(actor)],
  );
  if (row === undefined) throw unknownKey();
  return row;
}

/** Lets a key end after some seconds, and never later than the key would have ended anyway. */
async function endLater(tx: Tx, keyId: string, seconds: number): Promise<string> {
  const [row] = await tx.query<{ readonly ends_at: string }[]>(
    `with ending as (update api_keys set expires_at = least(expires_at, now() + make_interval(secs => $2)) where id = $1
       returning expires_at)
     select ${exactTime('expires_at')} as ends_at from ending`,
    [keyId, seconds],
  );
  if (row === undefined) throw unknownKey();
  return row.ends_at;
}

/** Picks the facts of a new key that the audit log may have. */
function tellable({ name, environment, scopes, allowedCidrs }: Draft): Readonly<Record<string, unknown>> {
  return { name, environment, scopes, allowedCidrs };
}

function unknownKey(): AppError {
  return new AppError('NOT_FOUND', 'There is no such key in this account.');
}

/** Makes the operations on keys, for the API. The process that ends a key forgets it before it answers. */
export function createKeys(db: DataSource, forget: () => void) {
  const of = bound(db);
  const ending =
    <Args extends readonly unknown[], Ended>(end: (db: DataSource, ...args: Args) => Promise<Ended>) =>
    async (...args: Args): Promise<Ended> => {
      const ended = await end(db, ...args);
      forget();
      return ended;
    };
  return {
    list: of(listKeys),
    issue: of(issueKey),
    revoke: ending(revokeOwnKey),
    rotate: ending(rotateKey),
    revokeThis: ending(revokeThisKey),
  };
}
