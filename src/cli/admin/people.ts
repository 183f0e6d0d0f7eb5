/** `dockyard admin people …` */
import type { Command } from 'commander';

import type { Database } from '../../adapters/database.ts';
import { resetSecondFactor } from '../../services/people/index.ts';
import { someText } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { thisOperator } from './author.ts';

interface ResetOptions {
  readonly reason: string;
}

/** Adds the commands on people. */
export function addPeopleCommands(admin: Command, context: CommandContext): void {
  const people = addGroup(admin, 'people', 'People who sign in');
  addCommand<ResetOptions>(people, context, {
    usage: 'reset-second-factor <email>',
    summary: 'Take the second factor from a person who has lost it, and sign the person out everywhere.',
    examples: [
      'admin people reset-second-factor ada@example.org --reason "Lost phone; called back at the number of the contract"',
    ],
    configure: (command) =>
      command.requiredOption(
        '--reason <text>',
        'why, as the owners of the account may read it',
        someText(500),
      ),
    run: (cli, { reason }, [email = '']) => withDatabase(cli, (db) => reset(db, email.trim(), reason)),
  });
}

async function reset(db: Database, email: string, reason: string): Promise<CommandResult> {
  const done = await resetSecondFactor(db, { email, reason, by: thisOperator() });
  const text = done.hadFactor
    ? `${email} signs in without a second factor now. Sessions ended: ${done.endedSessions}.\n`
    : `${email} had no second factor; nothing has changed.\n`;
  return { data: done, text };
}
