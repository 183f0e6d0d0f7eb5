/** `dockyard upload` as a process of its own, over a service that a test can tell to fail. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { KEPT_MODULES } from '../../support/kept-modules.ts';
import { inLongRuns, IS_LONG, withLong } from '../../support/long.ts';
import { uploadWorld } from './upload-world.ts';

interface Ending {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const root = join(import.meta.dirname, '..', '..', '..');
const MIB = 1024 * 1024;
/** Half as much again as the command may take is enough to show that the command does not keep the file. */
const LARGE_MIB = IS_LONG ? 1024 : 288;
/**
 * Prints the most memory that the process has had, in kB, as its last line. On Linux the resource usage of a process
 * begins with that of its parent; /proc/self/status has the process's own.
 */
const TELL_MEMORY = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  const peak = () => {
    try {
      return /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
    } catch {
      return process.resourceUsage().maxRSS;
    }
  };
  process.on('exit', () => console.error('peak', peak()));
`)}`;

describe('the command that uploads', function () {
  this.timeout(240_000);
  const world = uploadWorld();
  const { file } = world;

  const start = (...args: string[]): { child: ChildProcess; ended: Promise<Ending> } => {
    const child = spawn(
      process.execPath,
      ['--import', TELL_MEMORY, join(root, 'src/bin/dockyard.ts'), 'upload', ...args],
      {
        cwd: world.folder,
        env: {
          PATH: process.env['PATH'],
          HOME: world.folder,
          XDG_STATE_HOME: join(world.folder, 'state'),
          DOCKYARD_API_URL: world.service.url,
          DOCKYARD_API_KEY: 'svc_live_x',
          ...KEPT_MODULES,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const code = new Promise<number | null>((done) => child.once('exit', done));
    const ended = Promise.all([text(child.stdout), text(child.stderr), code]).then(
      ([out, err, ending]): Ending => ({ code: ending, out, err }),
    );
    return { child, ended };
  };
  const upload = (...args: string[]): Promise<Ending> => start(...args).ended;
  const peakMegabytes = ({ err }: Ending): number => Number(/peak (\d+)/.exec(err)?.[1]) / 1000;

  for (const [what, ...args] of withLong<readonly [string, ...string[]]>(
    [['in parts that are not kept in memory', '--part-size', '16MiB', '--concurrency', '64']],
    [['in parts that are kept in memory']],
  )) {
    it(`keeps to 200 MB of memory with a file of ${LARGE_MIB} MiB ${what}`, async () => {
      world.service.keepsBytes = false;
      await truncate(await file(Buffer.alloc(0), 'large.bin'), LARGE_MIB * MIB);
      const ending = await upload('large.bin', '--checksum', ...args);
      expect(ending.code, ending.err).to.equal(0);
      expect(peakMegabytes(ending)).to.be.below(200);
    });
  }

  inLongRuns(it)('keeps to 200 MB of memory with a folder of files of 8 MiB', async () => {
    world.service.keepsBytes = false;
    const scene = join(world.folder, 'scene');
    await mkdir(scene);
    for (let index = 0; index < 36; index += 1) {
      await writeFile(join(scene, `${index}.bin`), '');
      await truncate(join(scene, `${index}.bin`), 8 * MIB);
    }
    const ending = await upload('scene');
    expect(ending.code, ending.err).to.equal(0);
    expect(peakMegabytes(ending)).to.be.below(200);
  });

  it('names the command that goes on, with everything that it needs', async () => {
    await file(randomBytes(9 * MIB));
    world.service.completed = [];
    const { child, ended } = start('scene.bin', '--again', '--checksum');
    world.service.fault = () => {
      child.kill('SIGINT');
      return 'cut';
    };
    const { code, err } = await ended;
    expect(code).to.equal(130);
    expect(err).to.include('Go on with dockyard upload scene.bin --checksum --again, or end it');
  });

  it('ends the unfinished uploads of a folder on demand, and says when there are none', async () => {
    await mkdir(join(world.folder, 'scene'));
    await file(randomBytes(9 * MIB), 'scene/large.bin');
    await file(randomBytes(10), 'scene/small.bin');
    const project = randomUUID();
    world.service.fault = (part) => (part === 2 ? { status: 404, code: 'Nope' } : null);
    expect((await upload('scene', '--project', project)).code).not.to.equal(0);
    const states = (): string[] => [...world.service.uploads.values()].map(({ state }) => state);
    expect(states()).to.deep.equal(['OPEN']);
    expect((await upload('scene', '--abort')).err).to.include('--project');
    const aborted = await upload('scene', '--abort', '--project', project);
    expect(aborted.code, aborted.err).to.equal(0);
    expect(aborted.out).to.equal('The upload of scene is aborted.\n');
    expect(states()).to.deep.equal(['ABORTED']);
    const none = await upload('scene', '--abort', '--project', project, '--json');
    expect(none.code).to.equal(2);
    expect(none.err).to.include('NO_OPEN_UPLOAD');
  });
});
