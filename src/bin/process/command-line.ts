/** A command line as a process: its streams, its environment, and the proxies that the environment names. */
import type { Surroundings } from '../../cli/customer-program.ts';
import { useProxies } from '../../cli/proxies.ts';
import { createTerminal } from '../../cli/terminal.ts';

/** Runs the command line of this process, which ends with the exit code of the command. */
export async function runProcess(
  run: (argv: readonly string[], surroundings: Surroundings) => Promise<number>,
): Promise<void> {
  // The reader of our output may stop reading (`| head`); a broken pipe is no error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(0);
    });
  }
  const wrongProxy = useProxies(process.env);
  if (wrongProxy !== null) process.stderr.write(`dockyard: ${wrongProxy}\n`);
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    folder: process.cwd(),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: createTerminal(process),
  });
}
