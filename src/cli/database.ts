/**
 * `dockyard ledger verify` and `dockyard migrate`. What they do is loaded when they are called, because the list of all
 * commands shows them too.
 */
import type { Command } from 'commander';

import { addCommand, addGroup } from './command.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { reachingDatabase, withDatabase } from './connections.ts';
import { EXIT } from './problems.ts';
import { table } from './table.ts';

/** Adds the commands on the ledger and the schema. */
export function addDatabaseCommands(program: Command, context: CommandContext): void {
  addCommand(addGroup(program, 'ledger', 'The books'), context, {
    usage: 'verify',
    summary:
      'Recompute the whole ledger and compare it with holds, jobs and capacity; exits 1 when it does not add up.',
    examples: ['ledger verify', 'ledger verify --json'],
    run: verify,
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
  await reachingDatabase(context, revertMigration);
  return { data: { reverted: true }, text: 'The newest migration has been taken back.\n' };
}
