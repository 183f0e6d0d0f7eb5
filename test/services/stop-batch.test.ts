/** A batch that stops by its rule has the same results and counts, in whatever order its ligands came back. */
import { expect } from 'chai';

import { replaceInstance } from '../../src/services/execution/instances/replace.ts';
import { cancelBehindStop, stopWhereDecided } from '../../src/services/execution/stop.ts';
import { taskCounts } from '../../src/services/execution/settle/settle.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { dock, dockedBatch, dockedRecord } from '../support/docking-batch.ts';
import type { DockedBatch } from '../support/docking-batch.ts';
import { suiteHome } from '../support/home.ts';
import { RECORDERS } from '../support/recorders.ts';

const RULE = { topN: 1, unchangedFor: 2 };
const LIGANDS = 8;
/** The rule stops behind the third ligand, whatever the others have. */
const STOPS_AFTER = 3;

describe('a batch with a stop rule', () => {
  const home = suiteHome();

  const begun = async (): Promise<DockedBatch> => {
    const batch = await dockedBatch(home, LIGANDS);
    await home.db.query(
      `update tasks set execution = 1, state = 'RUNNING', slot = 0, generation = 1, started_at = now() where job_id = $1 and kind = 'task'`,
      [batch.jobId],
    );
    await home.db.query(
      `update docking_batches b set stop_when = $2::jsonb from docking_runs r where r.job_id = $1 and b.id = r.batch_id`,
      [batch.jobId, JSON.stringify(RULE)],
    );
    return batch;
  };
  const recorder = RECORDERS('autodock-vina');
  /** Decides ligands as a commit does; those without an affinity have failed. */
  const decide = async ({ jobId }: DockedBatch, affinities: Readonly<Record<number, number | null>>) => {
    const docked = Object.entries(affinities).flatMap(([place, affinity]) =>
      affinity === null ? [] : [[place, dockedRecord([affinity])] as const],
    );
    const failed = Object.keys(affinities).filter((place) => affinities[Number(place)] === null);
    await dock(home.db, jobId, Object.fromEntries(docked));
    return inTransaction(home.db, async (tx) => {
      await tx.query('select 1 from jobs where id = $1 for no key update', [jobId]);
      await tx.query(
        `update tasks set state = 'FAILED', failure_code = 'NOOP_ERROR' where job_id = $1 and kind = 'task' and ordinal = any($2::int[])`,
        [jobId, failed],
      );
      await tx.query(
        `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
         select gen_random_uuid(), j.account_id, j.id, 'task', o.ordinal, j.id || '/' || o.ordinal, 'poses' || o.ordinal, 'poses', 'text/plain', 'txt', 1, repeat('a', 64)
         from jobs j, unnest($2::int[]) o (ordinal) where j.id = $1`,
        [jobId, docked.map(([place]) => Number(place))],
      );
      await tx.query(
        `update jobs set tasks_verified = tasks_verified + $2, tasks_failed = tasks_failed + $3 where id = $1`,
        [jobId, docked.length, failed.length],
      );
      return stopWhereDecided(tx, recorder, jobId);
    });
  };
  const standing = async ({ jobId }: DockedBatch): Promise<object> => {
    const one = async (sql: string): Promise<unknown> => home.db.query(sql, [jobId]);
    return {
      counts: await taskCounts(home.db, jobId),
      job: await one('select tasks_verified, tasks_failed from jobs where id = $1'),
      tasks: await one(
        `select ordinal, state, failure_code, charged_in from tasks where job_id = $1 and kind = 'task' order by ordinal`,
      ),
      results: await one(
        'select ordinal, best_affinity_kcal_mol from docking_results where job_id = $1 order by ordinal',
      ),
      outputs: await one('select task_ordinal, name from artifacts where job_id = $1 order by task_ordinal'),
    };
  };

  it('has the same results and counts in whatever order its ligands came back', async () => {
    const inOrder = await begun();
    expect(await decide(inOrder, { 0: -9, 1: -5 })).to.equal(false);
    expect(await decide(inOrder, { 2: -6 })).to.equal(true);
    // What was running when the rule stopped the batch comes back later.
    await decide(inOrder, { 3: -7, 4: null, 5: -12, 6: -4, 7: -4 });

    const backwards = await begun();
    expect(await decide(backwards, { 7: -4, 5: -12, 4: null })).to.equal(false);
    expect(await decide(backwards, { 2: -6, 3: -7 })).to.equal(false);
    expect(await decide(backwards, { 1: -5, 0: -9 })).to.equal(true);
    // The last one that runs is lost with its instance, and not begun again.
    await home.db.query(
      'update instances set last_contact_at = now() where job_id = $1 and slot = 0 and generation = 1',
      [backwards.jobId],
    );
    await replaceInstance(home.db, {
      ...{ jobId: backwards.jobId, execution: 1, slot: 0, generation: 1, cause: 'INSTANCE_GONE' },
    });

    const [one, other] = [await standing(inOrder), await standing(backwards)];
    expect(other).to.deep.equal(one);
    expect(one).to.deep.include({
      job: [{ tasks_verified: STOPS_AFTER, tasks_failed: 0 }],
      counts: { verified: STOPS_AFTER, failed: 0, total: STOPS_AFTER, mergeMissing: false },
      results: [-9, -5, -6].map((score, ordinal) => ({ ordinal, best_affinity_kcal_mol: score })),
    });
  });

  it('keeps what an earlier execution was paid for', async () => {
    const batch = await begun();
    const { jobId } = batch;
    await decide(batch, { 5: -12, 6: -3 });
    await home.db.query('update jobs set execution = 2 where id = $1', [jobId]);
    await home.db.query(
      `update tasks set charged_in = 0 where job_id = $1 and kind = 'task' and ordinal = 6`,
      [jobId],
    );
    await decide(batch, { 0: -9, 1: -5, 2: -6 });
    const states = await home.db.query<{ state: string }[]>(
      `select state from tasks where job_id = $1 and kind = 'task' and ordinal >= $2 order by ordinal`,
      [jobId, STOPS_AFTER],
    );
    expect(states.map(({ state }) => state)).to.deep.equal([
      ...['RUNNING', 'RUNNING', 'SUCCEEDED', 'CANCELLED', 'RUNNING'],
    ]);
    await inTransaction(home.db, (tx) => cancelBehindStop(tx, jobId));
    expect(await taskCounts(home.db, jobId)).to.include({ verified: STOPS_AFTER + 1, failed: 0 });
  });
});
