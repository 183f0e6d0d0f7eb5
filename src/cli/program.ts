/** The command line `dockyard`: its commands, and how it ends. */
import { Command } from 'commander';

import { VERSION } from '../version.ts';
import { addAdminCommands } from './admin/index.ts';
import { examplesText } from './command.ts';
import type { CommandContext } from './command.ts';
import { addDatabaseCommands } from './database.ts';
import { EXIT, reportOf } from './problems.ts';
import { findSettings } from './settings.ts';
import type { Environment } from './settings.ts';
import { printable } from './table.ts';

/** What a command line sees of its surroundings. */
export interface Surroundings {
  readonly env: Environment;
  /** The working folder. */
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const EXAMPLES = [
  'admin account create --email ada@example.org --credits-pence 1000',
  'admin jobs list --status RUNNING',
  'ledger verify --json',
];

const SETTINGS_HELP = `
Which service: the one that DOCKYARD_DATABASE_URL and the other settings of .env.example name; without them
the stack of DOCKYARD_HOME (default: .dockyard), which npm start runs.
Exit codes: 0 done, 1 failed or not sound, 2 not understood or refused, 6 not reachable.`;

/** Runs one command line. @returns the exit code. */
export async function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, folder, out, err } = surroundings;
  const isJson = argv.includes('--json');
  let exitCode = 0;
  const context: CommandContext = {
    settings: findSettings(env, folder),
    write: out,
    exitWith: (code) => (exitCode = code),
  };
  try {
    // Machines get an error as JSON, from the one place below.
    const program = createProgram(context, { out, err: isJson ? () => undefined : err });
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    const report = reportOf(error);
    if (report === null) return EXIT.ok;
    if (isJson) err(`${JSON.stringify({ error: report.message, code: report.code })}\n`);
    else if (report.code !== 'USAGE') err(`dockyard: ${printable(report.message)}\n`);
    if (env['DOCKYARD_LOG_LEVEL'] === 'debug' && error instanceof Error) err(`${detailOf(error)}\n`);
    return report.exitCode;
  }
}

function createProgram(context: CommandContext, { out, err }: Pick<Surroundings, 'out' | 'err'>): Command {
  const program = new Command('dockyard')
    .description('The command line of Dockyard.')
    .version(VERSION, '--version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError('See --help.')
    .addHelpText('after', `${examplesText(EXAMPLES)}\n${SETTINGS_HELP}`);
  addAdminCommands(program, context);
  addDatabaseCommands(program, context);
  return program;
}

/** The trace of an error and of what caused it. */
function detailOf(error: Error): string {
  const { cause } = error;
  const own = error.stack ?? error.message;
  return cause instanceof Error ? `${own}\ncaused by ${detailOf(cause)}` : own;
}
