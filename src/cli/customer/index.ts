/** The commands of a customer; each of them uses the public API only. */
import type { Command } from 'commander';

import type { CommandContext } from '../command.ts';
import { addDockCommand } from './dock.ts';
import { addExplainCommand } from './explain/index.ts';
import { addInspectCommand } from './inspect.ts';
import { addJobCommands } from './jobs.ts';
import { addAccountCommands } from './login.ts';
import { addOutputCommands } from './outputs.ts';
import { addPocketsCommand } from './pockets.ts';
import { addLigandCommands } from './resolve.ts';
import { addSimulatorCommands } from './simulators.ts';
import { addSubmitCommands } from './submit.ts';

/** Adds the commands of customers. */
export function addCustomerCommands(program: Command, context: CommandContext): void {
  addAccountCommands(program, context);
  addLigandCommands(program, context);
  addInspectCommand(program, context);
  addDockCommand(program, context);
  addPocketsCommand(program, context);
  addSimulatorCommands(program, context);
  addSubmitCommands(program, context);
  addJobCommands(program, context);
  addOutputCommands(program, context);
  addExplainCommand(program, context);
}
