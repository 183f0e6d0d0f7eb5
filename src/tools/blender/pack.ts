/** The packs of Blender: its makers' own packages for Python, pinned with all that they need, one version beside the other. */
import { OtherVersionError, PYTHON } from '../../packs/pack.ts';
import type { PackDefinition, ProgramRun, RunProgram } from '../../packs/pack.ts';

/** The name of the program that a site may bring, as an official archive or a build of its own. */
export const BLENDER_PROGRAM = 'blender';

/**
 * The arguments before the script that Blender's own program runs: no window, none of a person's preferences, no script of a scene, and the
 * variables of the process for its Python, as the module has them.
 */
export const SCRIPTED: readonly string[] = [
  '--background',
  '--factory-startup',
  '--disable-autoexec',
  '--python-use-system-env',
  '--python-exit-code',
  '1',
];

/** Blender 4.5 draws, and then never ends by itself, so the proof ends the process. */
const PROOF = 'import bpy, os; print(bpy.app.version_string, flush=True); os._exit(0)';
/** A build may lack Cycles or its denoiser, and the Python of a system what the session reads scenes and pictures with. */
const OWN_PROOF = `import bpy, _cycles, numpy, zstandard, os
if not _cycles.with_openimagedenoise: raise SystemExit('it was built without Open Image Denoise')
print('\\nproof', *bpy.app.version, flush=True); os._exit(0)`;

function packOf(
  version: string,
  {
    name,
    lock,
    interpreter,
    downloadBytes,
  }: {
    readonly name: string;
    readonly lock: string;
    readonly interpreter: string;
    readonly downloadBytes: number;
  },
): PackDefinition {
  const told = {
    title: 'Blender',
    licence: { name: 'GPL-3.0', url: 'https://www.blender.org/about/license/' },
    libraries: [],
  };
  return {
    ...told,
    name,
    version,
    programs: [PYTHON],
    pythonLock: `science/blender/${lock}`,
    way: { interpreter, downloadBytes },
    ofSite: {
      ...told,
      name: BLENDER_PROGRAM,
      version: shortOf(version),
      programs: [BLENDER_PROGRAM],
      pythonLock: null,
      way: null,
      prove: (run) => proveProgram(run, shortOf(version)),
    },
    async prove(run) {
      const { exitCode, stdout } = await run(PYTHON, ['-I', '-c', PROOF]);
      const proven = /^(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
      if (exitCode !== 0 || proven === undefined)
        throw new Error('Blender does not start as a module of Python');
      return { version: proven };
    },
  };
}

/** Runs a site's own program. @throws OtherVersionError for another version than the one that is looked for. */
async function proveProgram(run: RunProgram, wanted: string): Promise<{ readonly version: string }> {
  const ended = await run(BLENDER_PROGRAM, [...SCRIPTED, '--python-expr', OWN_PROOF]);
  const version = /^proof (\d+) (\d+) (\d+)$/m.exec(ended.stdout)?.slice(1).join('.');
  if (ended.exitCode !== 0 || version === undefined)
    throw new Error(`it does not run scripts of Blender with Cycles: ${lastWordsOf(ended)}`);
  if (shortOf(version) !== wanted)
    throw new OtherVersionError(`it is Blender ${version}, and this place is for ${wanted}`);
  return { version };
}

function lastWordsOf({ stdout, stderr }: ProgramRun): string {
  return `${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? '';
}

/** The pack of Blender; scenes of later versions have packs of their own. */
export const blenderPack: PackDefinition = {
  ...packOf('4.5.15', {
    name: 'blender',
    lock: 'requirements.lock',
    interpreter: '3.11',
    downloadBytes: 397_000_000,
  }),
  versions: {
    '5.0': packOf('5.0.1', {
      name: 'blender-5.0',
      lock: 'requirements-5.0.lock',
      interpreter: '3.11',
      downloadBytes: 398_000_000,
    }),
    '5.2': packOf('5.2.3', {
      name: 'blender-5.2',
      lock: 'requirements-5.2.lock',
      interpreter: '3.13',
      downloadBytes: 433_000_000,
    }),
    '5.3': packOf('5.3.0', {
      name: 'blender-5.3',
      lock: 'requirements-5.3.lock',
      interpreter: '3.13',
      downloadBytes: 458_000_000,
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
