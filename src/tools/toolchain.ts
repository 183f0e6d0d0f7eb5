/**
 * Identity of the code that makes a tool's results: one digest over the packages of `science/` that the tool is made of, with
 * their sources and the tool's locked libraries. The session computes the same digest of itself
 * (science/session/src/dockyard_session/toolchain.py); a test compares the two.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder `science/` of this checkout or image. */
export const SCIENCE_FOLDER = fileURLToPath(new URL('../../science', import.meta.url));

/** Only the packages of tools have a lock: what tools share runs on the libraries of the tool. */
const LOCK = 'requirements.lock';
const SOURCES = 'src';
/** The endings of files of code, and of the tables that the code reads. */
const ENDINGS = ['.py', '.tsv'];

/** SHA-256, in hex, over the lines `{path}\t{sha256}` of each file of these folders of `science/`, sorted by path. */
export function packagesSha256(scienceFolder: string, packages: readonly string[]): string {
  const lines = packages
    .flatMap((folder) => filesOf(scienceFolder, folder))
    .map((path) => ({ path, order: Buffer.from(path, 'utf8') }))
    .toSorted((a, b) => a.order.compare(b.order))
    .map(({ path }) => `${path}\t${sha256(readFileSync(join(scienceFolder, path)))}\n`);
  return sha256(lines.join(''));
}

/** The digest over packages of this checkout, computed once, because the sources of a running process do not change. */
export function ownPackagesSha256(packages: readonly string[]): () => string {
  let own: string | null = null;
  return () => {
    own ??= packagesSha256(SCIENCE_FOLDER, packages);
    return own;
  };
}

function filesOf(scienceFolder: string, folder: string): string[] {
  const lock = `${folder}/${LOCK}`;
  const sources = readdirSync(join(scienceFolder, folder, SOURCES), { recursive: true, encoding: 'utf8' })
    .filter((path) => ENDINGS.some((ending) => path.endsWith(ending)))
    .map((path) => `${folder}/${SOURCES}/${path.split(sep).join('/')}`);
  return existsSync(join(scienceFolder, lock)) ? [lock, ...sources] : sources;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
