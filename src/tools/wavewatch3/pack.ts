/** The pack of WAVEWATCH III: in no registry of packages, so each site brings its own programs, and trusts no others (docs/packs.md). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PackDefinition } from '../../packs/pack.ts';

const [GRID, START, SHELL, TABLE] = ['ww3_grid', 'ww3_strt', 'ww3_shel', 'ww3_outp'];
const REFERENCE = ['ww3_grid.inp', 'ww3_strt.inp', 'ww3_shel.inp', 'ww3_outp.inp'];
const OLDEST = 7;
/** A version stands in the program as ten characters, the last of them blanks; nothing that the program prints by itself has it. */
const VERSION = /\0(\d\.\d\d) {6}/;

/**
 * The reference case is one turn of swell round the globe, of published tests the first (ww3_tp1.1). Waves of 2.5 m come back to where
 * they were, lower and wider by as much as the build's scheme diffuses: 1.95 m by the third-order scheme with its limiter.
 */
const BEGIN_METRES = 2.5;
const BEGIN_TOLERANCE = 0.01;
const END_METRES = { least: 1.2, most: 2.51 };
const PLACE_TOLERANCE_DEGREES = 1;

/** The pack of WAVEWATCH III. */
export const wavewatch3Pack: PackDefinition = {
  name: 'wavewatch3',
  version: '7.14',
  title: 'WAVEWATCH III',
  licence: { name: 'LGPL-3.0', url: 'https://github.com/NOAA-EMC/WW3/blob/develop/LICENSE.md' },
  programs: [GRID, START, 'ww3_bound', 'ww3_prep', SHELL, 'ww3_outf', TABLE],
  optionalPrograms: ['ww3_bounc', 'ww3_prnc', 'ww3_ounf', 'ww3_ounp', 'ww3_trnc'],
  libraries: [],
  pythonLock: 'science/wavewatch3/requirements.lock',
  way: null,
  hasVariants: true,
  async prove(run, _folder, programs) {
    const { stdout } = await run(SHELL, []);
    if (!stdout.includes('WAVEWATCH III Program shell')) throw new Error(`${SHELL} does not name itself`);
    const version = VERSION.exec(await readFile(programs[SHELL] ?? '', 'latin1'))?.[1];
    if (version === undefined) throw new Error(`${SHELL} has no version of WAVEWATCH III in it`);
    if (Number.parseFloat(version) < OLDEST)
      throw new Error(`it is WAVEWATCH III ${version}, and ${OLDEST}.00 is the oldest that works`);
    return { version };
  },
  reference: {
    runs: [GRID, START, SHELL, TABLE].map((program) => ({ program, args: [] })),
    files: REFERENCE.map((name) => new URL(`reference/${name}`, import.meta.url)),
    async judge(folder) {
      const text = await readFile(join(folder, 'tab50.ww3'), 'latin1').catch(() => '');
      const [begin = [], end = []] = text.split('Time :').slice(1).map(rowsOf);
      const [first, last] = [highestOf(begin), highestOf(end)];
      const isRight =
        Math.abs(first.metres / BEGIN_METRES - 1) <= BEGIN_TOLERANCE &&
        Math.abs(last.degrees) <= PLACE_TOLERANCE_DEGREES &&
        last.metres >= END_METRES.least &&
        last.metres <= END_METRES.most;
      if (isRight) return;
      throw new Error(
        `round the globe it brings ${first.metres} m to ${last.metres} m at ${last.degrees} degrees, and ${BEGIN_METRES} m come back to 0 degrees with ${END_METRES.least} to ${BEGIN_METRES} m`,
      );
    },
  },
};

interface Height {
  readonly degrees: number;
  readonly metres: number;
}

function rowsOf(block: string): readonly Height[] {
  return block.split('\n').flatMap((line) => {
    const numbers = line.trim().split(/\s+/).map(Number);
    const [degrees, , metres] = numbers;
    const isRow = numbers.length >= 10 && !numbers.some(Number.isNaN);
    return isRow && degrees !== undefined && metres !== undefined ? [{ degrees, metres }] : [];
  });
}

function highestOf(rows: readonly Height[]): Height {
  return rows.reduce((most, row) => (row.metres > most.metres ? row : most), {
    degrees: Number.NaN,
    metres: 0,
  });
}
