/**
 * The lock under which an account gets keys and members, and under which its state changes. The person who makes such a change
 * was let in a moment before; under the lock the database is asked again whether that person still belongs to the account, and in
 * which role.
 */
import { UserEntity } from '../../../entities/accounts.ts';
import type { Account } from '../../../entities/accounts.ts';
import type { SessionActor } from '../../domain/access.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { AppError } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import type { Tx } from '../transaction.ts';

/** Locks an account that is active. @throws ACCOUNT_SUSPENDED, ACCOUNT_CLOSED. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  const [account] = await tx.query<Row<Account, 'state'>[]>(
    'select state from accounts where id = $1 for no key update',
    [accountId],
  );
  if (account === undefined) throw inactiveAccount('CLOSED');
  if (account.state !== 'ACTIVE') throw inactiveAccount(account.state);
}

/**
 * Locks the account of a person, and answers the person with the role that holds under the lock.
 * @throws ACCOUNT_SUSPENDED, ACCOUNT_CLOSED; UNAUTHORIZED when the person has left.
 */
export async function lockOwnAccount(tx: Tx, actor: SessionActor): Promise<SessionActor> {
  await lockAccount(tx, actor.accountId);
  const user = await tx.getRepository(UserEntity).findOne({
    select: { id: true, role: true },
    where: { id: actor.userId, accountId: actor.accountId },
  });
  if (user === null)
    throw new AppError('UNAUTHORIZED', 'You do not belong to this account any more. Sign in again.');
  return { ...actor, role: user.role };
}
