/**
 * Suspending, reactivating and closing accounts, as operators do. A change is made under the lock of the account's
 * balances, which every hold and every grant takes before it looks at the state: a hold that came before the change is whole,
 * and a hold that comes after the change is refused. Processes that remember keys of the account forget them within seconds, because the
 * change moves the revocation epoch. Each change is an event of the account, and stands in the audit log.
 */
import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';

import { AccountEntity } from '../../../entities/accounts.ts';
import type { Account } from '../../../entities/accounts.ts';
import { EventEntity } from '../../../entities/events.ts';
import { JobEntity } from '../../../entities/jobs.ts';
import { canBecome } from '../../domain/account-state.ts';
import type { AccountState } from '../../domain/account-state.ts';
import { AppError } from '../../domain/errors.ts';
import { recordChange, SOME_OPERATOR } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { lockAccounts } from '../ledger/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { removeAccountFiles } from '../uploads/sweep.ts';

/** The kind of an event that tells of an account's new state; the payload is `{ state, former, reason }`. */
export const ACCOUNT_STATE_EVENT = 'account.state';

/** The account, its state before and after, and how many of its jobs are open. */
export interface ChangedAccount {
  readonly accountId: string;
  readonly former: AccountState;
  readonly state: AccountState;
  readonly openJobs: number;
}

/** The account that was closed, and how many of its keys were revoked. */
export interface ClosedAccount extends ChangedAccount {
  readonly keysRevoked: number;
}

/** An account that an operator changes, and why; the customer can read the reason. */
export interface AccountChange {
  readonly accountId: string;
  readonly reason: string | null;
  /** The operator who makes the change; some operator when it is left out. */
  readonly by?: Author;
}

const NAMED_JOBS = 10;

/**
 * Suspends an account: its keys are refused, no job of the account is admitted, and no credits are granted. Jobs that were admitted
 * run to their end and are settled, because their credits are reserved and a suspension may turn out to be a mistake. Repeatable.
 * @throws VALIDATION_ERROR when the account is closed.
 */
export function suspendAccount(db: DataSource, change: AccountChange): Promise<ChangedAccount> {
  return inTransaction(db, (tx) => enter(tx, change, 'SUSPENDED'));
}

/**
 * Makes a suspended account active again. Nothing was sent to its webhooks meanwhile, so that time counts as no failure of theirs.
 * Repeatable. @throws VALIDATION_ERROR when the account is closed.
 */
export function reactivateAccount(db: DataSource, change: AccountChange): Promise<ChangedAccount> {
  return inTransaction(db, async (tx) => {
    const changed = await enter(tx, change, 'ACTIVE');
    if (changed.former === 'SUSPENDED')
      await tx.query(
        'update webhooks set failing_since = null where account_id = $1 and failing_since is not null',
        [change.accountId],
      );
    return changed;
  });
}

/**
 * Closes an account for ever: the keys of the account are revoked, and the next sweeps remove its files; its transfers
 * stay in the ledger. An account with open jobs is not closed, because running jobs would lose their files; a submit that
 * is still under way is refused at its admission. Repeatable.
 * @throws VALIDATION_ERROR while the account has open jobs.
 */
export function closeAccount(db: DataSource, change: AccountChange): Promise<ClosedAccount> {
  return inTransaction(db, (tx) => closeIn(tx, change));
}

/** Closes an account as `closeAccount` does, as a part of a transaction. */
export async function closeIn(tx: Tx, change: AccountChange): Promise<ClosedAccount> {
  const { accountId } = change;
  const former = await lockState(tx, accountId);
  const open = await openJobs(tx, accountId);
  if (open.length > 0) {
    const named = open.slice(0, NAMED_JOBS).join(', ');
    throw new AppError('VALIDATION_ERROR', `The account has open jobs. Cancel them first: ${named}.`);
  }
  // The rows of the keys are locked before the revocation epoch, as whoever revokes a single key locks them.
  const revoked = await tx.query<unknown[]>(
    `with revoked as (update api_keys set revoked_at = now() where account_id = $1 and revoked_at is null returning id)
     select id from revoked`,
    [accountId],
  );
  await writeState(tx, change, former, 'CLOSED');
  await removeAccountFiles({ db: tx }, accountId);
  return { accountId, former, state: 'CLOSED', openJobs: 0, keysRevoked: revoked.length };
}

async function enter(tx: Tx, change: AccountChange, state: AccountState): Promise<ChangedAccount> {
  const { accountId } = change;
  const former = await lockState(tx, accountId);
  if (!canBecome(former, state))
    throw new AppError(
      'VALIDATION_ERROR',
      'The account is closed, and its files are gone. Create another one.',
    );
  await writeState(tx, change, former, state);
  return { accountId, former, state, openJobs: (await openJobs(tx, accountId)).length };
}

/** Takes the lock that admissions take, then reads the state. */
async function lockState(tx: Tx, accountId: string): Promise<AccountState> {
  await lockAccounts(tx, [accountId]);
  const [found] = await tx.query<Row<Account, 'state'>[]>(
    'select state from accounts where id = $1 for no key update',
    [accountId],
  );
  if (found === undefined) throw new AppError('NOT_FOUND', `There is no account ${accountId}.`);
  return found.state;
}

async function writeState(
  tx: Tx,
  { accountId, reason, by = SOME_OPERATOR }: AccountChange,
  former: AccountState,
  state: AccountState,
): Promise<void> {
  if (former === state) return;
  await tx.getRepository(AccountEntity).update({ id: accountId }, { state });
  const payload = { state, former, reason };
  const event = { accountId, kind: ACCOUNT_STATE_EVENT, subject: accountId, payload };
  await tx.getRepository(EventEntity).insert(event);
  await recordChange(tx, by, {
    accountId,
    action: 'account.state',
    subject: accountId,
    before: { state: former },
    after: { state, reason },
  });
}

async function openJobs(tx: Tx, accountId: string): Promise<readonly string[]> {
  const jobs = await tx.getRepository(JobEntity).find({
    select: { id: true },
    where: { accountId, finishedAt: IsNull() },
    order: { id: 'asc' },
  });
  return jobs.map(({ id }) => id);
}
