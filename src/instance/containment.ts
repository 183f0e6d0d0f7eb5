/**
 * Runs a tool's process so that no process of the tool outlives its session: the tool gets a process group of its own, a
 * clean environment with a marker that child processes inherit, and pipes for everything that the tool says. Where the
 * machine allows it, the tool is in a sandbox besides (sandbox.ts), and the end of the sandbox is the end of every process
 * inside. Without a sandbox a kill goes to the group first and then to every process that carries the marker, so that child
 * processes which left the group (setsid) are found too; one that also wipes its environment is not found.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Containment } from '../contracts/containment.ts';
import { TASK_MARKER } from '../contracts/local-host.ts';
import { isRecord } from '../domain/is-record.ts';
import type { SessionCommand } from '../tools/tool.ts';
import { killMarked, signalProcess } from './process-table.ts';
import { sandboxArguments, STATUS_FD } from './sandbox.ts';

/** End of a contained process: by itself, by a signal, or before it started. */
export interface ExitFacts {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the process could not be started; null when the process was started. */
  readonly startError: string | null;
}

/** A command that is started under containment. */
export interface ContainedCommand extends SessionCommand {
  readonly containment: Containment;
  /** Devices that a sandbox lets through, besides those that every process has. */
  readonly devices: readonly string[];
  /** The home, the temporary folder and the working directory of the process. */
  readonly folder: string;
  /** Unique for this command; every process that the command starts inherits the marker. */
  readonly marker: string;
}

/** A process that was started under containment. */
export interface Contained {
  readonly child: ChildProcess;
  readonly exited: Promise<ExitFacts>;
  /** Ends the process and every process that it started; repeatable; returns when all of them are gone. */
  kill(graceSeconds: number): Promise<void>;
}

const MINIMAL_PATH = '/usr/local/bin:/usr/bin:/bin';
/** Programs that report the end of another by an exit code add its signal to this number. */
const SIGNALLED = 128;
const MOST_STATUS_CHARACTERS = 4_096;

/** Starts a process with pipes on 0 to 4: nothing to read on 0, log on 1 and 2, the session protocol on 3 and 4. */
export function startContained(command: ContainedCommand): Contained {
  const { folder, marker, containment } = command;
  const isBoxed = containment.kind === 'bubblewrap';
  const [file, args] = isBoxed
    ? [containment.program, boxed(command)]
    : ([command.file, command.args] as const);
  const child = spawn(file, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...(isBoxed ? (['pipe'] as const) : [])],
    env: {
      ...command.env,
      PATH: MINIMAL_PATH,
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      [TASK_MARKER]: marker,
    },
  });
  const ended = endOf(child);
  const exited = isBoxed ? endInside(child, ended) : ended;
  return { child, exited, kill: (graceSeconds) => killContained(child, exited, marker, graceSeconds) };
}

function boxed(command: ContainedCommand): readonly string[] {
  const { file, args } = command;
  return ['--json-status-fd', String(STATUS_FD), ...sandboxArguments(command), '--', file, ...args];
}

function endOf(child: ChildProcess): Promise<ExitFacts> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null, startError: error.message });
    });
    child.once('exit', (exitCode, signal) => {
      resolve({ exitCode, signal, startError: null });
    });
  });
}

/**
 * Finds the end of the process inside a sandbox. Bubblewrap tells it on a pipe of its own once the process was started; where it
 * ends by itself without telling, there was none, and its complaint is in the log.
 */
async function endInside(child: ChildProcess, ended: Promise<ExitFacts>): Promise<ExitFacts> {
  const status = textOf(child.stdio.at(STATUS_FD));
  const facts = await ended;
  if (facts.startError !== null || facts.signal !== null) return facts;
  const exitCode = exitCodeIn(await status);
  if (exitCode === null) return { ...facts, startError: 'bubblewrap could not start it' };
  const signal = signalOf(exitCode - SIGNALLED);
  return signal === null ? { ...facts, exitCode } : { ...facts, exitCode: null, signal };
}

async function textOf(stream: unknown): Promise<string> {
  if (!(stream instanceof Readable)) return '';
  let text = '';
  try {
    for await (const chunk of stream) text = (text + String(chunk)).slice(-MOST_STATUS_CHARACTERS);
  } catch {
    // The pipe broke with the process; what was told before counts.
  }
  return text;
}

function exitCodeIn(status: string): number | null {
  for (const line of status.split('\n').filter((text) => text !== '')) {
    const told: unknown = JSON.parse(line);
    const code = isRecord(told) ? told['exit-code'] : null;
    if (typeof code === 'number') return code;
  }
  return null;
}

function signalOf(number: number): NodeJS.Signals | null {
  for (const [name, value] of Object.entries(constants.signals)) {
    if (value === number && isSignal(name)) return name;
  }
  return null;
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}

async function killContained(
  child: ChildProcess,
  exited: Promise<ExitFacts>,
  marker: string,
  graceSeconds: number,
): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  if (!hasEnded && graceSeconds > 0) {
    signalProcess(-pid, 'SIGTERM');
    const patience = new AbortController();
    const late = sleep(graceSeconds * 1000, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([exited, late]);
    patience.abort();
  }
  signalProcess(-pid, 'SIGKILL');
  await killMarked([{ variable: TASK_MARKER, valueStart: marker }]);
  await exited;
}
