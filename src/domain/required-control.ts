/** The control docking that a customer requires: a job whose control misses docks no ligand. */
import type { DockingValidation } from './docking-validation.ts';

/** The code of a job, and of its ligands, that its control has ended. */
export const CONTROL_MISSED = 'CONTROL_MISSED';

/** The largest distance that can be required, in Å; the least is above 0. */
export const MOST_REQUIRED_ANGSTROM = 20;

const NOT_DOCKED = 'No ligand was docked; only the start fee is charged.';

/** Why a control does not meet what is required of it, in Å; null where it does. A control that has told nothing has missed. */
export function missOf(requiredAngstrom: number, found: DockingValidation | null): string | null {
  const top = found?.rmsd_top_angstrom ?? null;
  const bound = `the ${requiredAngstrom.toFixed(2)} Å that are required`;
  if (found === null || top === null) {
    return `The native ligand could not be docked again, so nothing tells whether it comes within ${bound}. ${NOT_DOCKED}`;
  }
  if (top <= requiredAngstrom) return null;
  const { best_mode: mode, rmsd_best_angstrom: best } = found;
  const nearest =
    mode === null || mode === 1 || best === null
      ? ''
      : ` (mode ${mode} is the nearest, with ${best.toFixed(2)} Å)`;
  return `${found.component_id} docked again lies ${top.toFixed(2)} Å from its deposited place${nearest}, which is beyond ${bound}. ${NOT_DOCKED}`;
}
