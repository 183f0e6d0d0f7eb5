/**
 * A component of the dictionary as a V3000 mol block, which RDKit reads with the stereochemistry of the coordinates.
 * Where the component has its hydrogens, every valence is written out, so that RDKit adds no hydrogens: added hydrogens
 * would change ions and metals.
 */
import type { ComponentRecord } from './dictionary.ts';

const UNITS_PER_ANGSTROM = 1000;
const ORDERS: Readonly<Record<string, number>> = { SING: 1, DOUB: 2, TRIP: 3, AROM: 4 };
/** Share of an aromatic bond in a valence; other bonds count by their order. */
const AROMATIC_VALENCE = 1.5;
const AROMATIC_ORDER = 4;
/** The format's way of writing a valence of zero. */
const NO_VALENCE = -1;

/** Writes a component as a mol block. */
export function molBlockOf(record: ComponentRecord): string {
  const { elements, bonds } = record;
  return [
    '',
    '  dockyard          3D',
    '',
    '  0  0  0     0  0            999 V3000',
    'M  V30 BEGIN CTAB',
    `M  V30 COUNTS ${elements.length} ${bonds.length} 0 0 0`,
    ...section('ATOM', atomLines(record)),
    ...section(
      'BOND',
      bonds.map(([first, second, order]) => `${orderOf(order)} ${first + 1} ${second + 1}`),
    ),
    'M  V30 END CTAB',
    'M  END',
    '',
  ].join('\n');
}

/** An empty section is left out, because RDKit complains of an empty section. */
function section(name: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const numbered = lines.map((line, index) => `M  V30 ${index + 1} ${line}`);
  return [`M  V30 BEGIN ${name}`, ...numbered, `M  V30 END ${name}`];
}

function atomLines({ elements, charges, bonds, coordinates }: ComponentRecord): string[] {
  const hasHydrogens = elements.includes('H');
  const valences = elements.map(() => 0);
  for (const [first, second, order] of bonds) {
    const counted = orderOf(order) === AROMATIC_ORDER ? AROMATIC_VALENCE : orderOf(order);
    for (const atom of [first, second]) valences[atom] = (valences[atom] ?? 0) + counted;
  }
  return elements.map((element, index) => {
    const place = [0, 1, 2].map((axis) => (coordinates?.[3 * index + axis] ?? 0) / UNITS_PER_ANGSTROM);
    const charge = charges[index] ?? 0;
    const valence = Math.round(valences[index] ?? 0) || NO_VALENCE;
    const isWhole = hasHydrogens || element !== 'C';
    return [
      // In the dictionary X stands for any element.
      element === 'X' ? '*' : element,
      ...place,
      0,
      ...(charge === 0 ? [] : [`CHG=${charge}`]),
      ...(isWhole ? [`VAL=${valence}`] : []),
    ].join(' ');
  });
}

/** A bond order that the format lacks counts as a single bond. */
function orderOf(order: string): number {
  return ORDERS[order] ?? 1;
}
