/** `dockyard admin credits adjust` */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import type { Database } from '../../adapters/database.ts';
import { adjustAsOperator } from '../../services/operator-money.ts';
import { findAccount } from '../../services/operator.ts';
import { pence, someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { pounds } from '../table.ts';
import { thisOperator } from './author.ts';
import { askWhetherMeant } from './meant.ts';
import type { MeantOptions } from './meant.ts';

interface AdjustOptions extends MeantOptions {
  readonly account: string;
  readonly mayOwe?: true;
}

/** Adds the command that corrects what is in a wallet. */
export function addAdjustCommand(credits: Command, context: CommandContext): void {
  addCommand<AdjustOptions>(credits, context, {
    usage: 'adjust',
    summary: 'Correct the wallet of an account by an amount; what comes in pays a debt first.',
    examples: [
      'admin credits adjust --account ada@example.org --pence 250 --key ticket-4711 --reason "Charged twice"',
      'admin credits adjust --account ada@example.org --pence -25000 --key bank-0815 --reason "Payment recalled" --may-owe --yes',
    ],
    configure: (command) =>
      askWhetherMeant(
        command
          .requiredOption('--account <account>', 'id or e-mail address', someText(254))
          .requiredOption(
            '--pence <n>',
            'how much, in pence; a negative amount takes credits away',
            signedPence,
          )
          .option('--may-owe', 'what the wallet does not cover becomes a debt'),
        { does: 'adjusts', reader: 'as the customer reads it' },
      ),
    run: (cli, options) => withDatabase(cli, (db) => adjust(db, options)),
  });
}

async function adjust(db: Database, options: AdjustOptions): Promise<CommandResult> {
  const accountId = await findAccount(db, options.account);
  const { pence: amountPence, key, reason } = options;
  const adjustment = { accountId, amountPence, key, description: reason, mayOwe: options.mayOwe === true };
  const { id: transferId, replayed } = await adjustAsOperator(db, adjustment, thisOperator());
  const text = replayed
    ? `Nothing was adjusted: the key ${key} adjusted ${accountId} by ${pounds(amountPence)} before.\n`
    : `Adjusted ${accountId} by ${pounds(amountPence)}.\n`;
  return { data: { accountId, amountPence, key, transferId, replayed }, text };
}

const readPence = pence(1);

function signedPence(text: string): number {
  if (!text.startsWith('-')) return readPence(text);
  try {
    return -readPence(text.slice(1));
  } catch {
    throw new InvalidArgumentError('It is a whole number of pence other than 0, such as 250 or -250.');
  }
}
