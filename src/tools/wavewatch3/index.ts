/** WAVEWATCH III: waves on oceans, shelves and globes. */
import { says } from '../../domain/codes/code.ts';
import { AppError } from '../../domain/errors.ts';
import { waveCodes } from '../waves/codes.ts';
import { wavesCommand } from '../waves/command.ts';
import { PLAN } from '../waves/inputs.ts';
import { createWaveTool } from '../waves/tool.ts';
import { waveReports } from '../waves/verify.ts';
import { wavewatch3Pack } from './pack.ts';
import PLAN_SCHEMA from './plan.schema.json' with { type: 'json' };
import price from './price.json' with { type: 'json' };
import RESULT_SCHEMA from './result.schema.json' with { type: 'json' };
import { wavewatch3Summary } from './summary.ts';

/** The archive of what the programs before the run made of all cases; science/wavewatch3 has the same name. */
const MADE = 'prepared.tar';

const WARNINGS = {
  POINT_LEFT_OUT: says(
    'A point of output lies outside of the grid or on land, so ww3_shel leaves it out and no file has it; the message names the point.',
    'Move the point into the water of the grid, or take it from the list where nobody misses it.',
  ),
  NAMELIST_UNUSED: says(
    'A namelist is of other physics than those that are built into the programs, which pass over it; the message has file and line.',
    'Name a build with these physics in parameters.physics, or leave it where the file serves several builds.',
  ),
};

/** The tool that runs WAVEWATCH III. */
export const wavewatch3 = createWaveTool({
  id: 'wavewatch3',
  aliases: ['ww3'],
  title: 'WAVEWATCH III',
  summary: 'Computes waves on oceans and shelves, in cases of the wave model WAVEWATCH III.',
  docsPage: 'docs/tools/wavewatch3.md',
  pack: wavewatch3Pack,
  price,
  parameters: [],
  physicsNote: 'physics are compiled into the programs, so each set of them is a variant',
  prepared: [PLAN, MADE],
  reports: waveReports(PLAN_SCHEMA, RESULT_SCHEMA),
  unlisted: [],
  session: { module: 'dockyard_wavewatch3.tool', packages: ['session', 'waves', 'wavewatch3'] },
  taskSummary: wavewatch3Summary,
  codes: waveCodes('WAVEWATCH III', [
    {
      title: 'Warnings of WAVEWATCH III',
      note: 'The preparation tells them; the run is complete all the same.',
      codes: WARNINGS,
    },
  ]),
  command: wavesCommand,
  check: ({ sceneFile }) => {
    if (sceneFile !== undefined && !/\.(?:zip|tar|tar\.gz|tgz|tar\.xz|txz)$/i.test(sceneFile))
      throw new AppError(
        'VALIDATION_ERROR',
        'sceneFile: must be the archive of a case: zip, tar, tar.gz or tar.xz.',
      );
  },
  spec: () => ({}),
});
