/** `manifest.json`: every verified output of a job with size and digest; made on the control side, never charged. */
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { committedKey } from '../../../contracts/names.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import { inTransaction } from '../../transaction.ts';

/** The manifest's format; a change of meaning gets a new one. */
export const MANIFEST_SCHEMA = 'dockyard.manifest/v1';

interface JobRow {
  account_id: string;
  job_type: string;
  simulator: string | null;
  job_name: string | null;
  task_total: number;
}

interface OutputRow {
  name: string;
  kind: string;
  task_ordinal: number | null;
  frame: number | null;
  ligand_id: string | null;
  media_type: string;
  format: string | null;
  byte_size: string;
  sha256: string;
}

/** Writes the manifest of what is verified now, replacing an earlier one; a job without outputs has none. */
export async function writeManifest(
  deps: { db: DataSource; store: ObjectStore },
  jobId: string,
): Promise<void> {
  const { db, store } = deps;
  const [job] = await db.query<JobRow[]>(
    'select account_id, job_type, simulator, job_name, task_total from jobs where id = $1',
    [jobId],
  );
  if (job === undefined) throw invariantBroken(`job ${jobId} does not exist`);
  const outputs = await db.query<OutputRow[]>(
    `select name, kind, task_ordinal, frame, ligand_id, media_type, format, byte_size, sha256 from artifacts
     where job_id = $1 and task_kind <> 'finish' order by task_kind, task_ordinal, name`,
    [jobId],
  );
  if (outputs.length === 0) return;
  const body = Buffer.from(JSON.stringify(manifestOf(jobId, job, outputs)), 'utf8');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const key = committedKey(job.account_id, jobId, 'finish', 0, { name: 'manifest.json', sha256 });
  await store.put(key, body, 'application/json');
  const stale = await inTransaction(db, async (tx) => {
    await tx.query(
      `insert into tasks (job_id, kind, ordinal, item_id, state, finished_at) values ($1, 'finish', 0, 'finish', 'SUCCEEDED', now())
       on conflict (job_id, kind, ordinal) do update set state = 'SUCCEEDED', finished_at = now()`,
      [jobId],
    );
    const old = await tx.query<{ storage_key: string }[]>(
      `with old as (delete from artifacts where job_id = $1 and task_kind = 'finish' and storage_key <> $2 returning storage_key)
       select storage_key from old`,
      [jobId, key],
    );
    await tx.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
       values ($1, $2, $3, 'finish', 0, $4, 'manifest.json', 'manifest', 'application/json', 'json', $5, $6) on conflict do nothing`,
      [uuidv7(), job.account_id, jobId, key, body.byteLength, sha256],
    );
    return old;
  });
  if (stale.length > 0) await store.remove(stale.map((row) => row.storage_key));
}

function manifestOf(jobId: string, job: JobRow, outputs: readonly OutputRow[]): Record<string, unknown> {
  return {
    schema: MANIFEST_SCHEMA,
    jobId,
    jobType: job.job_type,
    simulator: job.simulator,
    jobName: job.job_name,
    taskCount: job.task_total,
    outputs: outputs.map((row) => ({
      name: row.name,
      kind: row.kind,
      taskIndex: row.task_ordinal,
      frame: row.frame,
      ligandId: row.ligand_id,
      mediaType: row.media_type,
      format: row.format,
      byteSize: Number(row.byte_size),
      sha256: row.sha256,
    })),
  };
}
