/**
 * The commands that tools bring, listed apart from the tools, so that the command line can name them without loading what
 * plans, prices and verifies. test/unit/cli/tool-commands.test.ts holds the list against the facets of the tools.
 */
import { dockCommand } from './autodock-vina/command/index.ts';
import { blastCommand } from './blast/command.ts';
import { renderCommand } from './blender/command.ts';
import type { ToolCommand } from './command.ts';
import { pocketsCommand } from './fpocket/command.ts';
import { wavesCommand } from './waves/command.ts';

/** All commands of tools, in the order in which the help names them. */
export const TOOL_COMMANDS: readonly ToolCommand[] = [
  dockCommand,
  pocketsCommand,
  blastCommand,
  wavesCommand,
  renderCommand,
];
