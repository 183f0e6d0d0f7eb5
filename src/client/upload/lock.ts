/**
 * A lock between processes: a file that one of them makes and keeps touching. It is void when its process is gone, or
 * has not touched it for a minute. A void lock is taken over by whoever locks that very lock first: of many that find
 * it void one gets it, and none removes the lock that another has just taken.
 */
import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { CLIENT_CODES, localError } from '../errors.ts';

/** Who has a lock. */
interface Holder {
  /** Of this lock alone: the next one in its place has another. */
  readonly mark: string;
  readonly isVoid: boolean;
  readonly pid: number | null;
}

const BEAT_MS = 10_000;
const VOID_MS = 60_000;

/**
 * Takes a lock.
 * @returns the release.
 * @throws ClientError UPLOAD_IN_PROGRESS.
 */
export async function lock(file: string): Promise<() => Promise<void>> {
  const holder = await take(file);
  if (holder !== null) {
    const named = holder.pid === null ? '' : ` (${holder.pid})`;
    throw localError(
      CLIENT_CODES.uploadInProgress,
      `This file is being uploaded by another process${named}. Wait for its end or stop it.`,
    );
  }
  const mine = (await holderOf(file))?.mark;
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, BEAT_MS);
  beat.unref();
  return async () => {
    clearInterval(beat);
    // A process that was stopped for longer than a minute may have lost it.
    if ((await holderOf(file))?.mark === mine) await rm(file, { force: true });
  };
}

/** @returns null when it was taken, else who has it. */
async function take(file: string): Promise<Holder | null> {
  for (;;) {
    if (await make(file)) return null;
    const holder = await holderOf(file);
    // Null: released at this moment.
    if (holder === null) continue;
    if (!holder.isVoid) return holder;
    // The name of the guard is that of the void lock; a guard whose process is gone is taken over in the same way.
    const guard = join(dirname(file), `${nameOf(`${basename(file)} ${holder.mark}`)}.lock`);
    const other = await take(guard);
    if (other !== null) return other;
    try {
      if ((await holderOf(file))?.mark !== holder.mark) continue;
      const own = `${guard}.own`;
      // Of one that was killed here.
      await rm(own, { force: true });
      await make(own);
      await rename(own, file);
      return null;
    } finally {
      await rm(guard, { force: true });
    }
  }
}

/** @returns false when there is one. */
async function make(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() }));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function holderOf(file: string): Promise<Holder | null> {
  try {
    const handle = await open(file, 'r');
    try {
      const { ino, mtimeMs } = await handle.stat();
      const text = await handle.readFile('utf8');
      const mark = nameOf(`${ino} ${text}`);
      const isSilent = Date.now() - mtimeMs > VOID_MS;
      const holder = parse(text);
      if (holder === null) return { mark, isVoid: isSilent, pid: null };
      const isGone = holder.host === hostname() && !isAlive(holder.pid);
      return { mark, isVoid: isSilent || isGone, pid: holder.pid };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Null: made at this moment, and not written yet. */
function parse(text: string): { readonly pid: number; readonly host: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('host' in value)) return null;
    return { pid: Number(value.pid), host: value.host };
  } catch {
    return null;
  }
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
