/** The ligands of a batch or a run that have failed, by their ids, with how many there are of each code. */
import type { DataSource } from 'typeorm';

import type { Actor } from '../../../domain/access.ts';
import { pageOf, readCursor, scopeOf } from '../../cursor.ts';
import { inSnapshot } from '../../transaction.ts';
import { jobsOf, othersAfter } from './list.ts';
import { FAILURE_COUNTS } from './page-sql.ts';
import { presentFailure } from './rows.ts';
import { scopeOfResults } from './scope.ts';
import type { Answers } from '../../../domain/answers.ts';

type FailureListResponse = Answers['listDockingBatchFailures'];

/** A query for failures. */
export interface FailureQuery {
  readonly code?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const LIST = 'docking-failures';

/** Lists failures. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listFailures(
  db: DataSource,
  actor: Actor,
  batchId: string,
  query: FailureQuery,
): Promise<FailureListResponse> {
  const cursors = scopeOf(LIST, actor, { ...query, batchId });
  const place = readCursor(cursors, query.cursor, ['text']);
  return inSnapshot(db, async (tx) => {
    const scope = await scopeOfResults(tx, actor, 'batch', batchId);
    const of = { status: 'FAILED' as const, ...(query.code === undefined ? {} : { code: query.code }) };
    const after = place === null ? null : { ligandId: place[0] };
    const rows = await othersAfter(tx, scope, of, after, query.limit + 1);
    const page = pageOf(cursors, rows, query.limit, (row) => [row.ligand_id]);
    const counts = await tx.query<FailureListResponse['counts']>(FAILURE_COUNTS, [
      jobsOf(scope),
      scope.libraryId,
      scope.hasRepeated,
    ]);
    return {
      failures: page.rows.map((row) => presentFailure(scope, row)),
      counts,
      final: scope.final,
      nextCursor: page.nextCursor,
      uiLinks: scope.links,
    };
  });
}
