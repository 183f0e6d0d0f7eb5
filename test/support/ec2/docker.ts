/**
 * `docker run` of a simulated machine: starts the command of the image from the checkout, with the variables of the image and of
 * `--env-file` alone. A path of the container that is a volume becomes the folder of the machine. An option that would give the
 * container a right on the machine is refused.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { repositoryRoot } from '../../../scripts/test-plan.ts';

const FLAGS = ['--rm', '--init', '--interactive'];
const VALUED = [
  ...['--name', '--network', '--gpus', '--cap-drop', '--security-opt', '--pids-limit', '--stop-timeout'],
  ...['--volume', '--env-file'],
];

const [, ...args] = process.argv.slice(2);
const values: { readonly name: string; readonly value: string }[] = [];
while (args[0]?.startsWith('--') === true) {
  const name = args.shift() ?? '';
  if (FLAGS.includes(name)) continue;
  if (!VALUED.includes(name)) refuse(`${name} is not known here`);
  values.push({ name, value: args.shift() ?? '' });
}
const valuesOf = (name: string): string[] =>
  values.filter((one) => one.name === name).map(({ value }) => value);
const [image = '', program = '', entry = ''] = args;
if (!valuesOf('--network').every((network) => network === 'bridge')) refuse('the network is not the bridge');
if (!/@sha256:[0-9a-f]{64}$/.test(image)) refuse('the image is not named by its digest');
if (program !== 'node') refuse('the image runs node');

const volumes = valuesOf('--volume').map((volume) => volume.split(':'));
// A folder of the container that has volumes in it is a folder of the machine that has links to them.
const inside = join(process.env['DOCKYARD_MACHINE_ROOT'] ?? refuse('this is no machine'), 'container');
for (const [source = '', target = ''] of volumes) {
  mkdirSync(dirname(join(inside, target)), { recursive: true });
  symlinkSync(source, join(inside, target));
}
const inMachine = (path: string): string => {
  const found = volumes.find(([, target = '-']) => path === target || path.startsWith(`${target}/`));
  if (found !== undefined) return path.replace(found[1] ?? '', found[0] ?? '');
  const isAbove = path.startsWith('/') && volumes.some(([, target = '-']) => target.startsWith(`${path}/`));
  return isAbove ? join(inside, path) : path;
};
const environment = new Map<string, string>();
for (const file of [process.env['SIMULATED_IMAGE_ENVIRONMENT'] ?? '', ...valuesOf('--env-file')])
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [name = '', ...rest] = line.split('=');
    environment.set(name, inMachine(rest.join('=')));
  }

const child = spawn(process.execPath, [join(repositoryRoot, entry)], {
  cwd: repositoryRoot,
  stdio: 'inherit',
  env: Object.fromEntries(environment),
});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 137));

function refuse(why: string): never {
  console.error(`docker: ${why}`);
  process.exit(125);
}
