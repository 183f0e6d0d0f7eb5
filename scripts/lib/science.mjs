// Makes the Python environments that the tools of science run in, one for each tool that has a lock, and the one that
// holds the API against its document: one virtual environment per locked list of packages in the per-user cache, shared
// by every checkout with the same list. An environment is made in place, because a virtual environment cannot be moved,
// and counts only once its `.complete` file is there, which is written last.
import { spawn, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MissingError } from './missing-error.mjs';
import { withLock } from './lock.mjs';
import { folderBytes, projectRoot } from './packages.mjs';
import { Step, formatSize } from './progress.mjs';
import { findPython, pythonEnvironment, pythonVersion } from './python.mjs';
import { ensureRedisServer } from './redis-server.mjs';
import { isExecutable, toolFolder } from './tools.mjs';
import { uvSettings } from './uv.mjs';

/** Files of the present source, relative to the root. */
const dockingFolder = 'science/autodock-vina';
const indexProgram = dockingFolder + '/src/dockyard_science/ccd_index.py';
const runtimeLock = dockingFolder + '/requirements.lock';
const devLock = 'science/requirements-dev.lock';
const contractLock = 'test/contract/requirements.lock';
const redisLock = 'test/redis/requirements.lock';
const motoLock = 'test/moto/requirements.lock';
const webhooksLock = 'test/webhooks/requirements.lock';
const uvLock = 'scripts/lib/uv.lock';

/** Python environments and files that the science code and the tests need, each with the variable that tells its path. */
export const SCIENCE = {
  'science-python': environmentEntry(
    'Python ' + pythonVersion + ' with the packages of ' + runtimeLock,
    'DOCKYARD_SCIENCE_PYTHON',
    runtimeLock,
  ),
  ccd: {
    title: 'the index of the Chemical Component Dictionary',
    variable: 'DOCKYARD_CCD',
    file: () => path.join(folderOf(runtimeLock), 'ccd-' + digestOf(indexProgram) + '.sqlite'),
    isReady: () => fs.existsSync(SCIENCE.ccd.file()),
    make: ensureIndex,
  },
  'science-dev': environmentEntry(
    'ruff, mypy and pytest of science/requirements-dev.lock',
    'DOCKYARD_SCIENCE_DEV_PYTHON',
    devLock,
  ),
  'contract-python': environmentEntry(
    'Schemathesis of test/contract/requirements.lock',
    'DOCKYARD_CONTRACT_PYTHON',
    contractLock,
  ),
  moto: environmentEntry('the simulated EC2 of ' + motoLock, 'DOCKYARD_MOTO_PYTHON', motoLock),
  'webhooks-python': environmentEntry(
    'the library of ' + webhooksLock,
    'DOCKYARD_WEBHOOKS_PYTHON',
    webhooksLock,
  ),
  'redis-server': {
    title: 'the Redis server of ' + redisLock,
    variable: 'DOCKYARD_REDIS_SERVER_BIN',
    file: () => path.join(toolFolder('redis-server'), digestOf(redisLock), 'redis-server'),
    isReady: () => isExecutable(SCIENCE['redis-server'].file()),
    make: async () => {
      const { title, file } = SCIENCE['redis-server'];
      const { file: python } = await ensureEnvironment(uvLock);
      await ensureRedisServer({ title, lock: path.join(projectRoot, redisLock), file: file(), python });
    },
  },
};

/** In what environments differ besides their packages; an environment that is not named here differs in nothing. */
const PARTICULARS = {
  [runtimeLock]: {
    // AutoDock Vina's binding is published ready-made for one platform.
    platform: 'linux-x64',
    imports:
      'biotite, dimorphite_dl, fpocket_rs, gemmi, meeko, pdb2pqr.main, posebusters, prolif, propka, rdkit.Chem, scipy, vina',
  },
  // The tools lie over the runtime's packages, which they see through a path file.
  [devLock]: {
    folder: () => folderOf(runtimeLock) + '-dev-' + digestOf(devLock),
    imports: 'mypy, pytest',
    isCompiled: false,
    over: 'science-python',
  },
  [contractLock]: {
    folder: () => path.join(toolFolder('science'), 'contract-' + digestOf(contractLock)),
    imports: 'schemathesis',
    isCompiled: false,
  },
  [uvLock]: {
    folder: () => path.join(toolFolder('uv'), digestOf(uvLock)),
  },
  [motoLock]: {
    folder: () => path.join(toolFolder('science'), 'moto-' + digestOf(motoLock)),
    imports: 'moto.server, moto.ec2, moto.ssm',
    isCompiled: false,
  },
  [webhooksLock]: {
    folder: () => path.join(toolFolder('science'), 'webhooks-' + digestOf(webhooksLock)),
    imports: 'standardwebhooks',
    isCompiled: false,
  },
};

function environmentEntry(title, variable, lock) {
  return {
    title,
    variable,
    file: () => pythonIn(folderOf(lock)),
    isReady: () => isComplete(folderOf(lock)),
    make: () => ensureEnvironment(lock),
  };
}

/**
 * Compiles the Python sources of this checkout, so that no session does; what is compiled already costs a look. A checkout
 * that cannot be written to stays as it is: there each session compiles, and is slower for it.
 */
export function compileSources(python) {
  const science = path.join(projectRoot, 'science');
  const folders = fs.readdirSync(science).map((name) => path.join(science, name, 'src'));
  spawnSync(python, ['-I', '-m', 'compileall', '-q', ...folders.filter(fs.existsSync)], {
    stdio: 'ignore',
    env: pythonEnvironment(),
  });
}

/** Finds one of these on this machine, or undefined; `{ file, source }`. Costs no process. */
export function locateScience(name, environment = process.env) {
  const entry = SCIENCE[name];
  const given = environment[entry.variable];
  if (given) return fs.existsSync(given) ? { file: given, source: 'environment' } : undefined;
  return entry.isReady() ? { file: entry.file(), source: 'cache' } : undefined;
}

/** Returns the path of one of these, making it when it is not there. */
export async function ensureScience(name, skip = []) {
  const entry = SCIENCE[name];
  const found = locateScience(name);
  if (found) return found;
  if (process.env[entry.variable]) {
    const reason = entry.variable + ' names ' + process.env[entry.variable] + ', which is not there';
    throw new MissingError(entry.title, 'unset ' + entry.variable, [reason]);
  }
  if (skip.includes('download')) {
    // A machine without the right Python is told so, whatever else may be left out.
    findPython();
    throw new MissingError(entry.title, '`npm run setup`', ['it is not in the cache']);
  }
  await entry.make();
  return { file: entry.file(), source: 'made' };
}

/**
 * Returns the Python of the environment of a locked list of packages, making the environment when it is not there. Every
 * environment is made here, whoever asks for it.
 */
export async function ensureEnvironment(lock, version = pythonVersion) {
  const folder = folderOf(lock);
  const file = pythonIn(folder);
  if (isComplete(folder)) return { file, source: 'cache' };
  const { platform, over } = PARTICULARS[lock] || {};
  const title = 'the packages of ' + lock;
  if (platform) requirePlatform(title, platform);
  const below = over ? purelibOf((await ensureScience(over)).file) : undefined;
  await withLock(folder + '.lock', title, async () => {
    // Another checkout may have made the environment while this set-up waited for the lock.
    if (!isComplete(folder)) await makeEnvironment(folder, lock, version, below);
  });
  return { file, source: 'made' };
}

function requirePlatform(title, platform) {
  const here = process.platform + '-' + process.arch;
  if (here === platform) return;
  const reason = 'AutoDock Vina has no ready-made Python package for ' + here;
  const command = 'a ' + platform + ' machine, or the images of docker-compose.yml (`docker compose up`)';
  throw new MissingError(title, command, [reason]);
}

function folderOf(lock) {
  const { folder } = PARTICULARS[lock] || {};
  return folder ? folder() : path.join(toolFolder('science'), digestOf(lock));
}

function pythonIn(folder) {
  return path.join(folder, 'bin', 'python');
}

function digestOf(file) {
  const bytes = fs.readFileSync(path.join(projectRoot, file));
  return crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Whether an environment was made to its end and the Python that made it is still there. */
function isComplete(folder) {
  return fs.existsSync(path.join(folder, '.complete')) && isExecutable(pythonIn(folder));
}

async function makeEnvironment(folder, lock, version, alsoSees) {
  const { imports, isCompiled = true } = PARTICULARS[lock] || {};
  const base = findPython(version);
  // uv is ten times as quick as pip, which installs uv and nothing else.
  const uv = lock === uvLock ? null : await ensureUv();
  const step = new Step('Python packages of ' + lock);
  try {
    clear(folder);
    step.update('making the environment with ' + base);
    const python = pythonIn(folder);
    const lockFile = path.join(projectRoot, lock);
    if (uv) await installByUv(uv, { base, folder, lockFile, isCompiled }, step);
    else await installByPip(base, folder, lockFile);
    if (alsoSees) writePathFile(python, alsoSees);
    step.update('looking at what was installed');
    if (uv) checkInstalled(uv, python);
    if (imports) runPython(python, ['-c', 'import ' + imports]);
    fs.rmSync(path.join(folder, '.pid'), { force: true });
    fs.writeFileSync(path.join(folder, '.complete'), base + '\n');
  } catch (error) {
    step.failed(String(error.message).split('\n')[0]);
    const command = '`npm run setup` on a machine that reaches the Python package index';
    throw error instanceof MissingError
      ? error
      : new MissingError('the packages of ' + lock, command, [String(error.message)]);
  }
  step.done(formatSize(folderBytes(folder)) + ' at ' + folder);
}

/** Removes what an interrupted run left, after the installer of a killed one, which may still be writing. */
function clear(folder) {
  const pidFile = path.join(folder, '.pid');
  if (fs.existsSync(pidFile)) {
    const pid = Number(fs.readFileSync(pidFile, 'utf8'));
    const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    if (pid > 1 && String(command.stdout).includes(folder)) endGroup(pid);
  }
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  fs.mkdirSync(folder, { recursive: true });
}

/** Exactly the locked files: nothing is resolved again, nothing is built from source. */
const EXACTLY = ['--no-deps', '--require-hashes', '--only-binary', ':all:'];

async function installByPip(base, folder, lockFile) {
  await run(base, ['-I', '-m', 'venv', folder], () => undefined, folder);
  const quiet = ['--no-input', '--disable-pip-version-check', '--progress-bar', 'off', '--no-compile'];
  const args = ['-I', '-m', 'pip', 'install', ...EXACTLY, ...quiet, '-r', lockFile];
  await run(pythonIn(folder), args, () => undefined, folder);
}

async function installByUv(uv, { base, folder, lockFile, isCompiled }, step) {
  // The folder is there already, for the note of which process works in it.
  await run(uv, ['venv', '--quiet', '--allow-existing', '--python', base, folder], () => undefined, folder);
  const wanted = (fs.readFileSync(lockFile, 'utf8').match(/^[a-z0-9][\w.-]*==/gim) || []).length;
  // A tool may need nothing but Python.
  if (wanted === 0) return;
  const { options, variables } = uvSettings(
    runPython(pythonIn(path.dirname(path.dirname(uv))), ['-m', 'pip', 'config', 'list']),
  );
  const compiled = isCompiled ? ['--compile-bytecode'] : [];
  const args = [
    'pip',
    'install',
    '--python',
    pythonIn(folder),
    ...EXACTLY,
    ...compiled,
    ...options,
    '-r',
    lockFile,
  ];
  const follow = (line) => {
    const fetched = /^\s*Download(?:ing|ed) (.+)$/.exec(line);
    if (fetched) step.update('fetching ' + wanted + ' packages, ' + fetched[1]);
    if (/^Prepared /.test(line)) step.update('installing ' + wanted + ' packages');
  };
  await run(uv, args, follow, folder, variables);
}

async function ensureUv() {
  const { file } = await ensureEnvironment(uvLock);
  return path.join(path.dirname(file), 'uv');
}

function writePathFile(python, sitePackages) {
  fs.writeFileSync(path.join(purelibOf(python), 'dockyard-runtime.pth'), sitePackages + '\n');
}

function purelibOf(python) {
  return runPython(python, ['-c', "import sysconfig; print(sysconfig.get_path('purelib'))"]).trim();
}

async function ensureIndex() {
  const lockFile = path.join(toolFolder('science'), 'ccd.lock');
  await withLock(lockFile, SCIENCE.ccd.title, async () => {
    if (!SCIENCE.ccd.isReady()) await makeIndex();
  });
}

async function makeIndex() {
  const { file: python } = await ensureScience('science-python');
  const target = SCIENCE.ccd.file();
  const step = new Step('index of the Chemical Component Dictionary');
  const source = path.join(projectRoot, dockingFolder, 'src');
  const program = 'import sys; sys.path.insert(0, sys.argv.pop(1))\n' + runIndex;
  let printed = '';
  try {
    sweepPartial(target);
    await run(python, ['-I', '-B', '-c', program, source, target], (line) => (printed = line));
  } catch (error) {
    step.failed(String(error.message).split('\n')[0]);
    throw new MissingError(SCIENCE.ccd.title, '`npm run setup`', [String(error.message)]);
  }
  step.done(printed.replace(/, .*/, '') + ', ' + formatSize(fs.statSync(target).size));
}

/** Removes what killed set-ups left beside the index. */
function sweepPartial(target) {
  const folder = path.dirname(target);
  for (const entry of fs.readdirSync(folder)) {
    if (entry.startsWith(path.basename(target) + '.partial'))
      fs.rmSync(path.join(folder, entry), { force: true });
  }
}

const runIndex = 'from dockyard_science.ccd_index import main\nsys.exit(main(sys.argv[1:]))';

function runPython(file, args) {
  return runProgram(file, ['-I', ...args]);
}

/**
 * Looks that the packages of an environment have what they need. A package that says of itself that it was built for another platform is
 * the right one all the same, because its file was chosen by its name and its digest.
 */
function checkInstalled(uv, python) {
  try {
    runProgram(uv, ['pip', 'check', '--quiet', '--python', python]);
  } catch (error) {
    const complaints = String(error.message).match(/^ *The package .*/gm) || [];
    const isPlatform = (line) => line.includes('built for a different platform');
    if (complaints.length === 0 || !complaints.every(isPlatform)) throw error;
  }
}

function runProgram(file, args) {
  const options = { encoding: 'utf8', timeout: 600_000, env: pythonEnvironment() };
  const printed = spawnSync(file, args, options);
  if (printed.error) throw printed.error;
  if (printed.status !== 0) throw new Error((printed.stderr || printed.stdout).trim().slice(-2_000));
  return printed.stdout;
}

/** Runs a program and hands over its lines as they come; it ends when we end. `folder` keeps its process id. */
function run(file, args, onLine, folder, variables = {}) {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it started can be ended with it.
    const options = {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...pythonEnvironment(), ...variables },
    };
    const child = spawn(file, args, options);
    if (folder && child.pid !== undefined) fs.writeFileSync(path.join(folder, '.pid'), String(child.pid));
    const stop = () => endGroup(child.pid);
    process.once('exit', stop);
    let output = '';
    let rest = '';
    const tell = (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      lines.forEach(onLine);
    };
    child.stdout.on('data', tell);
    child.stderr.on('data', tell);
    const keep = (chunk) => (output = (output + chunk).slice(-20_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      process.removeListener('exit', stop);
      if (code === 0) resolve();
      else reject(new Error(complaintIn(output) || path.basename(file) + ' ended with code ' + code));
    });
  });
}

/** The lines that say what went wrong; a program says it last. */
function complaintIn(output) {
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => /^\s*ERROR:/.test(line));
  return (errors.length > 0 ? errors : lines).slice(-8).join('\n');
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}
