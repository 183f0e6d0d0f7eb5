/** The pack of Blender: its makers' own package for Python, pinned with all that it needs. */
import { PYTHON } from '../../packs/pack.ts';
import type { PackDefinition } from '../../packs/pack.ts';

/** Blender 4.5 draws, and then never ends by itself, so the proof ends the process. */
const PROOF = 'import bpy, os; print(bpy.app.version_string, flush=True); os._exit(0)';

/** The pack of Blender. */
export const blenderPack: PackDefinition = {
  name: 'blender',
  version: '4.5.15',
  title: 'Blender',
  licence: { name: 'GPL-3.0', url: 'https://www.blender.org/about/license/' },
  programs: [PYTHON],
  libraries: [],
  pythonLock: 'science/blender/requirements.lock',
  way: { interpreter: '3.11', downloadBytes: 397_000_000 },
  async prove(run) {
    const { exitCode, stdout } = await run(PYTHON, ['-I', '-c', PROOF]);
    const version = /^(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
    if (exitCode !== 0 || version === undefined)
      throw new Error('Blender does not start as a module of Python');
    return { version };
  },
};

const { version } = blenderPack;
const series = version.slice(0, version.lastIndexOf('.'));

/** Other names by which a request means Blender: a version that the pack has, or its engine. */
export const OTHER_NAMES: readonly string[] = [
  ...[series, version].map((one) => `${blenderPack.name}-${one}`),
  'cycles',
];
