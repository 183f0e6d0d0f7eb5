/**
 * The records of committed tasks, written in the transaction of the commit. A task has one record: a commit that is repeated,
 * and a task that is done again, write over the record, which keeps its id and the ids of its poses. The contacts of the poses
 * are written beside them, so that a result is found by its interactions as soon as it is there.
 */
import { v7 as uuidv7 } from 'uuid';

import { resultIdOf } from '../../../domain/docking-ids.ts';
import { contactModes, keyInteractions } from '../../../domain/docking-interactions.ts';

import type { DockingRecord } from '../../../domain/docking-results.ts';
import { countChanges } from '../rank-counts-sql.ts';
import type { Tx } from '../../transaction.ts';

/** The record of a committed task. */
export interface CommittedResult {
  readonly ordinal: number;
  readonly ligandId: string;
  readonly record: DockingRecord;
}

/**
 * Poses and contacts that the record had before and has no more are deleted, and all others are written over, because one
 * statement cannot delete a row and insert another one under its key. How many results there are by their scores changes with them.
 */
const WRITE = `
  with sent as (select * from jsonb_to_recordset($3::jsonb) as s (id uuid, ordinal int, ligand_id text, result_sha256 text,
         best_affinity_kcal_mol float8, ligand_efficiency float8, size_independent_efficiency float8, pose_count int,
         best_pose_failed_checks int, plausible_pose_count int, heavy_atoms int, formal_charge int, smiles_input text,
         smiles_docked text, warnings jsonb, descriptors jsonb, second_affinity_kcal_mol float8, second_rank int, key_interactions jsonb, states jsonb,
         toolchain_sha256 text, cpu_class text, engine_version text, poses jsonb, contacts jsonb)),
       ${countChanges(`select best_affinity_kcal_mol, 1 from sent
           union all select before.best_affinity_kcal_mol, -1 from sent cross join lateral (select r.best_affinity_kcal_mol
             from docking_results r where r.job_id = $1::uuid and r.ordinal = sent.ordinal offset 0) before`)},
       done as (insert into docking_results as r (id, job_id, ordinal, execution, ligand_id, result_sha256, best_affinity_kcal_mol,
           ligand_efficiency, size_independent_efficiency, pose_count, best_pose_failed_checks, plausible_pose_count, heavy_atoms,
           formal_charge, smiles_input, smiles_docked, warnings, descriptors, second_affinity_kcal_mol, second_rank, key_interactions, states,
           toolchain_sha256, cpu_class, engine_version)
         select id, $1::uuid, ordinal, $2::int, ligand_id, result_sha256, best_affinity_kcal_mol, ligand_efficiency,
           size_independent_efficiency, pose_count, best_pose_failed_checks, plausible_pose_count, heavy_atoms, formal_charge,
           smiles_input, smiles_docked, warnings, descriptors, second_affinity_kcal_mol, second_rank, key_interactions, states,
           toolchain_sha256, cpu_class, engine_version from sent
         on conflict (job_id, ordinal) do update set execution = excluded.execution, ligand_id = excluded.ligand_id,
           result_sha256 = excluded.result_sha256, best_affinity_kcal_mol = excluded.best_affinity_kcal_mol,
           ligand_efficiency = excluded.ligand_efficiency, size_independent_efficiency = excluded.size_independent_efficiency,
           pose_count = excluded.pose_count, best_pose_failed_checks = excluded.best_pose_failed_checks,
           plausible_pose_count = excluded.plausible_pose_count, heavy_atoms = excluded.heavy_atoms,
           formal_charge = excluded.formal_charge, smiles_input = excluded.smiles_input, smiles_docked = excluded.smiles_docked,
           warnings = excluded.warnings, descriptors = excluded.descriptors, second_affinity_kcal_mol = excluded.second_affinity_kcal_mol,
           second_rank = excluded.second_rank, key_interactions = excluded.key_interactions, states = excluded.states,
           toolchain_sha256 = excluded.toolchain_sha256, cpu_class = excluded.cpu_class,
           engine_version = excluded.engine_version, cached_from_result_id = null
         returning r.id, r.ordinal, r.pose_count),
       gone as (delete from docking_poses p using done where p.result_id = done.id and p.mode > done.pose_count),
       touches as (select done.id, c.contact collate "C" as contact, c.block, c.modes from done join sent using (ordinal)
         cross join lateral jsonb_to_recordset(sent.contacts) as c (contact text, block smallint, modes bigint)),
       lost as (delete from docking_contacts c using done where c.result_id = done.id and not exists (
         select from touches t where t.id = c.result_id and t.contact = c.contact and t.block = c.block)),
       touched as (insert into docking_contacts (job_id, contact, result_id, block, modes)
         select $1::uuid, contact, id, block, modes from touches
         on conflict (job_id, contact, result_id, block) do update set modes = excluded.modes)
  insert into docking_poses (id, result_id, mode, affinity_kcal_mol, rmsd_lower_angstrom, rmsd_upper_angstrom, failed_checks,
    second_affinity_kcal_mol, interactions)
  select p.id, done.id, p.mode, p.affinity_kcal_mol, p.rmsd_lower_angstrom, p.rmsd_upper_angstrom, p.failed_checks,
    p.second_affinity_kcal_mol, p.interactions
  from done join sent using (ordinal) cross join lateral jsonb_to_recordset(sent.poses) as p (id uuid, mode int,
    affinity_kcal_mol float8, rmsd_lower_angstrom float8, rmsd_upper_angstrom float8, failed_checks int, second_affinity_kcal_mol float8,
    interactions jsonb)
  on conflict (result_id, mode) do update set affinity_kcal_mol = excluded.affinity_kcal_mol,
    rmsd_lower_angstrom = excluded.rmsd_lower_angstrom, rmsd_upper_angstrom = excluded.rmsd_upper_angstrom,
    failed_checks = excluded.failed_checks,
    second_affinity_kcal_mol = excluded.second_affinity_kcal_mol, interactions = excluded.interactions`;

/** Writes the records of tasks that this transaction has committed. */
export async function recordResults(
  tx: Tx,
  { jobId, execution }: { readonly jobId: string; readonly execution: number },
  results: readonly CommittedResult[],
): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map((result) => columnsOf(jobId, result));
  await tx.query(WRITE, [jobId, execution, JSON.stringify(rows)]);
}

function columnsOf(
  jobId: string,
  { ordinal, ligandId, record }: CommittedResult,
): Readonly<Record<string, unknown>> {
  return {
    id: resultIdOf(jobId, ordinal),
    ordinal,
    ligand_id: ligandId,
    result_sha256: record.resultSha256,
    best_affinity_kcal_mol: record.bestAffinityKcalMol,
    ligand_efficiency: record.ligandEfficiency,
    size_independent_efficiency: record.sizeIndependentEfficiency,
    pose_count: record.poseCount,
    best_pose_failed_checks: record.bestPoseFailedChecks,
    plausible_pose_count: record.plausiblePoseCount,
    heavy_atoms: record.heavyAtoms,
    formal_charge: record.formalCharge,
    smiles_input: record.smilesInput,
    smiles_docked: record.smilesDocked,
    warnings: record.warnings,
    descriptors: record.descriptors,
    second_affinity_kcal_mol: record.secondAffinityKcalMol,
    second_rank: record.secondRank,
    key_interactions: keyInteractions(record.poses[0]?.interactions ?? null),
    states: record.states,
    toolchain_sha256: record.toolchainSha256,
    cpu_class: record.cpuClass,
    engine_version: record.engineVersion,
    poses: record.poses.map((pose) => ({
      id: uuidv7(),
      mode: pose.mode,
      affinity_kcal_mol: pose.affinityKcalMol,
      rmsd_lower_angstrom: pose.rmsdLowerAngstrom,
      rmsd_upper_angstrom: pose.rmsdUpperAngstrom,
      failed_checks: pose.failedChecks,
      second_affinity_kcal_mol: pose.secondAffinityKcalMol,
      interactions: pose.interactions,
    })),
    contacts: contactModes(record.poses),
  };
}
