/** The API document of this version, read as data, so that `explain` says the same as the API. */
import { join } from 'node:path';

import { isRecord } from '../../domain/is-record.ts';
import { readJsonFile } from '../../files.ts';
import { projectRoot } from '../../stack/tools.ts';
import { CommandProblem, EXIT } from '../problems.ts';

/** A part of the document. */
export type Schema = Readonly<Record<string, unknown>>;

let known: Schema | null = null;

/** The schemas of the document by name. @throws CommandProblem when the document is not there. */
export function schemas(): Schema {
  known ??= readSchemas();
  return known;
}

/** The example of an event of a type; null where the document has no such type. */
export function eventExample(type: string): Schema | null {
  const post = partOf(partOf(partOf(readDocument(), 'webhooks'), type), 'post');
  const json = partOf(partOf(partOf(post, 'requestBody'), 'content'), 'application/json');
  return isRecord(json['example']) ? json['example'] : null;
}

/** The types of events that the document has. */
export function eventTypes(): readonly string[] {
  return Object.keys(partOf(readDocument(), 'webhooks'));
}

/** The fields that a request has, or one of its objects. */
export function requestFields(name: string, field?: string): ReadonlySet<string> {
  const schema = partOf(schemas(), name);
  const holder = field === undefined ? schema : partOf(partOf(schema, 'properties'), field);
  return new Set(Object.keys(partOf(resolved(holder), 'properties')));
}

/** A schema behind a reference; members beside the reference replace those of the schema. */
export function resolved(schema: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const name = reference.split('/').at(-1) ?? '';
  const { $ref: _reference, ...beside } = schema;
  return { ...partOf(schemas(), name), ...beside };
}

/** An object within a schema; empty when there is none. */
export function partOf(schema: Schema, name: string): Schema {
  const part = schema[name];
  return isRecord(part) ? part : {};
}

function readSchemas(): Schema {
  return partOf(partOf(readDocument(), 'components'), 'schemas');
}

function readDocument(): Schema {
  const file = join(projectRoot, 'docs', 'openapi.json');
  const document = readJsonFile(file);
  if (isRecord(document)) return document;
  throw new CommandProblem(EXIT.failed, 'INTERNAL_ERROR', `The API document ${file} cannot be read.`);
}
