/**
 * Batches with any number of results. A few ligands are docked for real; what a commit has written of them is written again for the
 * ligands of a large batch, whose job waits for capacity: results with scores of their own, poses, contacts, files, and the
 * stored poses themselves.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import pLimit from 'p-limit';

import type { ObjectStore } from '../src/adapters/storage/storage.ts';
import { resultIdOf } from '../src/domain/docking-ids.ts';
import { countChanges } from '../src/services/docking/rank-counts-sql.ts';
import { inTransaction } from '../src/services/transaction.ts';
import { noopJob } from './jobs.ts';
import { dockingBatch, drugs, libraryTable, register, registerReceptor } from './screening.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { tuned } from '../test/support/tuning.ts';

/** Room for one job: while one sleeps, all others wait. */
export const ONE_JOB = {
  DOCKYARD_CAPACITY_VCPUS: '2',
  DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '2',
  ...tuned({ capacityPollSeconds: 3600 }),
};

/** A batch whose ligands wait, or are docked as far as `dock` has written. */
export interface DockedBatch {
  readonly batchId: string;
  readonly jobId: string;
  readonly ligands: number;
}

/** An account with a real batch, from which others are made. */
export interface Campaign {
  readonly account: BenchAccount;
  readonly receptorId: string;
  /** The job of the real batch. */
  readonly sourceJobId: string;
}

const PLANNED_MS = 120_000;
const POLL_MS = 100;
const COPIES_AT_ONCE = 16;
const LIGANDS_AT_ONCE = 500;

/** Docks a few of the drugs for real, and lets everything that comes after wait. */
export async function openCampaign(bench: BenchStack, ligands: number): Promise<Campaign> {
  const account = await bench.account();
  const receptorId = await registerReceptor(account);
  const lines = (await drugs()).slice(0, ligands).map(({ smiles, name }) => `${smiles} ${name}\n`);
  const libraryArtifactId = await register(account, lines.join(''), 'smi');
  const { jobId } = await account.client.docking.createBatch(
    dockingBatch(receptorId, 'source', { libraryArtifactId }),
  );
  const { status } = await account.client.waitForEnd(jobId);
  if (status !== 'SUCCEEDED') throw new Error(`The real batch ended ${status}.`);
  await fillCapacity(account);
  return { account, receptorId, sourceJobId: jobId };
}

/** Starts a job that sleeps, and waits until the job has all the capacity. */
export async function fillCapacity({ client }: BenchAccount): Promise<void> {
  const { jobId } = await client.submit(noopJob({ tasks: 1, seconds: 3600 }));
  await waitUntil('the sleeping job runs', async () => (await client.status(jobId)).status === 'RUNNING');
}

/** Starts a batch that waits, and waits until its ligands are planned. */
export async function openWaiting(
  bench: BenchStack,
  { account, receptorId }: Campaign,
  ligands: number,
  name: string,
): Promise<DockedBatch> {
  const libraryArtifactId = await register(account, await libraryTable(ligands, name), 'csv');
  const { jobId, batch } = await account.client.docking.createBatch(
    dockingBatch(receptorId, name, { libraryArtifactId }),
  );
  await waitUntilPlanned(bench, jobId, ligands);
  return { batchId: batch.id, jobId, ligands };
}

/** Waits until the ligands of an accepted batch are planned, so that nothing of it is done any more while its job waits. */
export async function waitUntilPlanned({ db }: BenchStack, jobId: string, ligands: number): Promise<void> {
  await waitUntil('the ligands are planned', async () => {
    const [row] = await db.query<{ count: number }[]>(
      `select count(*)::int as count from tasks where job_id = $1 and kind = 'task'`,
      [jobId],
    );
    return row?.count === ligands;
  });
}

async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + PLANNED_MS;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`In vain it was waited until ${what}.`);
    await sleep(POLL_MS);
  }
}

/** The docked ligands of the real batch, the ligands that are docked like them, and how much their scores differ. */
const COPIED = `
  source as (select r.*, (row_number() over (order by r.ordinal) - 1)::int as place, count(*) over ()::int as sources
    from docking_results r where r.job_id = $2::uuid),
  copied as (select p.id, p.ordinal, t.item_id, s.id as source_id, s.ordinal as source_ordinal, s.ligand_id as source_ligand_id,
      ((p.ordinal::bigint * 7919) % 2000) / 1000.0::float8 as more
    from unnest($3::uuid[], $4::int[]) p (id, ordinal)
      join tasks t on t.job_id = $1::uuid and t.kind = 'task' and t.ordinal = p.ordinal
      join source s on s.place = p.ordinal % s.sources)`;

const RESULTS = `
  with ${COPIED},
  ${countChanges('select s.best_affinity_kcal_mol + c.more, 1 from copied c join source s on s.id = c.source_id')},
  done as (insert into docking_results (id, job_id, ordinal, execution, ligand_id, result_sha256, best_affinity_kcal_mol,
      ligand_efficiency, size_independent_efficiency, pose_count, best_pose_failed_checks, plausible_pose_count, heavy_atoms,
      formal_charge, smiles_input, smiles_docked, warnings, toolchain_sha256, cpu_class)
    select c.id, $1::uuid, c.ordinal, 1, c.item_id, s.result_sha256, s.best_affinity_kcal_mol + c.more, s.ligand_efficiency,
      s.size_independent_efficiency, s.pose_count, s.best_pose_failed_checks, s.plausible_pose_count, s.heavy_atoms, s.formal_charge,
      s.smiles_input, s.smiles_docked, s.warnings, s.toolchain_sha256, s.cpu_class
    from copied c join source s on s.id = c.source_id returning id),
  touched as (insert into docking_contacts (job_id, contact, result_id, block, modes)
    select $1::uuid, k.contact, c.id, k.block, k.modes from copied c
      join docking_contacts k on k.job_id = $2::uuid and k.result_id = c.source_id)
  insert into docking_poses (id, result_id, mode, affinity_kcal_mol, rmsd_lower_angstrom, rmsd_upper_angstrom, failed_checks, interactions)
  select gen_random_uuid(), c.id, p.mode, p.affinity_kcal_mol + c.more, p.rmsd_lower_angstrom, p.rmsd_upper_angstrom,
    p.failed_checks, p.interactions
  from copied c join docking_poses p on p.result_id = c.source_id`;

const FILES = `
  with ${COPIED}
  insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, item_id, storage_key, name, kind, label, media_type, format,
    byte_size, sha256)
  select gen_random_uuid(), a.account_id, $1::uuid, 'task', c.ordinal, c.item_id,
    'accounts/' || a.account_id || '/jobs/' || $1::uuid || '/' || c.ordinal || '/' || replace(a.name, c.source_ligand_id, c.item_id),
    replace(a.name, c.source_ligand_id, c.item_id), a.kind, a.label, a.media_type, a.format, a.byte_size, a.sha256
  from copied c join artifacts a on a.job_id = $2::uuid and a.task_kind = 'task' and a.task_ordinal = c.source_ordinal`;

const TASKS = `
  update tasks set state = 'SUCCEEDED', started_at = now(), finished_at = clock_timestamp()
  where job_id = $1 and kind = 'task' and ordinal = any($2::int[])`;

/** Writes the results of ligands `from` up to `to`, as one commit writes those of its ligands. */
export async function dock(
  { db }: BenchStack,
  { sourceJobId }: Campaign,
  { jobId }: DockedBatch,
  [from, to]: readonly [from: number, to: number],
): Promise<void> {
  const ordinals = Array.from({ length: to - from }, (_, index) => from + index);
  const parameters = [jobId, sourceJobId, ordinals.map((ordinal) => resultIdOf(jobId, ordinal)), ordinals];
  await inTransaction(db, async (tx) => {
    await tx.query(TASKS, [jobId, ordinals]);
    await tx.query(RESULTS, parameters);
    await tx.query(FILES, parameters);
  });
}

/** Writes the results of the first ligands. */
export async function dockFirst(
  bench: BenchStack,
  campaign: Campaign,
  batch: DockedBatch,
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += LIGANDS_AT_ONCE)
    await dock(bench, campaign, batch, [from, Math.min(count, from + LIGANDS_AT_ONCE)]);
}

/** Stores the poses of all docked ligands, each as an object of its own. */
export async function storePoses(
  { db }: BenchStack,
  store: Pick<ObjectStore, 'copy'>,
  { sourceJobId }: Campaign,
  { jobId }: DockedBatch,
): Promise<void> {
  const files = await db.query<{ from_key: string; to_key: string; media_type: string }[]>(
    `select distinct on (t.id) s.storage_key as from_key, t.storage_key as to_key, t.media_type from artifacts t
       join artifacts s on s.job_id = $2 and s.kind = t.kind and s.sha256 = t.sha256
     where t.job_id = $1 and t.kind = 'poses'`,
    [jobId, sourceJobId],
  );
  const turn = pLimit(COPIES_AT_ONCE);
  await Promise.all(files.map((file) => turn(() => store.copy(file.from_key, file.to_key, file.media_type))));
}

/** The contact that most ligands have. */
export async function mostFrequentContact({ db }: BenchStack, { jobId }: DockedBatch): Promise<string> {
  const [row] = await db.query<{ contact: string }[]>(
    `select contact from docking_contacts where job_id = $1 and contact like 'hydrogen_bond:%'
     group by contact order by count(distinct result_id) desc, contact limit 1`,
    [jobId],
  );
  if (row === undefined) throw new Error('No docked ligand has a hydrogen bond.');
  return row.contact;
}
