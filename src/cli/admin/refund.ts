/** `dockyard admin credits refund` */
import type { Command } from 'commander';

import { loadPayments } from '../../adapters/payments/open.ts';
import { refundAsOperator } from '../../services/payments/index.ts';
import { id, pence } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { EXIT } from '../problems.ts';
import { pounds } from '../table.ts';
import { thisOperator } from './author.ts';
import { askWhetherMeant } from './meant.ts';
import type { MeantOptions } from './meant.ts';

/** Adds the command that pays a top-up back. */
export function addRefundCommand(credits: Command, context: CommandContext): void {
  addCommand<MeantOptions>(credits, context, {
    usage: 'refund <topup>',
    summary: 'Pay back what is unspent of a top-up, or a part of it; its tax and its bonus go back with it.',
    examples: [
      'admin credits refund 01890a5d-ac96-774b-bcce-b302099a8057 --pence 500 --key ticket-4711 --reason "Bought twice"',
    ],
    configure: (command) => {
      command.registeredArguments[0]?.argParser(id);
      command.requiredOption(
        '--pence <n>',
        'how much of the price, in pence, without tax and bonus',
        pence(1),
      );
      return askWhetherMeant(command, { does: 'refunds', reader: 'for the audit log' });
    },
    run: (cli, options, [topupId = '']) => refund(cli, options, topupId.toLowerCase()),
  });
}

async function refund(
  cli: CommandContext,
  { pence: creditPence, key, reason }: MeantOptions,
  topupId: string,
): Promise<CommandResult> {
  const settings = await cli.settings.read(
    ...([
      'stripeSecretKey',
      'stripeWebhookSecrets',
      'stripeApiUrl',
      'stripeTax',
      'stripeInvoices',
      'stripeProPrice',
    ] as const),
  );
  const alarm = (text: string): void => cli.progress(text);
  return withDatabase(cli, async (db) => {
    const deps = { db, payments: await loadPayments(settings), alarm };
    const made = await refundAsOperator(deps, { topupId, creditPence, key, reason }, thisOperator());
    const { id: refundId, accountId, grossPence, status, providerId } = made;
    const data = { refundId, topupId, accountId, amountPence: creditPence, grossPence, status, providerId };
    const isRefused = made.takenPence === 0;
    const text = isRefused
      ? `The provider did not refund ${pounds(grossPence)} (${status}); the credits are back in the wallet.\n`
      : `Refunded ${pounds(grossPence)} of top-up ${topupId}: ${status}.\n`;
    return { data, text, ...(isRefused ? { exitCode: EXIT.failed } : {}) };
  });
}
