/** Judges the parameters of a node by the tables of Mol*, field by field, so that each wrong one is named. */
import { fieldValidationIssues } from 'molstar/lib/extensions/mvs/tree/generic/field-schema.js';
import type { MVSAnimationSchema } from 'molstar/lib/extensions/mvs/tree/animation/animation-tree.js';
import type { MVSTreeSchema } from 'molstar/lib/extensions/mvs/tree/mvs/mvs-tree.js';

import { isRecord } from '../domain/is-record.ts';

type Nodes = (typeof MVSTreeSchema)['nodes'] & (typeof MVSAnimationSchema)['nodes'];
/** Mol*'s table of the parameters of one kind of node. */
export type ParamsTable = Nodes[keyof Nodes]['params'];

/** A parameter that is refused; the path begins at the parameters. */
export interface ParamFault {
  readonly path: string;
  readonly message: string;
}

type Fields = Extract<ParamsTable, { readonly type: 'simple' }>['fields'];
type Field = Parameters<typeof fieldValidationIssues>[0];

const SHOWN_CHARACTERS = 300;
/** Long lists of numbers are judged in one loop, because Mol*'s types make an object for each number. */
const NUMBERS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['Array<number>', Number.isFinite],
  ['(Array<number> | null)', Number.isFinite],
  ['Array<Integer>', Number.isInteger],
  ['(Array<Integer> | null)', Number.isInteger],
]);
/** How many numbers a matrix has: Mol* takes any number of them, and then shows nothing. */
const MATRICES: ReadonlyMap<string, number> = new Map([
  ['rotation', 9],
  ['matrix', 16],
]);

/** Judges the parameters of a node. */
export function paramFaults(table: ParamsTable, params: unknown): readonly ParamFault[] {
  if (!isRecord(params)) return [{ path: '', message: 'must be an object' }];
  if (table.type === 'simple') return fieldFaults(new Map(Object.entries(table.fields)), params);
  const { discriminator } = table;
  const cases = new Map<string, { readonly fields: Fields }>(Object.entries(table.cases));
  const { [discriminator]: name, ...rest } = params;
  const fields = typeof name === 'string' ? cases.get(name)?.fields : undefined;
  return fields === undefined
    ? [{ path: `.${discriminator}`, message: `must be one of ${[...cases.keys()].join(', ')}` }]
    : fieldFaults(new Map(Object.entries(fields)), rest);
}

function fieldFaults(
  fields: ReadonlyMap<string, Field>,
  params: Readonly<Record<string, unknown>>,
): readonly ParamFault[] {
  const faults: ParamFault[] = [];
  for (const [name, field] of fields) {
    const path = `.${name}`;
    const value = params[name];
    if (!Object.hasOwn(params, name)) {
      if (field.required) faults.push({ path, message: 'is required' });
    } else if (!fits(field, value)) faults.push({ path, message: `must be ${shown(field)}` });
    else if (Array.isArray(value) && value.length !== (MATRICES.get(name) ?? value.length))
      faults.push({ path, message: `must have ${MATRICES.get(name)} numbers, column by column` });
    else if (name.endsWith('noise_magnitude') && value !== 0)
      faults.push({ path, message: 'must be 0: noise is another one each time that a scene is opened' });
  }
  for (const name of Object.keys(params))
    if (!fields.has(name))
      faults.push({
        path: `.${name}`,
        message: `is no parameter of this node, which has ${[...fields.keys()].join(', ') || 'none'}`,
      });
  return faults;
}

function fits(field: Field, value: unknown): boolean {
  const isOne = NUMBERS.get(field.type.name);
  if (isOne !== undefined && Array.isArray(value)) return value.every(isOne);
  // Colours alone are judged by their decoder; the decoder of a list makes objects for each of its values.
  return field.type.name.includes('Color')
    ? fieldValidationIssues(field, value) === undefined
    : field.type.is(value);
}

function shown({ type }: Field): string {
  const name = type.name.replaceAll('Array<', 'list<');
  return name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
}
