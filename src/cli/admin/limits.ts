/** `dockyard admin limits` */
import type { Command } from 'commander';

import type { Database } from '../../adapters/database.ts';
import { readLimits } from '../../services/ledger/index.ts';
import type { LimitChange } from '../../services/ledger/index.ts';
import { setLimitsAsOperator } from '../../services/operator-money.ts';
import { findAccount } from '../../services/operator.ts';
import { id, limitOf, penceOrNone, someText } from '../arguments.ts';
import type { PenceOrNone } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { facts, pounds } from '../table.ts';
import { thisOperator } from './author.ts';

interface LimitOptions {
  readonly account: string;
  readonly jobPence?: PenceOrNone;
  readonly monthPence?: PenceOrNone;
  readonly memberKeysPence?: PenceOrNone;
  readonly key?: string;
  readonly keyMonthPence?: PenceOrNone;
}

/** Adds the command that shows and sets cost limits. */
export function addLimitCommands(admin: Command, context: CommandContext): void {
  addCommand<LimitOptions>(admin, context, {
    usage: 'limits',
    summary:
      'Show the cost limits of an account, and set those that are named; a job that would pass one is refused.',
    examples: [
      'admin limits --account ada@example.org',
      'admin limits --account ada@example.org --job-pence 5000 --month-pence 20000',
      'admin limits --account ada@example.org --month-pence none',
      'admin limits --account ada@example.org --key 01890a5d-ac96-774b-bcce-b302099a8057 --key-month-pence 1000',
    ],
    configure: (command) =>
      command
        .requiredOption('--account <account>', 'id or e-mail address', someText(254))
        .option('--job-pence <n>', 'the most that one job may cost; none takes the limit away', penceOrNone)
        .option('--month-pence <n>', 'the most in a month (UTC), charged and held; or none', penceOrNone)
        .option(
          '--member-keys-pence <n>',
          'the most in a month (UTC) by all keys of a member; or none',
          penceOrNone,
        )
        .option('--key <id>', 'an API key of the account', id)
        .option('--key-month-pence <n>', 'the most in a month (UTC) by that key; or none', penceOrNone)
        .hook('preAction', () => {
          const { key, keyMonthPence } = command.opts<LimitOptions>();
          if ((key === undefined) !== (keyMonthPence === undefined))
            command.error('error: --key and --key-month-pence go together');
        }),
    run: (cli, options) => withDatabase(cli, (db) => limits(db, options)),
  });
}

async function limits(db: Database, options: LimitOptions): Promise<CommandResult> {
  const accountId = await findAccount(db, options.account);
  const change = changeOf(options);
  const now =
    Object.keys(change).length === 0
      ? await readLimits(db, accountId)
      : await setLimitsAsOperator(db, accountId, change, thisOperator());
  const text = facts([
    ['Account', accountId],
    ['One job', limitText(now.jobLimitPence)],
    ['A month', limitText(now.monthLimitPence)],
    ["A member's keys", `${limitText(now.memberKeysLimitPence)} a month`],
    ...now.keys.map(
      ({ keyId, monthLimitPence }) => [`Key ${keyId}`, `${limitText(monthLimitPence)} a month`] as const,
    ),
  ]);
  return { data: { accountId, ...now }, text };
}

function changeOf(options: LimitOptions): LimitChange {
  const { jobPence, monthPence, memberKeysPence, key, keyMonthPence } = options;
  return {
    ...(jobPence === undefined ? {} : { jobLimitPence: limitOf(jobPence) }),
    ...(monthPence === undefined ? {} : { monthLimitPence: limitOf(monthPence) }),
    ...(memberKeysPence === undefined ? {} : { memberKeysLimitPence: limitOf(memberKeysPence) }),
    ...(key === undefined || keyMonthPence === undefined
      ? {}
      : { key: { keyId: key, monthLimitPence: limitOf(keyMonthPence) } }),
  };
}

function limitText(limitPence: number | null): string {
  return limitPence === null ? 'no limit' : pounds(limitPence);
}
