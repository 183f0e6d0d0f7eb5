/**
 * Before a job may end, what it says it has is compared with what the store lists, by key and size. The digests were
 * verified at commit, and no instance can write there; a mismatch means that somebody else changed the store.
 */
import type { DataSource } from 'typeorm';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { jobPrefix } from '../../../contracts/names.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import { inTransaction } from '../../transaction.ts';
import { MAX_UNVERIFIED_ATTEMPTS } from './commit.ts';

interface Expected {
  storage_key: string;
  byte_size: string;
  task_kind: string;
  task_ordinal: number;
}

/** Sets back the tasks whose outputs are missing or of another size; removes what no artifact names. */
export async function checkCompleteness(
  deps: { db: DataSource; store: ObjectStore },
  jobId: string,
): Promise<{ setBack: number }> {
  const { db, store } = deps;
  const [job] = await db.query<{ account_id: string }[]>('select account_id from jobs where id = $1', [
    jobId,
  ]);
  if (job === undefined) throw invariantBroken(`job ${jobId} does not exist`);
  const expected = await db.query<Expected[]>(
    'select storage_key, byte_size, task_kind, task_ordinal from artifacts where job_id = $1',
    [jobId],
  );
  const missing = new Map(expected.map((row) => [row.storage_key, row]));
  const strays: string[] = [];
  for await (const page of store.list(jobPrefix(job.account_id, jobId))) {
    for (const { key, byteSize } of page) {
      const row = missing.get(key);
      if (row !== undefined && Number(row.byte_size) === byteSize) missing.delete(key);
      else if (row === undefined) strays.push(key);
    }
  }
  if (strays.length > 0) await store.remove(strays);
  if (missing.size === 0) return { setBack: 0 };
  return { setBack: await setBack(db, jobId, [...missing.values()]) };
}

/** The whole task is done again: its other outputs go too, so that one attempt explains all of them. */
async function setBack(db: DataSource, jobId: string, rows: readonly Expected[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    await tx.query('select 1 from jobs where id = $1 for no key update', [jobId]);
    const back = await tx.query<{ kind: string; ordinal: number; state: string }[]>(
      `with lost as (select distinct kind, ordinal from unnest($2::text[], $3::int[]) as l (kind, ordinal)),
            back as (update tasks t set progress_percent = 0, summary = null,
                state = case when t.attempts >= $4 then 'FAILED' else 'PENDING' end,
                finished_at = case when t.attempts >= $4 then now() end,
                failure_code = case when t.attempts >= $4 then 'OUTPUT_UNVERIFIED' end,
                failure_message = case when t.attempts >= $4 then 'The outputs did not stay in the store as they were verified.' end
              from lost where t.job_id = $1 and t.kind = lost.kind and t.ordinal = lost.ordinal and t.state = 'SUCCEEDED'
              returning t.kind, t.ordinal, t.state),
            gone as (delete from artifacts a using lost where a.job_id = $1 and a.task_kind = lost.kind and a.task_ordinal = lost.ordinal)
       select kind, ordinal, state from back`,
      [jobId, rows.map((row) => row.task_kind), rows.map((row) => row.task_ordinal), MAX_UNVERIFIED_ATTEMPTS],
    );
    const tasks = back.filter((row) => row.kind === 'task');
    await tx.query(
      `update jobs set tasks_verified = tasks_verified - $2, tasks_failed = tasks_failed + $3, version = version + 1,
         updated_at = now() where id = $1`,
      [jobId, tasks.length, tasks.filter((row) => row.state === 'FAILED').length],
    );
    return back.length;
  });
}
