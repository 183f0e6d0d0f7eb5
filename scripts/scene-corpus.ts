// Records the corpus of scenes anew, with the version of Mol* that is installed: atoms, camera and picture of each scene under
// test/fixtures/scenes. `node scripts/scene-corpus.ts NAME...` records these scenes alone, such as new ones. Never record a scene of a release
// anew to make its test pass: the test holds that whatever was saved once opens as it did.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  CORPUS,
  installedMolstar,
  packageOf,
  pictureFile,
  readCorpus,
} from '../test/support/scene-corpus.ts';
import type { Seen } from '../test/support/scene-corpus.ts';
import { openViewer } from '../test/support/viewer.ts';

const record = readCorpus();
const only = process.argv.slice(2);
const viewer = await openViewer();
if (viewer === null) throw new Error('No browser starts on this machine.');
const scenes: Record<string, Seen> = { ...record.scenes };
for (const name of new Set([...Object.keys(scenes), ...only])) {
  if (only.length > 0 && !only.includes(name)) continue;
  const shown = await viewer.show({ bytes: await packageOf(record, name), format: 'mvsx' });
  const { faults, refused, atoms, camera, picture } = shown;
  if (faults.length + refused.length > 0) throw new Error(`${name}: ${[...faults, ...refused].join(' ')}`);
  scenes[name] = { atoms, camera };
  writeFileSync(pictureFile(name), picture);
}
await viewer.close();
const molstar = installedMolstar();
writeFileSync(join(CORPUS, 'corpus.json'), `${JSON.stringify({ ...record, molstar, scenes }, null, 1)}\n`);
process.stdout.write(`${Object.keys(scenes).length} scenes, as Mol* ${molstar} shows them.\n`);
