// `npm run cli:pack`: the command `dockyard` for customers as one package that npm installs without a checkout and without a
// network: the entry and all that it imports, bundled, with the licences of the packages inside. Operators' commands need the
// checkout, or the image, and stay out.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { rolldown } from 'rolldown';

import manifest from '../package.json' with { type: 'json' };

// As deep as `src/bin`, because the code finds the root of the package two folders above itself (`projectRoot`).
const CODE = 'dist/bin';
const root = join(import.meta.dirname, '..');

/** Bundles the command line into a folder; resolves to the folders of the packages that are inside. */
async function bundle(to: string): Promise<readonly string[]> {
  const bundled = await rolldown({ input: join(root, 'src/bin/customer.ts'), platform: 'node' });
  const { output } = await bundled.write({ dir: to, entryFileNames: 'dockyard.js' });
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return [...new Set(folders)].sort();
}

/** The licences of packages, each under the package's name. */
function licences(folders: readonly string[]): string {
  const texts = folders.map((folder) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
    if (file === undefined) throw new Error(`${name} has no file with its licence, and cannot be bundled`);
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

const { values } = parseArgs({ options: { out: { type: 'string', default: '.' } } });
const folder = mkdtempSync(join(tmpdir(), 'dockyard-cli-'));
try {
  const inside = await bundle(join(folder, CODE));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licences(inside));
  for (const file of ['docs/openapi.json', 'LICENSE']) cpSync(join(root, file), join(folder, file));
  const description = {
    name: 'dockyard-cli',
    version: manifest.version,
    description: 'The command line of Dockyard, for customers.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=24' },
    // Never published, so that nobody takes a package of this name from a registry for this one.
    private: true,
    bin: { dockyard: `${CODE}/dockyard.js` },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder });
  process.stdout.write(`${join(out, packed.toString().trim())}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
