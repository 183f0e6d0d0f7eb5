/** `dockyard account`: who has signed in, and as what. */
import type { Command } from 'commander';

import type { AccountResponse } from '../../../client/types.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext } from '../../command.ts';
import { facts } from '../../table.ts';
import { asPerson } from './as-person.ts';

/** Adds the command `account`. */
export function addAccountCommand(program: Command, context: CommandContext): void {
  addCommand(program, context, {
    usage: 'account',
    summary: 'Show who has signed in, the account and its plan, and until when the sign-in lasts.',
    examples: ['account', 'account --json'],
    run: async (cli) => {
      const found = await asPerson(cli, (person) => person.account());
      return { data: found, text: accountText(found) };
    },
  });
}

function accountText({ user, account, session }: AccountResponse): string {
  return facts([
    ['Person', user.email],
    ['Account', account.id],
    ['Role', account.role],
    ['Plan', account.plan],
    ['Opened', account.openedAt],
    ['Signed in until', session.expiresAt],
    ['Keys and settings until', `${session.recentUntil}, then sign in again: dockyard login --browser`],
  ]);
}
