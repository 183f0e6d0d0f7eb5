// Finds the Python that the science code runs on. Node built-ins only and plain syntax, like the rest of the set-up.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MissingError } from './missing-error.mjs';
import { isExecutable } from './tools.mjs';

/** The version of Python that locked packages are for, where a pack does not say another. */
export const pythonVersion = '3.11';

/** Picks the variables that Python may see: none that leads it to other packages than those it is given. */
export function pythonEnvironment(environment = process.env) {
  const dropped = [
    'PYTHONPATH',
    'PYTHONHOME',
    'PYTHONSTARTUP',
    'PIP_TARGET',
    'PIP_PREFIX',
    'PIP_REQUIRE_VIRTUALENV',
  ];
  const kept = Object.entries(environment).filter(([name]) => !dropped.includes(name));
  return { ...Object.fromEntries(kept), PIP_USER: '0', PYTHONNOUSERSITE: '1' };
}

/**
 * A Python of the right version that can make virtual environments.
 * @throws MissingError with the command that gets one.
 */
export function findPython(version = pythonVersion, environment = process.env) {
  const given = version === pythonVersion ? environment.DOCKYARD_PYTHON : undefined;
  const reasons = [];
  for (const file of given ? [given] : candidates(version, environment)) {
    if (!isExecutable(file)) {
      if (given) reasons.push('DOCKYARD_PYTHON names ' + given + ', which is no executable file');
      continue;
    }
    const reason = provePython(file, version, environment);
    if (reason === '') return file;
    reasons.push(file + ' ' + reason);
  }
  if (reasons.length === 0) reasons.push('no python' + version + ' on PATH or in the usual places');
  throw new MissingError('Python ' + version, installCommand(version), reasons);
}

/** Why a program cannot be used; empty when it can. */
function provePython(file, wanted, environment) {
  const program =
    'import sys\n' +
    "version = '%d.%d' % sys.version_info[:2]\n" +
    "if sys.implementation.name != 'cpython' or version != '" +
    wanted +
    "':\n" +
    "    sys.exit('is ' + sys.implementation.name + ' ' + version)\n" +
    'if sys.maxsize < 2**32:\n' +
    "    sys.exit('is a 32-bit program')\n" +
    'try:\n' +
    '    import ensurepip, venv, sqlite3, ssl, zlib\n' +
    'except ImportError as error:\n' +
    "    sys.exit('lacks the module ' + str(error.name))\n";
  const options = { encoding: 'utf8', timeout: 20_000, env: pythonEnvironment(environment) };
  const printed = spawnSync(file, ['-I', '-c', program], options);
  if (printed.error) return 'does not run: ' + printed.error.message;
  if (printed.status === 0) return '';
  const last = String(printed.stderr).trim().split('\n').pop();
  return last || 'ended with code ' + printed.status;
}

/** Lists the places of a Python of this version, the likeliest first. */
function candidates(version, environment) {
  const name = 'python' + version;
  const home = environment.HOME || os.homedir();
  const onPath = (environment.PATH || '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const usual = [
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/opt/homebrew/opt/python@' + version + '/bin',
    '/usr/local/opt/python@' + version + '/bin',
    '/Library/Frameworks/Python.framework/Versions/' + version + '/bin',
    path.join(home, '.local', 'bin'),
    ...versionsIn(path.join(environment.PYENV_ROOT || path.join(home, '.pyenv'), 'versions'), version),
    ...versionsIn(path.join(home, '.local', 'share', 'uv', 'python'), version),
    ...versionsIn('/opt/python', version),
  ];
  return [
    ...onPath.map((folder) => path.join(folder, name)),
    ...onPath.map((folder) => path.join(folder, 'python3')),
    ...usual.map((folder) => path.join(folder, name)),
  ].filter((file, index, all) => all.indexOf(file) === index);
}

/** The programs' folders of what a version manager installed, the newest first. */
function versionsIn(folder, version) {
  let entries = [];
  try {
    entries = fs.readdirSync(folder);
  } catch {
    return [];
  }
  return entries
    .filter((entry) => new RegExp('(^|-)(cp)?' + version.replace('.', '\\.?') + '\\b').test(entry))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((entry) => path.join(folder, entry, 'bin'));
}

function installCommand(version) {
  const elsewhere = version === pythonVersion ? 'or name one in DOCKYARD_PYTHON' : 'or put one on PATH';
  if (process.platform === 'darwin') return '`brew install python@' + version + '`, ' + elsewhere;
  const packages = 'python' + version + ' python' + version + '-venv';
  return (
    '`apt-get install ' + packages + '` (Debian, Ubuntu), `uv python install ' + version + '`, ' + elsewhere
  );
}
