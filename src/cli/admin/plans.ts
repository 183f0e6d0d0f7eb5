/** `dockyard admin plan …` */
import { Option } from 'commander';
import type { Command } from 'commander';

import type { Database } from '../../adapters/database.ts';
import { PLANS } from '../../domain/plans.ts';
import type { Plan } from '../../domain/plans.ts';
import { findAccount } from '../../services/operator.ts';
import { setPlanAsOperator } from '../../services/plans/index.ts';
import { someText } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { thisOperator } from './author.ts';

interface PlanOptions {
  readonly plan: Plan;
  readonly key: string;
  readonly reason: string;
}

/** Adds the commands on plans. */
export function addPlanCommands(admin: Command, context: CommandContext): void {
  const plan = addGroup(admin, 'plan', 'Plans of customers');
  addCommand<PlanOptions>(plan, context, {
    usage: 'set <account>',
    summary:
      'Set the plan of an account; pro has monthly credits, and after its end those of the month stay to be spent.',
    examples: [
      'admin plan set ada@example.org --plan pro --key contract-17 --reason "Paid by invoice"',
      'admin plan set ada@example.org --plan free --key contract-17-end --reason "Contract ended"',
    ],
    configure: (command) =>
      command
        .addOption(new Option('--plan <plan>', 'the plan').choices(PLANS).makeOptionMandatory())
        .requiredOption(
          '--key <key>',
          'the same key changes a plan once, however often it is repeated',
          someText(200),
        )
        .requiredOption('--reason <text>', 'why, as the customer may read it', someText(500)),
    run: (cli, options, [account = '']) => withDatabase(cli, (db) => set(db, account, options)),
  });
}

async function set(db: Database, account: string, options: PlanOptions): Promise<CommandResult> {
  const accountId = await findAccount(db, account);
  const changed = await setPlanAsOperator(db, { ...options, accountId }, thisOperator());
  const text = changed.replayed
    ? `Nothing was changed: the key ${options.key} was used for this change before. The plan of ${accountId} is ${changed.plan}.\n`
    : `The plan of ${accountId} is ${changed.plan}; it was ${changed.former}.\n`;
  return { data: changed, text };
}
