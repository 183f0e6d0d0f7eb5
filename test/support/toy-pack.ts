/** A pack that is built in a moment: a C program of four lines, from real sources, by the real compiler. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeFiles, digestOfSources } from '../../src/packs/digest.ts';
import type { PackDefinition, PackPlaces, PackProgress, SourceWay } from '../../src/packs/pack.ts';

/** The pack, its sources, and places of its own. */
export interface ToyPack {
  readonly pack: PackDefinition;
  readonly way: SourceWay;
  readonly sources: string;
  readonly root: string;
  readonly places: PackPlaces;
  readonly steps: string[];
  readonly progress: PackProgress;
  remove(): Promise<void>;
}

/** An address of this machine where nothing listens. */
export const NOWHERE = 'http://127.0.0.1:9/toy.tar.gz';

/** Makes the sources of a toy pack; `slowSeconds` makes its build wait. */
export async function makeToyPack({ slowSeconds = 0 } = {}): Promise<ToyPack> {
  const root = await mkdtemp(join(tmpdir(), 'dockyard-pack-'));
  const sources = join(root, 'toy-1.0');
  await mkdir(join(sources, 'src'), { recursive: true });
  await writeFile(
    join(sources, 'src', 'toy.c'),
    '#include <stdio.h>\nint main(void) {\n  puts("toy 1.0");\n  return 0;\n}\n',
  );
  const slow = slowSeconds === 0 ? '' : `\tsleep ${slowSeconds}\n`;
  await writeFile(join(sources, 'makefile'), `toy: src/toy.c\n${slow}\tgcc -o toy src/toy.c\n`);
  const contents = ['makefile', 'src'];
  const way: SourceWay = {
    kind: 'source',
    archive: { file: 'toy-1.0.tar.gz', sha256: '0'.repeat(64), sizeBytes: 400 },
    url: NOWHERE,
    contents: { paths: contents, sha256: digestOfSources(await describeFiles(sources, contents)) },
    needs: { programs: ['gcc', 'make'], command: '`apt-get install gcc make`' },
    added: {},
    steps: [{ program: 'make', args: ['toy'] }],
    kept: { 'bin/toy': 'toy' },
  };
  const steps: string[] = [];
  return {
    ...{ pack: toyPackOf([way]), way, sources, root, steps },
    places: {
      folder: join(root, 'packs'),
      environment: { PATH: process.env['PATH'], HOME: root },
    },
    progress: { step: (text) => steps.push(text), bytes: () => undefined, detail: () => undefined },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** The toy's definition; a process that only finds the pack needs no way to it. */
export function toyPackOf(ways: readonly SourceWay[]): PackDefinition {
  return {
    ...{ name: 'toy', version: '1.0', title: 'Toy', programs: ['toy'], libraries: [], extras: {} },
    ...{ licence: { name: 'MIT', url: 'https://example.org' }, pythonLock: null, ways },
    async prove(run) {
      const { exitCode, stdout } = await run('toy', []);
      const version = /^toy (\S+)/.exec(stdout)?.[1];
      if (exitCode !== 0 || version === undefined) throw new Error('toy prints no version');
      return { version };
    },
  };
}
