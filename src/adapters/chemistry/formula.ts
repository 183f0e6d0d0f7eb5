/** Molecular formulas from the JSON form that RDKit writes of a molecule. */
import { valueAt } from './value-at.ts';

// prettier-ignore
const SYMBOLS = [
  '*', 'H', 'He', 'Li', 'Be', 'B', 'C', 'N', 'O', 'F', 'Ne', 'Na', 'Mg', 'Al', 'Si', 'P', 'S', 'Cl', 'Ar', 'K', 'Ca',
  'Sc', 'Ti', 'V', 'Cr', 'Mn', 'Fe', 'Co', 'Ni', 'Cu', 'Zn', 'Ga', 'Ge', 'As', 'Se', 'Br', 'Kr', 'Rb', 'Sr', 'Y', 'Zr',
  'Nb', 'Mo', 'Tc', 'Ru', 'Rh', 'Pd', 'Ag', 'Cd', 'In', 'Sn', 'Sb', 'Te', 'I', 'Xe', 'Cs', 'Ba', 'La', 'Ce', 'Pr', 'Nd',
  'Pm', 'Sm', 'Eu', 'Gd', 'Tb', 'Dy', 'Ho', 'Er', 'Tm', 'Yb', 'Lu', 'Hf', 'Ta', 'W', 'Re', 'Os', 'Ir', 'Pt', 'Au', 'Hg',
  'Tl', 'Pb', 'Bi', 'Po', 'At', 'Rn', 'Fr', 'Ra', 'Ac', 'Th', 'Pa', 'U', 'Np', 'Pu', 'Am', 'Cm', 'Bk', 'Cf', 'Es', 'Fm',
  'Md', 'No', 'Lr', 'Rf', 'Db', 'Sg', 'Bh', 'Hs', 'Mt', 'Ds', 'Rg', 'Cn', 'Nh', 'Fl', 'Mc', 'Lv', 'Ts', 'Og',
] as const;

/** Formula and charge of a molecule. */
export interface Composition {
  readonly formula: string;
  readonly formalCharge: number;
}

/**
 * Counts the atoms of a molecule: carbon and hydrogen first, then by symbol (Hill); an isotope counts as its element.
 * @throws Error when the text is no molecule of RDKit.
 */
export function compositionOf(json: string): Composition {
  const raw: unknown = JSON.parse(json);
  const defaults = valueAt(valueAt(raw, 'defaults'), 'atom');
  const atoms = valueAt(valueAt(valueAt(raw, 'molecules'), '0'), 'atoms');
  if (!Array.isArray(atoms)) throw new Error('no molecule in the JSON of RDKit');
  const counts = new Map<string, number>();
  const add = (symbol: string, count: number): void => {
    if (count > 0) counts.set(symbol, (counts.get(symbol) ?? 0) + count);
  };
  let formalCharge = 0;
  for (const atom of atoms) {
    const valueOf = (name: string): number => Number(valueAt(atom, name) ?? valueAt(defaults, name) ?? 0);
    add(SYMBOLS[valueOf('z')] ?? '*', 1);
    add('H', valueOf('impHs'));
    formalCharge += valueOf('chg');
  }
  return { formula: `${hill(counts)}${chargeSuffix(formalCharge)}`, formalCharge };
}

function hill(counts: ReadonlyMap<string, number>): string {
  const first = counts.has('C') ? ['C', 'H'] : [];
  const rest = [...counts.keys()].filter((symbol) => !first.includes(symbol)).toSorted();
  return [...first.filter((symbol) => counts.has(symbol)), ...rest]
    .map((symbol) => `${symbol}${counts.get(symbol) === 1 ? '' : (counts.get(symbol) ?? '')}`)
    .join('');
}

function chargeSuffix(charge: number): string {
  if (charge === 0) return '';
  const size = Math.abs(charge);
  return `${charge > 0 ? '+' : '-'}${size === 1 ? '' : size}`;
}
