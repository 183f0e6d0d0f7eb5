/**
 * Invitations to an account. The code of an invitation goes by mail, is known by its digest only, and is used once within
 * seven days. The code proves the address, so whoever accepts needs no other proof of the address. Nobody belongs to two accounts.
 * Every change of who belongs to an account is made under the lock of the account's row, which bounds how many members and open
 * invitations there are.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import { UserEntity } from '../../../entities/accounts.ts';
import type { User } from '../../../entities/accounts.ts';
import { InvitationEntity } from '../../../entities/people.ts';
import type { Invitation } from '../../../entities/people.ts';
import { requireOwner } from '../../domain/access.ts';
import type { SessionActor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { INVITATION_DAYS, INVITATIONS_PER_HOUR, MOST_MEMBERS } from '../../domain/members.ts';
import type { AcceptInvitationRequest, InvitationStatus, InviteRequest } from '../../domain/members.ts';
import type { Visit } from '../../domain/people.ts';
import { authorOf, recordChange, visitor } from '../audit/index.ts';
import { exactTime } from '../exact-time.ts';
import { lockAccount, lockOwnAccount, whatKeeps } from '../identity/index.ts';
import type { ExactTimes, Row } from '../row.ts';
import { inTransaction, isUniqueViolation } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { codeExpired } from './codes.ts';
import type { Passwords } from './passwords.ts';
import { refused } from './sign-in.ts';
import { findUser } from './users.ts';
import type { FoundUser } from './users.ts';
import { requireUncommon } from './weak-passwords.ts';
import type { Answers, JoinedAccount } from '../../domain/answers.ts';

type InvitationListResponse = Pick<Answers['listInvitations'], 'invitations'>;
type InvitationRecord = Answers['inviteMember'];

/** A request to invite somebody. */
export interface InviteCommand {
  readonly body: InviteRequest;
  readonly idempotencyKey: string | null;
  /** The address that the request came from. */
  readonly address: string;
}

/** An invitation that was made, and its code, which goes by mail. */
export interface SentInvitation {
  readonly invitation: InvitationRecord;
  readonly code: string;
}

interface InvitationRow
  extends
    Row<Invitation, 'id' | 'email' | 'role' | 'invitedBy'>,
    ExactTimes<Invitation, 'createdAt' | 'expiresAt'> {
  readonly status: InvitationStatus;
}

type OpenInvitation = Row<Invitation, 'id' | 'accountId' | 'email' | 'role'>;

const CODE_BYTES = 32;
/** The name space of ids that derive from idempotency keys. */
const INVITATION_IDS = '6b1d2f0e-4b0a-5c9e-8f6e-0d7c3b5a9e21';
/** SQL that is true of an invitation that can be accepted now. */
const IS_OPEN = 'i.ended_at is null and i.expires_at > now()';
/** The columns that the record of an invitation is made of. */
const COLUMNS = 'id, email, role, invited_by, created_at, expires_at, ended_at, accepted_by';
/** SQL of the record of an invitation `i`. */
const RECORD = `i.id, i.email, i.role, i.invited_by, ${exactTime('i.created_at')} as created_at, ${exactTime('i.expires_at')} as expires_at,
  case when i.accepted_by is not null then 'ACCEPTED' when i.ended_at is not null then 'ENDED' when i.expires_at <= now() then 'EXPIRED'
    else 'OPEN' end as status`;

/**
 * Invites somebody, in the place of an open invitation of the same address. A repeat with the same key, whose mail may have
 * been lost, has the same invitation with a new code.
 * @throws ALREADY_MEMBER, MEMBER_LIMIT_REACHED, RATE_LIMITED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED, UNAUTHORIZED.
 */
export function invite(db: DataSource, actor: SessionActor, command: InviteCommand): Promise<SentInvitation> {
  const { accountId } = actor;
  const { email, role } = command.body;
  const code = randomBytes(CODE_BYTES).toString('base64url');
  return inTransaction(db, async (tx) => {
    requireOwner(await lockOwnAccount(tx, actor));
    const derived = derivedId(actor, command);
    if (derived !== null) {
      const [again] = await tx.query<InvitationRow[]>(
        `with i as (update invitations i set secret_sha256 = $1
           where i.id = $2 and i.account_id = $3 and i.email = $4 and i.role = $5 and ${IS_OPEN}
           returning ${COLUMNS})
         select ${RECORD} from i`,
        [digestOf(code), derived, accountId, email, role],
      );
      if (again !== undefined) return { invitation: present(again), code };
    }
    const user = await findUser(tx, email);
    if (user?.account_id === accountId) throw alreadyMember();
    const author = authorOf(actor, command.address);
    await endOpenOf(tx, accountId, email, (id) =>
      recordChange(tx, author, { accountId, action: 'invitation.ended', subject: id }),
    );
    await requireRoom(tx, accountId);
    const invitation = await insertInvitation(tx, await freeId(tx, derived), actor, { email, role, code });
    await recordChange(tx, author, {
      accountId,
      action: 'member.invited',
      subject: invitation.id,
      after: { email, role },
    });
    return { invitation, code };
  });
}

/** The open invitations of the account, newest first. */
export async function listInvitations(
  db: DataSource,
  { accountId }: SessionActor,
): Promise<InvitationListResponse> {
  const rows = await db.query<InvitationRow[]>(
    `select ${RECORD} from invitations i where i.account_id = $1 and ${IS_OPEN} order by i.created_at desc, i.id desc`,
    [accountId],
  );
  return { invitations: rows.map(present) };
}

/** Ends an invitation; an invitation that has ended, or that somebody has accepted, stays as it is. @throws NOT_FOUND. */
export function endInvitation(
  db: DataSource,
  actor: SessionActor,
  invitationId: string,
  address: string,
): Promise<InvitationRecord> {
  const { accountId } = actor;
  return inTransaction(db, async (tx) => {
    requireOwner(await lockOwnAccount(tx, actor));
    const ended = await tx.query<unknown[]>(
      `with ended as (update invitations i set ended_at = now() where i.id = $1 and i.account_id = $2 and ${IS_OPEN} returning i.id)
       select id from ended`,
      [invitationId, accountId],
    );
    if (ended.length > 0)
      await recordChange(tx, authorOf(actor, address), {
        accountId,
        action: 'invitation.ended',
        subject: invitationId,
      });
    const [row] = await tx.query<InvitationRow[]>(
      `select ${RECORD} from invitations i where i.id = $1 and i.account_id = $2`,
      [invitationId, accountId],
    );
    if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such invitation to this account.');
    return present(row);
  });
}

/**
 * Joins the account of an invitation. A new person begins with the password of the request; a known person proves with the
 * password of the request to be that person.
 * @throws CODE_EXPIRED, VALIDATION_ERROR for a common password, SIGN_IN_REFUSED, ALREADY_MEMBER, OTHER_ACCOUNT, ACCOUNT_SUSPENDED,
 * ACCOUNT_CLOSED.
 */
export async function acceptInvitation(
  deps: { readonly db: DataSource; readonly passwords: Passwords },
  visit: Visit,
  body: AcceptInvitationRequest,
): Promise<JoinedAccount> {
  const { db, passwords } = deps;
  const digest = digestOf(body.code);
  const [open] = await db.query<OpenInvitation[]>(
    `select i.id, i.account_id, i.email, i.role from invitations i where i.secret_sha256 = $1 and ${IS_OPEN}`,
    [digest],
  );
  if (open === undefined) throw codeExpired();
  const known = await findUser(db, open.email);
  if (known !== null && !(await passwords.matches(known.password_hash, body.password))) throw refused();
  if (known === null) await requireUncommon(body.password, open.email);
  const passwordHash = known === null ? await passwords.hash(body.password) : null;
  try {
    return await inTransaction(db, async (tx) => {
      await lockAccount(tx, open.account_id);
      const userId = known === null ? uuidv7() : known.id;
      if (known === null) {
        const { email, role, account_id: accountId } = open;
        await tx.getRepository(UserEntity).insert({
          id: userId,
          accountId,
          email,
          role,
          passwordHash,
          emailVerifiedAt: () => 'now()',
        });
        await useInvitation(tx, digest, userId);
      } else {
        // The invitation is used before the person is looked at, so whoever accepts one twice at once is told that the code is used.
        await useInvitation(tx, digest, userId);
        await enter(tx, known, open);
      }
      await recordChange(tx, visitor(visit.address, userId), {
        accountId: open.account_id,
        action: 'member.joined',
        subject: userId,
        after: { email: open.email, role: open.role, invitationId: open.id },
      });
      return { email: open.email, account: { id: open.account_id, role: open.role } };
    });
  } catch (error) {
    // The person signed up at the same time, so the repeated call finds the person.
    if (known === null && isUniqueViolation(error, 'users_email')) return acceptInvitation(deps, visit, body);
    throw error;
  }
}

/** Makes a person who belongs to no account a member. The lock keeps a first sign-in from opening an account meanwhile. */
async function enter(tx: Tx, known: FoundUser, open: OpenInvitation): Promise<void> {
  const [user] = await tx.query<Row<User, 'accountId' | 'passwordHash'>[]>(
    'select account_id, password_hash from users where id = $1 for no key update',
    [known.id],
  );
  if (user === undefined || user.password_hash !== known.password_hash) throw refused();
  if (user.account_id === open.account_id) throw alreadyMember();
  if (user.account_id !== null) throw await otherAccount(tx, user.account_id, known);
  await tx
    .getRepository(UserEntity)
    .update({ id: known.id }, { accountId: open.account_id, role: open.role });
}

/** Names the way out of the other account, and what stands in the way. */
async function otherAccount(tx: Tx, accountId: string, { id, role }: FoundUser): Promise<AppError> {
  const owners = await tx.getRepository(UserEntity).countBy({ accountId, role: 'owner' });
  const kept = role === 'owner' && owners === 1 ? await whatKeeps(tx, accountId) : [];
  const way = `DELETE /api/v1/members/${id}, signed in, leaves it; then accept this invitation before you sign in again, because a sign-in opens another account of your own.`;
  return new AppError(
    'OTHER_ACCOUNT',
    kept.length === 0
      ? `You belong to another account, and nobody belongs to two. ${way}`
      : `You belong to another account as its last owner, and nobody belongs to two. It can be left once it has none of these: ${kept.join(', ')}. Then ${way} Or ask to be invited with another address.`,
  );
}

async function useInvitation(tx: Tx, digest: string, userId: string): Promise<void> {
  const used = await tx.query<unknown[]>(
    `with used as (update invitations i set ended_at = now(), accepted_by = $2 where i.secret_sha256 = $1 and ${IS_OPEN} returning i.id)
     select id from used`,
    [digest, userId],
  );
  if (used.length === 0) throw codeExpired();
}

async function endOpenOf(
  tx: Tx,
  accountId: string,
  email: string,
  tell: (id: string) => Promise<void>,
): Promise<void> {
  const ended = await tx.query<Row<Invitation, 'id'>[]>(
    `with ended as (update invitations i set ended_at = now()
       where i.account_id = $1 and lower(i.email) = lower($2) and ${IS_OPEN} returning i.id)
     select id from ended`,
    [accountId, email],
  );
  for (const { id } of ended) await tell(id);
}

async function requireRoom(tx: Tx, accountId: string): Promise<void> {
  const [count] = await tx.query<{ readonly people: number; readonly invited: number }[]>(
    `select (select count(*)::int from users where account_id = $1)
       + (select count(*)::int from invitations i where i.account_id = $1 and ${IS_OPEN}) as people,
     (select count(*)::int from invitations where account_id = $1 and created_at > now() - interval '1 hour') as invited`,
    [accountId],
  );
  if (count === undefined) throw new Error('A count answered no row');
  if (count.people >= MOST_MEMBERS)
    throw new AppError(
      'MEMBER_LIMIT_REACHED',
      `The account has ${count.people} members and open invitations, and no more are possible.`,
    );
  if (count.invited >= INVITATIONS_PER_HOUR)
    throw new AppError(
      'RATE_LIMITED',
      `An account sends at most ${INVITATIONS_PER_HOUR} invitations an hour. Wait for a while.`,
      { retryAfterSeconds: 600 },
    );
}

async function insertInvitation(
  tx: Tx,
  id: string,
  { accountId, userId }: SessionActor,
  { email, role, code }: InviteRequest & { readonly code: string },
): Promise<InvitationRecord> {
  const [row] = await tx.query<InvitationRow[]>(
    `with i as (insert into invitations (id, account_id, email, role, secret_sha256, invited_by, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7)) returning ${COLUMNS})
     select ${RECORD} from i`,
    [id, accountId, email, role, digestOf(code), userId, INVITATION_DAYS],
  );
  if (row === undefined) throw new Error('An invitation that was just made is not there');
  return present(row);
}

function derivedId(
  { accountId }: SessionActor,
  { idempotencyKey }: Pick<InviteCommand, 'idempotencyKey'>,
): string | null {
  return idempotencyKey === null ? null : uuidv5(`${accountId}/${idempotencyKey}`, INVITATION_IDS);
}

/** The id that derives from the key, unless an invitation of long ago has it. */
async function freeId(tx: Tx, derived: string | null): Promise<string> {
  if (derived === null) return uuidv7();
  return (await tx.getRepository(InvitationEntity).existsBy({ id: derived })) ? uuidv7() : derived;
}

function present(row: InvitationRow): InvitationRecord {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: row.status,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function alreadyMember(): AppError {
  return new AppError('ALREADY_MEMBER', 'This person is a member of the account already.');
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
