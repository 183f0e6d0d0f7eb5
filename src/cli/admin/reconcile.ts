/** `dockyard admin reconcile` */
import type { Command } from 'commander';

import { loadPayments } from '../../adapters/payments/open.ts';
import { COMPARISON_NAMES, listDifferences, reconcile } from '../../services/reconciliation/index.ts';
import type { KeptDifference } from '../../services/reconciliation/index.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { EXIT } from '../problems.ts';
import { TEMPORAL_ACCESS } from '../settings.ts';
import { moment, table } from '../table.ts';
import type { Column } from '../table.ts';
import { openJobWorkflows } from './workflows.ts';

const COLUMNS: readonly Column<KeptDifference>[] = [
  { title: 'CHECK', value: ({ checkName }) => checkName },
  { title: 'SUBJECT', value: ({ subject }) => subject },
  { title: 'SINCE', value: ({ firstSeenAt }) => moment(firstSeenAt) },
  { title: 'DETAIL', value: ({ detail }) => detail },
];

/** Adds the command that compares the books with the world outside. */
export function addReconcileCommand(admin: Command, context: CommandContext): void {
  addCommand<{ readonly last?: true }>(admin, context, {
    usage: 'reconcile',
    summary:
      'Compare the books with the provider of payments and with open workflows; exits 1 when they do not agree.',
    examples: ['admin reconcile', 'admin reconcile --last --json'],
    configure: (command) => command.option('--last', 'only show what the last round has found'),
    run: (cli, { last }) =>
      withDatabase(cli, async (db) => {
        if (last !== true) await compare(cli, db);
        return resultOf(await listDifferences(db));
      }),
  });
}

async function compare(cli: CommandContext, db: Parameters<typeof listDifferences>[0]): Promise<void> {
  const settings = await cli.settings.read(
    ...([
      'stripeSecretKey',
      'stripeWebhookSecrets',
      'stripeApiUrl',
      'stripeTax',
      'stripeInvoices',
      'stripeProPrice',
    ] as const),
    ...TEMPORAL_ACCESS,
  );
  const payments = await loadPayments(settings);
  if (payments === null) cli.progress('No provider of payments is set up: only holds are compared.');
  const workflows = await openJobWorkflows(settings);
  try {
    const alarm = (text: string): void => cli.progress(text);
    await reconcile({ db, payments, alarm, workflows }, () => undefined);
  } finally {
    await workflows.close();
  }
}

function resultOf(differences: readonly KeptDifference[]): CommandResult {
  const data = { ok: differences.length === 0, checks: COMPARISON_NAMES, differences };
  if (data.ok) return { data, text: 'The books agree with the world outside.\n' };
  const text = `${table(COLUMNS, differences)}The books do NOT agree: ${String(differences.length)} differences.\n`;
  return { data, text, exitCode: EXIT.failed };
}
