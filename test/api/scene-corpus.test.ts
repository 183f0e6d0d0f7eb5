/** Scenes of earlier releases: this version judges, exports and reads them back alike, and the installed viewer shows what was shown then. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { MVSData } from 'molstar/lib/extensions/mvs/mvs-data.js';

import { readPackage } from '../../src/cli/customer/projects/package-files.ts';
import { checkScene } from '../../src/scenes/check.ts';
import { corpusScene, packageOf, pictureFile, readCorpus } from '../support/scene-corpus.ts';
import { sharedViewer } from '../support/viewer.ts';

/** Another rasteriser draws edges otherwise; neighbours in the corpus are further from each other than this. */
const ALIKE = 0.12;

describe('the corpus of scenes', () => {
  const corpus = readCorpus();
  const names = Object.keys(corpus.scenes);
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-corpus-'));
  const packages = new Map<string, Buffer>();
  before(async () => {
    for (const name of names) packages.set(name, await packageOf(corpus, name));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has thirty kinds of scenes, which ours and the validator of Mol* take', () => {
    expect(names.length).to.be.at.least(30);
    for (const name of names) {
      const scene = JSON.parse(corpusScene(name));
      expect(checkScene(scene).faults, name).to.deep.equal([]);
      expect(MVSData.validationIssues(scene, { noExtra: true }), name).to.equal(undefined);
    }
  });

  it('is exported and read back: the scene but for the names of its data, and each file by its digest', async () => {
    for (const [name, bytes] of packages) {
      const path = join(folder, `${name}.mvsx`);
      writeFileSync(path, bytes);
      const { digests, texts } = await readPackage(path);
      const told = corpusScene(name).replaceAll(
        /\/api\/v1\/molecular\/assets\/([0-9a-f-]{36})/g,
        (_address, id: string) => `data/${corpus.assets[id]}`,
      );
      expect(JSON.parse(texts.get('index.mvsj') ?? ''), name).to.deep.equal(JSON.parse(told));
      const { SHA256SUMS: _own, ...files } = Object.fromEntries(digests);
      const sums = Object.entries(files).map(([file, sha256]) => `${sha256}  ${file}\n`);
      expect(texts.get('SHA256SUMS'), name).to.equal(sums.join(''));
    }
  });

  it('opens in the unmodified viewer with the atoms, the camera and the picture of then', async function () {
    // A browser draws 34 scenes by the processor alone, which takes minutes beside other suites.
    this.timeout(900_000);
    const viewer = await sharedViewer();
    // Without a browser on this machine there is no viewer, and the test says so by being left out.
    if (viewer === null) return this.skip();
    let before: Buffer | null = null;
    for (const [name, bytes] of packages) {
      const shown = await viewer.show({ bytes, format: 'mvsx' });
      const { atoms, camera } = corpus.scenes[name] ?? expect.fail(name);
      expect([shown.faults, shown.refused, shown.atoms], name).to.deep.equal([[], [], atoms]);
      for (const part of ['position', 'target', 'up'] as const)
        for (const [axis, value] of camera[part].entries())
          expect(shown.camera[part][axis], `${name}, ${part}`).to.be.closeTo(value, 1e-3);
      const expected = readFileSync(pictureFile(name));
      expect(await viewer.difference(expected, shown.picture), name).to.be.below(ALIKE);
      if (before !== null) expect(await viewer.difference(before, shown.picture), name).to.be.above(ALIKE);
      before = expected;
    }
  });
});
