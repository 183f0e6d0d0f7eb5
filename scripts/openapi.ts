/**
 * Writes docs/openapi.json and what it announces to go, docs/deprecations.json; with --check it only compares, and fails
 * when a committed file is out of date. The script fails in any case when something announced would go before its day.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { API_BASE, endpoints } from '../api/endpoints.ts';
import {
  brokenAnnouncements,
  listDeprecations,
  readAnnouncements,
} from '../api/http/announced-deprecations.ts';
import { buildOpenApi } from '../api/openapi.ts';

const folder = new URL('../docs/', import.meta.url);
const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const committed = async (name: string): Promise<string> =>
  readFile(new URL(name, folder), 'utf8').catch(() => '');

const announced = readAnnouncements(await committed('deprecations.json'));
const declared = listDeprecations(API_BASE, endpoints);
const broken = brokenAnnouncements(
  announced,
  declared,
  new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
);
for (const problem of broken) console.error(problem);

const files = { 'openapi.json': textOf(buildOpenApi(endpoints)), 'deprecations.json': textOf(declared) };
if (broken.length > 0) {
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  for (const [name, text] of Object.entries(files)) {
    if ((await committed(name)) === text) continue;
    console.error(`docs/${name} is out of date. Run: npm run openapi`);
    process.exitCode = 1;
  }
} else {
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text);
  console.log('docs/openapi.json and docs/deprecations.json written');
}
