/** A strict reader of PDB and PDBQT files that an instance wrote, as far as the control side must understand them. */
import { hasHonestLines, isNumber, linesOf } from './lines.ts';

const ATOM = /^(ATOM {2}|HETATM)/;
const COORDINATES = [30, 38, 46];
const COORDINATE_CHARACTERS = 8;

/** The number of atoms of a PDB or PDBQT file; null when an atom has no place, or the file is neither. */
export function countPdbAtoms(bytes: Uint8Array): number | null {
  if (!hasHonestLines(bytes)) return null;
  let atoms = 0;
  for (const line of linesOf(bytes)) {
    if (!ATOM.test(line)) continue;
    const hasPlace = COORDINATES.every((at) => isNumber(line.slice(at, at + COORDINATE_CHARACTERS)));
    if (!hasPlace) return null;
    atoms += 1;
  }
  return atoms;
}
