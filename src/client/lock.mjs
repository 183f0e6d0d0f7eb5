// @ts-check
// The one file lock of this repository: of an upload's journal, of the data folder of a stack, of what a set-up makes.
// The lock is plain JavaScript and imports Node alone, because the set-up loads it on any Node from 20 on before anything is
// installed, and because the client is published by itself.
//
// A lock is a file that names the process that holds the lock. At any time at most one process holds a lock. A lock
// whose process is gone is void, and the next process that wants the lock takes the lock over; so a process that is
// killed leaves nothing that must be cleaned up. A process is recognised by its id and its start, because ids are used
// again. A process on another machine cannot be looked at: its lock is void when the lock was not touched for a minute.
//
// A void lock is replaced while the lock `<file>.turn` is held, so that of many processes that find a lock void one
// replaces it and none removes the lock that another has just taken. A `.turn` whose process is gone is taken over in
// the same way. What may go wrong: a process on another machine that was stopped for more than a minute loses its lock
// without a word; what such a process makes must be put in place by one rename.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

/**
 * Holder of a lock.
 * @typedef {object} Holder
 * @property {number | null} pid Null when the lock does not say.
 * @property {boolean} isVoid Whether the lock may be taken over.
 * @property {boolean} isTakingOver Whether the process is about to take the lock over from one that is gone.
 * @property {Readonly<Record<string, unknown>>} facts All that the lock says.
 */

/**
 * The right to what a lock protects.
 * @typedef {object} Lock
 * @property {() => void} release Gives the lock back; a lock that another process has taken over is left alone.
 * @property {(facts: Readonly<Record<string, unknown>>) => void} note Writes more facts into the lock.
 */

/** @typedef {{ readonly pid: number, readonly identity: string, readonly id: string, readonly host?: string }} Owner */

const BEAT_MS = 10_000;
const SILENT_MS = 60_000;
/** A lock is written in one go, on most file systems before the lock can be seen. */
const UNREADABLE_MS = 5_000;
const ON_LINUX = process.platform === 'linux';

/**
 * Takes a lock, or tells who holds the lock. A lock in a folder that several machines may share is touched as long as
 * it is held.
 * @param {string} file
 * @param {{ readonly isShared: boolean }} options
 * @returns {{ readonly lock: Lock, readonly holder: null } | { readonly lock: null, readonly holder: Holder }}
 */
export function tryLock(file, { isShared }) {
  const owner = {
    ...{ pid: process.pid, identity: processIdentity(process.pid), id: randomUUID() },
    ...(isShared ? { host: os.hostname() } : {}),
  };
  const holder = take(file, owner);
  if (holder !== null) return { lock: null, holder };
  return { lock: createLock(file, owner, isShared), holder: null };
}

/**
 * The holder of a lock; null when there is no lock.
 * @param {string} file
 * @returns {Holder | null}
 */
export function holderOf(file) {
  try {
    const { mtimeMs } = fs.statSync(file);
    const facts = parse(fs.readFileSync(file, 'utf8'));
    const pid = typeof facts?.pid === 'number' ? facts.pid : null;
    const isVoid = isVoidAfter(Date.now() - mtimeMs, pid, facts ?? {});
    return { pid, isVoid, isTakingOver: false, facts: facts ?? {} };
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Whether a process runs; a process that has ended and was not yet reaped does not.
 * @param {number} pid
 * @returns {boolean}
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!isCode(error, 'EPERM')) return false;
  }
  return ON_LINUX ? statFields(pid)[0] !== 'Z' : !ps(pid, 'state').startsWith('Z');
}

/**
 * A text that differs between two processes that had the same id one after the other.
 * @param {number} pid
 * @returns {string}
 */
export function processIdentity(pid) {
  if (!ON_LINUX) return ps(pid, 'lstart');
  return `${readText('/proc/sys/kernel/random/boot_id').trim()} ${statFields(pid)[19] ?? ''}`;
}

/**
 * Puts the owner's lock in place.
 * @param {string} file
 * @param {Owner} owner
 * @returns {Holder | null} null when the owner has the lock now, else the process that has it
 */
function take(file, owner) {
  const text = JSON.stringify(owner);
  const draft = draftOf(file, owner);
  fs.writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  try {
    for (;;) {
      if (place(draft, text, file)) return null;
      const holder = holderOf(file);
      // Null: the lock was released at this moment.
      if (holder === null) continue;
      if (!holder.isVoid) return holder;
      const turn = `${file}.turn`;
      const quicker = take(turn, owner);
      if (quicker !== null) return { ...quicker, isTakingOver: true };
      try {
        const found = holderOf(file);
        if (found === null || !found.isVoid) continue;
        fs.renameSync(draft, file);
        return null;
      } finally {
        fs.rmSync(turn, { force: true });
      }
    }
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/**
 * Makes the lock where there is none. A link shows the whole text at once; some file systems have no links.
 * @param {string} draft
 * @param {string} text
 * @param {string} file
 * @returns {boolean} false when there is a lock
 */
function place(draft, text, file) {
  try {
    try {
      fs.linkSync(draft, file);
    } catch (error) {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].some((code) => isCode(error, code)))
        throw error;
      fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    }
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** @type {(file: string, owner: Owner, isTouched: boolean) => Lock} */
function createLock(file, owner, isTouched) {
  let text = JSON.stringify(owner);
  const isOwn = () => readText(file) === text;
  const touch = () => {
    const now = new Date();
    fs.utimes(file, now, now, () => undefined);
  };
  const beat = isTouched ? setInterval(() => isOwn() && touch(), BEAT_MS) : null;
  beat?.unref();
  return {
    release() {
      if (beat !== null) clearInterval(beat);
      if (isOwn()) fs.rmSync(file, { force: true });
    },
    note(facts) {
      if (!isOwn()) return;
      text = JSON.stringify({ ...facts, ...owner });
      const draft = draftOf(file, owner);
      fs.writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
      fs.renameSync(draft, file);
    },
  };
}

/**
 * Whether a lock with these facts is void so long after it was touched.
 * @type {(ageMs: number, pid: number | null, facts: Readonly<Record<string, unknown>>) => boolean}
 */
function isVoidAfter(ageMs, pid, { host, identity }) {
  if (pid === null) return ageMs > UNREADABLE_MS;
  if (host === undefined || host === os.hostname()) {
    if (!isAlive(pid)) return true;
    if (identity !== undefined) return processIdentity(pid) !== identity;
  }
  return ageMs > SILENT_MS;
}

/** @type {(text: string) => Record<string, unknown> | null} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/**
 * A name of this lock's own: a draft that a killed process has left is never written again, because it may be the very
 * file that stands as a lock.
 * @type {(file: string, owner: Owner) => string}
 */
function draftOf(file, owner) {
  return `${file}.${owner.id}`;
}

/**
 * The part of /proc/PID/stat after the command, which may itself hold spaces and brackets.
 * @type {(pid: number) => string[]}
 */
function statFields(pid) {
  const text = readText(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** @type {(pid: number, column: string) => string} */
function ps(pid, column) {
  try {
    // The same answer for every process that asks, whatever its language and its time zone.
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
    const args = ['-o', `${column}=`, '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** The text of a file; empty when the file cannot be read. @type {(file: string) => string} */
function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @type {(error: unknown, code: string) => boolean} */
function isCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
