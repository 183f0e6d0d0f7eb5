/** Blender as the program of a site: found by its version, and driven by the script that drives the module, to the same bytes. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import type { Containment } from '../../../src/contracts/containment.ts';
import { findBuilds, findPack, glanceAt } from '../../../src/packs/find.ts';
import { verifyPack } from '../../../src/packs/install.ts';
import type { InstalledPack, PackPlaces } from '../../../src/packs/pack.ts';
import { blenderPack } from '../../../src/tools/blender/pack.ts';
import { pythonFolders } from '../../../src/tools/python-session.ts';
import { makeBlenderProgram } from '../../support/blender-program.ts';
import { doBlenderTask } from '../../support/blender-task.ts';
import { containmentHere } from '../../support/containments.ts';
import { inLongRuns } from '../../support/long.ts';
import { REAL_PLACES, realPack } from '../../support/real-packs.ts';

const MAKE = join(repositoryRoot, 'test/fixtures/blender/cube.py');
const WIDTH = '32';

const longIt = inLongRuns(it);

describe('a program of Blender that a site brings', function () {
  this.timeout(300_000);
  let ours: InstalledPack;
  let python: string;
  let folder: string;
  let containment: Containment;
  let places: PackPlaces;
  before(async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    ours = pack;
    python = pack.python ?? expect.fail('no interpreter');
    folder = await realpath(await mkdtemp(join(tmpdir(), 'dockyard-test-blender-')));
    await promisify(execFile)(python, [MAKE, join(folder, 'shot.blend'), WIDTH]);
    containment = await containmentHere();
    const site = join(folder, 'site');
    places = { ...REAL_PLACES, environment: { ...process.env, DOCKYARD_PACK_BLENDER: site } };
    await makeBlenderProgram(site, python);
    return undefined;
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('counts for its version, where the variable names it or below in the folder of the version', async () => {
    const own = (await findPack(blenderPack, places)).pack ?? expect.fail('not found');
    const site = join(folder, 'site');
    expect(own).to.deep.include({
      ...{ name: 'blender', version: '4.5.15', source: 'variable', python: null, folder: site },
      programs: { blender: join(site, 'blender') },
    });
    expect(
      (await verifyPack(blenderPack, places)).map(({ folder: at, problem }) => [at, problem]),
    ).to.deep.equal([[site, null]]);
    const seen = await glanceAt(blenderPack, places);
    // One that lies where another version is looked for is told, and that version has nothing else.
    await makeBlenderProgram(join(site, '5.0'), python);
    expect(await glanceAt(blenderPack, places)).to.not.equal(seen);
    // Of later versions this machine may have environments.
    const builds = (await findBuilds(blenderPack, places)).slice(0, 2);
    expect(builds.map(({ variant, found }) => [variant, found.pack?.source ?? null])).to.deep.equal([
      [null, 'variable'],
      ['5.0', null],
    ]);
    expect(builds[1]?.found.problem?.message).to.contain('it is Blender 4.5.15, and this place is for 5.0');
    await rename(join(site, '5.0'), join(site, '4.5'));
    await rm(join(site, 'blender'));
    expect((await findPack(blenderPack, places)).pack?.folder).to.equal(join(site, '4.5'));
    // On PATH it counts where there is no environment.
    const bare = { ...places.environment, DOCKYARD_PACK_BLENDER: '', PATH: join(site, '4.5') };
    const onPath = { ...places, environment: { ...bare, XDG_CACHE_HOME: folder } };
    expect((await findPack(blenderPack, onPath)).pack?.source).to.equal('path');
    expect((await findPack(blenderPack, { ...places, environment: bare })).pack?.source).to.equal('cache');
    await makeBlenderProgram(site, python);
  });

  longIt('prepares and draws with the bytes of the module, and says which build it is', async () => {
    const draw = async (pack: InstalledPack, reads: readonly string[] = []) => {
      const asked = { pack, folder, scene: 'shot.blend', containment, reads };
      const works = [await mkdtemp(join(folder, 'prepare-')), await mkdtemp(join(folder, 'task-'))] as const;
      const outcome = await doBlenderTask({ ...asked, kind: 'prepare', work: works[0] });
      if (outcome.end !== 'done') return expect.fail(JSON.stringify(outcome));
      const prepared = join(works[0], 'task/out/scene.json');
      expect(await doBlenderTask({ ...asked, kind: 'task', work: works[1], prepared })).to.include({
        end: 'done',
      });
      const frame = await readFile(join(works[1], 'task/out/frames/shot.0001.exr'));
      return { build: outcome.summary?.['build'] ?? null, frame };
    };
    const module = await draw(ours);
    const found = (await findPack(blenderPack, places)).pack ?? expect.fail('not found');
    const own = await draw(found, [
      found.folder,
      join(repositoryRoot, 'test/fixtures/blender'),
      ...pythonFolders(python),
    ]);
    expect(own.frame.equals(module.frame)).to.equal(true);
    expect(module.build).to.equal(null);
    expect(own.build).to.equal(`4.5.15 ${found.digest}`);
  });
});
