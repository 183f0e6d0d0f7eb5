/**
 * Runs the embedded stack in the foreground: says what happens, and stops all at the first Ctrl-C, at once at the second. The stack
 * starts its own processes again; when something else has ended that it cannot do without, it stops and says what that was.
 */
import { join } from 'node:path';

import { SettingsError } from '../../config.ts';
import { describeEvent, type StackEvent } from '../../stack/events.ts';
import { HomeInUseError } from '../../stack/home-lock.ts';
import type { StackOptions } from '../../stack/options.ts';
import { onParentGone } from '../../stack/parent-watch.ts';
import { startStack, type Stack } from '../../stack/stack.ts';
import { ToolMissingError } from '../../stack/tools.ts';

const SAME_KEYSTROKE_MS = 500;
const TOOL_MISSING = 3;

/** The stack to run, and further texts about it once it is up. */
export interface ForegroundOptions extends Omit<StackOptions, 'onEvent'> {
  /** Further lines of the text that tells where everything is. */
  readonly more?: readonly string[];
  /** Tells that something has ended that the stack cannot do without, in a sentence for people. */
  readonly lost?: Promise<string>;
}

/** Runs the stack until it is stopped; answers the exit code. */
export async function runStack({
  more = [],
  lost = new Promise<never>(() => undefined),
  ...options
}: ForegroundOptions): Promise<number> {
  const stack = await startStack({ ...options, onEvent: print });
  let signals = 0;
  let lastSignalMs = -SAME_KEYSTROKE_MS;
  const stopped = new Promise<void>((done, fail) => {
    const onSignal = (): void => {
      // One Ctrl-C may arrive twice: once from the terminal, and once from npm, which passes signals on.
      if (performance.now() - lastSignalMs < SAME_KEYSTROKE_MS) return;
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
    process.stdout.write(describeStack(stack, [`  Mail           ${mailPlace(options)}`, ...more]));
  } catch (error) {
    if (signals === 0) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      await stack.stop();
      return 1;
    }
  }
  const why = await Promise.race([stopped, lost]);
  if (why === undefined) return 0;
  process.stderr.write(`${why}\n`);
  await stack.stop();
  return 1;
}

/** Runs a command to its exit code; an error is told in one line where a person can do something about it. */
export async function exitOf(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    const known = [HomeInUseError, ToolMissingError, SettingsError].some((kind) => error instanceof kind);
    const text = String(error instanceof Error ? (known ? error.message : error.stack) : error);
    process.stderr.write(`${text}\n`);
    process.exitCode = error instanceof ToolMissingError ? TOOL_MISSING : 1;
  }
}

function print(event: StackEvent): void {
  const line = describeEvent(event);
  if (line !== undefined) process.stdout.write(`${line}\n`);
}

/** Names the destination of mail: the server of the settings, else the folder of the stack. */
function mailPlace({ home, environment }: Pick<StackOptions, 'home' | 'environment'>): string {
  const server = environment['DOCKYARD_SMTP_URL'] ?? '';
  return URL.canParse(server) ? new URL(server).host : `${join(home, 'mail')}, a text for each`;
}

function describeStack(stack: Stack, more: readonly string[]): string {
  return [
    '',
    `Dockyard is up.`,
    `  API            ${stack.apiUrl}/api/v1`,
    `  Web app        ${stack.apiUrl}/`,
    `  API document   ${stack.apiUrl}/api/v1/openapi.json`,
    `  Temporal UI    ${stack.temporalUiUrl}`,
    `  Object store   ${stack.storageUrl}`,
    `  Data and logs  ${stack.home}`,
    ...more,
    '',
    'Ctrl-C stops it; what it holds is kept.',
    '',
  ].join('\n');
}
