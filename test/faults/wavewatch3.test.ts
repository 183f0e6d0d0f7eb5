/** Long runs of WAVEWATCH III that are paused, killed or told to go: `test/support/faults/long-waves.ts`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { wavewatch3Pack } from '../../src/tools/wavewatch3/pack.ts';
import { testLongRuns } from '../support/faults/long-waves.ts';

const MAKERS = ['ww3_grid', 'ww3_strt', 'ww3_shel', 'ww3_outf', 'ww3_outp'];
const PRINTED_BYTES = 2 ** 26;

testLongRuns({
  simulator: 'wavewatch3',
  pack: wavewatch3Pack,
  make: ['examples/ww3/make_case.py', '--hours', '60'],
  cells: 20,
  results: ['mod_def.ww3', 'out_grd.ww3', 'out_pnt.ww3', 'tab33.ww3'],
  async bare(programs, folder) {
    for (const name of MAKERS)
      await promisify(execFile)(programs[name] ?? name, [], { cwd: folder, maxBuffer: PRINTED_BYTES });
  },
});
