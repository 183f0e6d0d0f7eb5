/** `dockyard admin account …` and `dockyard admin credits …` */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';

import { closeAccount, createAccount } from '../../services/identity/index.ts';
import { grantCredits } from '../../services/ledger/index.ts';
import { findAccount } from '../../services/operator.ts';
import { pence, someText } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { facts, pounds } from '../table.ts';

interface CreateOptions {
  readonly email: string;
  readonly creditsPence: number;
}

interface GrantOptions {
  readonly account: string;
  readonly pence: number;
  readonly key?: string;
  readonly description: string;
}

/** Adds the commands on accounts and their credits. */
export function addAccountCommands(admin: Command, context: CommandContext): void {
  const account = addGroup(admin, 'account', 'Accounts of customers');
  addCommand<CreateOptions>(account, context, {
    usage: 'create',
    summary: 'Create an account with a live and a test key of all scopes; the keys are shown this once.',
    examples: [
      'admin account create --email ada@example.org --credits-pence 1000',
      'admin account create --email ada@example.org --json',
    ],
    configure: (command) =>
      command
        .requiredOption(
          '--email <address>',
          'e-mail address of the first user, one account each',
          someText(254),
        )
        .option('--credits-pence <n>', 'promotional credits to start with, in pence', pence(0), 0),
    run: (cli, options) => withDatabase(cli, (db) => create(db, options)),
  });
  addCommand<{ readonly account: string }>(account, context, {
    usage: 'close',
    summary: 'Revoke the keys of an account and remove its files; refused while it has open jobs.',
    examples: ['admin account close --account ada@example.org'],
    configure: (command) =>
      command.requiredOption('--account <account>', 'id or e-mail address', someText(254)),
    run: (cli, options) => withDatabase(cli, (db) => close(db, options.account)),
  });
  addCommand<GrantOptions>(addGroup(admin, 'credits', 'Credits of customers'), context, {
    usage: 'grant',
    summary: 'Give an account promotional credits.',
    examples: [
      'admin credits grant --account ada@example.org --pence 500',
      'admin credits grant --account ada@example.org --pence 500 --key ticket-4711 --description "Sorry for the delay"',
    ],
    configure: (command) =>
      command
        .requiredOption('--account <account>', 'id or e-mail address', someText(254))
        .requiredOption('--pence <n>', 'how much, in pence', pence(1))
        .option('--key <key>', 'the same key grants once, however often it is repeated', someText(200))
        .option('--description <text>', 'what the customer reads', someText(500), 'Credits granted'),
    run: (cli, options) => withDatabase(cli, (db) => grant(db, options)),
  });
}

async function create(db: Parameters<typeof createAccount>[0], { email, creditsPence }: CreateOptions) {
  const account = await createAccount(db, { email, creditsPence });
  const text = facts([
    ['Account', account.accountId],
    ['E-mail', email],
    ['Credits', pounds(creditsPence)],
    ['Live key', account.liveKey],
    ['Test key', account.testKey],
  ]);
  return { data: account, text: `${text}\nKeep the keys: they are not stored and cannot be shown again.\n` };
}

async function close(db: Parameters<typeof closeAccount>[0], name: string) {
  const closed = await closeAccount(db, await findAccount(db, name));
  const text = `Revoked ${closed.keysRevoked} keys of ${closed.accountId}. Its files go with the next sweeps.\n`;
  return { data: closed, text };
}

async function grant(db: Parameters<typeof grantCredits>[0], options: GrantOptions) {
  const accountId = await findAccount(db, options.account);
  const { pence: amountPence, description, key = randomUUID() } = options;
  const { id: transferId, replayed } = await grantCredits(db, { accountId, amountPence, key, description });
  const text = replayed
    ? `Nothing was granted: the key ${key} granted ${pounds(amountPence)} to ${accountId} before.\n`
    : `Granted ${pounds(amountPence)} to ${accountId}.\n`;
  return { data: { accountId, amountPence, key, transferId, replayed }, text };
}
