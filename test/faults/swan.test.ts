/** Long runs of SWAN that are paused, killed or told to go: `test/support/faults/long-waves.ts`. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { swanPack } from '../../src/tools/swan/pack.ts';
import { testLongRuns } from '../support/faults/long-waves.ts';

const PROGRAM = 'swan.exe';

testLongRuns({
  simulator: 'swan',
  pack: swanPack,
  make: ['examples/swan/make_case.py', '--hours', '36'],
  cells: 40,
  results: ['buoys.spc', 'buoys.tbl', 'end.hot', 'fields.mat'],
  async bare({ [PROGRAM]: program = PROGRAM }, folder) {
    await cp(join(folder, 'storm.swn'), join(folder, 'INPUT'));
    await promisify(execFile)(program, [], { cwd: folder });
  },
});
