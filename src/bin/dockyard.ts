// The command line `dockyard`.
import { runCommandLine } from '../cli/program.ts';
import { useProxies } from '../cli/proxies.ts';
import { createTerminal } from '../cli/terminal.ts';

// The reader of our output may stop reading (`| head`); a broken pipe is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

const wrongProxy = useProxies(process.env);
if (wrongProxy !== null) process.stderr.write(`dockyard: ${wrongProxy}\n`);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  terminal: createTerminal(process),
});
