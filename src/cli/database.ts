/**
 * `dockyard ledger verify`, `dockyard ledger statement` and `dockyard migrate`. Their work is loaded when they are called,
 * because the list of all commands shows them too.
 */
import type { Command } from 'commander';

import { statementText, wholeStatement } from '../domain/statement.ts';
import { month } from './arguments.ts';
import { addCommand, addGroup } from './command.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { reachingDatabase, withDatabase } from './connections.ts';
import { EXIT } from './problems.ts';
import { table } from './table.ts';

/** Adds the commands on the ledger and the schema. */
export function addDatabaseCommands(program: Command, context: CommandContext): void {
  const ledger = addGroup(program, 'ledger', 'The books');
  addCommand(ledger, context, {
    usage: 'verify',
    summary:
      'Recompute the whole ledger and compare it with holds, jobs and capacity; exits 1 when it does not add up.',
    examples: ['ledger verify', 'ledger verify --json'],
    run: verify,
  });
  addCommand<StatementOptions>(ledger, context, {
    usage: 'statement <account>',
    summary: 'Show the statement of an account for a month (UTC), or list its statements.',
    examples: [
      'ledger statement ada@example.org',
      'ledger statement ada@example.org --month 2026-11',
      'ledger statement ada@example.org --month 2026-11 --csv > statement.csv',
    ],
    configure: (command) =>
      command
        .option('--month <month>', 'the month, such as 2026-11', month)
        .option('--csv', 'write CSV, as it is read')
        .hook('preAction', () => {
          const options = command.opts<StatementOptions>();
          if (options.csv === true && options.month === undefined)
            command.error('error: --csv needs --month');
        }),
    run: (cli, options, [account = '']) => statement(cli, account, options),
  });
  addCommand<{ readonly revert?: true }>(program, context, {
    usage: 'migrate',
    summary: 'Bring the database to the schema of this version. Safe to repeat, and by several at once.',
    examples: ['migrate', 'migrate --revert'],
    configure: (command) =>
      command.option('--revert', 'take the newest migration back instead; WHAT ITS TABLES HOLD IS LOST'),
    run: (cli, options) => (options.revert === true ? revert(cli) : migrate(cli)),
  });
}

interface StatementOptions {
  readonly month?: string;
  readonly csv?: true;
}

async function statement(
  context: CommandContext,
  account: string,
  options: StatementOptions,
): Promise<CommandResult> {
  const { listStatements, openStatement } = await import('../services/statements.ts');
  const { findAccount } = await import('../services/operator.ts');
  const { monthsText, statementPage } = await import('./statement-text.ts');
  return withDatabase(context, async (db) => {
    const accountId = await findAccount(db, account);
    if (options.month === undefined) {
      const list = await listStatements(db, accountId);
      return { data: list, text: monthsText(list) };
    }
    const open = await openStatement(db, accountId, options.month);
    if (options.csv === true) {
      for await (const piece of statementText(open, 'csv')) context.write(piece);
      return { data: open.head, text: '' };
    }
    const whole = await wholeStatement(open);
    return { data: whole, text: statementPage(whole) };
  });
}

async function verify(context: CommandContext): Promise<CommandResult> {
  const { LEDGER_CHECKS, verifyLedger } = await import('../services/ledger/verify.ts');
  const violations = await withDatabase(context, verifyLedger);
  const checks = LEDGER_CHECKS.length;
  const data = { ok: violations.length === 0, checks, violations };
  if (data.ok) return { data, text: `The ledger adds up: ${checks} checks, no violation.\n` };
  const found = table(
    [
      { title: 'CHECK', value: (violation) => violation.check },
      { title: 'SUBJECT', value: (violation) => violation.subject },
      { title: 'DETAIL', value: (violation) => violation.detail },
    ],
    violations,
  );
  return {
    data,
    text: `${found}The ledger does NOT add up: ${violations.length} violations.\n`,
    exitCode: EXIT.failed,
  };
}

async function migrate(context: CommandContext): Promise<CommandResult> {
  const { runMigrations } = await import('../adapters/database.ts');
  const applied = await reachingDatabase(context, runMigrations);
  const text = applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`;
  return { data: { applied }, text };
}

async function revert(context: CommandContext): Promise<CommandResult> {
  const { revertMigration } = await import('../adapters/database.ts');
  await reachingDatabase(context, (url) => revertMigration(url));
  return { data: { reverted: true }, text: 'The newest migration has been taken back.\n' };
}
