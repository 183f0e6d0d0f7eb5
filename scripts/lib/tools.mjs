// The programs the embedded stack runs besides Node and PostgreSQL, and those that check the project: which versions, how
// each is fetched, checked and found again. Node built-ins only and plain syntax: this runs before any package is installed, on any Node from 20 on.
//
// A tool is looked for in this order: a path given in the environment, PATH, the per-user cache, and only the set-up
// then goes on to the official download and to a Go build. A cached file is put there by a rename after it was run
// once, so a file in the cache is a file that works.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Pins of each tool: version, SHA-256 of the official archives by platform where archives are used, and for a Go
 * build the checksum of the module (the dependencies are pinned by the go.sum inside it).
 */
export const TOOLS = {
  temporal: {
    name: 'temporal',
    title: 'Temporal CLI',
    version: '1.5.1',
    variable: 'DOCKYARD_TEMPORAL_BIN',
    archiveUrl: (target) =>
      'https://github.com/temporalio/cli/releases/download/v1.5.1/temporal_cli_1.5.1_' +
      target.os +
      '_' +
      target.arch +
      '.tar.gz',
    archiveSha256: {
      'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
      'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
      'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
      'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
    },
    go: {
      module: 'github.com/temporalio/cli',
      sum: 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=',
      package: './cmd/temporal',
      ldflags: '-X github.com/temporalio/cli/temporalcli.Version=1.5.1',
      minimumGo: '1.25',
    },
    versionPattern: /temporal version (\S+)/,
    unstampedVersion: '0.0.0-DEV',
    proofArguments: ['server', 'start-dev', '--help'],
    proofWords: ['--db-filename', '--search-attribute', '--ui-port', '--ip'],
  },
  versitygw: {
    name: 'versitygw',
    title: 'Versity S3 gateway',
    version: '1.8.0',
    variable: 'DOCKYARD_VERSITYGW_BIN',
    archiveUrl: (target) =>
      'https://github.com/versity/versitygw/releases/download/v1.8.0/versitygw_v1.8.0_' +
      (target.os === 'darwin' ? 'Darwin' : 'Linux') +
      '_' +
      (target.arch === 'amd64' ? 'x86_64' : 'arm64') +
      '.tar.gz',
    archiveSha256: {
      'linux-x64': '2ba2c734d10d2c4e651d03182cb4b246656bc735a2f282db7b0b73fba6073467',
      'linux-arm64': 'b34051d33f5a9c457f790896acb7bd7d7e15ad8d92efb70616b924f37e401910',
      'darwin-x64': '104bd978e80ef0173554cfd8630ccc5bac24b00da440510b60365a3b6b6ab134',
      'darwin-arm64': '4953096f65a9c0d62ab184fb6b2ba7c2435229205cf00a56cb62cd4bf6b216ca',
    },
    go: {
      module: 'github.com/versity/versitygw',
      sum: 'h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc=',
      package: './cmd/versitygw',
      ldflags: '-X main.Version=1.8.0',
      minimumGo: '1.25',
    },
    versionPattern: /Version\s*:\s*v?(\S+)/,
    unstampedVersion: 'git',
    proofArguments: ['--help'],
    proofWords: ['--health', 'posix', '--port'],
  },
  oasdiff: {
    name: 'oasdiff',
    title: 'oasdiff',
    version: '1.31.0',
    variable: 'DOCKYARD_OASDIFF_BIN',
    go: {
      module: 'github.com/oasdiff/oasdiff',
      sum: 'h1:4ggpCCxYK5ABpT387yb2wvCI3+1mc9d75i8tcVV5dkQ=',
      package: '.',
      ldflags: '-X github.com/oasdiff/oasdiff/build.Version=1.31.0',
      minimumGo: '1.26',
    },
    versionPattern: /oasdiff version v?(\S+)/,
    unstampedVersion: 'main',
    proofArguments: ['breaking', '--help'],
    proofWords: ['--fail-on', '--severity-levels', '--err-ignore'],
  },
  'stripe-mock': {
    name: 'stripe-mock',
    title: 'stripe-mock',
    version: '0.203.0',
    variable: 'DOCKYARD_STRIPE_MOCK_BIN',
    go: {
      module: 'github.com/stripe/stripe-mock',
      sum: 'h1:EzW7nb/fphqcAkgVRHAaC88OaAZo6SBWSl54cflDTio=',
      package: '.',
      ldflags: '-X main.version=0.203.0',
      minimumGo: '1.22',
    },
    versionPattern: /stripe-mock v?(\S+)/,
    unstampedVersion: 'master',
    proofArguments: ['-help'],
    proofWords: ['-http-addr', '-https-addr'],
  },
};

/** The name the vendors give this machine's system and processor. */
export function currentTarget() {
  return {
    key: process.platform + '-' + process.arch,
    os: process.platform,
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
  };
}

/** The per-user cache, outside every checkout, so that a second checkout finds what the first one fetched. */
export function cacheRoot(environment = process.env) {
  const base = environment.XDG_CACHE_HOME;
  // The XDG rules say that a relative path is to be ignored.
  const root = base && path.isAbsolute(base) ? base : path.join(environment.HOME || os.homedir(), '.cache');
  return path.join(root, 'dockyard');
}

/** The folder in the cache of everything that has one name, for all its versions. */
export function toolFolder(name, environment = process.env) {
  return path.join(cacheRoot(environment), 'tools', name);
}

/** Names the cached binary of the pinned version, whether or not it is there yet. */
export function cachedToolPath(tool, environment = process.env) {
  return path.join(toolFolder(tool.name, environment), tool.version, tool.name);
}

/** Whether a file is there and may be executed. */
export function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs a binary and says what version it is and whether it can do what the stack asks of it. Returns
 * `{ ok, version, reason }`; `version` is null when it could not be run.
 */
export function proveTool(tool, file) {
  const options = { encoding: 'utf8', timeout: 20_000, maxBuffer: 4 * 1024 * 1024 };
  const printed = spawnSync(file, ['--version'], options);
  if (printed.error || printed.status !== 0) {
    return { ok: false, version: null, reason: 'does not run: ' + describeFailure(printed) };
  }
  const match = tool.versionPattern.exec(printed.stdout + printed.stderr);
  if (!match) return { ok: false, version: null, reason: 'prints no version' };
  const version = match[1];
  if (!acceptsVersion(tool, version)) {
    return {
      ok: false,
      version,
      reason:
        'is version ' + version + ', ' + tool.version + ' or a later one of the same major version is needed',
    };
  }
  const help = spawnSync(file, tool.proofArguments, options);
  const text = (help.stdout || '') + (help.stderr || '');
  const missing = tool.proofWords.filter((word) => !text.includes(word));
  if (help.error || help.status !== 0 || missing.length > 0) {
    return {
      ok: false,
      version,
      reason:
        '`' + tool.name + ' ' + tool.proofArguments.join(' ') + '` does not offer ' + missing.join(', '),
    };
  }
  return { ok: true, version, reason: '' };
}

/**
 * The version rule: the pinned version or a later one of the same major version. A plain Go build carries no version
 * (`0.0.0-DEV`, `git`); it is taken when it offers what is needed.
 */
function acceptsVersion(tool, version) {
  if (version === tool.unstampedVersion) return true;
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  const wanted = tool.version.split('.').map(Number);
  if (!found) return false;
  const [major, minor, patch] = found.slice(1).map(Number);
  if (major !== wanted[0]) return false;
  return minor > wanted[1] || (minor === wanted[1] && patch >= wanted[2]);
}

function describeFailure(result) {
  if (result.error) return result.error.message;
  return (
    'exit code ' +
    result.status +
    ' ' +
    String(result.stderr || '')
      .trim()
      .slice(0, 200)
  );
}

/** The first binary of that name on PATH that passes the proof, or undefined. */
function findOnPath(tool, environment) {
  for (const folder of (environment.PATH || '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, tool.name);
    if (isExecutable(file) && provedBefore(tool, file, environment)) return file;
  }
  return undefined;
}

/**
 * As `proveTool`, but remembers the answer for as long as the file does not change, so that later runs are quick. That
 * it did not run is not remembered: a machine out of memory would be told for ever that a good tool is none.
 */
function provedBefore(tool, file, environment) {
  const memory = path.join(cacheRoot(environment), 'path-proofs.json');
  const stat = fs.statSync(file);
  const key = [tool.name, tool.version, fs.realpathSync(file), stat.size, stat.mtimeMs].join('|');
  let known = {};
  try {
    known = JSON.parse(fs.readFileSync(memory, 'utf8'));
  } catch {
    // Nothing remembered yet, or a damaged file: prove again.
  }
  if (typeof known[key] === 'boolean') return known[key];
  const { ok, version } = proveTool(tool, file);
  if (version === null) return ok;
  try {
    fs.mkdirSync(path.dirname(memory), { recursive: true });
    const fresh = memory + '.' + process.pid;
    fs.writeFileSync(fresh, JSON.stringify({ ...known, [key]: ok }, null, 2));
    fs.renameSync(fresh, memory);
  } catch {
    // A read-only cache only costs the time of the next proof.
  }
  return ok;
}

/**
 * Finds a tool on this machine, without fetching anything: `{ file, source }` or undefined.
 * `skip` leaves out places: `path`, `cache`.
 */
export function locateTool(tool, environment = process.env, skip = []) {
  const given = environment[tool.variable];
  if (given) return isExecutable(given) ? { file: given, source: 'environment' } : undefined;
  const onPath = skip.includes('path') ? undefined : findOnPath(tool, environment);
  if (onPath) return { file: onPath, source: 'path' };
  const cached = cachedToolPath(tool, environment);
  if (!skip.includes('cache') && isExecutable(cached)) return { file: cached, source: 'cache' };
  return undefined;
}
