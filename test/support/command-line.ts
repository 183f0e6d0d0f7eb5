/**
 * The command line within the process of the test: the same program with the same surroundings, without the second that a process
 * takes to start. `test/integration/cli.test.ts` and `cli-customer.test.ts` run it as a process, too: by npx, piped to, interrupted.
 */
import { runCommandLine } from '../../src/cli/program.ts';

/** End of a command. */
export interface CommandEnding {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as JSON, where the command was asked for JSON. */
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** Runs a command with an environment of its own in a folder; nobody sits at its terminal, and nothing is piped to it. */
export async function runCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<CommandEnding> {
  let [out, err] = ['', ''];
  const code = await runCommandLine(argv, {
    ...{ env, folder },
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err, data: argv.includes('--json') && out !== '' ? JSON.parse(out) : null };
}
