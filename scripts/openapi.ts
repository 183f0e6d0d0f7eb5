/** Writes docs/openapi.json; with --check it only compares, and fails when the committed document is out of date. */
import { readFile, writeFile } from 'node:fs/promises';

import { endpoints } from '../api/endpoints.ts';
import { buildOpenApi } from '../api/openapi.ts';

const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(buildOpenApi(endpoints), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    console.error('docs/openapi.json is out of date. Run: npm run openapi');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
  console.log('docs/openapi.json written');
}
