/**
 * Docks only what is new: for a ligand that the account has docked before in the same way, the earlier verified result stands.
 * The earlier result is found by the key of the task, the class of processors and the digest of the code, all of which are known
 * once the receptor is prepared and before any ligand is sent to an instance. The outputs are copied inside the store, so they
 * live as long as the job, and each copy is compared with the digest of its output: what is gone or changed is docked anew. A
 * task that an earlier result stands for is verified and charged nothing.
 *
 * The earlier result may have another name. Outputs and record get the name of the task, and the bytes of the outputs stay as
 * they were verified, with the earlier name in them.
 *
 * Each step may be repeated: only tasks that are still open are decided, and one transaction decides a task with its outputs and
 * its record.
 */
import { randomBytes } from 'node:crypto';

import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import type { Artifact } from '../../../../entities/storage.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { copiedKey } from '../../../contracts/names.ts';
import { resultIdOf } from '../../../domain/docking-ids.ts';
import type { StopWhen } from '../../../domain/stop-rule.ts';
import { announceJob } from '../../events/announce.ts';
import { stopByRule } from '../commit/stop-batch.ts';
import { countChanges } from '../../rank-counts-sql.ts';
import type { Row } from '../../row.ts';
import { inTransaction } from '../../transaction.ts';
import type { Tx } from '../../transaction.ts';
import { writeReuseKeys } from './keys.ts';
import type { OutputName, ReuseDependencies } from './keys.ts';

/** Tasks that one transaction decides. */
const PAGE = 100;
const COPIES_AT_ONCE = 16;
const MARK_BYTES = 8;

interface Execution {
  readonly jobId: string;
  readonly execution: number;
}

/** A task, and the earlier result that can stand for it. */
interface Found extends Row<Task, 'ordinal' | 'itemId'> {
  readonly source_id: string;
  readonly source_job: string;
  readonly source_ordinal: number;
  readonly source_item: string;
}

type Output = Row<Artifact, 'name' | 'kind' | 'mediaType' | 'format' | 'byteSize' | 'sha256' | 'storageKey'>;

/** A found result with the copies of its outputs under their new names. */
interface Copied extends Found {
  readonly copies: readonly { readonly output: Output; readonly key: string }[];
}

/** Gives the tasks of a prepared job their keys, and adopts earlier results where the job asks for that. @returns how many. */
export async function adoptVerified(
  deps: ReuseDependencies,
  of: Execution,
  stopWhen: StopWhen | null = null,
): Promise<number> {
  const { db } = deps;
  const keyed = await writeReuseKeys(deps, of);
  if (keyed === null || !(await isAskedFor(db, of.jobId))) return 0;
  const { toolchainSha256, outputName } = keyed;
  const cpuClass = await processorOf(db, of.jobId);
  if (cpuClass === null) return 0;
  let adopted = 0;
  for (let after = -1; ;) {
    const found = await db.query<Found[]>(FIND, [of.jobId, after, cpuClass, toolchainSha256, PAGE]);
    adopted += await adoptPage(deps, { ...of, stopWhen, outputName }, found);
    after = found.at(-1)?.ordinal ?? after;
    if (found.length < PAGE) break;
  }
  if (adopted > 0) await announceJob(db, of.jobId);
  return adopted;
}

/** Runs and batches reuse results unless they say otherwise; the price of any other job is for docking all of its ligands. */
async function isAskedFor(db: DataSource, jobId: string): Promise<boolean> {
  const rows = await db.query<unknown[]>(
    `select 1 from docking_runs r left join docking_batches b on b.id = r.batch_id
     where r.job_id = $1 and coalesce(b.reuse, r.reuse, 'verified') = 'verified'`,
    [jobId],
  );
  return rows.length > 0;
}

/** The class of processors that the preparation has told. A job runs on one class. */
async function processorOf(db: DataSource, jobId: string): Promise<string | null> {
  const [row] = await db.query<{ cpu_class: string | null }[]>(
    `select summary ->> 'cpuClass' as cpu_class from tasks where job_id = $1 and kind = 'prepare' and state = 'SUCCEEDED'`,
    [jobId],
  );
  return row?.cpu_class ?? null;
}

/**
 * An earlier result of each open task: one of the same name where there is one, and of several the newest. A result that was adopted
 * itself is no source: its source is.
 */
const FIND = `
  select t.ordinal, t.item_id, r.id as source_id, r.job_id as source_job, r.ordinal as source_ordinal, r.ligand_id as source_item
  from tasks t cross join lateral (
    select d.id, d.job_id, d.ordinal, d.ligand_id from docking_results d join jobs j on j.id = d.job_id
    where d.reuse_key = t.reuse_key and d.cpu_class = $3 and d.cached_from_result_id is null and d.toolchain_sha256 = $4
      and d.job_id <> t.job_id and not j.internal and j.account_id = (select o.account_id from jobs o where o.id = t.job_id)
    order by d.ligand_id = t.item_id desc, d.created_at desc, d.id limit 1) r
  where t.job_id = $1 and t.kind = 'task' and t.state = 'PENDING' and t.ordinal > $2::int order by t.ordinal limit $5`;

const OUTPUTS = `
  select a.name, a.kind, a.media_type, a.format, a.byte_size, a.sha256, a.storage_key from artifacts a
  where a.job_id = $1 and a.task_kind = 'task' and a.task_ordinal = $2 order by a.name`;

async function adoptPage(
  deps: ReuseDependencies,
  of: Execution & { readonly stopWhen: StopWhen | null; readonly outputName: OutputName },
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

interface Renaming {
  readonly outputName: OutputName;
}

/** Copies the outputs of a result; nothing is copied in the end when an output is gone or has changed. */
async function copyOutputs(
  { db, store }: ReuseDependencies,
  to: Execution & Renaming & { readonly accountId: string; readonly mark: string },
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

/** Account of the job, and the rule by which its batch stops. */
interface Deciding {
  readonly accountId: string;
  readonly stopWhen: StopWhen | null;
}

/** Decides the tasks that are still open, with their outputs and records. @returns their ordinals. */
async function record(
  tx: Tx,
  { jobId, execution, accountId, stopWhen }: Execution & Deciding,
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
  const results = JSON.stringify(
    decided.map(({ ordinal, item_id: item, source_id: source }) => ({
      id: resultIdOf(jobId, ordinal),
      ordinal,
      item,
      source,
    })),
  );
  await tx.query(INSERT_RESULTS, [jobId, execution, results]);
  await tx.query(INSERT_POSES, [jobId, results]);
  await tx.query(INSERT_CONTACTS, [jobId, results]);
  await tx.query(
    'update jobs set tasks_verified = tasks_verified + $2, version = version + 1, updated_at = now() where id = $1',
    [jobId, ordinals.length],
  );
  await stopByRule(tx, jobId, stopWhen);
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

const SENT = `jsonb_to_recordset($2::jsonb) as s (id uuid, ordinal int, source uuid)`;

const INSERT_RESULTS = `
  with sent as (select s.id, s.ordinal, s.item, s.source, d.best_affinity_kcal_mol as score
         from jsonb_to_recordset($3::jsonb) as s (id uuid, ordinal int, item text, source uuid) join docking_results d on d.id = s.source),
       ${countChanges('select score, 1 from sent')}
  insert into docking_results (id, job_id, ordinal, execution, ligand_id, result_sha256, best_affinity_kcal_mol, ligand_efficiency,
    size_independent_efficiency, pose_count, best_pose_failed_checks, plausible_pose_count, heavy_atoms, formal_charge, smiles_input,
    smiles_docked, warnings, descriptors, second_affinity_kcal_mol, second_rank, key_interactions, states,
    toolchain_sha256, cpu_class, engine_version, reuse_key, cached_from_result_id)
  select sent.id, $1::uuid, sent.ordinal, $2::int, sent.item, d.result_sha256, d.best_affinity_kcal_mol, d.ligand_efficiency,
    d.size_independent_efficiency, d.pose_count, d.best_pose_failed_checks, d.plausible_pose_count, d.heavy_atoms, d.formal_charge,
    d.smiles_input, d.smiles_docked, d.warnings, d.descriptors, d.second_affinity_kcal_mol, d.second_rank, d.key_interactions, d.states,
    d.toolchain_sha256, d.cpu_class, d.engine_version, d.reuse_key, d.id
  from sent join docking_results d on d.id = sent.source`;

const INSERT_POSES = `
  insert into docking_poses (id, result_id, mode, affinity_kcal_mol, rmsd_lower_angstrom, rmsd_upper_angstrom, failed_checks,
    second_affinity_kcal_mol, interactions)
  select gen_random_uuid(), r.id, p.mode, p.affinity_kcal_mol, p.rmsd_lower_angstrom, p.rmsd_upper_angstrom, p.failed_checks,
    p.second_affinity_kcal_mol, p.interactions
  from ${SENT} join docking_results r on r.id = s.id and r.job_id = $1::uuid join docking_poses p on p.result_id = s.source`;

const INSERT_CONTACTS = `
  insert into docking_contacts (job_id, contact, result_id, block, modes)
  select $1::uuid, c.contact, s.id, c.block, c.modes from ${SENT} join docking_contacts c on c.result_id = s.source`;
