/** `dockyard admin keys …` */
import type { Command } from 'commander';

import { listAccountKeys, revokeNamedKey } from '../../services/identity/index.ts';
import type { OperatorKey } from '../../services/identity/index.ts';
import { findAccount } from '../../services/operator.ts';
import { someText } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { table } from '../table.ts';
import type { Column } from '../table.ts';
import { thisOperator } from './author.ts';

interface ListOptions {
  readonly account: string;
  readonly all: boolean;
}

const COLUMNS: readonly Column<OperatorKey>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'KEY', value: ({ prefix, last4 }) => `${prefix}…${last4}` },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'CREATED', value: ({ createdAt }) => toSecond(createdAt) },
  { title: 'LAST USED', value: ({ lastUsedAt }) => toSecond(lastUsedAt) },
  { title: 'SCOPES', value: ({ scopes }) => scopes.join(' ') },
];

/** Adds the commands on keys. */
export function addKeyCommands(admin: Command, context: CommandContext): void {
  const keys = addGroup(admin, 'keys', 'API keys of customers');
  addCommand<ListOptions>(keys, context, {
    usage: 'list',
    summary: 'List the keys of an account that can be used, newest first.',
    examples: [
      'admin keys list --account ada@example.org',
      'admin keys list --account ada@example.org --all',
    ],
    configure: (command) =>
      command
        .requiredOption('--account <account>', 'id or e-mail address', someText(254))
        .option('--all', 'also keys that were revoked or have expired', false),
    run: (cli, { account, all }) =>
      withDatabase(cli, async (db) => {
        const found = await listAccountKeys(db, await findAccount(db, account), { all });
        return { data: { keys: found }, text: found.length === 0 ? 'No keys.\n' : table(COLUMNS, found) };
      }),
  });
  addCommand(keys, context, {
    usage: 'revoke <key>',
    summary: 'Revoke a key, named by its id or, where it has leaked, by the key itself.',
    examples: [
      'admin keys revoke 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11',
      'admin keys revoke svc_live_… --json',
    ],
    run: (cli, _options, [key = '']) =>
      withDatabase(cli, async (db) => {
        const revoked = await revokeNamedKey(db, key.trim(), thisOperator());
        return { data: revoked, text: `${revoked.id} is revoked since ${revoked.revokedAt}.\n` };
      }),
  });
}

function toSecond(time: string | null): string | null {
  return time === null ? null : `${time.slice(0, 19).replace('T', ' ')}Z`;
}
