/**
 * How large the molecule of a MOL block is, read off its tables of atoms and bonds (V2000 and V3000): the price of a ligand must be
 * known before any chemistry has run. A block that is cut short or lies about its counts is no error here: it fails where the
 * ligand is prepared.
 */

const HYDROGENS = new Set(['H', 'D', 'T']);
/** Name, program and comment stand before the line of counts. */
const COUNTS_LINE = 3;
const V3000 = /^M {2}V30 /;

interface Tables {
  readonly symbols: readonly string[];
  /** Pairs of atoms, counted from 1. */
  readonly bonds: readonly (readonly [number, number])[];
}

/** The atoms other than hydrogen of the largest molecule of a MOL block; null where the block tells no atoms. */
export function heavyAtomsOfMolBlock(block: string): number | null {
  const lines = block.split(/\r\n|\n|\r/);
  const counts = lines[COUNTS_LINE] ?? '';
  const { symbols, bonds } = counts.includes('V3000') ? extended(lines) : fixed(lines, counts);
  return symbols.length === 0 ? null : largest(symbols, bonds);
}

function fixed(lines: readonly string[], counts: string): Tables {
  const [atoms, bonds] = [count(counts, 0), count(counts, 3)];
  const first = COUNTS_LINE + 1;
  return {
    symbols: lines.slice(first, first + atoms).map((line) => line.slice(31, 34).trim()),
    bonds: lines
      .slice(first + atoms, first + atoms + bonds)
      .map((line) => [count(line, 0), count(line, 3)] as const),
  };
}

/** A field of three columns. */
function count(line: string, from: number): number {
  const value = Number.parseInt(line.slice(from, from + 3), 10);
  return Number.isNaN(value) ? 0 : value;
}

/** The atoms and bonds of a V3000 block; atoms are known by the numbers that their lines begin with. */
function extended(lines: readonly string[]): Tables {
  const symbols: string[] = [];
  const places = new Map<string, number>();
  const bonds: (readonly [number, number])[] = [];
  let table = '';
  for (const line of lines) {
    if (!V3000.test(line)) continue;
    const words = line.slice(7).trim().split(/\s+/);
    const [first = '', second = '', third = '', fourth = ''] = words;
    if (first === 'BEGIN') table = second;
    else if (first === 'END') table = '';
    else if (table === 'ATOM') places.set(first, symbols.push(second));
    else if (table === 'BOND') bonds.push([places.get(third) ?? 0, places.get(fourth) ?? 0]);
  }
  return { symbols, bonds };
}

function largest(symbols: readonly string[], bonds: Tables['bonds']): number {
  const joined = symbols.map((_, atom) => atom);
  const rootOf = (atom: number): number => {
    let at = atom;
    while (joined[at] !== at) {
      joined[at] = joined[joined[at] ?? at] ?? at;
      at = joined[at] ?? at;
    }
    return at;
  };
  for (const [one, other] of bonds)
    if (one >= 1 && other >= 1 && one <= symbols.length && other <= symbols.length)
      joined[rootOf(one - 1)] = rootOf(other - 1);
  const sizes = symbols.map(() => 0);
  for (const [atom, symbol] of symbols.entries())
    if (!HYDROGENS.has(symbol)) sizes[rootOf(atom)] = (sizes[rootOf(atom)] ?? 0) + 1;
  return sizes.reduce((most, size) => Math.max(most, size), 0);
}
