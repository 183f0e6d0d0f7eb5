// One supervisor per data folder. The lock names its owner by process id and start time, so that a lock left by a
// killed supervisor is recognised even when the system has given its id to somebody else.
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../domain/is-record.ts';
import { readJsonFile, writeFileAtomically } from './files.ts';
import { isAlive, processIdentity } from './processes.ts';

/** Another supervisor works in the data folder. */
export class HomeInUseError extends Error {
  readonly ownerPid: number;
  /** It is on its way out. */
  readonly isStopping: boolean;

  constructor(home: string, ownerPid: number, isStopping: boolean) {
    super(
      `A Dockyard stack already runs in ${home} (process ${ownerPid}). Stop it first, or set DOCKYARD_HOME to another folder.`,
    );
    this.name = 'HomeInUseError';
    this.ownerPid = ownerPid;
    this.isStopping = isStopping;
  }
}

const lockName = 'supervisor.lock';

/** The right to a data folder. */
export interface HomeLock {
  /** Tells others that the folder is given back soon. */
  announceRelease(): void;
  release(): void;
}

/** Takes the data folder for this process. @throws HomeInUseError */
export function lockHome(home: string): HomeLock {
  const lock = join(home, lockName);
  const owner = { pid: process.pid, identity: processIdentity(process.pid) };
  let text = JSON.stringify(owner);
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, text);
  try {
    while (!linked(own, lock)) {
      const other = readOwner(lock);
      if (other) throw new HomeInUseError(home, other.pid, other.isStopping);
      if (replaceStale(lock, own)) break;
      const quicker = readOwner(turnOf(lock));
      if (quicker) throw new HomeInUseError(home, quicker.pid, true);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return {
    announceRelease() {
      if (readText(lock) !== text) return;
      text = JSON.stringify({ ...owner, isStopping: true });
      writeFileAtomically(lock, text, 0o644, false);
    },
    release() {
      if (readText(lock) === text) rmSync(lock, { force: true });
    },
  };
}

/** The process that runs a stack in this data folder, or undefined. */
export function homeOwner(home: string): number | undefined {
  return readOwner(join(home, lockName))?.pid;
}

/** Taken while a stale lock is replaced, which is a matter of moments. */
function turnOf(lock: string): string {
  return `${lock}.turn`;
}

/**
 * Puts our lock in the place of one whose owner is dead. Of several that found it so, one at a time may look again and
 * replace it; else the second would replace the fresh lock of the first.
 */
function replaceStale(lock: string, own: string): boolean {
  const turn = turnOf(lock);
  if (!linked(own, turn)) {
    if (!readOwner(turn)) rmSync(turn, { force: true });
    return false;
  }
  try {
    if (!existsSync(lock) || readOwner(lock)) return false;
    renameSync(own, lock);
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

function readOwner(lock: string): { readonly pid: number; readonly isStopping: boolean } | undefined {
  const owner = readJsonFile(lock);
  if (!isRecord(owner) || typeof owner['pid'] !== 'number') return undefined;
  const { pid, identity, isStopping } = owner;
  if (!isAlive(pid) || processIdentity(pid) !== identity) return undefined;
  return { pid, isStopping: isStopping === true };
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
