/** `dockyard explain`: a field, an error code, a failure, a warning or a state; needs no service and no key. */
import type { Command } from 'commander';

import { addCommand } from '../../command.ts';
import type { CommandContext } from '../../command.ts';

interface ExplainOptions {
  readonly list?: true;
}

/** Adds the command that explains. */
export function addExplainCommand(program: Command, context: CommandContext): void {
  addCommand<ExplainOptions>(program, context, {
    usage: 'explain [field-or-code]',
    summary:
      'Explain a field of the API (meaning, unit, bound, default) or a code (errors, failures, warnings, states). Works offline.',
    examples: [
      'explain exhaustiveness',
      'explain simulationParams.boxSizeAngstrom',
      'explain INSUFFICIENT_CREDITS',
      'explain LIGAND_UNSUPPORTED_ATOM',
      'explain --list',
    ],
    configure: (command) =>
      command.option('--list', 'list every code with its meaning').hook('preAction', ({ args }) => {
        if (args.length === 0 && command.opts<ExplainOptions>().list !== true)
          command.error("error: missing required argument 'field-or-code', or --list");
      }),
    // All tools are loaded with the words of their codes, so they are loaded only when a word is explained.
    run: async (_cli, { list }, [word = '']) =>
      list === true ? (await import('./codes.ts')).listCodes() : (await import('./answer.ts')).explain(word),
  });
}
