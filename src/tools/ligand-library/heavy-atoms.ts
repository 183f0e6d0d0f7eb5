/**
 * How large a molecule is, read off the text of its SMILES: the price of a ligand must be known before any chemistry has run.
 * The count needs no valid SMILES; a text that is none is priced by what its letters look like, and fails later.
 */

/** What one step through a SMILES reads: an atom in brackets, an atom without, the number of a ring, or a dot. */
const TOKEN = /\[(?:\d*([A-Za-z][a-z]?|\*)[^\][]*\])?|Cl|Br|[BCNOPSFIbcnops]|%\d\d|\d|\./gu;
/** Hydrogen that is written as an atom of its own. */
const HYDROGEN = 'H';

/** A SMILES on the way: parts between dots, the part that each part is bonded to, and rings that are not closed yet. */
interface Counted {
  readonly atoms: number[];
  readonly bondedTo: number[];
  readonly openRings: Map<number, number>;
}

/**
 * The atoms other than hydrogen of the largest molecule that a SMILES has, so that the counter-ions of a salt do not count.
 * Parts on both sides of a dot that share the number of a ring are one molecule.
 */
export function heavyAtomsOf(smiles: string): number {
  const counted: Counted = { atoms: [0], bondedTo: [0], openRings: new Map() };
  for (const match of smiles.matchAll(TOKEN)) count(counted, match[0], match[1]);
  const molecules = counted.atoms.map(() => 0);
  for (const [part, atoms] of counted.atoms.entries()) {
    const molecule = moleculeOf(counted, part);
    molecules[molecule] = (molecules[molecule] ?? 0) + atoms;
  }
  return Math.max(...molecules);
}

function count(counted: Counted, token: string, symbol: string | undefined): void {
  const { atoms, bondedTo } = counted;
  const part = atoms.length - 1;
  if (token === '.') {
    atoms.push(0);
    bondedTo.push(part + 1);
  } else if (/^[%\d]/u.test(token)) {
    joinRing(counted, Number(token.replace('%', '')), part);
  } else if (token !== '[' && symbol !== HYDROGEN) {
    atoms[part] = (atoms[part] ?? 0) + 1;
  }
}

/** The second mention of a ring's number is a bond to the atom of the first one, and frees the number. */
function joinRing(counted: Counted, ring: number, part: number): void {
  const first = counted.openRings.get(ring);
  if (first === undefined) {
    counted.openRings.set(ring, part);
    return;
  }
  counted.openRings.delete(ring);
  counted.bondedTo[moleculeOf(counted, part)] = moleculeOf(counted, first);
}

/** The part that stands for the whole molecule to which a part belongs. */
function moleculeOf({ bondedTo }: Counted, part: number): number {
  let at = part;
  while (bondedTo[at] !== at) at = bondedTo[at] ?? at;
  return at;
}
