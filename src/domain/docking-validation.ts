/** How well a control docking found the deposited place of a ligand, as a step has told it. Values that do not fit are left out. */
import type { JobStatusResponse } from './answers.ts';
import { isRecord } from './is-record.ts';

/** The control docking of the native ligand; it has no figures when the ligand could not be docked. */
export type DockingValidation = NonNullable<NonNullable<JobStatusResponse['docking']>['validation']>;

/** Reads what the control has told; null when the control has told nothing that fits. */
export function validationOf(value: unknown): DockingValidation | null {
  if (!isRecord(value)) return null;
  const { component_id, rmsd_top_angstrom, rmsd_best_angstrom, best_mode, passed } = value;
  if (typeof component_id !== 'string' || typeof passed !== 'boolean') return null;
  return {
    component_id,
    rmsd_top_angstrom: numberOf(rmsd_top_angstrom),
    rmsd_best_angstrom: numberOf(rmsd_best_angstrom),
    best_mode: numberOf(best_mode),
    passed,
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
