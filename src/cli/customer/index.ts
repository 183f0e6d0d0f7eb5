/** The commands of a customer; each of them uses the public API only. */
import type { Command } from 'commander';

import type { Tool } from '../../tools/tool.ts';
import type { CommandContext } from '../command.ts';
import { addExplainCommand } from './explain/index.ts';
import { addInspectCommand } from './inspect.ts';
import { addJobCommands } from './jobs.ts';
import { addAccountCommands } from './login.ts';
import { addOutputCommands } from './outputs.ts';
import { addLigandCommands } from './resolve.ts';
import { addSimulatorCommands } from './simulators.ts';
import { addSubmitCommands } from './submit.ts';
import { addToolCommands } from './tool-commands.ts';

/** Adds the commands of customers, with those that these tools bring. */
export function addCustomerCommands(
  program: Command,
  context: CommandContext,
  tools: readonly Pick<Tool, 'command'>[],
): void {
  addAccountCommands(program, context);
  addLigandCommands(program, context);
  addInspectCommand(program, context);
  addToolCommands(program, context, tools);
  addSimulatorCommands(program, context);
  addSubmitCommands(program, context);
  addJobCommands(program, context);
  addOutputCommands(program, context);
  addExplainCommand(program, context);
}
