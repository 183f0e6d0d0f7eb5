// Builds the web app into web/dist when its sources have changed: its own packages by npm ci, then its build, which asks no other host.
import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { MissingError } from './missing-error.mjs';
import { pinnedNode, projectRoot, runNpm } from './packages.mjs';
import { Step } from './progress.mjs';
import { cacheRoot } from './tools.mjs';

const web = path.join(projectRoot, 'web');
const stampFile = path.join(web, 'dist', '.stamp');
const modulesStamp = path.join(web, 'node_modules', '.dockyard-stamp');
/** Folders of web that are made, not written. */
const made = new Set(['node_modules', 'dist', '.cache']);

/** Whether the app was built from the present sources. */
export function webIsReady() {
  return read(stampFile) === stampOfSources();
}

/** Builds the app where it was not built from the present sources; the stamp is written last. */
export async function ensureWeb() {
  if (webIsReady()) return;
  const name = crypto.createHash('sha256').update(web).digest('hex').slice(0, 16);
  const lock = path.join(cacheRoot(), 'locks', name + '.lock');
  await withLock(lock, 'web app', async () => {
    if (webIsReady()) return;
    await ensureWebPackages(lock + '.npm');
    const stamp = stampOfSources();
    const step = new Step('web app');
    try {
      await build();
    } catch (error) {
      step.failed('its build did not succeed');
      throw new MissingError('the web app', '`node scripts/setup.mjs`', [String(error.message)]);
    }
    fs.writeFileSync(stampFile, stamp);
    step.done('built');
  });
}

/** Brings the packages of the app to its lock file. */
export async function ensureWebPackages(pidFile) {
  const stamp = digestOf([path.join(web, 'package-lock.json')]);
  if (read(modulesStamp) === stamp) return;
  const step = new Step('npm packages of the web app');
  try {
    await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], pidFile, web);
  } catch (error) {
    step.failed('npm ci did not succeed');
    throw new MissingError('the npm packages of web/package-lock.json', '`npm ci --prefix web`', [
      String(error.message),
    ]);
  }
  fs.writeFileSync(modulesStamp, stamp);
  step.done('installed');
}

function build() {
  return new Promise((resolve, reject) => {
    const child = spawn(pinnedNode, [path.join(web, 'build', 'build.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-4_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(output.trim()))));
  });
}

/** The digest of all that the build reads: the app, the client, the API document, the page with the receivers that it shows. */
function stampOfSources() {
  const client = path.join(projectRoot, 'src', 'client');
  return digestOf([
    ...filesBelow(web),
    ...filesBelow(client),
    path.join(projectRoot, 'docs', 'openapi.json'),
    path.join(projectRoot, 'docs', 'webhooks.md'),
  ]);
}

function digestOf(files) {
  const hash = crypto.createHash('sha256');
  for (const file of files)
    hash.update(path.relative(projectRoot, file) + '\0').update(fs.readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .filter((entry) => !made.has(entry.name))
    .flatMap((entry) => {
      const inside = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(inside) : [inside];
    });
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
