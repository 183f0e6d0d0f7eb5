// One set-up at a time for one thing, also across checkouts. The lock is a file made with O_EXCL that says whose it
// is; its owner touches it, so that a lock left by a killed run is known by its dead process or its age and taken over.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { say } from './progress.mjs';

const touchMilliseconds = 5_000;
const staleMilliseconds = 60_000;

/** Runs `work` while holding the lock file; waits for another owner, and says so. */
export async function withLock(file, what, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const owner = JSON.stringify({ pid: process.pid, host: os.hostname(), since: Date.now() });
  let told = false;
  while (!take(file, owner)) {
    if (isStale(file)) {
      dropStale(file);
      continue;
    }
    if (!told) {
      say(what + ': another set-up is at work on it; waiting for it (' + file + ')');
      told = true;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const timer = setInterval(() => touch(file, owner), touchMilliseconds);
  timer.unref();
  const drop = () => {
    if (isOwn(file, owner)) fs.rmSync(file, { force: true });
  };
  process.once('exit', drop);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.removeListener('exit', drop);
    drop();
  }
}

function take(file, owner) {
  try {
    fs.writeFileSync(file, owner, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** After a long sleep of this machine it may be another's: what we make is still put in place by one rename. */
function isOwn(file, owner) {
  try {
    return fs.readFileSync(file, 'utf8') === owner;
  } catch {
    return false;
  }
}

function touch(file, owner) {
  if (!isOwn(file, owner)) return;
  try {
    const now = new Date();
    fs.utimesSync(file, now, now);
  } catch {
    // It was taken over at this moment.
  }
}

function isStale(file) {
  try {
    const ageMilliseconds = Date.now() - fs.statSync(file).mtimeMs;
    if (ageMilliseconds > staleMilliseconds) return true;
    const owner = JSON.parse(fs.readFileSync(file, 'utf8'));
    return owner.host === os.hostname() && !isAlive(owner.pid);
  } catch {
    // Gone, or being written at this moment: look again.
    return false;
  }
}

/** A rename first: of two that saw the same stale lock only one removes it, and neither removes a fresh one. */
function dropStale(file) {
  const aside = file + '.stale-' + process.pid;
  try {
    fs.renameSync(file, aside);
    if (!isStale(aside)) {
      fs.linkSync(aside, file);
    }
  } catch {
    // Somebody else was quicker.
  }
  fs.rmSync(aside, { force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
