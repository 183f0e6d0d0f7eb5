/** Accounts with their first user and keys, as operators make them. */
import Joi from 'joi';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AccountEntity, ApiKeyEntity, UserEntity } from '../../../entities/accounts.ts';
import { SCOPES, type KeyEnvironment } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { recordChange, SOME_OPERATOR } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { grantTransfer, openAccount, postTransfers } from '../ledger/index.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../transaction.ts';
import { drawKey } from './key-format.ts';

/** A new account. The keys of the account are shown in this answer only. */
export interface NewAccount {
  readonly accountId: string;
  readonly liveKey: string;
  readonly testKey: string;
}

/** The e-mail address and the first credits of a new account. */
export interface AccountRequest {
  readonly email: string;
  readonly creditsPence: number;
  /** Key under which the first credits are granted once, and the reason of the grant; without them both come from the account itself. */
  readonly creditsKey?: string | undefined;
  readonly creditsReason?: string | undefined;
}

const EMAIL = Joi.string().email({ tlds: false }).max(254).required();

/**
 * Creates an account with a user, a live and a test key of all scopes, and promotional credits, in one transaction.
 * @throws VALIDATION_ERROR when the text is no e-mail address, or the address has an account already;
 * IDEMPOTENCY_KEY_REUSED when the key of the credits has given credits to another account.
 */
export async function createAccount(
  db: DataSource,
  account: AccountRequest,
  by: Author = SOME_OPERATOR,
): Promise<NewAccount> {
  if (EMAIL.validate(account.email).error !== undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      `email: ${JSON.stringify(account.email)} is not an e-mail address.`,
    );
  try {
    return await inTransaction(db, (tx) => insertAccount(tx, account, by));
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email')) throw error;
    throw new AppError('VALIDATION_ERROR', `email: there is an account with ${account.email} already.`);
  }
}

async function insertAccount(tx: Tx, account: AccountRequest, by: Author): Promise<NewAccount> {
  const accountId = uuidv7();
  const owner = { accountId, userId: uuidv7() };
  await tx.getRepository(AccountEntity).insert({ id: accountId });
  await tx.getRepository(UserEntity).insert({ id: owner.userId, accountId, email: account.email });
  await openAccount(tx, accountId);
  const liveKey = await addKey(tx, owner, 'live');
  const testKey = await addKey(tx, owner, 'test');
  const { creditsPence, creditsKey: key = `welcome/${accountId}` } = account;
  const { creditsReason: description = 'Credits granted with the account' } = account;
  if (creditsPence > 0)
    await postTransfers(tx, [grantTransfer({ accountId, amountPence: creditsPence, key, description })]);
  const given = creditsPence > 0 ? { key, description } : {};
  await recordChange(tx, by, {
    accountId,
    action: 'account.created',
    subject: accountId,
    after: { userId: owner.userId, creditsPence, ...given },
  });
  return { accountId, liveKey, testKey };
}

async function addKey(
  tx: Tx,
  owner: { accountId: string; userId: string },
  environment: KeyEnvironment,
): Promise<string> {
  const drawn = drawKey(environment);
  await tx.getRepository(ApiKeyEntity).insert({
    id: uuidv7(),
    accountId: owner.accountId,
    userId: owner.userId,
    name: `first ${environment} key`,
    environment,
    scopes: [...SCOPES],
    secretSha256: drawn.sha256,
    prefix: drawn.prefix,
    last4: drawn.last4,
  });
  return drawn.key;
}
