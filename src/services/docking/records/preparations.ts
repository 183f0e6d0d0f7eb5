/** Findings of a dry run about its ligands, written in the transaction of the commit; a repeat writes the same again. */
import type { PreparationRecord } from '../../../domain/docking-results.ts';
import type { Tx } from '../../transaction.ts';

/** The record of a committed task of a dry run. */
export interface CommittedPreparation {
  readonly ordinal: number;
  readonly record: PreparationRecord;
}

const WRITE = `
  insert into docking_preparations as p (job_id, ordinal, heavy_atoms, formal_charge, smiles_input, smiles_docked, warnings, states)
  select $1::uuid, ordinal, heavy_atoms, formal_charge, smiles_input, smiles_docked, warnings, states
  from jsonb_to_recordset($2::jsonb) as s (ordinal int, heavy_atoms int, formal_charge int, smiles_input text, smiles_docked text,
    warnings jsonb, states int)
  on conflict (job_id, ordinal) do update set heavy_atoms = excluded.heavy_atoms, formal_charge = excluded.formal_charge,
    smiles_input = excluded.smiles_input, smiles_docked = excluded.smiles_docked, warnings = excluded.warnings,
    states = excluded.states`;

/** Writes the records of tasks that this transaction has committed. */
export async function recordPreparations(
  tx: Tx,
  jobId: string,
  preparations: readonly CommittedPreparation[],
): Promise<void> {
  if (preparations.length === 0) return;
  const rows = preparations.map(({ ordinal, record }) => ({
    ordinal,
    heavy_atoms: record.heavyAtoms,
    formal_charge: record.formalCharge,
    smiles_input: record.smilesInput,
    smiles_docked: record.smilesDocked,
    warnings: record.warnings,
    states: record.states,
  }));
  await tx.query(WRITE, [jobId, JSON.stringify(rows)]);
}
