/**
 * Does only what is new: for a task that the account has had done before in the same way, the earlier verified task stands. The
 * earlier result is found by the key that the tool gives a task, which is known once the job is prepared and before any task is
 * sent to an instance. The outputs are copied inside the store, so they live as long as the job, and each copy is compared with
 * the digest of its output: what is gone or changed is done anew. A task that an earlier one stands for is verified and charged
 * nothing.
 *
 * The earlier task may be of another item. Outputs and records get the name of the task, and the bytes of the outputs stay as
 * they were verified, with the earlier name in them.
 *
 * Each step may be repeated: only tasks that are still open are decided, and one transaction decides a task with its outputs and
 * its records.
 */
import { randomBytes } from 'node:crypto';

import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import type { Artifact } from '../../../../entities/storage.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { copiedKey } from '../../../contracts/names.ts';
import { announceJob } from '../../events/announce.ts';
import type { RecordedExecution } from '../recorder.ts';
import { stopWhereDecided } from '../stop.ts';
import type { Row } from '../../row.ts';
import { inTransaction } from '../../transaction.ts';
import type { Tx } from '../../transaction.ts';
import { writeReuseKeys } from './keys.ts';
import type { Keyed, ReuseDependencies } from './keys.ts';

/** Tasks that one transaction decides. */
const PAGE = 100;
const COPIES_AT_ONCE = 16;
const MARK_BYTES = 8;

/** A task, and the earlier one that can stand for it. */
interface Found extends Row<Task, 'ordinal' | 'itemId'> {
  readonly source_job: string;
  readonly source_ordinal: number;
  readonly source_item: string;
}

type Output = Row<Artifact, 'name' | 'kind' | 'mediaType' | 'format' | 'byteSize' | 'sha256' | 'storageKey'>;

/** A found result with the copies of its outputs under their new names. */
interface Copied extends Found {
  readonly copies: readonly { readonly output: Output; readonly key: string }[];
}

/** Gives the tasks of a prepared job their keys, and adopts earlier tasks where the job takes them. @returns how many. */
export async function adoptVerified(deps: ReuseDependencies, of: RecordedExecution): Promise<number> {
  const { db } = deps;
  const keyed = await writeReuseKeys(deps, of.jobId);
  if (keyed === null || !(await keyed.recorder.takesReused(db, of.jobId))) return 0;
  let adopted = 0;
  for (let after = -1; ;) {
    const found = await db.query<Found[]>(FIND, [of.jobId, after, PAGE]);
    adopted += await adoptPage(deps, { ...of, ...keyed }, found);
    after = found.at(-1)?.ordinal ?? after;
    if (found.length < PAGE) break;
  }
  if (adopted > 0) await announceJob(db, of.jobId);
  return adopted;
}

/**
 * An earlier task for each open task: one of the same item where there is one, and of several the newest. A task that was adopted
 * itself is no source: its source is.
 */
const FIND = `
  select t.ordinal, t.item_id, s.job_id as source_job, s.ordinal as source_ordinal, s.item_id as source_item
  from tasks t cross join lateral (
    select o.job_id, o.ordinal, o.item_id from tasks o join jobs j on j.id = o.job_id
    where o.reuse_key = t.reuse_key and o.kind = 'task' and o.state = 'SUCCEEDED' and o.charged_in is distinct from 0
      and o.job_id <> t.job_id and not j.internal and j.account_id = (select own.account_id from jobs own where own.id = t.job_id)
    order by o.item_id = t.item_id desc, o.finished_at desc, o.job_id, o.ordinal limit 1) s
  where t.job_id = $1 and t.kind = 'task' and t.state = 'PENDING' and t.ordinal > $2::int order by t.ordinal limit $3`;

const OUTPUTS = `
  select a.name, a.kind, a.media_type, a.format, a.byte_size, a.sha256, a.storage_key from artifacts a
  where a.job_id = $1 and a.task_kind = 'task' and a.task_ordinal = $2 order by a.name`;

async function adoptPage(
  deps: ReuseDependencies,
  of: RecordedExecution & Keyed,
  found: readonly Found[],
): Promise<number> {
  const { db, store } = deps;
  if (found.length === 0) return 0;
  const accountId = await accountOf(db, of.jobId);
  const limit = pLimit(COPIES_AT_ONCE);
  const mark = randomBytes(MARK_BYTES).toString('hex');
  const tried = await Promise.all(
    found.map((one) => limit(() => copyOutputs(deps, { ...of, accountId, mark }, one))),
  );
  const copied = tried.flatMap(({ copied: one }) => (one === null ? [] : [one]));
  const adopted = new Set(await inTransaction(db, (tx) => record(tx, { ...of, accountId }, copied)));
  const unwanted = [
    ...tried.flatMap(({ leftovers }) => leftovers),
    ...copied.filter(({ ordinal }) => !adopted.has(ordinal)).flatMap(keysOf),
  ];
  // The completeness check and the sweep find copies that this misses.
  if (unwanted.length > 0) await store.remove(unwanted).catch(() => undefined);
  return adopted.size;
}

function keysOf({ copies }: Copied): string[] {
  return copies.map(({ key }) => key);
}

async function accountOf(db: DataSource, jobId: string): Promise<string> {
  const [row] = await db.query<{ account_id: string }[]>('select account_id from jobs where id = $1', [
    jobId,
  ]);
  return row?.account_id ?? '';
}

/** Copies the outputs of a result; nothing is copied in the end when an output is gone or has changed. */
async function copyOutputs(
  { db, store }: ReuseDependencies,
  to: RecordedExecution & Keyed & { readonly accountId: string; readonly mark: string },
  found: Found,
): Promise<{ readonly copied: Copied | null; readonly leftovers: readonly string[] }> {
  const outputs = await db.query<Output[]>(OUTPUTS, [found.source_job, found.source_ordinal]);
  const copies: { output: Output; key: string }[] = [];
  for (const output of outputs) {
    const name = to.outputName(output.name, found.source_item, found.item_id);
    const { sha256 } = output;
    const key = copiedKey(to.accountId, to.jobId, 'task', found.ordinal, { name, sha256, mark: to.mark });
    copies.push({ output: { ...output, name }, key });
    if (!(await isCopied(store, output, key)))
      return { copied: null, leftovers: copies.map((one) => one.key) };
  }
  return outputs.length === 0
    ? { copied: null, leftovers: [] }
    : { copied: { ...found, copies }, leftovers: [] };
}

async function isCopied(store: ObjectStore, output: Output, key: string): Promise<boolean> {
  const copy = await store.copy(output.storage_key, key, output.media_type);
  if (copy === null) return false;
  const hashed = copy.sha256 === null ? await store.hash(key) : null;
  const digest = copy.sha256 ?? hashed?.sha256;
  const byteSize = copy.byteSize ?? hashed?.byteSize ?? output.byte_size;
  return digest === output.sha256 && byteSize === output.byte_size;
}

/** Decides the tasks that are still open, with their outputs and records. @returns their ordinals. */
async function record(
  tx: Tx,
  { jobId, execution, accountId, recorder }: RecordedExecution & Keyed & { readonly accountId: string },
  copied: readonly Copied[],
): Promise<readonly number[]> {
  if (copied.length === 0) return [];
  // The job's row is locked first, as in a commit and in the settlement.
  const open = await tx.query<unknown[]>(
    `select 1 from jobs where id = $1 and execution = $2 and finished_at is null and cancel_requested_at is null for no key update`,
    [jobId, execution],
  );
  if (open.length === 0) return [];
  const rows = await tx.query<Row<Task, 'ordinal'>[]>(DECIDE, [
    jobId,
    execution,
    copied.map(({ ordinal }) => ordinal),
    copied.map((one) => one.source_job),
    copied.map((one) => one.source_ordinal),
  ]);
  const ordinals = rows.map(({ ordinal }) => ordinal);
  const decided = copied.filter(({ ordinal }) => ordinals.includes(ordinal));
  await tx.query(INSERT_OUTPUTS, [accountId, jobId, JSON.stringify(decided.flatMap(outputRows))]);
  await recorder.adopted(
    tx,
    { jobId, execution },
    decided.map((one) => ({
      ordinal: one.ordinal,
      itemId: one.item_id,
      source: { jobId: one.source_job, ordinal: one.source_ordinal },
    })),
  );
  await tx.query(
    'update jobs set tasks_verified = tasks_verified + $2, version = version + 1, updated_at = now() where id = $1',
    [jobId, ordinals.length],
  );
  await stopWhereDecided(tx, recorder, jobId);
  return ordinals;
}

function outputRows({ ordinal, item_id: itemId, copies }: Copied): object[] {
  return copies.map(({ output: { storage_key: _, ...output }, key }) => ({
    id: uuidv7(),
    ordinal,
    item_id: itemId,
    key,
    ...output,
  }));
}

/** The mark 0 says that no execution charges for the task. */
const DECIDE = `
  with sent as (select * from unnest($3::int[], $4::uuid[], $5::int[]) as s (ordinal, source_job, source_ordinal)),
       done as (update tasks t set state = 'SUCCEEDED', execution = $2, progress_percent = 100, charged_in = 0,
           failure_code = null, failure_message = null, finished_at = now(), summary = (
             select o.summary from tasks o where o.job_id = sent.source_job and o.kind = 'task' and o.ordinal = sent.source_ordinal)
         from sent where t.job_id = $1 and t.kind = 'task' and t.ordinal = sent.ordinal and t.state = 'PENDING'
         returning t.ordinal)
  select ordinal from done`;

const INSERT_OUTPUTS = `
  insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256, item_id)
  select r.id, $1, $2, 'task', r.ordinal, r.key, r.name, r.kind, r.media_type, r.format, r.byte_size, r.sha256, r.item_id
  from jsonb_to_recordset($3::jsonb) as r (id uuid, ordinal int, key text, name text, kind text, media_type text,
    format text, byte_size bigint, sha256 text, item_id text)`;
