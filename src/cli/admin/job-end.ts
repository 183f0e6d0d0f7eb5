/** `dockyard admin jobs end` */
import type { Command } from 'commander';

import { endJob } from '../../services/execution/settle/end-job.ts';
import { id, someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { TEMPORAL_ACCESS } from '../settings.ts';
import { pounds } from '../table.ts';
import { thisOperator } from './author.ts';
import { openJobWorkflows } from './workflows.ts';

interface EndOptions {
  readonly reason: string;
  readonly yes?: true;
}

/** Adds the command that ends a job whose workflow cannot end it. */
export function addJobEndCommand(jobs: Command, context: CommandContext): void {
  addCommand<EndOptions>(jobs, context, {
    usage: 'end <job>',
    summary:
      'End a job whose workflow cannot: the run is terminated, verified tasks are charged, the rest is given back.',
    examples: ['admin jobs end 01890a5d-ac96-774b-bcce-b302099a8057 --reason "Cannot replay" --yes'],
    configure: (command) => {
      command.registeredArguments[0]?.argParser(id);
      return command
        .requiredOption('--reason <text>', 'why, for the audit log and the Temporal UI', someText(500))
        .option('--yes', 'needed, because an ended job has lost what was not verified')
        .hook('preAction', () => {
          if (command.opts<EndOptions>().yes !== true)
            command.error('error: what is not verified is lost; add --yes when it is meant');
        });
    },
    run: (cli, options, [jobId = '']) => end(cli, jobId.toLowerCase(), options),
  });
}

async function end(cli: CommandContext, jobId: string, { reason }: EndOptions): Promise<CommandResult> {
  const workflows = await openJobWorkflows(await cli.settings.read(...TEMPORAL_ACCESS));
  try {
    const data = await withDatabase(cli, (db) =>
      endJob({ db, workflows }, { jobId, reason }, thisOperator()),
    );
    const { status, chargedPence, releasedPence } = data;
    const money = `${pounds(chargedPence)} charged, ${pounds(releasedPence)} released`;
    return { data, text: `The job is ${status}: ${money}. Its instances end with the next sweep.\n` };
  } finally {
    await workflows.close();
  }
}
