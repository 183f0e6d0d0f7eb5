/** `dockyard sign-up`: an account from an address and a password, confirmed by the code of a mail. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { confirmAddress, signIn, signUp } from '../../../client/index.ts';
import { VERSION } from '../../../version.ts';
import { someText } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { missing, readUrl } from '../login.ts';
import { withAdvice } from '../service.ts';
import { writeSession } from './session-file.ts';

interface Options {
  readonly url?: string;
  readonly email?: string;
  readonly password?: '-';
  readonly code?: string;
}

const LONGEST_ADDRESS = 254;
const LONGEST_CODE = 100;

/** Adds the command that signs up. */
export function addSignUpCommand(program: Command, context: CommandContext): void {
  addCommand<Options>(program, context, {
    usage: 'sign-up',
    summary:
      'Make an account: send a code to your address, confirm it, and stay signed in for twelve hours at most. Asks for what is not given.',
    examples: [
      'sign-up',
      'sign-up --url https://dockyard.example.org --email ada@example.org',
      'sign-up --email ada@example.org --password - --code CODE < password.txt',
    ],
    configure: (command) =>
      command
        .option(
          '--url <url>',
          'address of the service (default: DOCKYARD_API_URL, or the stack that runs here)',
        )
        .option('--email <address>', 'your e-mail address', someText(LONGEST_ADDRESS))
        .option('--password <->', '- reads the password from standard input (default: asks)', fromInput)
        .option(
          '--code <code>',
          'the code of the mail, where the sign-up was begun before',
          someText(LONGEST_CODE),
        ),
    run: begin,
  });
}

async function begin(context: CommandContext, options: Options): Promise<CommandResult> {
  const apiUrl = await readUrl(context, options.url);
  const reach = { apiUrl, userAgent: `dockyard-cli/${VERSION}`, retry: { attempts: 4 } };
  const email = options.email ?? (await ask(context, 'E-mail address: ', 'your address', '--email'));
  const password = await readPassword(context, options);
  try {
    let { code = '' } = options;
    if (code === '') {
      const { message } = await signUp(reach, { email, password });
      context.progress(message);
      if (context.terminal.isInteractive)
        code = await context.terminal.ask('Code of the mail (empty: later): ');
      if (code === '') return begun(apiUrl, email, message);
    }
    await confirmAddress(reach, { code, password });
    const { session, person } = await signIn(reach, { email, password });
    const { user, account, expiresAt } = person;
    const file = writeSession(context.env, { apiUrl, session, expiresAt, accountId: account.id });
    const next = 'Buy credits with: dockyard topup. Make a key for programs with: dockyard keys create';
    return {
      data: { apiUrl, file, user, account, expiresAt },
      text: `Signed in to ${apiUrl} as ${user.email} until ${expiresAt}. The session is kept in ${file}.\n${next}\n`,
    };
  } catch (error) {
    throw withAdvice(error, apiUrl, context.env);
  }
}

/** The answer of a sign-up whose address is not confirmed yet. */
function begun(apiUrl: string, email: string, message: string): CommandResult {
  return {
    data: { apiUrl, email, isConfirmed: false, message },
    text: `Confirm your address with: dockyard sign-up --email ${email} --code CODE\n`,
  };
}

async function readPassword({ terminal }: CommandContext, options: Options): Promise<string> {
  if (options.password === '-') return (await terminal.readInput()).replace(/\r?\n$/, '');
  if (!terminal.isInteractive) throw missing('the password', '--password -');
  const password = await terminal.ask('Password (not shown): ', { isSecret: true });
  // A password to begin with is typed twice, since nobody sees it.
  if (options.code !== undefined) return password;
  const again = await terminal.ask('The same password once more: ', { isSecret: true });
  if (again === password) return password;
  throw new CommandProblem(EXIT.refused, 'USAGE_MISSING', 'The two passwords differ. Nothing was sent.');
}

async function ask(
  { terminal }: CommandContext,
  question: string,
  what: string,
  option: string,
): Promise<string> {
  const answer = terminal.isInteractive ? await terminal.ask(question) : '';
  if (answer === '') throw missing(what, option);
  return answer;
}

function fromInput(text: string): '-' {
  if (text === '-') return text;
  // Processes of a machine can be listed by others, with the passwords on their command lines.
  throw new InvalidArgumentError('It is - alone: a password is read from standard input, or asked for.');
}
