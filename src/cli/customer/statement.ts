/** `dockyard statement` */
import type { Command } from 'commander';

import { month as readMonth } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { monthsText, statementPage } from '../statement-text.ts';
import { withService } from './service.ts';

/** Adds the command `statement`. */
export function addStatementCommand(program: Command, context: CommandContext): void {
  addCommand(program, context, {
    usage: 'statement [month]',
    summary:
      'Show the statement of a month (UTC), opening, every movement and closing; without one, list them.',
    examples: ['statement', 'statement 2026-11', 'statement 2026-11 --json'],
    run: async (cli, _options, [wanted]) => {
      if (wanted === undefined) {
        const list = await withService(cli, 'short', (client) => client.statements());
        return { data: list, text: monthsText(list) };
      }
      const month = readMonth(wanted);
      const statement = await withService(cli, 'long', (client) => client.statement(month));
      return { data: statement, text: statementPage(statement) };
    },
  });
}
