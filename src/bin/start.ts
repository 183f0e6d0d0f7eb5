// `npm start`: the embedded stack until Ctrl-C.
import { join, resolve } from 'node:path';
import { describeEvent, type StackEvent } from '../stack/events.ts';
import { HomeInUseError } from '../stack/home-lock.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import { onParentGone } from '../stack/parent-watch.ts';
import { projectRoot, ToolMissingError } from '../stack/tools.ts';

const usage = `Usage: npm start

Runs PostgreSQL, Temporal, an object store and all of Dockyard on this machine until Ctrl-C.
Data is kept in DOCKYARD_HOME (default: .dockyard in the checkout); endpoints.json in it says
where everything is. Ctrl-C stops all cleanly, a second Ctrl-C at once.
`;

const sameKeystrokeMs = 500;

function print(event: StackEvent): void {
  const line = describeEvent(event);
  if (line !== undefined) process.stdout.write(`${line}\n`);
}

function describeStack(stack: Stack): string {
  return [
    '',
    `Dockyard is up.`,
    `  API            ${stack.apiUrl}/api/v1`,
    `  API document   ${stack.apiUrl}/api/v1/openapi.json`,
    `  Temporal UI    ${stack.temporalUiUrl}`,
    `  Object store   ${stack.storageUrl}`,
    `  Data and logs  ${stack.home}`,
    '',
    'Ctrl-C stops it; what it holds is kept.',
    '',
  ].join('\n');
}

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  const home = resolve(process.env['DOCKYARD_HOME'] ?? join(projectRoot, '.dockyard'));
  const stack = await startStack({ home, environment: process.env, onEvent: print });
  let signals = 0;
  let lastSignalMs = -sameKeystrokeMs;
  const stopped = new Promise<void>((done, fail) => {
    const onSignal = (): void => {
      // One Ctrl-C may arrive twice: once from the terminal, and once from npm, which passes signals on.
      if (performance.now() - lastSignalMs < sameKeystrokeMs) return;
      lastSignalMs = performance.now();
      signals += 1;
      stack.stop({ force: signals > 1 }).then(done, fail);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    // When `npm start` was killed, no terminal can send Ctrl-C any more, so the end of the parent process counts as
    // one.
    onParentGone(onSignal);
  });
  try {
    await stack.ready;
    process.stdout.write(describeStack(stack));
  } catch (error) {
    if (signals === 0) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      await stack.stop();
      return 1;
    }
  }
  await stopped;
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const known = error instanceof HomeInUseError || error instanceof ToolMissingError;
  process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exitCode = error instanceof ToolMissingError ? 3 : 1;
}
