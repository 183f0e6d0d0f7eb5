/**
 * Closing an account: its keys stop working everywhere within seconds, its files go with the next sweeps. What was charged
 * stays in the ledger. An account with open jobs is not closed, because they would lose their files in the middle.
 */
import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';

import { ApiKeyEntity } from '../../../entities/accounts.ts';
import { JobEntity } from '../../../entities/jobs.ts';
import { AppError } from '../../domain/errors.ts';
import { removeAccountFiles } from '../uploads/sweep.ts';
import { revokeKey } from './accounts.ts';

/** What closing came to. */
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
  // The keys first: a key that still works could store files that no sweep expects.
  for (const { id } of keys) await revokeKey(db, id);
  await removeAccountFiles({ db }, accountId);
  return { accountId, keysRevoked: keys.length };
}
