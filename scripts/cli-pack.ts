// `npm run cli:pack`: the command `dockyard` for customers as one file that npm installs without a checkout and without a
// network. The files that it imports are copied with their types stripped, into the folders of the checkout, so that they find
// each other as there; the few packages that it needs travel inside. Operators' commands need the checkout, or the image, and
// stay out.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import ts from 'typescript';

import { isRecord } from '../src/domain/is-record.ts';

const ENTRY = 'src/bin/customer.ts';
const DATA = ['docs/openapi.json', 'LICENSE'];
const root = join(import.meta.dirname, '..');

/** The version of a package, and what it needs. */
function manifestOf(folder: string): {
  readonly version: unknown;
  readonly dependencies: Readonly<Record<string, unknown>>;
} {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!isRecord(manifest)) throw new Error(`the manifest in ${folder} is no object`);
  const { version, dependencies } = manifest;
  return { version, dependencies: isRecord(dependencies) ? dependencies : {} };
}

/** Copies a module and what it imports, and notes the packages. */
function copyModule(path: string, to: string, seen: Set<string>, packages: Set<string>): void {
  if (seen.has(path)) return;
  seen.add(path);
  const source = readFileSync(join(root, path), 'utf8');
  const isData = path.endsWith('.json');
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const { importedFiles } = isData ? { importedFiles: [] } : ts.preProcessFile(code, true, true);
  let text = code;
  // From the last to the first, so that the places of those before stay what they are.
  for (const { fileName, pos } of importedFiles.toReversed()) {
    if (fileName.startsWith('.')) {
      copyModule(relative(root, resolve(root, dirname(path), fileName)), to, seen, packages);
      const compiled = fileName.replace(/\.ts$/, '.js');
      text = `${text.slice(0, pos)}${text.slice(pos).replace(fileName, compiled)}`;
    } else if (!fileName.startsWith('node:')) packages.add(packageOf(fileName));
  }
  const target = join(to, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** The package of an imported module: `ajv` of `ajv/dist/2020.js`. */
function packageOf(module: string): string {
  return module.split('/', module.startsWith('@') ? 2 : 1).join('/');
}

/** Copies a package with the packages that it needs. */
function copyPackage(name: string, to: string, copied: Set<string>): void {
  if (copied.has(name)) return;
  copied.add(name);
  const folder = join(root, 'node_modules', name);
  cpSync(folder, join(to, 'node_modules', name), { recursive: true });
  for (const needed of Object.keys(manifestOf(folder).dependencies)) copyPackage(needed, to, copied);
}

const { values } = parseArgs({ options: { out: { type: 'string', default: '.' } } });
const folder = mkdtempSync(join(tmpdir(), 'dockyard-cli-'));
try {
  const packages = new Set<string>();
  copyModule(ENTRY, folder, new Set(), packages);
  const copied = new Set<string>();
  for (const name of packages) copyPackage(name, folder, copied);
  for (const file of DATA) cpSync(join(root, file), join(folder, file));
  const { version, dependencies } = manifestOf(root);
  const manifest = {
    name: 'dockyard-cli',
    version,
    description: 'The command line of Dockyard, for customers.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=24' },
    // Never published, so that nobody takes a package of this name from a registry for this one.
    private: true,
    bin: { dockyard: ENTRY.replace(/\.ts$/, '.js') },
    dependencies: Object.fromEntries([...packages].sort().map((name) => [name, dependencies[name]])),
    bundleDependencies: [...packages].sort(),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder });
  process.stdout.write(`${join(out, packed.toString().trim())}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
