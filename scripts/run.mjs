// Runs one of the project's commands: the set-up first, then the entry point under the pinned Node. Signals and the exit
// code are passed on. When this process is killed, the command notices by the channel between the two; when npm is killed,
// this process notices and ends the command.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pinnedNode, projectRoot } from './lib/packages.mjs';
import { exitFor, setUp } from './setup.mjs';

const commands = {
  demo: { needs: 'demo', entry: ['src/bin/demo.ts'] },
  start: { needs: 'start', entry: ['src/bin/start.ts'] },
  'start --provider ec2-sim': { needs: 'start-ec2-sim', entry: ['scripts/start-ec2-sim.ts'] },
  web: { needs: 'start', entry: ['web/build/develop.ts'] },
  test: { needs: 'test', entry: ['scripts/test.ts'] },
  'test:faults': { needs: 'test', entry: ['scripts/test.ts', '--faults'] },
  'test:contract': {
    needs: 'test',
    entry: ['scripts/test.ts', 'test/api/contract.test.ts'],
    variables: { DOCKYARD_CONTRACT_WHOLE: '1' },
  },
  'test:tools': { needs: 'test', entry: ['scripts/test.ts', '--tools'] },
  'test:science': { needs: 'test', entry: ['scripts/test.ts', '--science'] },
  bench: { needs: 'bench', entry: ['bench/main.ts'] },
};

const npmWatchMilliseconds = 250;

const usage = 'Usage: node scripts/run.mjs <' + Object.keys(commands).join('|') + '> [arguments]\n';

/** The command that is meant: a start on the simulated EC2 is one of its own, with tools that no other start needs. */
function commandOf(name, rest) {
  const isSimulated = / --provider[ =]ec2-sim /.test(' ' + rest.join(' ') + ' ') && !rest.includes('--help');
  return commands[name === 'start' && isSimulated ? 'start --provider ec2-sim' : name];
}

/** Starts the command and ends as it ends: same exit code, same signal. */
function execute(entry, rest, variables) {
  const args = [path.join(projectRoot, entry[0]), ...entry.slice(1), ...rest];
  const folder = path.join(projectRoot, 'node_modules', '.bin');
  const environment = { ...process.env, ...variables, PATH: folder + path.delimiter + process.env.PATH };
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(pinnedNode, args, { stdio, env: environment });
  // The channel only tells the command of the end of this process; the channel must not keep this process alive.
  if (child.channel) child.channel.unref();
  endWithNpm(child);
  // A Ctrl-C at the terminal reaches the child by itself; a signal sent to us alone must be handed on.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  child.on('error', (error) => {
    process.stderr.write('The pinned Node could not be started (' + error.message + '); try: npm ci\n');
    process.exit(3);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code === null ? 1 : code);
    for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

/** Ends the command when the npm that started this process is killed; no signal tells of that. */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event !== name) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, npmWatchMilliseconds);
  timer.unref();
}

const [name, ...rest] = process.argv.slice(2);
const command = commandOf(name, rest);
if (!command) {
  process.stderr.write(usage);
  process.exit(name === '--help' ? 0 : 2);
}

const interrupted = () => process.exit(130);
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of interruptions) process.once(signal, interrupted);
try {
  const variables = await setUp(command.needs);
  for (const signal of interruptions) process.removeListener(signal, interrupted);
  execute(command.entry, rest, { ...variables, ...command.variables });
} catch (error) {
  process.exit(exitFor(error));
}
