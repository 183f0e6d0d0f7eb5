// The real fpocket, built from its pinned sources: it runs, and its clock is fixed where the library could be built.
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { installPack } from '../../../src/packs/install.ts';
import type { InstalledPack } from '../../../src/packs/pack.ts';
import { CLOCK_LIBRARY, CLOCK_VARIABLE, fpocketPack } from '../../../src/tools/fpocket/pack.ts';
import { realPack, REAL_PLACES, sourcesOf } from '../../support/real-packs.ts';

const STRUCTURE = join(import.meta.dirname, '../../fixtures/structures/1hpv.pdb');

describe('the pack of fpocket', function () {
  this.timeout(300_000);
  let pack: InstalledPack;
  let folder: string;
  before(async function () {
    const found = await realPack(fpocketPack);
    if (found === null) return this.skip();
    pack = found;
    folder = await mkdtemp(join(tmpdir(), 'dockyard-fpocket-'));
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const volumesAt = async (name: string, seconds: number): Promise<string> => {
    const file = join(folder, `${name}.pdb`);
    await cp(STRUCTURE, file);
    const clock = pack.extras[CLOCK_LIBRARY];
    const env = { ...pack.environment, LD_PRELOAD: clock, [CLOCK_VARIABLE]: String(seconds) };
    execFileSync(pack.programs['fpocket'] ?? '', ['-f', file], { cwd: folder, env, stdio: 'ignore' });
    return readFile(join(folder, `${name}_out`, `${name}_info.txt`), 'utf8');
  };

  it('runs, and finds the same pockets with the same volumes at the same clock', async () => {
    expect(pack).to.include({ name: 'fpocket' });
    const first = await volumesAt('first', 7);
    expect(first.match(/^Pocket \d+/gm)).to.have.length.greaterThan(3);
    if (pack.extras[CLOCK_LIBRARY] === undefined) return;
    expect(await volumesAt('again', 7)).to.equal(first);
    expect(await volumesAt('later', 8)).not.to.equal(first);
  });

  it('is not made without a compiler', async function () {
    const from = sourcesOf(fpocketPack);
    if (from === null) return this.skip();
    const environment = { ...REAL_PLACES.environment, PATH: '/nowhere' };
    const progress = { step: () => undefined, bytes: () => undefined, detail: () => undefined };
    const error = await installPack(fpocketPack, {
      ...{ folder: join(folder, 'packs'), environment, from, progress },
    }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ name: 'PackMissingError' });
    expect(Reflect.get(Object(error), 'command')).to.contain('apt-get install gcc');
  });
});
