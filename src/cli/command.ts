/** Common parts of all commands: help with examples, `--json`, and one place that prints. */
import type { Command } from 'commander';

import type { CommandSettings, Environment } from './settings.ts';
import type { Screen, Terminal } from './terminal.ts';

/** The surroundings of a command: environment, folder, terminal and outputs. */
export interface CommandContext {
  readonly settings: CommandSettings;
  readonly env: Environment;
  /** The working folder. */
  readonly folder: string;
  readonly terminal: Terminal;
  /** Shows progress; with `--json` and without a terminal none is shown. */
  readonly screen: Screen;
  /** Writes a line to the screen. */
  readonly progress: (line: string) => void;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
  /** Sets the exit code of the process; the code is 0 when no command sets it. */
  readonly exitWith: (code: number) => void;
}

/** Result of a command. */
export interface CommandResult {
  /** For machines, printed with `--json`. */
  readonly data: unknown;
  /** For people. */
  readonly text: string;
  readonly exitCode?: number;
}

/** A command as it is declared. */
export interface CommandDeclaration<Options> {
  /** Name and arguments, such as `pause <job>`. */
  readonly usage: string;
  /** One sentence. */
  readonly summary: string;
  /** Command lines without `dockyard`. */
  readonly examples: readonly string[];
  /** Adds arguments and options. */
  readonly configure?: (command: Command) => Command;
  readonly run: (
    context: CommandContext,
    options: Options,
    args: readonly string[],
  ) => Promise<CommandResult>;
}

/** Adds a command. */
export function addCommand<Options>(
  parent: Command,
  context: CommandContext,
  declaration: CommandDeclaration<Options>,
): void {
  const { usage, summary, examples, configure, run } = declaration;
  const command = parent.command(usage).description(summary);
  configure?.(command);
  command
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(examples))
    .action(async () => {
      const options = command.opts<Options & { readonly json?: true }>();
      const result = await run(context, options, command.args);
      context.write(options.json === true ? `${JSON.stringify(result.data)}\n` : result.text);
      context.exitWith(result.exitCode ?? 0);
    });
}

/** Adds a command that only holds others. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).helpCommand(false);
}

/** The examples at the end of a help page. */
export function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ dockyard ${example}`).join('\n')}`;
}
