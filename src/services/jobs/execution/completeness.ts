/**
 * Before a job may end, what it says it has is compared with what the store lists, by key and size. The digests were
 * verified at commit, and no instance can write there; a mismatch means that somebody else changed the store.
 */
import type { DataSource } from 'typeorm';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { jobPrefix } from '../../../contracts/names.ts';
import { inTransaction } from '../../transaction.ts';

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
  beat: () => void,
): Promise<{ setBack: number }> {
  const { db, store } = deps;
  const [job] = await db.query<{ account_id: string }[]>('select account_id from jobs where id = $1', [
    jobId,
  ]);
  if (job === undefined) throw new Error(`job ${jobId} does not exist`);
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
    beat();
  }
  if (strays.length > 0) await store.remove(strays);
  if (missing.size === 0) return { setBack: 0 };
  return { setBack: await setBack(db, jobId, [...missing.values()]) };
}

/** The whole task is done again: its other outputs go too, so that one attempt explains all of them. */
async function setBack(db: DataSource, jobId: string, rows: readonly Expected[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    const back = await tx.query<{ kind: string; ordinal: number }[]>(
      `with lost as (select distinct kind, ordinal from unnest($2::text[], $3::int[]) as l (kind, ordinal)),
            back as (update tasks t set state = 'PENDING', progress_percent = 0, finished_at = null, summary = null
              from lost where t.job_id = $1 and t.kind = lost.kind and t.ordinal = lost.ordinal and t.state = 'SUCCEEDED'
              returning t.kind, t.ordinal),
            gone as (delete from artifacts a using lost where a.job_id = $1 and a.task_kind = lost.kind and a.task_ordinal = lost.ordinal)
       select kind, ordinal from back`,
      [jobId, rows.map((row) => row.task_kind), rows.map((row) => row.task_ordinal)],
    );
    await tx.query(
      'update jobs set tasks_verified = tasks_verified - $2, version = version + 1, updated_at = now() where id = $1',
      [jobId, back.filter((row) => row.kind === 'task').length],
    );
    return back.length;
  });
}
