/**
 * The account of a person who has signed in: what a page needs to know when it is opened, and the end of the account. An owner
 * closes it only when nothing goes on behind it: no open job, no subscription that would be paid again, no payment whose credits
 * would come to nobody, and no debt.
 */
import type { DataSource } from 'typeorm';

import type { Account, User } from '../../../entities/accounts.ts';
import { requireOwner } from '../../domain/access.ts';
import type { SessionActor } from '../../domain/access.ts';
import type { Answers } from '../../domain/answers.ts';
import { AppError } from '../../domain/errors.ts';
import { authorOf } from '../audit/index.ts';
import { exactTime } from '../exact-time.ts';
import { closeIn, lockOwnAccount } from '../identity/index.ts';
import { lockAccounts } from '../ledger/index.ts';
import { hasSubscription } from '../plans/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { noSession, RECENT } from './sessions.ts';

type OwnAccount = Answers['getAccount'];
type ClosedOwnAccount = Answers['closeAccount'];

export interface OwnAccountDependencies {
  readonly db: DataSource;
  /** Things that this installation has, as pages show them. */
  readonly installation: OwnAccount['installation'];
}

interface OwnRow extends Row<User, 'email' | 'role'>, Row<Account, 'plan'> {
  readonly opened_at: string;
  readonly expires_at: string;
  readonly recent_until: string;
}

/** The person, the account and the session of a call. @throws UNAUTHORIZED when the session has ended meanwhile. */
export async function readOwnAccount(
  { db, installation }: OwnAccountDependencies,
  { accountId, userId, sessionId }: SessionActor,
): Promise<OwnAccount> {
  const [row] = await db.query<OwnRow[]>(
    `select u.email, u.role, a.plan, ${exactTime('a.created_at')} as opened_at, ${exactTime('s.expires_at')} as expires_at,
       ${exactTime(`(s.created_at + ${RECENT})`)} as recent_until
     from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
     where s.id = $1 and u.id = $2 and a.id = $3 and s.ended_at is null`,
    [sessionId, userId, accountId],
  );
  if (row === undefined) throw noSession();
  return {
    user: { id: userId, email: row.email },
    account: { id: accountId, plan: row.plan, role: row.role, openedAt: row.opened_at },
    session: { id: sessionId, expiresAt: row.expires_at, recentUntil: row.recent_until },
    installation,
  };
}

/** An end that an owner asks for, and from where. */
export interface OwnClosing {
  readonly reason?: string;
  readonly address: string;
}

/**
 * Closes the account of an owner for ever, with its keys and everybody's sessions.
 * @throws ACCOUNT_IN_USE, OWNER_REQUIRED.
 */
export function closeOwnAccount(
  { db }: Pick<OwnAccountDependencies, 'db'>,
  actor: SessionActor,
  { reason, address }: OwnClosing,
): Promise<ClosedOwnAccount> {
  const { accountId } = actor;
  return inTransaction(db, async (tx) => {
    // The balances are locked before the account, as admissions and operators lock them.
    await lockAccounts(tx, [accountId]);
    requireOwner(await lockOwnAccount(tx, actor));
    const hindered = await whatGoesOn(tx, accountId);
    if (hindered.length > 0)
      throw new AppError(
        'ACCOUNT_IN_USE',
        `The account cannot be closed yet: it has ${hindered.join(', ')}.`,
      );
    const by = authorOf(actor, address);
    const { keysRevoked } = await closeIn(tx, { accountId, reason: reason ?? 'An owner has closed it.', by });
    return { accountId, keysRevoked };
  });
}

/** Lists what goes on behind an account, in words; empty when the account may be closed. */
async function whatGoesOn(tx: Tx, accountId: string): Promise<readonly string[]> {
  const [found] = await tx.query<Readonly<Record<string, boolean>>[]>(
    `select exists (select from jobs where account_id = $1 and finished_at is null) as "open jobs",
       exists (select from topups where account_id = $1 and state in ('CREATED', 'OPEN', 'PROCESSING')) as "a payment under way",
       debt < 0 as "a debt"
     from ledger_balances where account_id = $1`,
    [accountId],
  );
  const things = { ...found, 'a subscription': await hasSubscription(tx, accountId) };
  return Object.entries(things).flatMap(([what, isThere]) => (isThere ? [what] : []));
}
