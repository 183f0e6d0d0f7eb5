/** The recovery ledger of a customer's job, page by page. */
import type { DataSource } from 'typeorm';

import { JobEntity } from '../../../entities/jobs.ts';
import type { Actor } from '../../domain/access.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { presentRecovery, readLedger } from '../job-records/read-recoveries.ts';
import { jobNotFound, ownedJob } from './owned.ts';
import type { RecoveryListResponse } from '../../domain/answers.ts';

const LIST = 'recoveries';

/** Lists what was lost, paused and resumed. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listRecoveries(
  db: DataSource,
  actor: Actor,
  jobId: string,
  query: { readonly limit: number; readonly cursor?: string },
): Promise<RecoveryListResponse> {
  const [id, accountId] = ownedJob(actor, jobId);
  const scope = scopeOf(LIST, actor, { ...query, jobId });
  const place = readCursor(scope, query.cursor, ['time', 'uuid']);
  if (!(await db.getRepository(JobEntity).existsBy({ id, accountId, internal: false }))) throw jobNotFound();
  const rows = await readLedger(db, id, query.limit + 1, place);
  const page = pageOf(scope, rows, query.limit, (row) => [row.created_at, row.id]);
  return { recoveries: page.rows.map(presentRecovery), nextCursor: page.nextCursor };
}
