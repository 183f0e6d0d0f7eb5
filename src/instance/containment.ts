/**
 * Runs a tool's process so that no process of the tool outlives its session: the tool gets a process group of its own, a
 * clean environment with a marker that child processes inherit, and pipes for everything that the tool says. A kill goes
 * to the group first and then to every process that carries the marker, so that child processes which left the group
 * (setsid) are found too. A child process that leaves the group and wipes its environment is not found; finding such a
 * process takes control groups, which need privileges.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { TASK_MARKER } from '../contracts/local-host.ts';
import { killMarked, signalProcess } from './process-table.ts';

/** How a contained process ended: by itself, by a signal, or before it started. */
export interface ExitFacts {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the process could not be started; null when the process was started. */
  readonly startError: string | null;
}

/** A command that is started under containment. */
export interface ContainedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
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

/** Starts a process with pipes on 0 to 4: nothing to read on 0, log on 1 and 2, the session protocol on 3 and 4. */
export function startContained(command: ContainedCommand): Contained {
  const { folder, marker } = command;
  const child = spawn(command.file, command.args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: {
      ...command.env,
      PATH: MINIMAL_PATH,
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      [TASK_MARKER]: marker,
    },
  });
  const exited = new Promise<ExitFacts>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null, startError: error.message });
    });
    child.once('exit', (exitCode, signal) => {
      resolve({ exitCode, signal, startError: null });
    });
  });
  return { child, exited, kill: (graceSeconds) => killContained(child, exited, marker, graceSeconds) };
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
