// Finds the Python that the science code runs on. Node built-ins only and plain syntax, like the rest of the set-up.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MissingError } from './missing-error.mjs';
import { isExecutable } from './tools.mjs';

/** The one version of Python that the locked packages are for. */
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
export function findPython(environment = process.env) {
  const given = environment.DOCKYARD_PYTHON;
  const reasons = [];
  for (const file of given ? [given] : candidates(environment)) {
    if (!isExecutable(file)) {
      if (given) reasons.push('DOCKYARD_PYTHON names ' + given + ', which is no executable file');
      continue;
    }
    const reason = provePython(file, environment);
    if (reason === '') return file;
    reasons.push(file + ' ' + reason);
  }
  if (reasons.length === 0) reasons.push('no python' + pythonVersion + ' on PATH or in the usual places');
  throw new MissingError('Python ' + pythonVersion, installCommand(), reasons);
}

/** Why a program cannot be used; empty when it can. */
function provePython(file, environment) {
  const program =
    'import sys\n' +
    "version = '%d.%d' % sys.version_info[:2]\n" +
    "if sys.implementation.name != 'cpython' or version != '" +
    pythonVersion +
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
function candidates(environment) {
  const name = 'python' + pythonVersion;
  const home = environment.HOME || os.homedir();
  const onPath = (environment.PATH || '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const usual = [
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/opt/homebrew/opt/python@' + pythonVersion + '/bin',
    '/usr/local/opt/python@' + pythonVersion + '/bin',
    '/Library/Frameworks/Python.framework/Versions/' + pythonVersion + '/bin',
    path.join(home, '.local', 'bin'),
    ...versionsIn(path.join(environment.PYENV_ROOT || path.join(home, '.pyenv'), 'versions')),
    ...versionsIn(path.join(home, '.local', 'share', 'uv', 'python')),
    ...versionsIn('/opt/python'),
  ];
  return [
    ...onPath.map((folder) => path.join(folder, name)),
    ...onPath.map((folder) => path.join(folder, 'python3')),
    ...usual.map((folder) => path.join(folder, name)),
  ].filter((file, index, all) => all.indexOf(file) === index);
}

/** The programs' folders of what a version manager installed, the newest first. */
function versionsIn(folder) {
  let entries = [];
  try {
    entries = fs.readdirSync(folder);
  } catch {
    return [];
  }
  return entries
    .filter((entry) => new RegExp('(^|-)(cp)?' + pythonVersion.replace('.', '\\.?') + '\\b').test(entry))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((entry) => path.join(folder, entry, 'bin'));
}

function installCommand() {
  const elsewhere = 'or name one in DOCKYARD_PYTHON';
  if (process.platform === 'darwin') return '`brew install python@' + pythonVersion + '`, ' + elsewhere;
  return (
    '`apt-get install python' +
    pythonVersion +
    ' python' +
    pythonVersion +
    '-venv` (Debian, Ubuntu), `uv python install ' +
    pythonVersion +
    '`, ' +
    elsewhere
  );
}
