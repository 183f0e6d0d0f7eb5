/** Scenes that are wrong in one thing each are refused with its code, and scenes that are right are not, by the real Blender. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import type { InstalledPack } from '../../../src/packs/pack.ts';
import { blenderPack } from '../../../src/tools/blender/pack.ts';
import { BLENDER_PACKAGES } from '../../../src/tools/blender/session.ts';
import { pythonPath } from '../../../src/tools/python-session.ts';
import { realPack } from '../../support/real-packs.ts';

const CUBE = join(repositoryRoot, 'test/fixtures/blender/cube.py');
const THREADS = join(repositoryRoot, 'test/fixtures/blender/threads.py');
const COLOURS = join(repositoryRoot, 'test/fixtures/blender/colours.py');
const ORDER = join(repositoryRoot, 'test/fixtures/blender/order.py');
const CHUNKS = join(repositoryRoot, 'test/fixtures/blender/chunks.py');
const PANEL = join(repositoryRoot, 'test/fixtures/blender/panel.py');

interface Told {
  readonly code: string | null;
  readonly message: string;
  readonly warnings: readonly string[];
  readonly ran?: boolean;
  readonly expected: { readonly code: string | null; readonly warnings: readonly string[] };
}

interface Chunked {
  readonly kept: number;
  readonly sha256: string;
  readonly apart: number | null;
  readonly reasons: readonly (string | null)[];
}

/** Runs a script with the packages of Blender's session, and reads the line of its result. */
async function resultOf<T>(pack: InstalledPack, script: string, ...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(pack.python ?? '', [script, ...args], {
    env: { PYTHONPATH: pythonPath(BLENDER_PACKAGES), PYTHONDONTWRITEBYTECODE: '1' },
  });
  return JSON.parse(/^RESULT (.+)$/m.exec(stdout)?.[1] ?? expect.fail(stdout.slice(-2000)));
}

describe('scenes that a preparation looks at', function () {
  this.timeout(600_000);

  it('are refused for what is wrong, each with its code, and for nothing else', async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-scenes-'));
    try {
      const { stdout } = await promisify(execFile)(pack.python ?? '', [PANEL, folder], {
        env: { PYTHONPATH: pythonPath(BLENDER_PACKAGES), PYTHONDONTWRITEBYTECODE: '1' },
        maxBuffer: 2 ** 26,
      });
      const line =
        stdout.split('\n').findLast((one) => one.startsWith('RESULT ')) ?? expect.fail(stdout.slice(-2000));
      const told: Readonly<Record<string, Told>> = JSON.parse(line.slice('RESULT '.length));
      expect(/^DEPTHS (.+)$/m.exec(stdout)?.[1], 'each frame has floats of 32 bits').to.equal('[2, 2]');
      expect(/^SAMPLES (.+)$/m.exec(stdout)?.[1], 'animated samples').to.equal('[40, [4, 40, 2, 2], 2, 16]');
      const sizes: readonly [drawn: number[], told: number[]][] = JSON.parse(
        /^SIZES (.+)$/m.exec(stdout)?.[1] ?? '[]',
      );
      expect(sizes.map(([drawn]) => drawn)).to.deep.equal(sizes.map(([, size]) => size));
      expect(sizes[0]?.[0]).to.deep.equal([448, 252]);
      const wrong = Object.entries(told).filter(
        ([, { code, warnings, ran = false, expected }]) =>
          ran || JSON.stringify({ code, warnings }) !== JSON.stringify(expected),
      );
      expect(wrong).to.deep.equal([]);
      expect(Object.keys(told).length).to.be.above(50);
      expect(told['tile_missing']?.message).to.match(/^a\.1002\.png \(/);
      expect(told['picture_of_a_sequence_missing']?.message).to.contain('a_002.png');
      expect(told['picture_of_a_library_missing']?.message).to.contain('library/a.png');
      expect(told['scripts']?.message).to.contain('start.py').and.contain('location');
      // No message tells where the files lie on this machine.
      for (const [name, { message }] of Object.entries(told)) expect(message, name).to.not.contain(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  });

  it('take one processor where they have one thread, and no more for threads without work', async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-threads-'));
    try {
      const scene = join(folder, 'shot.blend');
      await promisify(execFile)(pack.python ?? '', [CUBE, scene, '320', '512']);
      const told = await resultOf<{ processors: number; seen: number }>(pack, THREADS, scene, folder);
      expect(told.processors).to.be.within(0, 1.1);
      expect(told.seen, 'its other threads may run anywhere').to.equal(availableParallelism());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  });

  it('are not drawn in other colours where a configuration is not there or cannot be read', async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    const home = await mkdtemp(join(tmpdir(), 'dockyard-test-colours-'));
    const told = (file: string): Promise<unknown> => resultOf(pack, COLOURS, home, file);
    try {
      await mkdir(join(home, 'package'));
      const folder = join(dirname(dirname(pack.python ?? '')), 'lib');
      const own = (await readdir(folder, { recursive: true })).find((path) =>
        path.endsWith('colormanagement/config.ocio'),
      );
      await cp(dirname(join(folder, own ?? expect.fail('no configuration'))), join(home, 'package/colour'), {
        recursive: true,
      });
      await writeFile(join(home, 'package/broken.ocio'), 'ocio_profile_version: 2');
      expect(await told('colour/config.ocio')).to.equal(null);
      const refused = (file: string, why: string) => [
        'COLOR_SPACE_MISSING',
        `parameters.ocio: ${file}: ${why}.`,
      ];
      expect(await told('color/config.ocio')).to.deep.equal(
        refused('color/config.ocio', 'the package has no such file'),
      );
      expect(await told('broken.ocio')).to.deep.equal(refused('broken.ocio', 'Blender cannot read it'));
    } finally {
      await rm(home, { recursive: true, force: true });
    }
    return undefined;
  });

  it('with a simulation that is not baked are the same frames in every order and session', async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-order-'));
    const drawn = (...frames: string[]) =>
      resultOf<Readonly<Record<string, string>>>(pack, ORDER, folder, ...frames);
    try {
      const ascending = await drawn('1', '2', '3', '4');
      expect(await drawn('4', '2', '3', '1')).to.deep.equal(ascending);
      expect(await drawn('3')).to.deep.equal({ 3: ascending['3'] });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  });

  it('are drawn in chunks of samples that a kill costs one of, and no byte', async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-chunks-'));
    const drawn = (chunk: number, kill: number, name: string) =>
      resultOf<Chunked>(pack, CHUNKS, folder, String(chunk), String(kill), name, 'EXR');
    try {
      await drawn(0, 0, 'whole');
      const cut = await drawn(4, 0, 'cut');
      expect(cut.kept).to.equal(2);
      const [short, long, onGpu, denoised] = cut.reasons;
      expect([short, long]).to.deep.equal(['it takes about ten minutes at most', null]);
      expect(onGpu).to.contain('another card');
      expect(denoised).to.contain('denoised');
      expect(cut.apart).to.be.below(1e-6);
      const killed = await drawn(4, 2, 'lost').then(
        () => null,
        (error: unknown) => (error instanceof Error && 'signal' in error ? error.signal : error),
      );
      expect(killed).to.equal('SIGKILL');
      expect(await drawn(4, 0, 'lost')).to.deep.include({ kept: 0, sha256: cut.sha256 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  });
});
