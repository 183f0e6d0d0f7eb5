// Looking at processes by id. Ids are re-used, so nothing is signalled by id alone: a process is ours when its command
// line or environment names our data folder.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const onLinux = process.platform === 'linux';

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readProc(pid: number, file: string): string {
  return readText(`/proc/${pid}/${file}`);
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

/** The part of /proc/PID/stat after the command, which may itself hold spaces and brackets. */
function statFields(pid: number): string[] {
  const text = readProc(pid, 'stat');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Whether a process runs; one that has ended and was not yet reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return onLinux ? statFields(pid)[0] !== 'Z' : !ps(pid, 'state').startsWith('Z');
}

/** A text that differs between two processes that had the same id one after the other. */
export function processIdentity(pid: number): string {
  return onLinux
    ? `${readText('/proc/sys/kernel/random/boot_id').trim()} ${statFields(pid)[19] ?? ''}`
    : ps(pid, 'lstart');
}

/** Whether a live process names the folder in its command line or, on Linux, in its environment. */
export function namesFolder(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  const texts = onLinux ? [readProc(pid, 'cmdline'), readProc(pid, 'environ')] : [ps(pid, 'command')];
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
