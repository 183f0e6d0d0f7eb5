/**
 * The people of an account. An open account always has an owner: the last owner cannot become a member, and leaves only alone and
 * with nothing left behind, which closes the account. A member who leaves is signed out everywhere at once, and the member's
 * keys, which programs may need, go on and are named to the owners. Every change is made under the lock of the account's row, so
 * that two owners who leave at once do not both go.
 */
import type { DataSource } from 'typeorm';

import { UserEntity } from '../../../entities/accounts.ts';
import type { User } from '../../../entities/accounts.ts';
import { requireOwner } from '../../domain/access.ts';
import type { AccountRole, SessionActor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { closeBehind, listOpenKeysOf, lockOwnAccount } from '../identity/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { endSessionsOf } from './sessions.ts';
import type { Answers, LeftMember } from '../../domain/answers.ts';

type MemberListResponse = Pick<Answers['listMembers'], 'members'>;
type MemberRecord = Answers['changeMember'];

/** A member who has left, and the addresses of the owners who are to be told. */
export interface Departure {
  readonly left: LeftMember;
  readonly owners: readonly string[];
}

type MemberRow = Row<User, 'id' | 'email' | 'role'>;

/** Everybody in the account of the person. */
export async function listMembers(db: DataSource, actor: SessionActor): Promise<MemberListResponse> {
  const users = await db.getRepository(UserEntity).find({
    select: { id: true, email: true, role: true },
    where: { accountId: actor.accountId },
    order: { id: 'asc' },
  });
  return { members: users.map((user) => present(actor, user)) };
}

/** Makes a member an owner, or an owner a member; a repeat changes nothing. @throws NOT_FOUND, OWNER_REQUIRED, LAST_OWNER. */
export function changeMember(
  db: DataSource,
  actor: SessionActor,
  userId: string,
  { role, address }: { readonly role: AccountRole; readonly address: string },
): Promise<MemberRecord> {
  const { accountId } = actor;
  return inTransaction(db, async (tx) => {
    requireOwner(await lockOwnAccount(tx, actor));
    const member = await findMember(tx, accountId, userId);
    if (member.role !== role) {
      if (member.role === 'owner') await requireOtherOwner(tx, accountId);
      await tx.getRepository(UserEntity).update({ id: userId }, { role });
      await recordChange(tx, authorOf(actor, address), {
        accountId,
        action: 'member.changed',
        subject: userId,
        before: { role: member.role },
        after: { role },
      });
    }
    return present(actor, { ...member, role });
  });
}

/**
 * Takes a person out of the account: an owner anybody, everybody themselves. The account of one person, with nothing left in it, is
 * closed when that person leaves.
 * @throws NOT_FOUND, OWNER_REQUIRED, LAST_OWNER.
 */
export function removeMember(
  db: DataSource,
  actor: SessionActor,
  userId: string,
  address: string,
): Promise<Departure> {
  const { accountId } = actor;
  return inTransaction(db, async (tx) => {
    const locked = await lockOwnAccount(tx, actor);
    const { email, role } = await findMember(tx, accountId, userId);
    if (userId !== actor.userId) requireOwner(locked);
    const by = authorOf(actor, address);
    if (role === 'owner') await letOwnerGo(tx, accountId, by);
    const keys = await listOpenKeysOf(tx, { accountId, userId });
    await tx.getRepository(UserEntity).update({ id: userId }, { accountId: null, role: 'owner' });
    const endedSessions = await endSessionsOf(tx, { userId, accountId }, by);
    await recordChange(tx, by, {
      accountId,
      action: 'member.left',
      subject: userId,
      before: { email, role },
      after: { keys: keys.map(({ id }) => id) },
    });
    const owners = await tx.getRepository(UserEntity).find({
      select: { id: true, email: true },
      where: { accountId, role: 'owner' },
    });
    return { left: { userId, email, endedSessions, keys }, owners: owners.map((owner) => owner.email) };
  });
}

/** A member, whose row stays locked, so that no sign-in begins a session in between. @throws NOT_FOUND. */
async function findMember(tx: Tx, accountId: string, userId: string): Promise<MemberRow> {
  const [member] = await tx.query<MemberRow[]>(
    'select id, email, role from users where id = $1 and account_id = $2 for no key update',
    [userId, accountId],
  );
  if (member === undefined) throw new AppError('NOT_FOUND', 'There is no such member in this account.');
  return member;
}

/** Lets an owner go beside whom there is another one, or who leaves an account behind in which nothing is left. @throws LAST_OWNER. */
async function letOwnerGo(tx: Tx, accountId: string, by: Author): Promise<void> {
  if (await hasOtherOwner(tx, accountId)) return;
  const kept = await closeBehind(tx, accountId, by);
  if (kept.length === 0) return;
  throw new AppError(
    'LAST_OWNER',
    `This is the last owner of the account. Make somebody else an owner first; an account of one person can be left once it has none of these: ${kept.join(', ')}.`,
  );
}

async function hasOtherOwner(tx: Tx, accountId: string): Promise<boolean> {
  return (await tx.getRepository(UserEntity).countBy({ accountId, role: 'owner' })) > 1;
}

async function requireOtherOwner(tx: Tx, accountId: string): Promise<void> {
  if (await hasOtherOwner(tx, accountId)) return;
  throw new AppError(
    'LAST_OWNER',
    'This is the last owner of the account. Make somebody else an owner first.',
  );
}

function present(actor: SessionActor, { id, email, role }: MemberRow): MemberRecord {
  return { userId: id, email, role, current: id === actor.userId };
}
