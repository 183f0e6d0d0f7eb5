/** The records of tasks that earlier results stand for: those of the earlier ones, under the name of the task. */
import { resultIdOf } from '../../../domain/docking-ids.ts';
import type { AdoptedTask, RecordedExecution } from '../../execution/recorder.ts';
import type { Tx } from '../../transaction.ts';
import { countChanges } from '../rank-counts-sql.ts';

function sentIn(parameter: string): string {
  return `jsonb_to_recordset(${parameter}::jsonb) as s (id uuid, ordinal int, item text, source_job uuid, source_ordinal int)`;
}

const INSERT_RESULTS = `
  with sent as (select s.id, s.ordinal, s.item, d.id as source, d.best_affinity_kcal_mol as score
         from ${sentIn('$3')} join docking_results d on d.job_id = s.source_job and d.ordinal = s.source_ordinal),
       ${countChanges('select score, 1 from sent')}
  insert into docking_results (id, job_id, ordinal, execution, ligand_id, result_sha256, best_affinity_kcal_mol, ligand_efficiency,
    size_independent_efficiency, pose_count, best_pose_failed_checks, plausible_pose_count, heavy_atoms, formal_charge, smiles_input,
    smiles_docked, warnings, descriptors, second_affinity_kcal_mol, second_rank, key_interactions, states,
    toolchain_sha256, cpu_class, engine_version, cached_from_result_id)
  select sent.id, $1::uuid, sent.ordinal, $2::int, sent.item, d.result_sha256, d.best_affinity_kcal_mol, d.ligand_efficiency,
    d.size_independent_efficiency, d.pose_count, d.best_pose_failed_checks, d.plausible_pose_count, d.heavy_atoms, d.formal_charge,
    d.smiles_input, d.smiles_docked, d.warnings, d.descriptors, d.second_affinity_kcal_mol, d.second_rank, d.key_interactions, d.states,
    d.toolchain_sha256, d.cpu_class, d.engine_version, d.id
  from sent join docking_results d on d.id = sent.source`;

const INSERT_POSES = `
  insert into docking_poses (id, result_id, mode, affinity_kcal_mol, rmsd_lower_angstrom, rmsd_upper_angstrom, failed_checks,
    second_affinity_kcal_mol, interactions)
  select gen_random_uuid(), r.id, p.mode, p.affinity_kcal_mol, p.rmsd_lower_angstrom, p.rmsd_upper_angstrom, p.failed_checks,
    p.second_affinity_kcal_mol, p.interactions
  from ${sentIn('$2')} join docking_results r on r.id = s.id and r.job_id = $1::uuid join docking_poses p on p.result_id = r.cached_from_result_id`;

const INSERT_CONTACTS = `
  insert into docking_contacts (job_id, contact, result_id, block, modes)
  select $1::uuid, c.contact, r.id, c.block, c.modes
  from ${sentIn('$2')} join docking_results r on r.id = s.id join docking_contacts c on c.result_id = r.cached_from_result_id`;

/** Writes the records of adopted tasks. */
export async function recordAdopted(
  tx: Tx,
  { jobId, execution }: RecordedExecution,
  tasks: readonly AdoptedTask[],
): Promise<void> {
  const sent = JSON.stringify(
    tasks.map(({ ordinal, itemId, source }) => ({
      id: resultIdOf(jobId, ordinal),
      ordinal,
      item: itemId,
      source_job: source.jobId,
      source_ordinal: source.ordinal,
    })),
  );
  await tx.query(INSERT_RESULTS, [jobId, execution, sent]);
  await tx.query(INSERT_POSES, [jobId, sent]);
  await tx.query(INSERT_CONTACTS, [jobId, sent]);
}
