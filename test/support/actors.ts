/** Actors of accounts that tests make without a key. */
import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { KeyActor } from '../../src/domain/access.ts';
import { newAccount } from './admissions.ts';

/** The owner of an account, as a live key of the free plan gives it. */
export function ownerOf(accountId: string, userId: string = randomUUID()): KeyActor {
  return {
    ...{ accountId, userId, kind: 'key', keyId: randomUUID() },
    ...{ environment: 'live', scopes: [], plan: 'free' },
  };
}

/** The owner of a new account without credits. */
export async function newOwner(db: DataSource): Promise<KeyActor> {
  const { accountId, userId } = await newAccount(db, 0);
  return ownerOf(accountId, userId);
}
