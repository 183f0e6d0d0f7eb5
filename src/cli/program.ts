/** The command line `dockyard` of a checkout or image: the commands of customers, and those of operators. */
import type { Command } from 'commander';

import { addCodecServerCommand } from './codec-server.ts';
import { addGroup } from './command.ts';
import type { CommandContext } from './command.ts';
import { runCustomerCommandLine } from './customer-program.ts';
import type { Surroundings } from './customer-program.ts';
import { addDatabaseCommands } from './database.ts';
import { ADMIN_GROUP, TOOLS_GROUP } from './operator-groups.ts';

/** Runs one command line. @returns the exit code. */
export function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  return runCustomerCommandLine(argv, { ...surroundings, addMore: addOperatorCommands });
}

/** Fills the group that is called; the other groups are there by their names, for the list of all commands. */
async function addOperatorCommands(
  program: Command,
  context: CommandContext,
  [called]: readonly string[],
): Promise<void> {
  if (called === ADMIN_GROUP.name) (await import('./admin/index.ts')).addAdminCommands(program, context);
  else addGroup(program, ADMIN_GROUP.name, ADMIN_GROUP.summary);
  addDatabaseCommands(program, context);
  addCodecServerCommand(program, context);
  if (called === TOOLS_GROUP.name) await addPackCommands(program, context);
  else addGroup(program, TOOLS_GROUP.name, TOOLS_GROUP.summary);
}

async function addPackCommands(program: Command, context: CommandContext): Promise<void> {
  const [{ addToolsCommands }, { bubblewrapPack }, { TOOLS }, { packsOf }] = await Promise.all([
    import('./tools.ts'),
    import('../packs/bubblewrap.ts'),
    import('../tools/index.ts'),
    import('../tools/packs.ts'),
  ]);
  addToolsCommands(program, context, [...packsOf(TOOLS), bubblewrapPack]);
}
