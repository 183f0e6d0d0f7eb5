/** Conditions on results, as `--where` has them: each is a field, a sign and a value, and a result has to meet all of them. */
import { InvalidArgumentError } from 'commander';

import type { ResultFilter } from '../../../client/index.ts';
import { DESCRIPTOR_CONDITION, DESCRIPTOR_NAMES } from '../../../domain/descriptors.ts';
import { INTERACTION_TYPES, MOST_CONTACTS } from '../../../domain/docking-interactions.ts';
import { RESULT_SORTS, RESULT_STATUSES } from '../../../domain/docking-lists.ts';
import type { ResultSort } from '../../../domain/docking-lists.ts';
import { CommandProblem, EXIT } from '../../problems.ts';

/** The conditions of a command line, put together. */
export type Conditions = Omit<ResultFilter, 'sort' | 'maxMissing'>;

/** Help of `--where`. */
export const WHERE_HELP =
  'only ligands that meet this; repeatable. One of affinity<=-8, status=FAILED, warning=STEREO_UNSPECIFIED, label=CHEMBL (how it begins), logP<=5 (also molecularWeight, tpsa, donors, acceptors, rotatableBonds, qed, alerts), smarts=[CX3](=O)[OX1-] (of the molecule as docked: acids without their H), interaction=hydrogen_bond:A:GLN725 (repeated: one pose has all of them)';

const CONTACT = new RegExp(
  `^(${INTERACTION_TYPES.join('|')}):[\\x21-\\x7e]{1,5}:[\\x21-\\x7e]{1,5}-?\\d{1,5}[A-Za-z0-9]?$`,
);
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
const LONGEST_LABEL = 512;
const SPLIT = /^\s*([A-Za-z_-]+)\s*(<=|>=|=|<|>)\s*(.*?)\s*$/s;

/** Reads a condition beside those that were read before. */
export function whereReader(text: string, before: Conditions = {}): Conditions {
  const [, field = '', sign = '', value = ''] = SPLIT.exec(text) ?? [];
  const descriptor = descriptorIn(field, sign, value);
  if (descriptor !== null) return { ...before, descriptor: [...(before.descriptor ?? []), descriptor] };
  const read = READERS[field.toLowerCase().replaceAll('_', '-')];
  if (sign === '' || read === undefined) {
    throw new InvalidArgumentError(
      `It is a field, = or <=, and a value; the fields are ${[...Object.keys(READERS), ...DESCRIPTOR_NAMES].join(', ')}.`,
    );
  }
  const wanted = field.toLowerCase() === 'affinity' ? '<=' : '=';
  if (sign !== wanted) {
    const why = wanted === '<=' ? 'affinities are only bounded from above' : `${field} is compared with =`;
    throw new InvalidArgumentError(`Write ${field}${wanted}${value}: ${why}.`);
  }
  const condition = read(value);
  const twice = Object.keys(condition).find((name) => name !== 'interaction' && name in before);
  if (twice !== undefined) throw new InvalidArgumentError(`${field} has a condition already.`);
  const interaction = [...(before.interaction ?? []), ...(condition.interaction ?? [])];
  if (new Set(interaction).size > MOST_CONTACTS) {
    throw new InvalidArgumentError(`At most ${MOST_CONTACTS} interactions can be asked for.`);
  }
  return { ...before, ...condition, ...(interaction.length === 0 ? {} : { interaction }) };
}

/** A condition on a figure of the ligand as the service reads it; null for another field. */
function descriptorIn(field: string, sign: string, value: string): string | null {
  const name = DESCRIPTOR_NAMES.find((known) => known.toLowerCase() === field.toLowerCase());
  if (name === undefined) return null;
  const condition = `${name}${sign}${value}`;
  if (DESCRIPTOR_CONDITION.test(condition)) return condition;
  throw new InvalidArgumentError(`Write ${name}<=NUMBER or ${name}>=NUMBER, such as ${name}<=5.`);
}

const READERS: Readonly<Record<string, (value: string) => Conditions>> = {
  affinity: (value) => {
    if (NUMBER.test(value)) return { affinityAtMost: Number(value) };
    throw new InvalidArgumentError('An affinity is a number in kcal/mol, such as affinity<=-8.');
  },
  status: (value) => {
    const status = RESULT_STATUSES.find((known) => known === value.toUpperCase());
    if (status !== undefined) return { status };
    throw new InvalidArgumentError(`A status is one of ${RESULT_STATUSES.join(', ')}.`);
  },
  warning: (value) => {
    const warning = value.toUpperCase();
    if (CODE.test(warning)) return { warning };
    throw new InvalidArgumentError(
      'A warning is a code such as STEREO_UNSPECIFIED; dockyard explain --list names all of them.',
    );
  },
  label: (value) => {
    if (value !== '' && value.length <= LONGEST_LABEL) return { label: value };
    throw new InvalidArgumentError(`A label begins with 1 to ${LONGEST_LABEL} characters.`);
  },
  smarts: (value) => {
    if (value !== '') return { smarts: value };
    throw new InvalidArgumentError('A pattern is SMARTS, such as smarts=c1ccncc1.');
  },
  interaction: (value) => {
    const [type = '', ...place] = value.split(':');
    const contact = [type.toLowerCase().replaceAll('-', '_'), ...place].join(':');
    if (CONTACT.test(contact)) return { interaction: [contact] };
    throw new InvalidArgumentError(
      `An interaction is type:chain:residue, such as hydrogen_bond:A:GLN725. The types are ${INTERACTION_TYPES.join(', ')}.`,
    );
  },
};

/** Reads the order of results. */
export function sortReader(text: string): ResultSort {
  const wanted = text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const sort = RESULT_SORTS.find((known) => known.toLowerCase() === wanted);
  if (sort !== undefined) return sort;
  const names = { id: 'ligandId', ligand: 'ligandId', name: 'ligandId' } as const satisfies Record<
    string,
    ResultSort
  >;
  if (wanted === 'id' || wanted === 'ligand' || wanted === 'name') return names[wanted];
  throw new InvalidArgumentError(`It is one of ${RESULT_SORTS.join(', ')}.`);
}

/** The whole filter of a command line. @throws CommandProblem where a pose might lack every interaction that is asked for. */
export function filterOf({
  where = {},
  sort,
  maxMissing,
}: {
  readonly where?: Conditions;
  readonly sort?: ResultSort;
  readonly maxMissing?: number;
}): ResultFilter {
  const asked = new Set(where.interaction).size;
  if (maxMissing !== undefined && maxMissing >= asked) {
    const advice =
      asked === 0
        ? 'it says how many of the interactions of --where a pose may lack; name some with --where interaction=…'
        : `a pose that may lack ${maxMissing} of ${asked} interactions needs none of them; give less`;
    throw new CommandProblem(EXIT.refused, 'VALIDATION_ERROR', `--max-missing ${maxMissing}: ${advice}.`);
  }
  return {
    ...where,
    ...(sort === undefined ? {} : { sort }),
    ...(maxMissing === undefined ? {} : { maxMissing }),
  };
}
