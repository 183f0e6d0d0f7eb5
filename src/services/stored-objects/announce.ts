/** An object is announced before it is stored, so that the sweep finds the object again should a crash come in between. */
import type { DataSource } from 'typeorm';

import { StoredRequestEntity } from '../../../entities/sweep.ts';
import { insertIfNew } from '../insert-if-new.ts';

/** Notes that a request is about to be stored, so that it is found again should no job come of it. */
export async function announceRequest(db: DataSource, key: string, jobId: string): Promise<void> {
  await insertIfNew(db, StoredRequestEntity, { requestKey: key, jobId });
}
