/**
 * Sweeps exports: starts those that no workflow makes, and removes what attempts have left in the store. An export is looked at until
 * nothing can arrive any more; parts of a file that was never whole are given up by the sweep of uploads.
 */
import type { DataSource } from 'typeorm';

import type { DockingExport } from '../../../../entities/docking-exports.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { JobWorkflows } from '../../../adapters/temporal/client.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { exportPrefix } from '../../../contracts/names.ts';
import type { OuterRow, Row } from '../../row.ts';
import { Attempts } from '../../stored-objects/sweep-attempts.ts';

export interface SweepExportsDependencies {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'list' | 'remove'>;
  readonly workflows: Pick<JobWorkflows, 'startExport'>;
}

const BATCH = 100;
/** An export that is younger is being started by its request. */
const START_AFTER_SECONDS = 60;
/** No attempt works longer than this after the end of its export. */
const SETTLED_SECONDS = 2 * 3600;

const UNSTARTED = `
  select id, account_id, format, result_count from docking_exports
  where swept_at is null and state in ('QUEUED', 'RUNNING') and created_at < now() - make_interval(secs => $1)
    and (created_at, id) > (select coalesce(max(e.created_at), '-infinity'), coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
      from docking_exports e where e.id = $2::uuid)
  order by created_at, id limit $3`;
const ENDED = `
  select e.id, e.account_id, a.storage_key from docking_exports e left join artifacts a on a.id = e.artifact_id
  where e.swept_at is null and e.finished_at < now() - make_interval(secs => $1) order by e.created_at limit $2`;
const SWEPT = 'update docking_exports set swept_at = now() where id = $1';

type Unstarted = Row<DockingExport, 'id' | 'accountId' | 'format' | 'resultCount'>;
type Ended = Row<DockingExport, 'id' | 'accountId'> & OuterRow<Artifact, 'storageKey'>;

/** One round. @throws AttemptsError at its end, when something failed. */
export async function sweepExports(deps: SweepExportsDependencies): Promise<void> {
  const attempts = new Attempts();
  await attempts.run(() => startForgotten(deps, attempts));
  await attempts.run(() => removeLeftovers(deps, attempts));
  attempts.finish('Not every export could be swept.');
}

/** A workflow that runs is left alone, so each open export may be started in every round. */
async function startForgotten(
  { db, workflows }: SweepExportsDependencies,
  attempts: Attempts,
): Promise<void> {
  for (let after: string | null = null, found = BATCH; found === BATCH;) {
    const rows: readonly Unstarted[] = await db.query(UNSTARTED, [START_AFTER_SECONDS, after, BATCH]);
    for (const { id: exportId, account_id: accountId, format, result_count: results } of rows)
      await attempts.run(
        () => workflows.startExport({ exportId, accountId, format, results }),
        `export ${exportId}`,
      );
    after = rows.at(-1)?.id ?? null;
    found = rows.length;
  }
}

async function removeLeftovers({ db, store }: SweepExportsDependencies, attempts: Attempts): Promise<void> {
  for (let found = BATCH; found === BATCH;) {
    const rows: readonly Ended[] = await db.query(ENDED, [SETTLED_SECONDS, BATCH]);
    let swept = 0;
    for (const { id, account_id: accountId, storage_key: kept } of rows)
      await attempts.run(async () => {
        for await (const page of store.list(exportPrefix(accountId, id))) {
          const unwanted = page.map(({ key }) => key).filter((key) => key !== kept);
          if (unwanted.length > 0) await store.remove(unwanted);
        }
        await db.query(SWEPT, [id]);
        swept += 1;
      }, `export ${id}`);
    // Exports that could not be swept would come again in the next page of this round.
    found = swept === rows.length ? rows.length : 0;
  }
}
