/**
 * How large a molecule is, read off the text of its SMILES: the price of a ligand must be known before any chemistry has run.
 * The count needs no valid SMILES; a text that is none is priced by what its letters look like, and fails later.
 */

/** An atom in brackets; a bracket that no atom follows stands for nothing. */
const BRACKET = /\[(?:\d*([A-Za-z][a-z]?|\*)[^\][]*\])?/y;
/** Atoms without brackets are one of these letters, or chlorine or bromine. */
const ATOMS = new Set(Array.from('BCNOPSFIbcnops', (letter) => letter.charCodeAt(0)));
/** The second letters of chlorine and bromine by their first ones. */
const SECOND = new Map(['Cl', 'Br'].map((name) => [name.charCodeAt(0), name.charCodeAt(1)]));
const [DOT, PERCENT, OPENING, ZERO, NINE] = [0x2e, 0x25, 0x5b, 0x30, 0x39] as const;
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
  for (let at = 0; at < smiles.length;) at = step(counted, smiles, at);
  const molecules = counted.atoms.map(() => 0);
  for (const [part, atoms] of counted.atoms.entries()) {
    const molecule = moleculeOf(counted, part);
    molecules[molecule] = (molecules[molecule] ?? 0) + atoms;
  }
  return Math.max(...molecules);
}

/** Reads an atom, the number of a ring or a dot at a place, and passes what is none of these. @returns the next place. */
function step(counted: Counted, smiles: string, at: number): number {
  const sign = smiles.charCodeAt(at);
  if (ATOMS.has(sign)) {
    addAtom(counted);
    return at + (SECOND.get(sign) === smiles.charCodeAt(at + 1) ? 2 : 1);
  }
  if (sign === OPENING) {
    BRACKET.lastIndex = at;
    const symbol = BRACKET.exec(smiles)?.[1];
    if (symbol !== undefined && symbol !== HYDROGEN) addAtom(counted);
    return Math.max(BRACKET.lastIndex, at + 1);
  }
  if (sign === DOT) {
    counted.bondedTo.push(counted.atoms.length);
    counted.atoms.push(0);
  } else if (isDigit(sign)) {
    joinRing(counted, sign - ZERO);
  } else if (sign === PERCENT && isDigit(smiles.charCodeAt(at + 1)) && isDigit(smiles.charCodeAt(at + 2))) {
    joinRing(counted, Number(smiles.slice(at + 1, at + 3)));
    return at + 3;
  }
  return at + 1;
}

function addAtom({ atoms }: Counted): void {
  const part = atoms.length - 1;
  atoms[part] = (atoms[part] ?? 0) + 1;
}

function isDigit(sign: number): boolean {
  return sign >= ZERO && sign <= NINE;
}

/** The second mention of a ring's number is a bond to the atom of the first one, and frees the number. */
function joinRing(counted: Counted, ring: number): void {
  const part = counted.atoms.length - 1;
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
