/** `dockyard admin fx …` */
import type { Command } from 'commander';

import { acceptRate, listRates } from '../../services/prices/fx-rates.ts';
import type { ListedRate } from '../../services/prices/fx-rates.ts';
import { wholeNumber } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { table } from '../table.ts';
import type { Column } from '../table.ts';
import { thisOperator } from './author.ts';

const COLUMNS: readonly Column<ListedRate>[] = [
  { title: 'ID', value: ({ id }) => id, align: 'right' },
  { title: 'RATE', value: ({ rateMicro }) => rateText(rateMicro), align: 'right' },
  { title: 'DATE', value: ({ date }) => date },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'SOURCE', value: ({ source }) => source },
  { title: 'FETCHED', value: ({ fetchedAt }) => fetchedAt.slice(0, 19) },
];

/** Adds the commands on exchange rates. */
export function addFxCommands(admin: Command, context: CommandContext): void {
  const fx = addGroup(admin, 'fx', 'Exchange rates, USD to GBP');
  addCommand(fx, context, {
    usage: 'list',
    summary:
      'List the newest exchange rates; a PENDING one differs by more than 5 % from the rate in use, of a day or of a week ago, and waits to be accepted.',
    examples: ['admin fx list', 'admin fx list --json'],
    run: (cli) =>
      withDatabase(cli, async (db) => {
        const rates = await listRates(db);
        return { data: { rates }, text: rates.length === 0 ? 'No rates.\n' : table(COLUMNS, rates) };
      }),
  });
  addCommand(fx, context, {
    usage: 'accept <id>',
    summary: 'Accept a rate that waits; from then on quotes are made with the rate.',
    examples: ['admin fx accept 17'],
    run: (cli, _options, [id = '']) => {
      const wanted = wholeNumber(1, Number.MAX_SAFE_INTEGER)(id.trim());
      return withDatabase(cli, async (db) => {
        const rate = await acceptRate(db, wanted, thisOperator());
        return { data: rate, text: `1 USD is £${rateText(rate.rateMicro)}, of ${rate.date}.\n` };
      });
    },
  });
}

function rateText(rateMicro: number): string {
  return (rateMicro / 1_000_000).toFixed(6);
}
