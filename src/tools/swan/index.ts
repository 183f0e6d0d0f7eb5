/** SWAN: waves near coasts. */
import { says } from '../../domain/codes/code.ts';
import { waveCodes } from '../waves/codes.ts';
import { wavesCommand } from '../waves/command.ts';
import { PLAN } from '../waves/inputs.ts';
import { COMMAND_FILE } from '../waves/parameters.ts';
import { createWaveTool } from '../waves/tool.ts';
import { waveReports } from '../waves/verify.ts';
import { checkCommandFile, commandFileOf } from './command-file.ts';
import { swanPack } from './pack.ts';
import PLAN_SCHEMA from './plan.schema.json' with { type: 'json' };
import price from './price.json' with { type: 'json' };
import RESULT_SCHEMA from './result.schema.json' with { type: 'json' };
import { swanSummary } from './summary.ts';

const WARNINGS = {
  ERROR_PASSED_OVER: says(
    'SWAN found an error in a command and goes on without what it asks, because MAXERR of SET lets it; the message has file and line.',
    'Mend the command, or leave it where you know what SWAN does instead: PRINT shows it.',
  ),
  NOT_CONVERGED: says(
    'The iterations ended before as many points were accurate as the case requires; the message has the shares.',
    'Allow more iterations with NUM, or judge by the share whether the result serves you.',
  ),
  OUTPUT_NOT_WRITTEN: says(
    'A file that the case asks for was not written by SWAN; the message names it.',
    'Look whether the times of its OUTPUT lie in the run, and whether its name is one that SWAN can open.',
  ),
};

/** The tool that runs SWAN. */
export const swan = createWaveTool({
  id: 'swan',
  aliases: [],
  title: 'SWAN',
  summary: 'Computes waves near coasts, in cases of the wave model SWAN.',
  docsPage: 'docs/tools/swan.md',
  pack: swanPack,
  price,
  parameters: [COMMAND_FILE],
  physicsNote: "the command file chooses SWAN's own physics",
  prepared: [PLAN],
  reports: waveReports(PLAN_SCHEMA, RESULT_SCHEMA),
  unlisted: ['PRINT'],
  session: { module: 'dockyard_swan.tool', packages: ['session', 'waves', 'swan'] },
  taskSummary: swanSummary,
  codes: waveCodes('SWAN', [
    {
      title: 'Warnings of SWAN',
      note: 'The run is complete all the same; summary.json has the warnings too.',
      codes: WARNINGS,
    },
  ]),
  command: wavesCommand,
  check: checkCommandFile,
  spec: (request) => ({ commandFile: commandFileOf(request) }),
});
