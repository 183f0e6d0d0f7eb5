/**
 * The processes of this machine, read from /proc. A process belongs to a tool by its group, by descent, or by the marker
 * in its environment, which child processes keep when they leave the group (setsid). Only Linux has /proc; on other
 * systems only the process group counts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One live process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly group: number;
  readonly residentBytes: number;
}

const ON_LINUX = process.platform === 'linux';
const KILL_ROUND_MS = 10;
const KILL_TIMEOUT_MS = 5_000;

/** How old the table may be that sessions share. */
const SHARED_MS = 400;

let pageBytes: number | undefined;
let shared: { readonly at: number; readonly entries: readonly ProcessEntry[] } | undefined;

/** Every live process; empty where there is no /proc. */
export function readProcesses(): ProcessEntry[] {
  return pids().flatMap((pid) => {
    const entry = readStat(pid);
    return entry === null ? [] : [entry];
  });
}

/**
 * Every live process a moment ago. Reading all of them takes some milliseconds of the event loop, and every session of an
 * instance asks twice a second, so sessions share what one of them has read.
 */
export function recentProcesses(): readonly ProcessEntry[] {
  const now = performance.now();
  if (shared === undefined || now - shared.at > SHARED_MS) shared = { at: now, entries: readProcesses() };
  return shared.entries;
}

/** Resident memory of a process, its group and its descendants. */
export function residentBytesOf(rootPid: number, all: readonly ProcessEntry[]): number {
  const members = new Set(
    all.filter(({ pid, group }) => pid === rootPid || group === rootPid).map(({ pid }) => pid),
  );
  // A parent may come after its child in the table, so the table is walked until no process is added.
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const { pid, parentPid } of all) if (members.has(parentPid)) members.add(pid);
  }
  return all.reduce((sum, { pid, residentBytes }) => (members.has(pid) ? sum + residentBytes : sum), 0);
}

/** Live processes whose environment has the variable with a value that begins with `valueStart`. */
export function markedProcesses(variable: string, valueStart: string): number[] {
  const needle = Buffer.from(`\0${variable}=${valueStart}`);
  return pids().filter((pid) => {
    if (pid === process.pid) return false;
    const environment = readProc(pid, 'environ');
    return environment !== null && Buffer.concat([Buffer.from([0]), environment]).includes(needle);
  });
}

/**
 * Kills every process that carries one of the markers, and looks again until no such process is found, because a process
 * may fork while it is killed.
 * @returns whether no such process is left.
 */
export async function killMarked(
  markers: readonly { readonly variable: string; readonly valueStart: string }[],
): Promise<boolean> {
  const startedAt = performance.now();
  for (;;) {
    const found = markers.flatMap(({ variable, valueStart }) => markedProcesses(variable, valueStart));
    if (found.length === 0) return true;
    if (performance.now() - startedAt > KILL_TIMEOUT_MS) return false;
    for (const pid of found) signalProcess(pid, 'SIGKILL');
    await sleep(KILL_ROUND_MS);
  }
}

/** Sends a signal to a process, or to a group when the id is negative; false when there is no such process. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function pids(): number[] {
  if (!ON_LINUX) return [];
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function readProc(pid: number, file: string): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return null;
  }
}

function readStat(pid: number): ProcessEntry | null {
  const text = readProc(pid, 'stat')?.toString('latin1');
  if (text === undefined) return null;
  // The name of the command may hold spaces and brackets; the fields after the last bracket have fixed places.
  const [state, parentPid, group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  const pages = Number(rest[18] ?? 0);
  return { pid, parentPid: Number(parentPid), group: Number(group), residentBytes: pages * pageSize() };
}

/** The size of a memory page, computed from this process's memory in bytes and in pages: Node does not tell the size. */
function pageSize(): number {
  if (pageBytes !== undefined) return pageBytes;
  const pages = Number(readProc(process.pid, 'statm')?.toString('latin1').split(' ')[1] ?? 0);
  const guess = pages === 0 ? 4096 : process.memoryUsage.rss() / pages;
  pageBytes = 2 ** Math.round(Math.log2(guess));
  return pageBytes;
}
