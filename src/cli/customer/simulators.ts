/** `dockyard simulators` */
import type { Command } from 'commander';

import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { table } from '../table.ts';
import { withService } from './service.ts';

/** Adds the command `simulators`. */
export function addSimulatorCommands(program: Command, context: CommandContext): void {
  addCommand(program, context, {
    usage: 'simulators',
    summary: 'List the simulators, and whether each can be run now.',
    examples: ['simulators', 'simulators --json'],
    run: list,
  });
}

async function list(context: CommandContext): Promise<CommandResult> {
  const answer = await withService(context, 'short', (client) => client.simulators());
  const text = table(
    [
      { title: 'SIMULATOR', value: ({ id }) => id },
      { title: 'ALSO', value: ({ aliases }) => aliases.join(', ') || null },
      { title: 'AVAILABLE', value: ({ reason }) => (reason === null ? 'yes' : `no: ${reason}`) },
      { title: 'VERSION', value: ({ version }) => version },
      { title: 'VARIANTS', value: ({ variants }) => variants.map(({ name }) => name).join(', ') || null },
      { title: 'UNIT', value: ({ unit }) => unit },
      { title: 'PRICE', value: ({ priceModel }) => priceModel },
      { title: 'LICENCE', value: ({ licence }) => licence.name },
    ],
    answer.simulators,
  );
  return { data: answer, text };
}
