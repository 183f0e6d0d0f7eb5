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

// A field with a default may be left out of a request; answers name what is always there as required.
const ast = await openapiTS(document, {
  defaultNonNullable: false,
  // TypeScript has no name for a JSON value that holds itself.
  transform: (_schema, { path }) =>
    path?.endsWith('/JsonValue') === true
      ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword)
      : undefined,
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
