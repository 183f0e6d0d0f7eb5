/** `dockyard login` */
import type { Command } from 'commander';

import { ClientError } from '../../client/index.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { pounds } from '../table.ts';
import { loginByBrowser } from './people/browser-login.ts';
import type { Environment } from '../settings.ts';
import { API_KEY, API_URL, apiUrlOf, findApiUrl, isSet, writeLogin } from './profile.ts';
import { clientFor, withAdvice } from './service.ts';

interface LoginOptions {
  readonly url?: string;
  readonly key?: string;
  readonly browser?: true;
  readonly open: boolean;
}

/** Adds the command `login`. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  addCommand<LoginOptions>(program, context, {
    usage: 'login',
    summary:
      'Check a key and keep it for later commands, in a file that only you can read, or sign in by a browser to manage keys. Asks for what is not given.',
    examples: [
      'login',
      'login --url https://dockyard.example.org --key svc_live_...',
      'login --url https://dockyard.example.org --key - < key.txt',
      'login --browser',
    ],
    configure: (command) =>
      command
        .option(
          '--url <url>',
          'address of the service (default: DOCKYARD_API_URL, or the stack that runs here)',
        )
        .option('--key <key>', 'API key; - reads it from standard input (default: DOCKYARD_API_KEY)')
        .option('--browser', 'sign in as a person, for twelve hours at most; the commands keys … need it')
        .option('--no-open', 'with --browser: show the address of the page and open nothing'),
    run: login,
  });
}

async function login(context: CommandContext, options: LoginOptions): Promise<CommandResult> {
  const apiUrl = await readUrl(context, options.url);
  if (options.browser === true) return loginByBrowser(context, apiUrl, options.open);
  const apiKey = await readKey(context, options.key);
  let available: string | null = null;
  try {
    const balance = await clientFor({ apiUrl, apiKey }, 'short').balance();
    available = pounds(balance.available_cents);
  } catch (error) {
    // A key that may not read credits is a valid key all the same.
    const isNarrow = error instanceof ClientError && error.code === 'INSUFFICIENT_SCOPE';
    if (!isNarrow) throw withAdvice(error, apiUrl, usedOf(context.env, options));
  }
  const file = writeLogin(context.env, { apiUrl, apiKey });
  const credits = available === null ? '' : ` ${available} of credits are available.`;
  const isHidden = isSet(context.env, API_KEY) && context.env[API_KEY] !== apiKey;
  const hidden = isHidden ? ` The variable ${API_KEY} is set and goes before it.` : '';
  return {
    data: { apiUrl, file, environment: apiKey.startsWith('svc_test_') ? 'test' : 'live' },
    text: `Logged in to ${apiUrl}.${credits} The key is kept in ${file}.${hidden}\n`,
  };
}

/** The variables that this login uses; an option takes the place of a variable. */
function usedOf(env: Environment, { url, key }: LoginOptions): Environment {
  return {
    ...env,
    ...(url === undefined ? {} : { [API_URL]: undefined }),
    ...(key === undefined ? {} : { [API_KEY]: undefined }),
  };
}

/** The address of the service: of the option, else the known one, which a person may change. @throws CommandProblem. */
export async function readUrl(
  { env, folder, terminal }: CommandContext,
  option: string | undefined,
): Promise<string> {
  if (option !== undefined) return apiUrlOf(option);
  const known = findApiUrl(env, folder);
  if (!terminal.isInteractive) {
    if (known !== null) return known;
    throw missing('the address of the service', '--url');
  }
  const answer = await terminal.ask(
    known === null ? 'Address of the service: ' : `Address of the service [${known}]: `,
  );
  if (answer !== '') return apiUrlOf(answer);
  if (known !== null) return known;
  throw missing('the address of the service', '--url');
}

async function readKey({ env, terminal }: CommandContext, option: string | undefined): Promise<string> {
  const named = option ?? env[API_KEY] ?? '';
  if (named === '' && !terminal.isInteractive) throw missing('the key', '--key');
  const key =
    named === '-'
      ? await terminal.readInput()
      : named === ''
        ? await terminal.ask('API key (not shown): ', { isSecret: true })
        : named;
  // A key with any other character cannot be sent in a header.
  if (/^[\x21-\x7e]{1,200}$/.test(key.trim())) return key.trim();
  throw new CommandProblem(EXIT.refused, 'USAGE_KEY', 'That is no API key, such as svc_live_...');
}

/** The problem of a command that would have to ask, and has nobody to ask. */
export function missing(what: string, option: string): CommandProblem {
  return new CommandProblem(
    EXIT.refused,
    'USAGE_MISSING',
    `There is nobody to ask for ${what}; give it with ${option}.`,
  );
}
