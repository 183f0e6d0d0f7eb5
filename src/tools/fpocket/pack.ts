/** The pack of fpocket: in no registry of packages that is pinned here, so each site brings its own program (docs/packs.md). */
import type { PackDefinition } from '../../packs/pack.ts';

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
};
