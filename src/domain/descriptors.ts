/**
 * Descriptors of a ligand, as RDKit computes them of the molecule that was sent. One list names the figures in the order of
 * columns: results, exports, filters, rankings and the API document are made from it.
 */

/** The figures that are numbers: the name in a result and in filters, the column, and what it says. */
export const DESCRIPTOR_NUMBERS = [
  {
    name: 'molecularWeight',
    column: 'molecular_weight',
    isWhole: false,
    example: 493.615,
    says: 'Molecular weight in g/mol.',
  },
  {
    name: 'logP',
    column: 'log_p',
    isWhole: false,
    example: 4.59,
    says: 'Crippen logP, a number without a unit.',
  },
  {
    name: 'tpsa',
    column: 'tpsa',
    isWhole: false,
    example: 86.28,
    says: 'Topological polar surface area in Å².',
  },
  {
    name: 'donors',
    column: 'h_bond_donors',
    isWhole: true,
    example: 2,
    says: 'Number of hydrogen bond donors.',
  },
  {
    name: 'acceptors',
    column: 'h_bond_acceptors',
    isWhole: true,
    example: 7,
    says: 'Number of hydrogen bond acceptors.',
  },
  {
    name: 'rotatableBonds',
    column: 'rotatable_bonds',
    isWhole: true,
    example: 7,
    says: 'Number of rotatable bonds.',
  },
  {
    name: 'qed',
    column: 'qed',
    isWhole: false,
    example: 0.389,
    says: 'Quantitative estimate of drug-likeness, a number from 0 to 1.',
  },
] as const;

/** The name of a figure that is a number. */
export type DescriptorNumber = (typeof DESCRIPTOR_NUMBERS)[number]['name'];

/** The column of a figure that is a number. */
export type DescriptorColumn = (typeof DESCRIPTOR_NUMBERS)[number]['column'];

/** All figures of a ligand. */
export interface LigandDescriptors extends Readonly<Record<DescriptorNumber, number>> {
  /** Catalogue and name of the patterns of PAINS, BRENK and NIH that the ligand has, such as `PAINS: quinone_A(370)`. */
  readonly alerts: readonly string[];
  /** Murcko's scaffold as SMILES; empty for a ligand without rings. */
  readonly scaffold: string;
}

/** Values that a filter may compare: the numbers, and the number of alerts. */
const COMPARED = [...DESCRIPTOR_NUMBERS.map(({ name }) => name), 'alerts'] as const;

/** A condition on a figure, such as `logP<=5`. */
export const DESCRIPTOR_CONDITION = new RegExp(
  `^(${COMPARED.join('|')})(<=|>=)(-?\\d{1,6}(?:\\.\\d{1,6})?)$`,
);

/** The names that a condition may have, for people. */
export const DESCRIPTOR_NAMES: readonly string[] = COMPARED;

/**
 * Conditions that match as a path of PostgreSQL's JSON, by which rows are chosen.
 * @param conditions texts that match DESCRIPTOR_CONDITION
 */
export function descriptorPath(conditions: readonly string[]): string | null {
  const parts = conditions.map((condition) => {
    const [, name = '', compare = '', value = ''] = DESCRIPTOR_CONDITION.exec(condition) ?? [];
    return `$.${name === 'alerts' ? 'alerts.size()' : name} ${compare} ${value}`;
  });
  return parts.length === 0 ? null : parts.join(' && ');
}
