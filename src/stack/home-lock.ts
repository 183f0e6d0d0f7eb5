// One supervisor per data folder, by the lock that all parts of Dockyard share (src/client/lock.mjs).
import { join } from 'node:path';
import { holderOf, tryLock } from '../client/lock.mjs';

/** Another supervisor works in the data folder. */
export class HomeInUseError extends Error {
  readonly ownerPid: number | null;
  /** The other supervisor is on its way out, or this moment takes the folder over from one that is gone. */
  readonly isStopping: boolean;

  constructor(home: string, ownerPid: number | null, isStopping: boolean) {
    const named = ownerPid === null ? '' : ` (process ${ownerPid})`;
    super(
      `A Dockyard stack already runs in ${home}${named}. Stop it first, or set DOCKYARD_HOME to another folder.`,
    );
    this.name = 'HomeInUseError';
    this.ownerPid = ownerPid;
    this.isStopping = isStopping;
  }
}

/** The right to a data folder. */
export interface HomeLock {
  /** Tells others that the folder is given back soon. */
  announceRelease(): void;
  release(): void;
}

/** Takes the data folder for this process. @throws HomeInUseError */
export function lockHome(home: string): HomeLock {
  // The name of the machine may change while a stack runs, so the lock does not hold it: a home is of one machine.
  const { lock, holder } = tryLock(lockOf(home), { isShared: false });
  if (lock === null)
    throw new HomeInUseError(home, holder.pid, holder.isTakingOver || holder.facts['isStopping'] === true);
  return {
    announceRelease: () => lock.note({ isStopping: true }),
    release: () => lock.release(),
  };
}

/** The process that runs a stack in this data folder, or undefined. */
export function homeOwner(home: string): number | undefined {
  const holder = holderOf(lockOf(home));
  return holder === null || holder.isVoid ? undefined : (holder.pid ?? undefined);
}

function lockOf(home: string): string {
  return join(home, 'supervisor.lock');
}
