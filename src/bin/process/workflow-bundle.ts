/** The bundle of workflow code that a control worker loads: made once per version of the sources, kept in a file. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Everything that workflow code can import, the lock that fixes its packages, and the program that bundles them. */
const SOURCES = ['workflows', 'src/contracts', 'src/domain'];
const LOCK = 'package-lock.json';
const BUNDLER = 'src/bin/bundle-workflows.ts';

/** Kind of bundle: where payloads are sealed, workflows too put the messages of failures into payloads. */
export interface BundleKind {
  readonly isSealing: boolean;
}

/** The path of the bundle of the present sources, whether the bundle exists or not. */
export async function bundlePath({ isSealing }: BundleKind): Promise<string> {
  const hash = createHash('sha256');
  const files = [LOCK, BUNDLER, ...(await Promise.all(SOURCES.map(filesBelow))).flat().sort()];
  for (const file of files) hash.update(`${file}\n`).update(await readFile(path.join(ROOT, file)));
  const name = `workflows-${hash.digest('hex').slice(0, 32)}${isSealing ? '-sealing' : ''}.js`;
  return path.join(ROOT, 'node_modules', '.cache', 'dockyard', name);
}

/** The path of the bundle of the present sources; a missing bundle is made now. */
export async function ensureBundle(kind: BundleKind = { isSealing: false }): Promise<string> {
  const known = await bundlePath(kind);
  try {
    await access(known);
    return known;
  } catch {
    const maker = fileURLToPath(new URL('../bundle-workflows.ts', import.meta.url));
    const options = kind.isSealing ? ['--sealing'] : [];
    const { stdout } = await promisify(execFile)(process.execPath, [maker, ...options]);
    return stdout.trim();
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
}
