/** The packs of Blender: its makers' own packages for Python, pinned with all that they need, one version beside the other. */
import { PYTHON } from '../../packs/pack.ts';
import type { PackDefinition } from '../../packs/pack.ts';

/** Blender 4.5 draws, and then never ends by itself, so the proof ends the process. */
const PROOF = 'import bpy, os; print(bpy.app.version_string, flush=True); os._exit(0)';

function packOf(
  version: string,
  {
    name,
    lock,
    downloadBytes,
  }: { readonly name: string; readonly lock: string; readonly downloadBytes: number },
): PackDefinition {
  return {
    name,
    version,
    title: 'Blender',
    licence: { name: 'GPL-3.0', url: 'https://www.blender.org/about/license/' },
    programs: [PYTHON],
    libraries: [],
    pythonLock: `science/blender/${lock}`,
    way: { interpreter: '3.11', downloadBytes },
    async prove(run) {
      const { exitCode, stdout } = await run(PYTHON, ['-I', '-c', PROOF]);
      const proven = /^(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
      if (exitCode !== 0 || proven === undefined)
        throw new Error('Blender does not start as a module of Python');
      return { version: proven };
    },
  };
}

/** The pack of Blender; scenes of later versions have packs of their own. */
export const blenderPack: PackDefinition = {
  ...packOf('4.5.15', { name: 'blender', lock: 'requirements.lock', downloadBytes: 397_000_000 }),
  versions: {
    '5.0': packOf('5.0.1', {
      name: 'blender-5.0',
      lock: 'requirements-5.0.lock',
      downloadBytes: 398_000_000,
    }),
  },
};

/** The versions that there are, major and minor number, with the variant of each: the pack itself has none. */
export const BLENDER_VERSIONS: readonly {
  readonly version: string;
  readonly short: string;
  readonly variant: string | null;
}[] = [
  { version: blenderPack.version, short: shortOf(blenderPack.version), variant: null },
  ...Object.entries(blenderPack.versions ?? {}).map(([variant, { version }]) => ({
    version,
    short: shortOf(version),
    variant,
  })),
];

function shortOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Other names by which a request means Blender: a version that a pack has, or its engine. */
export const OTHER_NAMES: readonly string[] = [
  ...BLENDER_VERSIONS.flatMap(({ short, version }) =>
    [short, version].map((one) => `${blenderPack.name}-${one}`),
  ),
  'cycles',
];
