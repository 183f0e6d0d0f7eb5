/**
 * Closing an account. The keys of the account stop working everywhere within seconds, and the next sweeps remove its
 * files. Its transfers stay in the ledger. An account with open jobs is not closed, because running jobs would lose
 * their files.
 */
import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';

import { ApiKeyEntity } from '../../../entities/accounts.ts';
import { JobEntity } from '../../../entities/jobs.ts';
import { AppError } from '../../domain/errors.ts';
import { removeAccountFiles } from '../uploads/sweep.ts';
import { revokeKey } from './accounts.ts';

/** The account that was closed, and how many of its keys were revoked. */
export interface ClosedAccount {
  readonly accountId: string;
  readonly keysRevoked: number;
}

/** Closes an account. Repeatable. @throws VALIDATION_ERROR while it has open jobs. */
export async function closeAccount(db: DataSource, accountId: string): Promise<ClosedAccount> {
  const open = await db.getRepository(JobEntity).find({
    select: { id: true },
    where: { accountId, finishedAt: IsNull() },
    order: { id: 'asc' },
    take: 10,
  });
  if (open.length > 0) {
    const jobs = open.map(({ id }) => id).join(', ');
    throw new AppError('VALIDATION_ERROR', `The account has open jobs. Cancel them first: ${jobs}.`);
  }
  const keys = await db
    .getRepository(ApiKeyEntity)
    .find({ select: { id: true }, where: { accountId, revokedAt: IsNull() } });
  // The keys are revoked first, because a key that still works could store files that no sweep expects.
  for (const { id } of keys) await revokeKey(db, id);
  await removeAccountFiles({ db }, accountId);
  return { accountId, keysRevoked: keys.length };
}
