/** The command line `dockyard`: its commands, and how it ends. */
import { Command } from 'commander';

import type { ToolCommand } from '../tools/command.ts';
import { VERSION } from '../version.ts';
import { examplesText } from './command.ts';
import type { CommandContext } from './command.ts';
import { addCustomerCommands } from './customer/index.ts';
import { EXIT, reportOf } from './problems.ts';
import { findSettings } from './settings.ts';
import type { Environment } from './settings.ts';
import { printableLines } from './table.ts';
import { noTerminal } from './terminal.ts';
import type { Screen, Terminal } from './terminal.ts';
import { addUploadCommand } from './upload.ts';

/** Surroundings of a command line. */
export interface Surroundings {
  readonly env: Environment;
  /** The working folder. */
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The person who can be asked; without it no question is asked. */
  readonly terminal?: Terminal;
  /** Adds commands beside those of customers. */
  readonly addMore?: (program: Command, context: CommandContext, argv: readonly string[]) => Promise<void>;
}

const EXAMPLES = [
  'login --url https://dockyard.example.org',
  'dock --receptor 1a28.pdb --chains A --ligands library.smi --box-from-ligand STR:A:1 --watch --out poses',
  'upload scene.blend',
  'watch 01890a5d-ac96-774b-bcce-b302099a8057',
  'explain exhaustiveness',
  'admin account create --email ada@example.org',
  'admin jobs list --status RUNNING',
  'ledger verify --json',
];

const SETTINGS_HELP = `
Customers: the service and key of DOCKYARD_API_URL and DOCKYARD_API_KEY, else those of the last login, else the
address of the stack of DOCKYARD_HOME (default: .dockyard), which npm start runs.
Operators (admin, ledger, migrate): the service that DOCKYARD_DATABASE_URL and the other settings of docs/settings.md
name; without them that stack.
Exit codes: 0 done or SUCCEEDED, 3 PARTIALLY_SUCCEEDED or something is missing here, 4 FAILED, 5 CANCELLED, 1 the service failed or the ledger is
not sound, 2 not understood or refused, 6 not reachable, 130 interrupted.`;

const SILENCE: Screen = { isTTY: false, columns: 80, write: () => undefined };

/** Runs one command line with the commands of customers. @returns the exit code. */
export async function runCustomerCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { env, folder, out, err, addMore } = surroundings;
  const isJson = argv.includes('--json');
  let exitCode = 0;
  const terminal = surroundings.terminal ?? noTerminal(err);
  // JSON on standard error is the one object of an error, unless a person sees it.
  const isQuiet = isJson && !terminal.screen.isTTY;
  const screen = isQuiet ? SILENCE : terminal.screen;
  const context: CommandContext = {
    settings: findSettings(env, folder),
    env,
    folder,
    terminal,
    screen,
    progress: (line) => screen.write(`${line}\n`),
    write: out,
    exitWith: (code) => (exitCode = code),
  };
  try {
    // With `--json` an error is printed as JSON, by the code below and not by commander.
    const program = await programFor(
      context,
      { out, err: isJson ? () => undefined : err, ...(addMore === undefined ? {} : { addMore }) },
      argv,
    );
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    const report = reportOf(error);
    if (report === null) return EXIT.ok;
    if (isJson) err(`${JSON.stringify({ error: report.message, code: report.code })}\n`);
    else if (report.code !== 'USAGE') err(`dockyard: ${printableLines(report.message)}\n`);
    if (env['DOCKYARD_LOG_LEVEL'] === 'debug' && error instanceof Error) err(`${detailOf(error)}\n`);
    return report.exitCode;
  }
}

type Printing = Pick<Surroundings, 'out' | 'err' | 'addMore'>;

/**
 * The program with the commands that a command line needs: of the operator's groups only the one that is called, and the
 * commands that tools bring only where the command is none of the others.
 */
async function programFor(
  context: CommandContext,
  { addMore, ...printing }: Printing,
  argv: readonly string[],
): Promise<Command> {
  const own = createProgram(context, printing, []);
  await addMore?.(own, context, argv);
  if (own.commands.some((command) => command.name() === argv[0])) return own;
  const { TOOL_COMMANDS } = await import('../tools/commands.ts');
  const whole = createProgram(context, printing, TOOL_COMMANDS);
  await addMore?.(whole, context, argv);
  return whole;
}

function createProgram(
  context: CommandContext,
  { out, err }: Printing,
  ofTools: readonly ToolCommand[],
): Command {
  const program = new Command('dockyard')
    .description('The command line of Dockyard.')
    .version(VERSION, '--version', 'print the version')
    // Behind a command, --version is no option of the program: a project has versions, too.
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError('See --help.')
    .addHelpText('after', `${examplesText(EXAMPLES)}\n${SETTINGS_HELP}`);
  addCustomerCommands(program, context, ofTools);
  addUploadCommand(program, context);
  return program;
}

/** The trace of an error and of what caused it. */
function detailOf(error: Error): string {
  const { cause } = error;
  const own = error.stack ?? error.message;
  return cause instanceof Error ? `${own}\ncaused by ${detailOf(cause)}` : own;
}
