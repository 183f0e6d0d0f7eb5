// One set-up at a time for one thing, also across checkouts and machines that share a cache.
import fs from 'node:fs';
import path from 'node:path';
import { tryLock } from '../../src/client/lock.mjs';
import { say } from './progress.mjs';

const pauseMilliseconds = 300;

/** Runs `work` while holding the lock file; waits for another owner, and says so. */
export async function withLock(file, what, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const lock = await waitForLock(file, what);
  process.once('exit', lock.release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', lock.release);
    lock.release();
  }
}

async function waitForLock(file, what) {
  for (let isTold = false; ; isTold = true) {
    const { lock } = tryLock(file, { isShared: true });
    if (lock) return lock;
    if (!isTold) say(what + ': another set-up is at work on it; waiting for it (' + file + ')');
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
}
