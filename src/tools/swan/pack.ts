/** The pack of SWAN: in no registry of packages, so each site brings its own program, and trusts no other (docs/packs.md). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PackDefinition } from '../../packs/pack.ts';

const PROGRAM = 'swan.exe';
const PROJECT = "PROJECT 'version' '1'\nSTOP\n";

/**
 * Answers of linear theory for the reference case at 5 m and at 1 m: Snell's law and the flux of energy, from 1 m, 10 s and 30
 * degrees at 20 m. A good build is within 0.15 % and 0.05 degrees of them.
 */
const THEORY = [
  { depthMetres: 5, heightMetres: 1.1498, directionDegrees: 253.79 },
  { depthMetres: 1, heightMetres: 1.621, directionDegrees: 262.6 },
];
const HEIGHT_TOLERANCE = 0.005;
const DIRECTION_TOLERANCE_DEGREES = 0.2;

/** The pack of SWAN. */
export const swanPack: PackDefinition = {
  name: 'swan',
  version: '41.51',
  title: 'SWAN',
  licence: { name: 'GPL-3.0', url: 'https://swanmodel.sourceforge.io/license/license.htm' },
  programs: [PROGRAM],
  libraries: [],
  pythonLock: 'science/swan/requirements.lock',
  way: null,
  hasVariants: true,
  async prove(run, folder) {
    await writeFile(join(folder, 'INPUT'), PROJECT);
    await run(PROGRAM, []);
    const printed = await textOf(folder, 'PRINT');
    const version = /VERSION NUMBER +(\d+\.\w+)/.exec(printed)?.[1];
    if (version === undefined) throw new Error('it names no version of SWAN in its PRINT file');
    // The unformatted hotfile, with which runs are cut, came with 41.42.
    if (Number.parseFloat(version) < 41.42)
      throw new Error(`it is SWAN ${version}, and 41.42 is the oldest that works`);
    return { version };
  },
  reference: {
    runs: [{ program: PROGRAM, args: [] }],
    files: ['INPUT', 'beach.bot'].map((name) => new URL(`reference/${name}`, import.meta.url)),
    async judge(folder) {
      const errors = await textOf(folder, 'Errfile');
      if (errors !== '') throw new Error(`it ends its reference case with: ${errors.trim().slice(0, 200)}`);
      const rows = (await textOf(folder, 'heights.tbl'))
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('%'))
        .map((line) => line.trim().split(/\s+/).map(Number));
      for (const [index, wanted] of THEORY.entries()) {
        const [, height = Number.NaN, direction = Number.NaN] = rows[index] ?? [];
        const isRight =
          Math.abs(height / wanted.heightMetres - 1) <= HEIGHT_TOLERANCE &&
          Math.abs(direction - wanted.directionDegrees) <= DIRECTION_TOLERANCE_DEGREES;
        if (isRight) continue;
        throw new Error(
          `on a plane beach, at ${wanted.depthMetres} m, it finds ${height} m from ${direction} degrees, and linear theory ${wanted.heightMetres} m from ${wanted.directionDegrees} degrees`,
        );
      }
    },
  },
};

async function textOf(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'latin1').catch(() => '');
}
