/** `dockyard admin …`: what only operators may do; it works on the database and Temporal, not through the API. */
import type { Command } from 'commander';

import { addGroup } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { ADMIN_GROUP } from '../operator-groups.ts';
import { addAccountCommands } from './accounts.ts';
import { addDatabasesCommands } from './databases.ts';
import { addDeploymentCommands } from './deployment.ts';
import { addFxCommands } from './fx.ts';
import { addInstanceCommands } from './instances.ts';
import { addJobCommands } from './jobs.ts';
import { addKeyCommands } from './keys.ts';
import { addLimitCommands } from './limits.ts';
import { addMaintenanceCommands } from './maintenance.ts';
import { addPeopleCommands } from './people.ts';
import { addPlanCommands } from './plans.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addSettingsCommands } from './settings.ts';
import { addToolReportCommand } from './tools.ts';

/** Adds the operators' commands. */
export function addAdminCommands(program: Command, context: CommandContext): void {
  const admin = addGroup(program, ADMIN_GROUP.name, ADMIN_GROUP.summary);
  addAccountCommands(admin, context);
  addKeyCommands(admin, context);
  addLimitCommands(admin, context);
  addPlanCommands(admin, context);
  addFxCommands(admin, context);
  addReconcileCommand(admin, context);
  addPeopleCommands(admin, context);
  addSettingsCommands(admin, context);
  addJobCommands(admin, context);
  addMaintenanceCommands(admin, context);
  addInstanceCommands(admin, context);
  addDeploymentCommands(admin, context);
  addDatabasesCommands(admin, context);
  addToolReportCommand(admin, context);
}
