/**
 * Runs the programs of a pack and of an install. Every program leads a process group, so that it can be ended with all
 * that it has started; a program that runs too long is ended.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import type { ProgramRun } from './pack.ts';

export interface RunOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the id of the process as soon as it runs. */
  readonly onStart?: (pid: number) => void;
  readonly onLine?: (line: string) => void;
}

const MOST_CHARACTERS = 200_000;

/** Runs a program to its end. @throws Error when the program cannot be started, takes too long or is interrupted. */
export async function runProgram(options: RunOptions): Promise<ProgramRun> {
  const { file, args, environment, folder, timeoutSeconds, signal, onStart, onLine } = options;
  signal?.throwIfAborted();
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: environment,
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  const { pid } = child;
  if (pid !== undefined) onStart?.(pid);
  const end = (): void => endGroup(pid);
  const texts = { stdout: '', stderr: '' };
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
    end();
  }, timeoutSeconds * 1000);
  signal?.addEventListener('abort', end, { once: true });
  process.once('exit', end);
  try {
    for (const name of ['stdout', 'stderr'] as const) {
      let rest = '';
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        texts[name] = (texts[name] + chunk).slice(-MOST_CHARACTERS);
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine?.(line);
      });
    }
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    signal?.throwIfAborted();
    if (late.signal.aborted) throw new Error(`${file} ran longer than ${timeoutSeconds} s`);
    return { exitCode, ...texts };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    process.removeListener('exit', end);
  }
}

/** Ends a process group. */
export function endGroup(pid: number | undefined): void {
  // Ids below 2 mean every process or the own group.
  if (pid === undefined || pid < 2) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

/** Whether a file is there and may be run. */
export async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The folders of a PATH; relative ones do not count. */
export function foldersOf(path: string | undefined): readonly string[] {
  return (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

/** The absolute path of a program on PATH; null when no folder of PATH has it. */
export async function findProgram(name: string, path: string | undefined): Promise<string | null> {
  for (const folder of foldersOf(path)) {
    const file = join(folder, name);
    if (await isProgram(file)) return file;
  }
  return null;
}

/** The last lines that a program has printed, which say why it has failed. */
export function complaintOf({ exitCode, stdout, stderr }: ProgramRun): string {
  const lines = `${stdout}\n${stderr}`.trim().split('\n');
  const errors = lines.filter((line) => /\b(E:|error)/i.test(line));
  const text = (errors.length > 0 ? errors : lines).slice(-4).join('; ').slice(0, 1_000);
  return text === '' ? `exit code ${exitCode ?? 'none'}` : text;
}
