// A pack that is a Python environment: it is never looked for on PATH, and counts by what its installer recorded of every file.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { findBuilds, findPack, glanceAt } from '../../../src/packs/find.ts';
import { installPack, removePack, verifyPack } from '../../../src/packs/install.ts';
import type { PackDefinition, PackPlaces } from '../../../src/packs/pack.ts';
import { REPOSITORY } from '../../../src/packs/python.ts';

const LOCK = 'science/fpocket/requirements.lock';
const MODULE = 'answer = 42\n';

describe('a pack of Python packages', () => {
  let root: string;
  let folder: string;
  let places: PackPlaces;
  let proofs: number;
  let pack: PackDefinition;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'dockyard-python-pack-'));
    const digest = createHash('sha256')
      .update(await readFile(join(REPOSITORY, LOCK)))
      .digest('hex');
    folder = join(root, 'dockyard/tools/science', digest.slice(0, 16));
    // Whatever lies on PATH under the name of the interpreter is no pack.
    const bin = join(root, 'bin');
    for (const place of [bin, join(folder, 'bin')]) {
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'python'), '#!/bin/sh\necho toy 1.0\n', { mode: 0o755 });
    }
    const site = join(folder, 'lib/python3.11/site-packages');
    await mkdir(join(site, 'toy-1.0.dist-info'), { recursive: true });
    await writeFile(join(site, 'toy.py'), MODULE);
    await writeFile(join(folder, 'pyvenv.cfg'), 'home = /usr/bin\nversion_info = 3.11.2\n');
    const sum = createHash('sha256').update(MODULE).digest('base64url');
    const record = `toy.py,sha256=${sum},${MODULE.length}\ntoy-1.0.dist-info/RECORD,,\n`;
    await writeFile(join(site, 'toy-1.0.dist-info/RECORD'), record);
    places = { folder: join(root, 'packs'), environment: { XDG_CACHE_HOME: root, PATH: bin, HOME: root } };
    proofs = 0;
    pack = {
      ...{ name: 'toy', version: '1.0', title: 'Toy', programs: ['python'], libraries: [], pythonLock: LOCK },
      ...{
        licence: { name: 'MIT', url: 'https://example.org' },
        way: { interpreter: '3.11', downloadBytes: 1 },
      },
      async prove(run) {
        proofs += 1;
        const { stdout } = await run('python', []);
        return { version: /^toy (\S+)/.exec(stdout)?.[1] ?? 'none' };
      },
    };
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const complete = () => writeFile(join(folder, '.complete'), '/usr/bin/python3.11\n');
  const kindOf = async () => (await findPack(pack, places)).problem?.kind ?? null;
  const progress = { step: () => undefined, bytes: () => undefined, detail: () => undefined };

  it('counts once its environment is whole, has run, and is what was recorded', async () => {
    expect(await kindOf()).to.equal('absent');
    const before = await glanceAt(pack, places);
    await complete();
    expect(await glanceAt(pack, places)).to.not.equal(before);
    const { pack: found } = await findPack(pack, places);
    expect(found).to.include({ name: 'toy', version: '1.0', source: 'cache', folder });
    expect(found?.python).to.equal(join(folder, 'bin/python'));
    expect(found?.programs).to.deep.equal({ python: join(folder, 'bin/python') });
    // It has run once; looks and sessions run it no more.
    await findBuilds(pack, places);
    await findPack(pack, places, { isKnownGood: true });
    expect(proofs).to.equal(1);
    expect(await installPack(pack, { ...places, progress })).to.deep.equal({ pack: found, isNew: false });
    expect((await verifyPack(pack, places)).map(({ problem }) => problem)).to.deep.equal([null]);
    expect(proofs).to.equal(2);
  });

  it('is damaged where a file is missing, longer or other than recorded, or made with another Python', async () => {
    await complete();
    const file = join(folder, 'lib/python3.11/site-packages/toy.py');
    await writeFile(file, 'answer = 43\n');
    expect(await kindOf(), 'a host compares sizes').to.equal(null);
    const [verified] = await verifyPack(pack, places);
    expect(verified?.problem).to.equal('toy.py is not as it was installed');
    await appendFile(file, '#');
    expect(await kindOf()).to.equal('damaged');
    await rm(file);
    expect((await findPack(pack, places)).problem?.message).to.contain('toy.py is missing');
    await writeFile(file, MODULE);
    pack = { ...pack, way: { interpreter: '3.1', downloadBytes: 1 } };
    expect((await findPack(pack, places)).problem?.message).to.contain(
      'made with Python 3.11.2, and 3.1 is wanted',
    );
  });

  it('does not count with another version than the pinned one, takes no files from elsewhere, and can be removed', async () => {
    await complete();
    pack = { ...pack, version: '2.0' };
    expect((await findPack(pack, places)).problem?.message).to.contain('it is 1.0, and 2.0 is pinned');
    const refused = await installPack(pack, { ...places, from: root, progress }).then(
      () => null,
      (error: unknown) => String(error),
    );
    expect(refused).to.contain('Python index');
    expect(await removePack(pack, places, progress)).to.deep.equal([folder]);
    expect(existsSync(folder)).to.equal(false);
    expect(await removePack(pack, places, progress)).to.deep.equal([]);
  });
});
