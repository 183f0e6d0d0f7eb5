/** Accounts with their first user and keys; revocation. */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { SCOPES, type KeyEnvironment } from '../../domain/access.ts';
import { grantTransfer, openAccount, postTransfers } from '../ledger/index.ts';
import { inTransaction, type Tx } from '../transaction.ts';
import { drawKey } from './key-format.ts';
import { REVOKED_CHANNEL } from './identity.ts';

/** A new account; the keys are shown here once. */
export interface NewAccount {
  readonly accountId: string;
  readonly liveKey: string;
  readonly testKey: string;
}

/** Creates an account with a user, a live and a test key of all scopes, and promotional credits, in one transaction. */
export async function createAccount(db: DataSource, account: { readonly email: string; readonly creditsPence: number }): Promise<NewAccount> {
  const accountId = uuidv7();
  const userId = uuidv7();
  return inTransaction(db, async (tx) => {
    await tx.query('insert into accounts (id) values ($1)', [accountId]);
    await tx.query('insert into users (id, account_id, email) values ($1, $2, $3)', [userId, accountId, account.email]);
    await openAccount(tx, accountId);
    const owner = { accountId, userId };
    const liveKey = await addKey(tx, owner, 'live');
    const testKey = await addKey(tx, owner, 'test');
    if (account.creditsPence > 0) {
      await postTransfers(tx, [
        grantTransfer({ accountId, amountPence: account.creditsPence, key: `welcome/${accountId}`, description: 'Credits granted with the account' }),
      ]);
    }
    return { accountId, liveKey, testKey };
  });
}

async function addKey(tx: Tx, owner: { accountId: string; userId: string }, environment: KeyEnvironment): Promise<string> {
  const drawn = drawKey(environment);
  await tx.query(
    `insert into api_keys (id, account_id, user_id, name, environment, scopes, secret_sha256, prefix, last4)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [uuidv7(), owner.accountId, owner.userId, `first ${environment} key`, environment, SCOPES, drawn.sha256, drawn.prefix, drawn.last4],
  );
  return drawn.key;
}

/** Revokes a key; every process forgets it within seconds. A second call changes nothing. */
export async function revokeKey(db: DataSource, keyId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query('update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1', [keyId]);
    await tx.query('update revocation_epoch set epoch = epoch + 1');
    await tx.query(`select pg_notify($1, '')`, [REVOKED_CHANNEL]);
  });
}
