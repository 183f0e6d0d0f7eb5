/** A job of the caller's account; unknown and foreign are the same. */
import { validate as isUuid } from 'uuid';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';

/** Condition on `jobs`: not one that the service made for itself, which is as unknown to customers as a foreign one. */
export const OF_CUSTOMER = 'not internal';

/** What every read of a job starts from: the values `[jobId, accountId]`. @throws NOT_FOUND for what is no id. */
export function ownedJob(actor: Actor, jobId: string): readonly [string, string] {
  if (!isUuid(jobId)) throw jobNotFound();
  return [jobId, actor.accountId];
}

/** The refusal of an unknown or foreign job. */
export function jobNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such job in this account.');
}
