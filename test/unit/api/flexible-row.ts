import { list, residueAt, text } from './samples.ts';
import type { Row } from './submit-rows.ts';

/** The bounds of the side chains that turn. */
export const FLEXIBLE_ROW: Row = [
  'receptorPreparation',
  [
    { flexibleResidues: [] },
    { flexibleResidues: list(4, residueAt) },
    { flexibleResidues: [{ ...residueAt, insertionCode: text(4), residueName: 'HIS' }] },
  ],
  [
    { flexibleResidues: list(5, residueAt) },
    ...['ALA', 'GLY', 'PRO', 'HID', ''].map((residueName) => ({
      flexibleResidues: [{ ...residueAt, residueName }],
    })),
    { flexibleResidues: [{ chain: 'A' }] },
    { flexibleResidues: [{ ...residueAt, residue: 100_000 }] },
    { flexibleResidues: residueAt },
  ],
];
