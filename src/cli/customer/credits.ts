/** `dockyard balance` and `dockyard transactions` */
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import type { CreditBalanceResponse, CreditTransaction } from '../../client/types.ts';
import { id, wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { facts, pounds, table } from '../table.ts';
import type { Column } from '../table.ts';
import { withService } from './service.ts';

interface ListOptions {
  readonly limit: number;
  readonly job?: string;
}

const MOST_SHOWN = 10_000;
const SHOWN = 50;

/** Adds the commands `balance` and `transactions`. */
export function addCreditCommands(program: Command, context: CommandContext): void {
  addCommand(program, context, {
    usage: 'balance',
    summary: 'Show the credits of the account, and what it owes.',
    examples: ['balance', 'balance --json'],
    run: async (cli) => {
      const balance = await withService(cli, 'short', (client) => client.balance());
      return { data: balance, text: balanceText(balance) };
    },
  });
  addCommand<ListOptions>(program, context, {
    usage: 'transactions',
    summary: 'List the movements of credits, newest first, with what each paid of a debt or added to one.',
    examples: ['transactions', 'transactions --limit 500 --json'],
    configure: (command) =>
      command
        .option('--limit <n>', 'how many at most', wholeNumber(1, MOST_SHOWN), SHOWN)
        .option('--job <id>', 'only those of this job', id),
    run: async (cli, options) => {
      const rows = await withService(cli, 'long', (client) => listed(client, options));
      return { data: { transactions: rows }, text: transactionsText(rows) };
    },
  });
}

async function listed(client: Client, { limit, job }: ListOptions): Promise<CreditTransaction[]> {
  const rows: CreditTransaction[] = [];
  const query = { limit: Math.min(limit, 200), ...(job === undefined ? {} : { jobId: job }) };
  for await (const row of client.transactions(query)) {
    rows.push(row);
    if (rows.length === limit) break;
  }
  return rows;
}

/** The balance for people; a debt is named where there is one. */
export function balanceText(balance: CreditBalanceResponse): string {
  const { monthly_reset_at: resetAt, debt_cents: owed } = balance;
  const until = resetAt === null ? '' : `, until ${resetAt}`;
  return facts([
    ['Available', pounds(balance.available_cents)],
    ['Held by jobs', pounds(balance.held_cents)],
    [
      'Wallet',
      `${pounds(balance.wallet_available_cents)} available, ${pounds(balance.wallet_held_cents)} held`,
    ],
    [
      'Monthly',
      `${pounds(balance.monthly_available_cents)} available, ${pounds(balance.monthly_held_cents)} held${until}`,
    ],
    ...(owed > 0
      ? [['Owed', `${pounds(owed)}, paid first by whatever comes in; until then no job can start`] as const]
      : []),
  ]);
}

/** Transactions for people; the columns of a debt stand only where one is or was owed. */
export function transactionsText(rows: readonly CreditTransaction[]): string {
  const hasDebt = rows.some((row) => row.debt_cents !== 0 || row.debt_after_cents !== 0);
  const columns: Column<CreditTransaction>[] = [
    { title: 'When', value: (row) => row.created_at.slice(0, 19).replace('T', ' ') },
    { title: 'Type', value: (row) => row.type },
    { title: 'Bucket', value: (row) => row.bucket },
    { title: 'Amount', value: (row) => signedPounds(row.amount_cents), align: 'right' },
    { title: 'Available', value: (row) => pounds(row.balance_after_cents), align: 'right' },
    { title: 'Held', value: (row) => pounds(row.held_after_cents), align: 'right' },
    { title: 'Debt', value: (row) => signedPounds(row.debt_cents), align: 'right' },
    { title: 'Owed', value: (row) => pounds(row.debt_after_cents), align: 'right' },
    { title: 'What', value: (row) => row.description },
  ];
  return table(
    columns.filter(({ title }) => hasDebt || (title !== 'Debt' && title !== 'Owed')),
    rows,
  );
}

function signedPounds(pence: number): string {
  if (pence === 0) return pounds(0);
  return `${pence < 0 ? '−' : '+'}${pounds(Math.abs(pence))}`;
}
