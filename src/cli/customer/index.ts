/** The commands of a customer; each of them uses the public API only. */
import type { Command } from 'commander';

import type { ToolCommand } from '../../tools/command.ts';
import type { CommandContext } from '../command.ts';
import { addBillCommand } from './bill.ts';
import { addConvertCommand } from './convert.ts';
import { addCreditCommands } from './credits.ts';
import { addDockingCommands } from './docking/index.ts';
import { addEventsCommand } from './events.ts';
import { addExplainCommand } from './explain/index.ts';
import { addFileCommands } from './files.ts';
import { addInspectCommand } from './inspect.ts';
import { addJobCommands } from './jobs.ts';
import { addLoginCommand } from './login.ts';
import { addOutputCommands } from './outputs.ts';
import { addAccountCommand } from './people/account.ts';
import { addKeyCommands } from './people/keys.ts';
import { addLimitsCommand } from './people/limits.ts';
import { addSignUpCommand } from './people/sign-up.ts';
import { addProjectCommands } from './projects/index.ts';
import { addReceiptCommands } from './receipt/index.ts';
import { addRecoveriesCommand } from './recoveries.ts';
import { addLigandCommands } from './resolve.ts';
import { addSimulatorCommands } from './simulators.ts';
import { addStatementCommand } from './statement.ts';
import { addSubmitCommands } from './submit.ts';
import { addToolCommands } from './tool-commands.ts';
import { addTopupCommand } from './topup.ts';
import { addUsageCommand } from './usage.ts';
import { addListenCommand } from './webhooks/listen.ts';
import { addTriggerCommand } from './webhooks/trigger.ts';
import { addWebhookCommands } from './webhooks/index.ts';

/** Adds the commands of customers, with these of tools. */
export function addCustomerCommands(
  program: Command,
  context: CommandContext,
  ofTools: readonly ToolCommand[],
): void {
  addLoginCommand(program, context);
  addSignUpCommand(program, context);
  addAccountCommand(program, context);
  addKeyCommands(program, context);
  addLimitsCommand(program, context);
  addCreditCommands(program, context);
  addUsageCommand(program, context);
  addTopupCommand(program, context);
  addLigandCommands(program, context);
  addInspectCommand(program, context);
  addToolCommands(program, context, ofTools);
  addDockingCommands(program, context, ofTools);
  addSimulatorCommands(program, context);
  addSubmitCommands(program, context);
  addJobCommands(program, context);
  addRecoveriesCommand(program, context);
  addEventsCommand(program, context);
  addWebhookCommands(program, context);
  addListenCommand(program, context);
  addTriggerCommand(program, context);
  addBillCommand(program, context);
  addStatementCommand(program, context);
  addReceiptCommands(program, context);
  addOutputCommands(program, context);
  addFileCommands(program, context);
  addProjectCommands(program, context);
  addConvertCommand(program, context);
  addExplainCommand(program, context);
}
