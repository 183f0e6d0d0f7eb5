/** Finds a job of the caller's account. A job of another account is refused exactly as a job that does not exist. */
import { validate as isUuid } from 'uuid';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';

/** SQL condition on `jobs` that leaves out jobs which the service made for itself; no customer may see such a job. */
export const OF_CUSTOMER = 'not internal';

/** The parameters `[jobId, accountId]` of every statement that reads a customer's job. @throws NOT_FOUND when `jobId` is no UUID. */
export function ownedJob(actor: Actor, jobId: string): readonly [string, string] {
  if (!isUuid(jobId)) throw jobNotFound();
  return [jobId, actor.accountId];
}

/** The refusal of an unknown or foreign job. */
export function jobNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such job in this account.');
}
