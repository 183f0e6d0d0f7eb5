// Writes the types of the API document: src/client/api-types.ts for the published client, from docs/openapi.json, and
// src/domain/answers.ts for the server, whose answers have today's members and values alone. With --check it only compares, and
// fails when a committed file is out of date.
import { readFile, writeFile } from 'node:fs/promises';

import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

import { endpoints } from '../api/endpoints.ts';
import { isJsonObject } from '../api/http/in-document.ts';
import type { Json, JsonObject } from '../api/http/in-document.ts';
import { STATUS_PARTS } from '../src/tools/catalogue.ts';
import { buildOpenApi } from '../api/openapi.ts';

const root = new URL('../', import.meta.url);
const SCHEMAS = '#/components/schemas/';

/** The known texts of a list that ends with any text (`api/openapi-open.ts`), and whether its field may be null. */
interface OpenList {
  readonly texts: readonly string[];
  readonly orNull: boolean;
}

/** The open list of a schema; null for every other schema. */
function openListOf(schema: object): OpenList | null {
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return null;
  const choices: readonly unknown[] = schema.anyOf;
  const [known, other] = choices;
  const orNull = JSON.stringify(other) === '{"type":["string","null"]}';
  if (!orNull && JSON.stringify(other) !== '{"type":"string"}') return null;
  if (typeof known !== 'object' || known === null || !('enum' in known) || !Array.isArray(known.enum))
    return null;
  return { texts: known.enum.map(String), orNull };
}

/** The type of an open list: plain `string` would swallow the texts, and an editor could not suggest them. */
function openUnion({ texts, orNull }: OpenList): ts.TypeNode {
  const { factory } = ts;
  const known = texts.map((text) => factory.createLiteralTypeNode(factory.createStringLiteral(text)));
  const anyText = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ]);
  const none = orNull ? [factory.createLiteralTypeNode(factory.createNull())] : [];
  return factory.createUnionTypeNode([...known, factory.createParenthesizedType(anyText), ...none]);
}

/** Choices that only say which members must be there: a type cannot say that, and would be a union with everything. */
function areOfMembers(choices: unknown): boolean {
  const isOne = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && Object.keys(one).join() === 'required';
  return Array.isArray(choices) && choices.every(isOne);
}

/**
 * The document without its examples, which would fill the types with comments, and without the openness of its objects: with
 * an index signature a misspelt member would pass.
 */
function bareOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bareOf);
  if (typeof node !== 'object' || node === null) return node;
  // A node with a schema is a parameter or a body; elsewhere the name may be that of a field.
  const isShown = 'schema' in node;
  const kept = Object.entries(node).filter(
    ([key, value]) =>
      !(isShown && /^examples?$/.test(key)) &&
      !(key === 'examples' && Array.isArray(value)) &&
      !(key === 'additionalProperties' && value === true) &&
      !(key === 'anyOf' && areOfMembers(value)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, bareOf(value)]));
}

/** TypeScript has no name for a JSON value that holds itself. */
function jsonValueAt(path: string | undefined): ts.TypeNode | undefined {
  return path?.endsWith('/JsonValue') === true
    ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword)
    : undefined;
}

async function typesOfClient(): Promise<string> {
  const document: unknown = JSON.parse(await readFile(new URL('docs/openapi.json', root), 'utf8'));
  // A field with a default may be left out of a request; answers name what is always there as required.
  const ast = await openapiTS(JSON.stringify(bareOf(document)), {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform: (schema, { path }) => {
      const list = openListOf(schema);
      return jsonValueAt(path) ?? (list === null ? undefined : openUnion(list));
    },
  });
  return `/** Generated from docs/openapi.json by \`npm run client:types\`. Do not edit. */\n${astToString(ast)}`;
}

/** The schemas of the JSON bodies with which an operation succeeds. */
function answersOf({ responses }: JsonObject): Json[] {
  return Object.entries(isJsonObject(responses) ? responses : {})
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => {
      const content = isJsonObject(response) && isJsonObject(response.content) ? response.content : {};
      const body = content['application/json'];
      return isJsonObject(body) && body.schema !== undefined ? [body.schema] : [];
    });
}

/** Whether no earlier schema of the list is the same. */
function isNew(schema: Json, index: number, schemas: readonly Json[]): boolean {
  return schemas.findIndex((other) => JSON.stringify(other) === JSON.stringify(schema)) === index;
}

/** Adds the named schemas that a node reaches. */
function reach(node: Json, schemas: JsonObject, found: Record<string, Json>): void {
  for (const part of Array.isArray(node) ? node : isJsonObject(node) ? Object.values(node) : []) {
    const name = typeof part === 'string' && part.startsWith(SCHEMAS) ? part.slice(SCHEMAS.length) : null;
    if (name === null) reach(part, schemas, found);
    else if (found[name] === undefined) {
      found[name] = schemas[name] ?? {};
      reach(found[name], schemas, found);
    }
  }
}

/** An object with no known members: a service may give any, and nobody reads it by its members. */
function anyObjectOf(schema: object): ts.TypeNode | undefined {
  if (!('type' in schema) || ![schema.type].flat().includes('object')) return undefined;
  if ('properties' in schema || 'additionalProperties' in schema || 'patternProperties' in schema)
    return undefined;
  const { factory } = ts;
  const any = factory.createKeywordTypeNode(ts.SyntaxKind.ObjectKeyword);
  return [schema.type].flat().includes('null')
    ? factory.createUnionTypeNode([any, factory.createLiteralTypeNode(factory.createNull())])
    : any;
}

function nameOf(node: ts.Node): string {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? node.name.text : '';
}

/** One type with the answer of each operation by the operation's name, and the named types that the answers are made of. */
async function typesOfServer(): Promise<string> {
  const { paths, components } = buildOpenApi(endpoints, 'closed');
  const operations = Object.values(isJsonObject(paths) ? paths : {})
    .flatMap((path) => Object.values(isJsonObject(path) ? path : {}))
    .filter(isJsonObject);
  const answers = operations.flatMap((operation): [string, Json][] => {
    const { operationId, deprecated } = operation;
    const [body, ...others] = answersOf(operation).filter(isNew);
    if (body === undefined || deprecated === true || typeof operationId !== 'string') return [];
    return [[operationId, others.length === 0 ? body : { anyOf: [body, ...others] }]];
  });
  const all = isJsonObject(components) && isJsonObject(components.schemas) ? components.schemas : {};
  const reached: Record<string, Json> = {};
  reach(Object.fromEntries(answers), all, reached);
  const whole = {
    type: 'object',
    required: answers.map(([name]) => name),
    properties: Object.fromEntries(answers),
  };
  // A part of a tool's status is judged by the tool's own schema: to everybody else it may be there.
  const status = reached['JobStatusResponse'];
  const isOfTool = (name: Json): boolean => typeof name === 'string' && Object.hasOwn(STATUS_PARTS, name);
  if (isJsonObject(status) && Array.isArray(status.required))
    status.required = status.required.filter((name) => !isOfTool(name));
  const schemas = bareOf({ ...reached, Answers: whole });
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
  const ast = await openapiTS(JSON.stringify(document), {
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    transform: (schema, { path }) => jsonValueAt(path) ?? anyObjectOf(schema),
  });
  // The meaning of a field stands in the schemas and in the client's types. Of the document only its schemas are used.
  const kept = ast.filter((node) => !/^(paths|webhooks|operations|\$defs)$/.test(nameOf(node)));
  const text = astToString(kept, { formatOptions: { removeComments: true } });
  return `/** Answers of the API. Generated from its schemas by \`npm run client:types\`. Do not edit. */\n${text}`;
}

const files = { 'src/client/api-types.ts': typesOfClient, 'src/domain/answers.ts': typesOfServer };
for (const [name, write] of Object.entries(files)) {
  const file = new URL(name, root);
  const text = await write();
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} is out of date. Run: npm run client:types`);
    process.exitCode = 1;
  }
}
