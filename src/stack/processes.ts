// Looking at processes by id. Ids are re-used, so nothing is signalled by id alone: a process is ours when its command
// line or environment names our data folder.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../client/lock.mjs';

export { isAlive, processIdentity } from '../client/lock.mjs';

const onLinux = process.platform === 'linux';

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function ps(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

/** Whether a live process names the folder in its command line or, on Linux, in its environment. */
export function namesFolder(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  const texts = onLinux ? [readProc(pid, 'cmdline'), readProc(pid, 'environ')] : [ps(pid)];
  return texts.some((text) => ['/', '\0', ' ', '\n'].some((end) => `${text}\n`.includes(folder + end)));
}

/** Sends a signal to one process; false when it is gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to a whole process group; false when none of it is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  return signalProcess(-pid, signal);
}

/** Waits until none of the processes runs; false when the time is over first. */
export async function waitUntilGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const startedAt = performance.now();
  while (pids.some(isAlive)) {
    if (performance.now() - startedAt > timeoutMs) return false;
    await sleep(25);
  }
  return true;
}
