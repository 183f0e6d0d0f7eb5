/**
 * Preparations that later jobs of an account re-use: the digest of a preparation's inputs leads to the job that made
 * it.
 */
import { EntitySchema } from 'typeorm';

import { insertTime, primary, text, uuid } from './columns.ts';

/** One preparation; its files are the artifacts of the job's prepare step. */
export interface Preparation {
  accountId: string;
  cacheKey: string;
  jobId: string;
  createdAt: Date;
}

/** Table `preparations`. */
export const PreparationEntity = new EntitySchema<Preparation>({
  name: 'Preparation',
  tableName: 'preparations',
  columns: { accountId: primary(uuid), cacheKey: primary(text), jobId: uuid, createdAt: insertTime },
});
