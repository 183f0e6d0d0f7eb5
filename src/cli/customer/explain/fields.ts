/** Every field of the API's requests and answers, found by its path, with what the API document says of the field. */
import { partOf, resolved, schemas } from '../openapi.ts';
import type { Schema } from '../openapi.ts';

/** A field as `explain` shows it. */
export interface FieldFacts {
  /** Names from the top of the request or answer, joined by dots. */
  readonly path: string;
  /** The requests and answers that have it at this path. */
  readonly foundIn: readonly string[];
  readonly meaning: string;
  readonly type: string;
  readonly unit: string | null;
  /** The least and the most that a value, a length or a count may be. */
  readonly bound: string | null;
  readonly allowed: readonly string[] | null;
  readonly default: string | null;
  readonly isRequired: boolean;
}

const DEEPEST = 8;
/** The pattern and the range that the document gives every text and every number without a bound of its own. */
const ANY_TEXT = '^[^\\u0000]*$';
const ANY_NUMBER: readonly unknown[] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

let known: readonly FieldFacts[] | null = null;

/** All fields, requests first. */
export function allFields(): readonly FieldFacts[] {
  known ??= collect();
  return known;
}

function collect(): readonly FieldFacts[] {
  const found = new Map<string, FieldFacts>();
  const names = Object.keys(schemas());
  const whole = names.filter((name) => /(Request|Response)$/.test(name));
  const sorted = [
    ...whole.filter((name) => name.endsWith('Request')),
    ...whole.filter((name) => !name.endsWith('Request')),
  ];
  for (const name of sorted) {
    walk(resolved(partOf(schemas(), name)), '', 0, (facts) => {
      // The same field in a job and its estimate is one field.
      const key = `${facts.path}\n${facts.meaning}`;
      const before = found.get(key);
      found.set(
        key,
        before === undefined
          ? { ...facts, foundIn: [name] }
          : { ...before, foundIn: [...before.foundIn, name] },
      );
    });
  }
  return [...found.values()].map((facts) => ({ ...facts, foundIn: [...new Set(facts.foundIn)] }));
}

function walk(schema: Schema, path: string, depth: number, give: (facts: FieldFacts) => void): void {
  if (depth > DEEPEST) return;
  const required = listOf(schema['required']);
  for (const [name, value] of Object.entries(partOf(schema, 'properties'))) {
    const field = resolved(recordOf(value));
    const own = path === '' ? name : `${path}.${name}`;
    give(factsOf(own, name, field, required.includes(name)));
    walk(field, own, depth + 1, give);
  }
  // Members of the items of a list, and of a choice, have the path of the field that holds the list or the choice.
  const inner = [schema['items'], ...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
  for (const part of inner) if (part !== undefined) walk(resolved(recordOf(part)), path, depth + 1, give);
}

function factsOf(path: string, name: string, field: Schema, isRequired: boolean): FieldFacts {
  const meaning = typeof field['description'] === 'string' ? field['description'] : '';
  const values = listOf(field['enum']);
  return {
    path,
    foundIn: [],
    meaning,
    type: typeOf(field),
    unit: unitOf(name, meaning),
    bound: boundOf(field),
    allowed: values.length === 0 ? null : values.map(String),
    default: field['default'] === undefined ? null : JSON.stringify(field['default']),
    isRequired,
  };
}

function typeOf(field: Schema): string {
  const choices = [...listOf(field['oneOf']), ...listOf(field['anyOf'])].map((one) =>
    typeOf(resolved(recordOf(one))),
  );
  if (choices.length > 0) return [...new Set(choices)].join(' or ');
  const types = [field['type'] ?? 'any'].flat().filter((type) => typeof type === 'string');
  const text = types.join(' or ');
  if (!types.includes('array')) return text;
  const items = listOf(field['prefixItems']);
  const item = items[0] ?? field['items'];
  return item === undefined ? text : `list of ${typeOf(resolved(recordOf(item)))}`;
}

/** The unit that the description names, else the unit at the end of the field's name. */
function unitOf(name: string, meaning: string): string | null {
  const told =
    /\bin (Å|kcal\/mol|kelvin|seconds|minutes|hours|bytes|GB|pence|percent|frames per second)/.exec(meaning);
  if (told?.[1] !== undefined) return told[1];
  if (/\bnumber without unit\b/.test(meaning)) return 'none';
  if (/\bpH\b/.test(meaning) && /ph$/i.test(name)) return 'pH';
  if (/^Number of /.test(meaning)) return 'count';
  return UNITS.find(([ending]) => name.endsWith(ending))?.[1] ?? null;
}

const UNITS: readonly (readonly [string, string])[] = [
  ['Angstrom', 'Å'],
  ['angstrom', 'Å'],
  ['KcalMol', 'kcal/mol'],
  ['Seconds', 'seconds'],
  ['Minutes', 'minutes'],
  ['GB', 'GB'],
  ['Bytes', 'bytes'],
  ['byteSize', 'bytes'],
  ['Percent', 'percent'],
  ['percent', 'percent'],
  ['Cents', 'pence (minor units of creditCurrency)'],
  ['_cents', 'pence'],
];

function boundOf(field: Schema): string | null {
  const choices = [...listOf(field['oneOf']), ...listOf(field['anyOf'])].map(recordOf);
  const own = [
    rangeOf(
      ownBound(field['minimum'] ?? field['exclusiveMinimum']),
      ownBound(field['maximum'] ?? field['exclusiveMaximum']),
      field['exclusiveMinimum'] !== undefined,
    ),
    withUnit(rangeOf(field['minLength'], field['maxLength'], false), 'characters'),
    withUnit(rangeOf(field['minItems'], field['maxItems'], false), 'items'),
    typeof field['pattern'] === 'string' && field['pattern'] !== ANY_TEXT
      ? `matches ${field['pattern']}`
      : null,
  ].filter((part) => part !== null);
  const inner = choices.map(boundOf).filter((part) => part !== null);
  const all = [...new Set([...own, ...inner])];
  return all.length === 0 ? null : all.join('; ');
}

function ownBound(value: unknown): unknown {
  return ANY_NUMBER.includes(value) ? undefined : value;
}

function rangeOf(least: unknown, most: unknown, isAbove: boolean): string | null {
  const from = typeof least === 'number' ? String(least) : null;
  const to = typeof most === 'number' ? String(most) : null;
  if (from === null) return to === null ? null : `at most ${to}`;
  if (to === null) return `${isAbove ? 'above' : 'at least'} ${from}`;
  if (from === to) return from;
  return isAbove ? `above ${from}, at most ${to}` : `${from} to ${to}`;
}

function withUnit(range: string | null, unit: string): string | null {
  return range === null ? null : `${range} ${unit}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
