/** `dockyard project …`: versioned workspaces, their history, and links that show one revision for ever. */
import type { Command } from 'commander';

import { addGroup } from '../../command.ts';
import type { CommandContext } from '../../command.ts';
import { addChangeCommands } from './change.ts';
import { addFileCommands } from './files.ts';
import { addReadCommands } from './read.ts';

/** Adds the commands on projects. */
export function addProjectCommands(program: Command, context: CommandContext): void {
  const projects = addGroup(
    program,
    'project',
    'Molecular projects: versions that are never lost, and shares',
  );
  addReadCommands(projects, context);
  addChangeCommands(projects, context);
  addFileCommands(projects, context);
}
