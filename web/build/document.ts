/**
 * What the API document says, for the app: `document:fields/SCHEMA` has bounds, defaults and help of the fields of a request, and
 * `document:codes` has meaning and advice of every code and state. A page imports what it shows, and nothing is typed twice.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

import { web } from './paths.ts';

const NAME = 'document:';
const KEPT = [
  'type',
  'enum',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'pattern',
  'items',
  'default',
  'format',
];
const LISTS = [
  'ErrorCode',
  'FailureCode',
  'WarningCode',
  'JobState',
  'PauseReason',
  'WaitReason',
  'LossCause',
  'RecoveryCause',
  'OutboundFault',
];

type Node = Readonly<Record<string, unknown>>;
const asNode = (value: unknown): Node =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The plug-in. */
export function documentPlugin(): Plugin {
  const file = join(web, '../docs/openapi.json');
  const schemas = asNode(asNode(asNode(JSON.parse(readFileSync(file, 'utf8'))).components).schemas);
  return {
    name: 'dockyard-document',
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const [kind, name = ''] = id.slice(NAME.length + 1).split('/');
      const value = kind === 'codes' ? codesOf(schemas) : fieldsOf(schemas, name);
      return `export const ${kind === 'codes' ? 'codes' : 'fields'} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
    },
  };
}

/** Fields of a schema: bounds, default, help, and whether the field must be there. */
function fieldsOf(schemas: Node, name: string): Node {
  const schema = asNode(schemas[name]);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = Object.entries(asNode(schema.properties));
  if (properties.length === 0) throw new Error(`The document has no fields of ${name}.`);
  return Object.fromEntries(
    properties.map(([field, value]) => {
      const given = asNode(value);
      const kept = Object.fromEntries(Object.entries(given).filter(([key]) => KEPT.includes(key)));
      return [field, { ...kept, help: given.description ?? '', required: required.includes(field) }];
    }),
  );
}

/** Meaning and advice of each code, as the descriptions of their lists have them: `CODE`: meaning. advice. */
function codesOf(schemas: Node): Node {
  const codes: Record<string, string> = {};
  for (const name of LISTS)
    for (const [, code = '', words = ''] of textOf(asNode(schemas[name]).description).matchAll(
      /^`([A-Z0-9_]+)`: (.+)$/gm,
    ))
      codes[code] ??= words;
  return codes;
}
