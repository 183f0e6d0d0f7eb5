/** A pack that is made in a moment: a package of Debian with a program of two lines, made and unpacked by the system's own programs. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sha256OfFile } from '../../src/packs/digest.ts';
import type { DebianWay, PackDefinition, PackPlaces, PackProgress } from '../../src/packs/pack.ts';

/** The pack, the folder with its package, and places of its own. */
export interface ToyPack {
  readonly pack: PackDefinition;
  readonly way: DebianWay;
  /** The folder with the package file alone. */
  readonly files: string;
  readonly package: string;
  readonly root: string;
  readonly places: PackPlaces;
  readonly steps: string[];
  readonly progress: PackProgress;
  remove(): Promise<void>;
}

/** Makes a toy pack. `aptGet` is the script that stands for the package manager, which is asked without `from`. */
export async function makeToyPack({ aptGet = 'exit 100' } = {}): Promise<ToyPack> {
  const root = await mkdtemp(join(tmpdir(), 'dockyard-pack-'));
  const [tree, files, bin] = [join(root, 'tree'), join(root, 'toy-1.0'), join(root, 'system')];
  for (const folder of [join(tree, 'DEBIAN'), join(tree, 'bin'), join(tree, 'doc'), files, bin])
    await mkdir(folder, { recursive: true });
  await writeFile(
    join(tree, 'DEBIAN', 'control'),
    'Package: toy\nVersion: 1.0\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\nDescription: toy\n',
  );
  await writeFile(join(tree, 'bin', 'toy'), '#!/bin/sh\necho toy 1.0\n');
  await chmod(join(tree, 'bin', 'toy'), 0o755);
  await writeFile(join(tree, 'doc', 'long'), 'x'.repeat(2_000));
  await writeFile(join(bin, 'apt-get'), `#!/bin/sh\n${aptGet}\n`, { mode: 0o755 });
  const file = join(files, 'toy.deb');
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', tree, file], { stdio: 'pipe' });
  const way: DebianWay = {
    packages: [
      {
        ...{ name: 'toy', version: '1.0' },
        ...{ sizeBytes: (await stat(file)).size, sha256: await sha256OfFile(file) },
      },
    ],
    ...{ systemPackages: ['libc6'], leftOut: [] },
  };
  const steps: string[] = [];
  return {
    ...{ pack: toyPackOf(way), way, files, package: file, root, steps },
    places: {
      folder: join(root, 'packs'),
      environment: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: root },
    },
    progress: { step: (text) => steps.push(text), bytes: () => undefined, detail: () => undefined },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** The toy's definition; a process that only finds the pack needs no way to it. */
export function toyPackOf(way: DebianWay | null): PackDefinition {
  return {
    ...{ name: 'toy', version: '1.0', title: 'Toy', programs: ['toy'], libraries: [] },
    ...{ licence: { name: 'MIT', url: 'https://example.org' }, pythonLock: null, way },
    async prove(run) {
      const { exitCode, stdout } = await run('toy', []);
      const version = /^toy (\S+)/.exec(stdout)?.[1];
      if (exitCode !== 0 || version === undefined) throw new Error('toy prints no version');
      return { version };
    },
  };
}
