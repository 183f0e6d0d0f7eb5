// Writes src/client/api-types.ts, the types of the published client, from docs/openapi.json; with --check it only
// compares, and fails when the committed file is out of date.
import { readFile, writeFile } from 'node:fs/promises';

import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const document = new URL('../docs/openapi.json', import.meta.url);
const file = new URL('../src/client/api-types.ts', import.meta.url);

const HEAD = `/* eslint-disable */
/** Generated from docs/openapi.json by \`npm run client:types\`. Do not edit. */
`;

/** The texts of an open list of codes (`api/http/codes.ts`); null for every other schema. */
function openListOf(schema: object): readonly string[] | null {
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return null;
  const choices: readonly unknown[] = schema.anyOf;
  const [known, other] = choices;
  if (JSON.stringify(other) !== '{"type":"string"}') return null;
  if (typeof known !== 'object' || known === null || !('enum' in known) || !Array.isArray(known.enum))
    return null;
  return known.enum.map(String);
}

/** The type of an open list: plain `string` would swallow the texts, and an editor could not suggest them. */
function openUnion(texts: readonly string[]): ts.TypeNode {
  const { factory } = ts;
  const known = texts.map((text) => factory.createLiteralTypeNode(factory.createStringLiteral(text)));
  const anyText = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ]);
  return factory.createUnionTypeNode([...known, factory.createParenthesizedType(anyText)]);
}

/** The document without its examples, which would fill the types with comments. */
function withoutExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExamples);
  if (typeof node !== 'object' || node === null) return node;
  // What has a schema is a parameter or a body; elsewhere the name may be that of a field.
  const isShown = 'schema' in node;
  const kept = Object.entries(node).filter(
    ([key, value]) => !(isShown && /^examples?$/.test(key)) && !(key === 'examples' && Array.isArray(value)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutExamples(value)]));
}

const bare = withoutExamples(JSON.parse(await readFile(document, 'utf8')));
// A field with a default may be left out of a request; answers name what is always there as required.
const ast = await openapiTS(JSON.stringify(bare), {
  defaultNonNullable: false,
  transform: (schema, { path }) => {
    // TypeScript has no name for a JSON value that holds itself.
    if (path?.endsWith('/JsonValue') === true)
      return ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword);
    const texts = openListOf(schema);
    return texts === null ? undefined : openUnion(texts);
  },
});
const options = (await resolveConfig(file)) ?? {};
const text = await format(HEAD + astToString(ast), { ...options, parser: 'typescript' });

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
