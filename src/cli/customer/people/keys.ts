/** `dockyard keys …`: what a person does with API keys, after `dockyard login --browser`. */
import type { Command } from 'commander';

import type { ApiKey, CreateApiKeyRequest } from '../../../client/types.ts';
import { id, pence, someText, wholeNumber } from '../../arguments.ts';
import { addCommand, addGroup } from '../../command.ts';
import type { CommandContext } from '../../command.ts';
import { pounds, table } from '../../table.ts';
import type { Column } from '../../table.ts';
import { asPerson } from './as-person.ts';
import { removeSession } from './session-file.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  { title: 'ID', value: (key) => key.id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'KEY', value: ({ prefix, last4 }) => `${prefix}…${last4}` },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'CREATED', value: ({ createdAt }) => toSecond(createdAt) },
  { title: 'LAST USED', value: ({ lastUsedAt }) => toSecond(lastUsedAt) },
  { title: 'EXPIRES', value: ({ expiresAt }) => toSecond(expiresAt) },
  { title: 'LIMIT', value: ({ monthlyLimitCents }) => amount(monthlyLimitCents), align: 'right' },
  { title: 'SPENT', value: ({ monthSpentCents }) => amount(monthSpentCents), align: 'right' },
  { title: 'LEFT', value: ({ monthRestCents }) => amount(monthRestCents), align: 'right' },
  { title: 'SCOPES', value: ({ scopes }) => scopes.join(' ') },
];
const LONGEST_NAME = 100;
const A_WEEK = 604_800;
const SHOWN_ONCE = 'The key is shown this once.';

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly CreateApiKeyRequest['scopes'][number][];
  readonly test?: true;
  readonly network?: readonly string[];
  readonly monthPence?: number;
}

/** Adds the commands on keys, and the one that signs out. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const keys = addGroup(program, 'keys', 'Your API keys, after login --browser');
  addListCommand(keys, context);
  addCreateCommand(keys, context);
  addRotateCommand(keys, context);
  addCommand(keys, context, {
    usage: 'revoke <key>',
    summary: 'End a key for ever, named by its id.',
    examples: ['keys revoke 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11'],
    run: async (cli, _options, [key = '']) => {
      const revoked = await asPerson(cli, (person) => person.revokeKey(id(key)));
      return { data: revoked, text: `${revoked.id} is revoked since ${revoked.revokedAt}.\n` };
    },
  });
  addCommand(program, context, {
    usage: 'logout',
    summary: 'End the session of login --browser, here and at the service.',
    examples: ['logout'],
    run: async (cli) => {
      await asPerson(cli, (person) => person.signOut());
      removeSession(cli.env);
      return { data: { signedOut: true }, text: 'Signed out.\n' };
    },
  });
}

function addListCommand(keys: Command, context: CommandContext): void {
  addCommand<{ readonly all: boolean }>(keys, context, {
    usage: 'list',
    summary:
      'List the keys that can be used, newest first, with what they have spent of their limits this month (UTC): those of the account for an owner, else your own.',
    examples: ['keys list', 'keys list --all --json'],
    configure: (command) => command.option('--all', 'also keys that were revoked or have expired', false),
    run: async (cli, { all }) => {
      const found = await asPerson(cli, async (person) => {
        const listed: ApiKey[] = [];
        for await (const key of person.keys()) if (all || key.status === 'ACTIVE') listed.push(key);
        return listed;
      });
      return { data: { keys: found }, text: found.length === 0 ? 'No keys.\n' : table(COLUMNS, found) };
    },
  });
}

function addCreateCommand(keys: Command, context: CommandContext): void {
  addCommand<CreateOptions>(keys, context, {
    usage: 'create',
    summary: 'Make a key and show it, once.',
    examples: [
      'keys create --name CI --scope jobs:read jobs:write',
      'keys create --name office --scope credits:read --network 192.0.2.0/24 --month-pence 5000',
    ],
    configure: (command) =>
      command
        .requiredOption('--name <name>', 'name of the key, for people', someText(LONGEST_NAME))
        .requiredOption('--scope <scope...>', 'what the key permits, such as jobs:read')
        .option('--test', 'a key that is never billed and submits nothing')
        .option('--network <cidr...>', 'the networks that the key may be used from (default: any)')
        .option('--month-pence <n>', 'the most that the key may spend in a month, in pence', pence(0)),
    run: async (cli, { name, scope, test, network, monthPence }) => {
      const made = await asPerson(cli, (person) =>
        person.createKey({
          name,
          environment: test === true ? 'test' : 'live',
          scopes: [...scope],
          ...(network === undefined ? {} : { allowedCidrs: [...network] }),
          ...(monthPence === undefined ? {} : { monthlyLimitCents: monthPence }),
        }),
      );
      return { data: made, text: `${made.key}\n${SHOWN_ONCE} Its id is ${made.id}.\n` };
    },
  });
}

function addRotateCommand(keys: Command, context: CommandContext): void {
  addCommand<{ readonly overlapSeconds: number }>(keys, context, {
    usage: 'rotate <key>',
    summary: 'Make a key in the place of another one, which goes on for a while, and show it, once.',
    examples: ['keys rotate 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --overlap-seconds 3600'],
    configure: (command) =>
      command.option(
        '--overlap-seconds <n>',
        'how long the old key goes on working',
        wholeNumber(0, A_WEEK),
        0,
      ),
    run: async (cli, { overlapSeconds }, [key = '']) => {
      const made = await asPerson(cli, (person) => person.rotateKey(id(key), { overlapSeconds }));
      const { replaces } = made;
      const text = `${made.key}\n${SHOWN_ONCE} Its id is ${made.id}; ${replaces.id} ends at ${replaces.expiresAt}.\n`;
      return { data: made, text };
    },
  });
}

function toSecond(time: string | null): string | null {
  return time === null ? null : `${time.slice(0, 19).replace('T', ' ')}Z`;
}

function amount(cents: number | null): string | null {
  return cents === null ? null : pounds(cents);
}
