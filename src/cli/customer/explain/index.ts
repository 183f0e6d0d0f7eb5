/**
 * `dockyard explain`: a field, an error code, a failure, a warning or a state, for which no service and no key are needed; or one
 * job of the customer's, which the service is asked for.
 */
import type { Command } from 'commander';
import { validate as isUuid } from 'uuid';

import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { withService } from '../service.ts';

interface ExplainOptions {
  readonly list?: true;
}

/** Adds the command that explains. */
export function addExplainCommand(program: Command, context: CommandContext): void {
  addCommand<ExplainOptions>(program, context, {
    usage: 'explain [word]',
    summary:
      'Explain a field of the API (meaning, unit, bound, default), a code (errors, failures, warnings, states), or one of your jobs: why it stands where it stands, what finishing it takes, what to do. Fields and codes need no service.',
    examples: [
      'explain exhaustiveness',
      'explain simulationParams.boxSizeAngstrom',
      'explain INSUFFICIENT_CREDITS',
      'explain LIGAND_UNSUPPORTED_ATOM',
      'explain 01890a5d-ac96-774b-bcce-b302099a8057',
      'explain --list',
    ],
    configure: (command) =>
      command.option('--list', 'list every code with its meaning').hook('preAction', ({ args }) => {
        if (args.length === 0 && command.opts<ExplainOptions>().list !== true)
          command.error("error: missing required argument 'word', or --list");
      }),
    // All tools are loaded with the words of their codes, so they are loaded only when a word is explained.
    run: async (cli, { list }, [word = '']) => {
      if (list === true) return (await import('./codes.ts')).listCodes();
      return isUuid(word) ? explainOwnJob(cli, word) : (await import('./answer.ts')).explain(word);
    },
  });
}

async function explainOwnJob(cli: CommandContext, jobId: string): Promise<CommandResult> {
  const status = await withService(cli, 'short', (client) => client.status(jobId.toLowerCase()));
  return (await import('./job.ts')).explainJob(status);
}
