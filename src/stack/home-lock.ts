// One supervisor per data folder. The lock names its owner by process id and start time, so that a lock left by a
// killed supervisor is recognised even when the system has given its id to somebody else.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, readJsonFile } from './files.ts';
import { isAlive, processIdentity } from './processes.ts';

/** Another supervisor works in the data folder. */
export class HomeInUseError extends Error {
  readonly ownerPid: number;

  constructor(home: string, ownerPid: number) {
    super(
      `A Dockyard stack already runs in ${home} (process ${ownerPid}). Stop it first, or set DOCKYARD_HOME to another folder.`,
    );
    this.name = 'HomeInUseError';
    this.ownerPid = ownerPid;
  }
}

const lockName = 'supervisor.lock';

/** Takes the data folder for this process and returns what gives it back. */
export function lockHome(home: string): () => void {
  const lock = join(home, lockName);
  const text = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, text);
  try {
    while (!linked(own, lock)) {
      const owner = homeOwner(home);
      if (owner !== undefined) throw new HomeInUseError(home, owner);
      // Aside first: of two that found the same stale lock, only one gets to rename it.
      try {
        renameSync(lock, `${lock}.stale`);
      } catch {
        continue;
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    if (readText(lock) === text) rmSync(lock, { force: true });
  };
}

/** The process that runs a stack in this data folder, or undefined. */
export function homeOwner(home: string): number | undefined {
  const owner = readJsonFile(join(home, lockName));
  if (!isRecord(owner) || typeof owner['pid'] !== 'number') return undefined;
  const { pid, identity } = owner;
  return isAlive(pid) && processIdentity(pid) === identity ? pid : undefined;
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
