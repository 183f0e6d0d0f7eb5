/** Scenes that are wrong in one thing each are refused with its code, and scenes that are right are not, by the real Blender. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { blenderPack } from '../../../src/tools/blender/pack.ts';
import { BLENDER_PACKAGES } from '../../../src/tools/blender/session.ts';
import { pythonPath } from '../../../src/tools/python-session.ts';
import { realPack } from '../../support/real-packs.ts';

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
      const wrong = Object.entries(told).filter(
        ([, { code, warnings, ran = false, expected }]) =>
          ran || JSON.stringify({ code, warnings }) !== JSON.stringify(expected),
      );
      expect(wrong).to.deep.equal([]);
      expect(Object.keys(told).length).to.be.above(35);
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

  it('are drawn in chunks of samples that a kill costs one of, and no byte', async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-chunks-'));
    const drawn = async (chunk: number, kill: number, name: string): Promise<Chunked> => {
      const args = [CHUNKS, folder, String(chunk), String(kill), name, 'EXR'];
      const { stdout } = await promisify(execFile)(pack.python ?? '', args, {
        env: { PYTHONPATH: pythonPath(BLENDER_PACKAGES), PYTHONDONTWRITEBYTECODE: '1' },
      });
      return JSON.parse(/^RESULT (.+)$/m.exec(stdout)?.[1] ?? expect.fail(stdout.slice(-2000)));
    };
    try {
      await drawn(0, 0, 'whole');
      const cut = await drawn(4, 0, 'cut');
      expect(cut.kept).to.equal(2);
      const [short, long, denoised] = cut.reasons;
      expect([short, long]).to.deep.equal(['it takes about ten minutes at most', null]);
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
