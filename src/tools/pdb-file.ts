/** A strict reader of PDB and PDBQT files that an instance wrote, as far as the control side must understand them. */
import { isNumber, readLines } from './lines.ts';
import type { Pieces } from './pieces.ts';

const ATOM = /^(ATOM {2}|HETATM)/;
const COORDINATES = [30, 38, 46];
const COORDINATE_CHARACTERS = 8;

/** The number of atoms of a PDB or PDBQT file; null when an atom has no place, or the file is neither. */
export async function countPdbAtoms(pieces: Pieces): Promise<number | null> {
  let atoms = 0;
  const isSound = await readLines(pieces, (line) => {
    if (!ATOM.test(line)) return true;
    atoms += 1;
    return COORDINATES.every((at) => isNumber(line.slice(at, at + COORDINATE_CHARACTERS)));
  });
  return isSound ? atoms : null;
}
