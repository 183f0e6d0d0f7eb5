// Gets bubblewrap for the sandbox that tools run in, where this machine has none and its own package manager can fetch it.
// Nothing needs it: without bubblewrap tools run beside the worker, and `dockyard admin tools` says so. So what fails here is told
// once, and not tried again at every start.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pinnedNode, projectRoot } from './packages.mjs';
import { Step } from './progress.mjs';
import { isExecutable, toolFolder } from './tools.mjs';

const packs = path.join(toolFolder('packs'), 'bubblewrap');
const tried = path.join(toolFolder('packs'), 'bubblewrap.tried');
const timeoutMs = 120_000;

/** Installs the pack once, where there is a chance. */
export function ensureSandbox(environment = process.env) {
  if (environment.DOCKYARD_PACK_BUBBLEWRAP || process.platform !== 'linux') return;
  if (isOnPath('bwrap', environment) || fs.existsSync(packs) || fs.existsSync(tried)) return;
  if (!isOnPath('apt-get', environment) || !isOnPath('dpkg-deb', environment)) return;
  fs.mkdirSync(path.dirname(tried), { recursive: true });
  fs.writeFileSync(tried, 'Removed by hand, it is tried again; or: dockyard tools install bubblewrap\n');
  const step = new Step('bubblewrap, a package of Debian');
  const command = [path.join(projectRoot, 'src', 'bin', 'dockyard.ts'), 'tools', 'install', 'bubblewrap'];
  const run = spawnSync(pinnedNode, command, { encoding: 'utf8', timeout: timeoutMs, env: environment });
  if (run.status === 0) step.done('tools run in a sandbox');
  else step.failed('tools run without a sandbox; to try again: ./dockyard tools install bubblewrap');
}

function isOnPath(program, environment) {
  const folders = (environment.PATH || '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.some((folder) => isExecutable(path.join(folder, program)));
}
