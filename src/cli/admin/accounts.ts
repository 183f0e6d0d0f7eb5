/** `dockyard admin account …` and `dockyard admin credits …` */
import type { Command } from 'commander';

import type { Database } from '../../adapters/database.ts';
import {
  closeAccount,
  createAccount,
  reactivateAccount,
  suspendAccount,
} from '../../services/identity/index.ts';
import type { AccountChange } from '../../services/identity/index.ts';
import { grantAsOperator } from '../../services/operator-money.ts';
import { findAccount } from '../../services/operator.ts';
import { pence, someText } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { facts, pounds } from '../table.ts';
import { addAdjustCommand } from './adjust.ts';
import { thisOperator } from './author.ts';
import { askWhetherGiven, askWhetherMeant } from './meant.ts';
import type { GiftOptions, MeantOptions } from './meant.ts';
import { addRefundCommand } from './refund.ts';

interface CreateOptions extends GiftOptions {
  readonly email: string;
}

interface GrantOptions extends MeantOptions {
  readonly account: string;
}

interface StateOptions {
  readonly account: string;
  readonly reason?: string;
}

/** Adds the commands on accounts and their credits. */
export function addAccountCommands(admin: Command, context: CommandContext): void {
  const account = addGroup(admin, 'account', 'Accounts of customers');
  addCommand<CreateOptions>(account, context, {
    usage: 'create',
    summary: 'Create an account with a live and a test key of all scopes; the keys are shown this once.',
    examples: [
      'admin account create --email ada@example.org --json',
      'admin account create --email ada@example.org --credits-pence 1000 --credits-key trial-7 --credits-reason "A trial"',
    ],
    configure: (command) =>
      askWhetherGiven(
        command.requiredOption(
          '--email <address>',
          'e-mail address of the first user, one account each',
          someText(254),
        ),
      ),
    run: (cli, options) => withDatabase(cli, (db) => create(db, options)),
  });
  addStateCommands(account, context);
  const credits = addGroup(admin, 'credits', 'Credits of customers');
  addAdjustCommand(credits, context);
  addRefundCommand(credits, context);
  addCommand<GrantOptions>(credits, context, {
    usage: 'grant',
    summary: 'Give an account promotional credits.',
    examples: [
      'admin credits grant --account ada@example.org --pence 500 --key ticket-4711 --reason "Sorry for the delay"',
      'admin credits grant --account ada@example.org --pence 25000 --key award-12 --reason "Research award" --yes',
    ],
    configure: (command) =>
      askWhetherMeant(
        command
          .requiredOption('--account <account>', 'id or e-mail address', someText(254))
          .requiredOption('--pence <n>', 'how much, in pence', pence(1)),
        { does: 'grants', reader: 'as the customer reads it' },
      ),
    run: (cli, options) => withDatabase(cli, (db) => grant(db, options)),
  });
}

/** Adds the commands that change the state of an account. */
function addStateCommands(account: Command, context: CommandContext): void {
  const configure = (command: Command): Command =>
    command
      .requiredOption('--account <account>', 'id or e-mail address', someText(254))
      .option('--reason <text>', 'why, as the customer may read it', someText(500));
  addCommand<StateOptions>(account, context, {
    usage: 'suspend',
    summary: 'Refuse the keys of an account and all that is new; open jobs run to their end and are settled.',
    examples: ['admin account suspend --account ada@example.org --reason "The card was reported stolen"'],
    configure,
    run: (cli, options) => withDatabase(cli, (db) => suspend(db, options)),
  });
  addCommand<StateOptions>(account, context, {
    usage: 'reactivate',
    summary: 'Let a suspended account call and submit again, with the keys that it has.',
    examples: ['admin account reactivate --account ada@example.org'],
    configure,
    run: (cli, options) => withDatabase(cli, (db) => reactivate(db, options)),
  });
  addCommand<StateOptions>(account, context, {
    usage: 'close',
    summary: 'Close an account for ever: revoke its keys, remove its files; refused while it has open jobs.',
    examples: ['admin account close --account ada@example.org'],
    configure,
    run: (cli, options) => withDatabase(cli, (db) => close(db, options)),
  });
}

async function create(db: Database, options: CreateOptions) {
  const { email, creditsPence, creditsKey, creditsReason } = options;
  const account = await createAccount(db, { email, creditsPence, creditsKey, creditsReason }, thisOperator());
  const text = facts([
    ['Account', account.accountId],
    ['E-mail', email],
    ['Credits', pounds(creditsPence)],
    ['Live key', account.liveKey],
    ['Test key', account.testKey],
  ]);
  return { data: account, text: `${text}\nKeep the keys: they are not stored and cannot be shown again.\n` };
}

async function changeOf(db: Database, { account, reason }: StateOptions): Promise<AccountChange> {
  return { accountId: await findAccount(db, account), reason: reason ?? null, by: thisOperator() };
}

async function suspend(db: Database, options: StateOptions): Promise<CommandResult> {
  const changed = await suspendAccount(db, await changeOf(db, options));
  const { accountId, former, openJobs } = changed;
  const jobs = openJobs === 1 ? '1 open job runs' : `${openJobs} open jobs run`;
  const rest =
    openJobs === 0
      ? ''
      : ` ${jobs} to the end; admin jobs list --account ${accountId} names them, admin jobs pause stops one.`;
  const what = former === 'SUSPENDED' ? 'was suspended before' : 'is suspended: its keys are refused';
  return { data: changed, text: `${accountId} ${what}.${rest}\n` };
}

async function reactivate(db: Database, options: StateOptions): Promise<CommandResult> {
  const changed = await reactivateAccount(db, await changeOf(db, options));
  const { accountId, former } = changed;
  return {
    data: changed,
    text: former === 'ACTIVE' ? `${accountId} was active before.\n` : `${accountId} is active again.\n`,
  };
}

async function close(db: Database, options: StateOptions): Promise<CommandResult> {
  const closed = await closeAccount(db, await changeOf(db, options));
  const text = `Revoked ${closed.keysRevoked} keys of ${closed.accountId}. Its files go with the next sweeps.\n`;
  return { data: closed, text };
}

async function grant(db: Database, options: GrantOptions) {
  const accountId = await findAccount(db, options.account);
  const { pence: amountPence, reason, key } = options;
  const given = { accountId, amountPence, key, description: reason };
  const { id: transferId, replayed } = await grantAsOperator(db, given, thisOperator());
  const text = replayed
    ? `Nothing was granted: the key ${key} granted ${pounds(amountPence)} to ${accountId} before.\n`
    : `Granted ${pounds(amountPence)} to ${accountId}.\n`;
  return { data: { accountId, amountPence, key, transferId, replayed }, text };
}
