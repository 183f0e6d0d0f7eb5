/** A program that stands for Blender's own one, of which no registry of packages has a pinned version: it runs the module of the pack. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryRoot } from '../../scripts/test-plan.ts';

const PROGRAM = join(repositoryRoot, 'test/fixtures/blender/program.py');

/** Makes `blender` in a folder; with `chunk` it cuts every frame into chunks of so many samples. */
export async function makeBlenderProgram(
  folder: string,
  python: string,
  { chunk }: { readonly chunk?: number } = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'blender');
  const given = JSON.stringify(chunk === undefined ? {} : { CHUNK: chunk });
  const text = `import runpy\nrunpy.run_path(${JSON.stringify(PROGRAM)}, init_globals=${given}, run_name="__main__")\n`;
  await writeFile(file, `#!${python}\n${text}`, { mode: 0o755 });
  return file;
}
