/** The pack of fpocket: in no registry of packages that is pinned here, so each site brings its own program (docs/packs.md). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { PackDefinition } from '../../packs/pack.ts';

/**
 * The alpha spheres of the pockets of `reference.pdb`, by rank: Cro repressor (PDB 1ORC, its ATOM records), as fpocket 4.2.2 finds
 * them. Spheres and clusters are geometry, so every good build finds these; volumes are drawn by chance and are not compared.
 */
const REFERENCE_SPHERES = [25, 17, 18, 15];

/** The pack of fpocket. */
export const fpocketPack: PackDefinition = {
  name: 'fpocket',
  version: '4.2.2',
  title: 'fpocket',
  licence: { name: 'MIT', url: 'https://github.com/Discngine/fpocket/blob/4.2.2/LICENSE' },
  programs: ['fpocket'],
  libraries: [],
  pythonLock: 'science/fpocket/requirements.lock',
  way: null,
  async prove(run) {
    const { exitCode, stdout, stderr } = await run('fpocket', ['-h']);
    const text = `${stdout}${stderr}`;
    const series = /fpocket (4(?:\.\d+)*)/.exec(text)?.[1];
    if (exitCode !== 0 || series === undefined) {
      throw new Error(`fpocket -h ended with exit code ${exitCode ?? 'none'} and named no version 4`);
    }
    // Releases from 4.2 on read and write mmCIF; all releases of the series print the same number.
    if (!text.includes('--write_mode')) throw new Error('it is older than 4.2');
    return { version: `${series} or later` };
  },
  reference: {
    runs: [{ program: 'fpocket', args: ['-f', 'reference.pdb'] }],
    files: [new URL('reference.pdb', import.meta.url)],
    async judge(folder) {
      const text = await readFile(join(folder, 'reference_out', 'reference_info.txt'), 'utf8');
      const found = [...text.matchAll(/Number of Alpha Spheres : *\t(\d+)/g)].map(([, count]) =>
        Number(count),
      );
      if (isDeepStrictEqual(found, REFERENCE_SPHERES)) return;
      throw new Error(
        `it finds pockets of ${found.join(', ') || 'no'} alpha spheres in its reference case, and not of ${REFERENCE_SPHERES.join(', ')}`,
      );
    },
  },
};
