/**
 * Signing in. The first sign-in of a person opens the account, its balances and the ownership in the transaction of the
 * session, under a lock on the person's row: of many first sign-ins at once, a single sign-in opens the account. The same lock lets
 * no session begin with a password that is being changed.
 */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { AccountEntity, UserEntity } from '../../../entities/accounts.ts';
import type { User } from '../../../entities/accounts.ts';
import { LedgerTransferEntity } from '../../../entities/ledger.ts';
import type { AccountPlan } from '../../domain/access.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { AppError } from '../../domain/errors.ts';
import type { SignInRequest, Visit } from '../../domain/people.ts';
import { recordChange, visitor } from '../audit/index.ts';
import { grantTransfer, openAccount, postTransfers } from '../ledger/index.ts';
import type { Row } from '../row.ts';
import type { SecretBox } from '../secret-box.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import type { SessionCookies } from './cookies.ts';
import type { Passwords } from './passwords.ts';
import { endFormerSession, startSession } from './sessions.ts';
import { countFactorTry, forgetFactorTries, useFactor } from './totp.ts';
import type { FactorRow } from './totp.ts';
import { countTry, forgetTries } from './tries.ts';
import { findUser } from './users.ts';
import type { FoundUser } from './users.ts';
import type { SignInResponse } from '../../domain/answers.ts';

/** A person who has signed in, and the value of the cookie. */
export interface SignedIn {
  readonly cookie: string;
  readonly response: SignInResponse;
}

export interface SignInDependencies {
  readonly db: DataSource;
  readonly passwords: Passwords;
  readonly cookies: SessionCookies;
  /** Opens the secrets of second factors. */
  readonly box: SecretBox;
  /** Credits that a person gets once, with the first account that the person opens. */
  readonly welcomePence: number;
}

interface Entered {
  readonly account: { readonly id: string; readonly plan: AccountPlan };
  readonly role: User['role'];
}

/**
 * Signs a person in, and ends the session of the cookie that the browser had.
 * @throws SIGN_IN_REFUSED, TOTP_REQUIRED, TOTP_REFUSED, RATE_LIMITED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function signIn(
  deps: SignInDependencies,
  visit: Visit,
  { email, password, totp }: SignInRequest,
  formerCookie: string | null,
): Promise<SignedIn> {
  const { db, passwords } = deps;
  const tried = { kind: 'sign-in', network: visit.network, email } as const;
  await countTry(db, tried);
  const user = await findUser(db, email);
  const isRight = await passwords.matches(user?.password_hash ?? null, password);
  if (user === null || !isRight) throw refused();
  if (totp !== undefined) await countFactorTry(db, email);
  return inTransaction(db, async (tx) => {
    const signedIn = await enter(tx, deps, { user, visit, code: totp ?? null, formerCookie });
    await forgetTries(tx, tried);
    if (totp !== undefined) await forgetFactorTries(tx, email);
    return signedIn;
  });
}

/** A person who has proved to be the user, but for the second factor. */
export interface Entrance {
  readonly user: FoundUser;
  readonly visit: Visit;
  /** The code of the second factor; null where none was sent. */
  readonly code: string | null;
  /** The cookie that the browser had. */
  readonly formerCookie: string | null;
}

/**
 * Begins the session of a person who has proved to be the user, and ends the session that the browser had.
 * @throws TOTP_REQUIRED, TOTP_REFUSED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function enter(
  tx: Tx,
  { cookies, box, welcomePence }: Omit<SignInDependencies, 'db' | 'passwords'>,
  { user, visit, code, formerCookie }: Entrance,
): Promise<SignedIn> {
  const cookie = cookies.draw();
  const former = formerCookie === null ? null : cookies.digestOf(formerCookie);
  const { account, role } = await enterAccount(tx, user, { visit, code, box, welcomePence });
  if (former !== null) await endFormerSession(tx, former, visit.address);
  const session = await startSession(tx, {
    userId: user.id,
    accountId: account.id,
    sha256: cookie.sha256,
    visit,
  });
  return {
    cookie: cookie.value,
    response: {
      sessionId: session.id,
      expiresAt: session.expiresAt,
      user: { id: user.id, email: user.email },
      account: { ...account, role },
    },
  };
}

/** The refusal of an address or a password; the answer does not tell which of the two was wrong. */
export function refused(): AppError {
  return new AppError(
    'SIGN_IN_REFUSED',
    'The address or the password is wrong, or the address has not been confirmed. Confirm it with the code of the mail, or set a new password.',
  );
}

interface Entry {
  readonly visit: Visit;
  /** The code of the second factor; null where none was sent. */
  readonly code: string | null;
  readonly box: SecretBox;
  readonly welcomePence: number;
}

interface LockedRow extends FactorRow, Row<User, 'accountId' | 'role' | 'passwordHash'> {}

/** The account of a person who signs in, whose row stays locked. */
async function enterAccount(tx: Tx, tried: FoundUser, entry: Entry): Promise<Entered> {
  const { visit, code, box } = entry;
  const [user] = await tx.query<LockedRow[]>(
    `select id, email, account_id, role, password_hash, totp_secret, totp_enabled_at, totp_last_step
     from users where id = $1 for no key update`,
    [tried.id],
  );
  if (user === undefined || user.password_hash !== tried.password_hash) throw refused();
  const isFirst = user.account_id === null;
  const accountId = user.account_id ?? (await openFor(tx, tried.id, entry));
  const account = await tx
    .getRepository(AccountEntity)
    .findOne({ select: { id: true, plan: true, state: true }, where: { id: accountId } });
  if (account === null) throw new Error('The account of a user is not there');
  if (account.state !== 'ACTIVE') throw inactiveAccount(account.state);
  await useFactor(tx, { user, code, box, accountId, by: visitor(visit.address, user.id) });
  return { account: { id: accountId, plan: account.plan }, role: isFirst ? 'owner' : user.role };
}

/** Opens the account of a person with its balances, and makes the person its owner. */
async function openFor(tx: Tx, userId: string, { visit: { address }, welcomePence }: Entry): Promise<string> {
  const accountId = uuidv7();
  await tx.getRepository(AccountEntity).insert({ id: accountId });
  await openAccount(tx, accountId);
  await tx.getRepository(UserEntity).update({ id: userId }, { accountId, role: 'owner' });
  await recordChange(tx, visitor(address, userId), {
    accountId,
    action: 'account.opened',
    subject: accountId,
    after: { userId, role: 'owner' },
  });
  await welcome(tx, { userId, accountId, welcomePence });
  return accountId;
}

interface Welcome {
  readonly userId: string;
  readonly accountId: string;
  readonly welcomePence: number;
}

/** Gives a person the first credits. The key of the transfer is the person's, so whoever opens another account later gets none. */
async function welcome(tx: Tx, { userId, accountId, welcomePence }: Welcome): Promise<void> {
  if (welcomePence === 0) return;
  const key = `welcome/person/${userId}`;
  const grant = grantTransfer({
    accountId,
    amountPence: welcomePence,
    key,
    description: 'Welcome credits',
  });
  // The amount may have been another one then, under which the key would stand for another transfer.
  if (await tx.getRepository(LedgerTransferEntity).existsBy({ idempotencyKey: grant.key })) return;
  await postTransfers(tx, [grant]);
}
