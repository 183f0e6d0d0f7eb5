/**
 * What documents say, for the app. Of the API document `document:fields/SCHEMA` has bounds, defaults and help of the fields of a request,
 * `document:codes` meaning and advice of every code and state, `document:events` the meaning of every type of events. `document:verifying` has
 * the receivers of docs/webhooks.md, which a test runs. A page imports what it shows, and nothing is typed twice.
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
  const docs = join(web, '../docs');
  const document = asNode(JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')));
  const schemas = asNode(asNode(document.components).schemas);
  const values: Readonly<Record<string, (name: string) => unknown>> = {
    codes: () => codesOf(schemas),
    events: () => meaningsOf(asNode(document.webhooks)),
    fields: (name) => fieldsOf(schemas, name),
    verifying: () => receiversOf(readFileSync(join(docs, 'webhooks.md'), 'utf8')),
  };
  return {
    name: 'dockyard-document',
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const [kind, name = ''] = id.slice(NAME.length + 1).split('/');
      if (kind === undefined || values[kind] === undefined) throw new Error(`No document has ${id}.`);
      const value = values[kind](name);
      return `export const ${kind} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
    },
  };
}

/** Fields of a schema: bounds, default, help, the names of fields inside, and whether the field must be there. */
function fieldsOf(schemas: Node, name: string): Node {
  const schema = asNode(schemas[name]);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = Object.entries(asNode(schema.properties));
  if (properties.length === 0) throw new Error(`The document has no fields of ${name}.`);
  return Object.fromEntries(
    properties.map(([field, value]) => {
      const given = asNode(value);
      const kept = Object.fromEntries(Object.entries(given).filter(([key]) => KEPT.includes(key)));
      const inner = given.properties === undefined ? {} : { names: Object.keys(asNode(given.properties)) };
      return [
        field,
        { ...kept, ...inner, help: given.description ?? '', required: required.includes(field) },
      ];
    }),
  );
}

/** Meaning and advice of each code, as the descriptions of their lists have them: `CODE`: meaning. advice. */
function codesOf(schemas: Node): Node {
  const codes: Record<string, string> = {};
  const { statusReason } = asNode(asNode(schemas['JobStatusResponse']).properties);
  for (const list of [...LISTS.map((name) => schemas[name]), statusReason])
    for (const [, code = '', words = ''] of textOf(asNode(list).description).matchAll(
      /^`([A-Z0-9_]+)`: (.+)$/gm,
    ))
      codes[code] ??= words;
  return codes;
}

/** What has happened at an event of each type. */
function meaningsOf(events: Node): Node {
  return Object.fromEntries(
    Object.entries(events).map(([type, event]) => [type, asNode(asNode(event).post).description]),
  );
}

/** The receivers that the page has below "Verifying", each with what it is written in, as in "In Python with a library:". */
function receiversOf(page: string): readonly Node[] {
  const [, section = ''] = /^## Verifying\n(.*?)^## /ms.exec(page) ?? [];
  const blocks = [...section.matchAll(/\bIn (?:the )?(\w[^\n:]*):\n\n```(\w+)\n(.*?)```/gs)];
  if (blocks.length === 0) throw new Error('docs/webhooks.md has no receivers below "Verifying".');
  return blocks.map(([, title = '', language, text]) => ({
    title: title.charAt(0).toUpperCase() + title.slice(1).replaceAll('`', ''),
    language,
    text,
  }));
}
