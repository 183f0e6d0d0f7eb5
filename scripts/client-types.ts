// Writes src/client/api-types.ts, the types of the published client, from docs/openapi.json; with --check it only
// compares, and fails when the committed file is out of date.
import { readFile, writeFile } from 'node:fs/promises';

import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const document = new URL('../docs/openapi.json', import.meta.url);
const file = new URL('../src/client/api-types.ts', import.meta.url);

const HEAD = `/** Generated from docs/openapi.json by \`npm run client:types\`. Do not edit. */
`;

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

const bare = bareOf(JSON.parse(await readFile(document, 'utf8')));
// A field with a default may be left out of a request; answers name what is always there as required.
const ast = await openapiTS(JSON.stringify(bare), {
  defaultNonNullable: false,
  transform: (schema, { path }) => {
    // TypeScript has no name for a JSON value that holds itself.
    if (path?.endsWith('/JsonValue') === true)
      return ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword);
    const list = openListOf(schema);
    return list === null ? undefined : openUnion(list);
  },
});
const text = HEAD + astToString(ast);

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    console.error('src/client/api-types.ts is out of date. Run: npm run client:types');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
  console.log('src/client/api-types.ts written');
}
