/**
 * Holds the document against the one of the last release, and fails when a change breaks the rules of v1. Before the first
 * release there is no such document, and nothing to break.
 *
 *   node scripts/compatibility.ts              compares docs/openapi.json with docs/openapi-released.json
 *   node scripts/compatibility.ts --release    makes the present document that of the release
 *   node scripts/compatibility.ts --docs DIR   does so in another folder
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { compareWithRelease } from './compatibility/rules.ts';

const { values } = parseArgs({
  options: {
    release: { type: 'boolean', default: false },
    docs: { type: 'string', default: join(import.meta.dirname, '..', 'docs') },
  },
});
const [released, present] = [join(values.docs, 'openapi-released.json'), join(values.docs, 'openapi.json')];

const { isCompatible, report } = existsSync(released)
  ? compareWithRelease(released, present)
  : { isCompatible: true, report: '' };
if (!isCompatible) {
  console.error(`openapi.json breaks what the last release promised:\n\n${report}`);
  process.exitCode = 1;
} else if (values.release) {
  copyFileSync(present, released);
  console.log('openapi-released.json is now openapi.json');
}
