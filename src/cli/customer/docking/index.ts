/** The commands on docking as records: experiments and batches. A tool says how receptor and protocol are told by options. */
import type { Command } from 'commander';

import type { ToolCommand } from '../../../tools/command.ts';
import type { CommandContext } from '../../command.ts';
import { addBatchCommands } from './batch.ts';
import { addExperimentCommands } from './experiment.ts';

/** Adds the groups `batch` and `experiment`, where one of the commands of tools serves them. */
export function addDockingCommands(
  program: Command,
  context: CommandContext,
  commands: readonly ToolCommand[],
): void {
  for (const bring of commands) {
    bring(({ screening }) => {
      if (screening === undefined) return;
      addBatchCommands(program, context, screening);
      addExperimentCommands(program, context, screening);
    });
  }
}
