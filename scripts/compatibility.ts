/**
 * Holds the document against the one of the last release, and fails when a change breaks the rules of v1.
 *
 *   node scripts/compatibility.ts              compares docs/openapi.json with docs/openapi-released.json
 *   node scripts/compatibility.ts --release    makes the present document that of the release
 */
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { compareWithRelease } from './compatibility/rules.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
const [released, present] = [pathOf('openapi-released.json'), pathOf('openapi.json')];

const { isCompatible, report } = compareWithRelease(released, present);
if (!isCompatible) {
  console.error(`docs/openapi.json breaks what the last release promised:\n\n${report}`);
  process.exitCode = 1;
} else if (process.argv.includes('--release')) {
  copyFileSync(present, released);
  console.log('docs/openapi-released.json is now docs/openapi.json');
}
