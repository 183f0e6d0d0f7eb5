/**
 * Which code prepares and docks: one digest over the sources of `science/` and their locked packages. The session
 * computes the same digest of itself (science/src/dockyard_science/toolchain.py); a test compares the two.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder `science/` of this checkout or image. */
export const SCIENCE_FOLDER = fileURLToPath(new URL('../../../science', import.meta.url));

const LOCK = 'requirements.lock';
const SOURCES = 'src';
/** The endings of files of code, and of the tables that the code reads. */
const ENDINGS = ['.py', '.tsv'];

let own: string | null = null;

/** The digest of this checkout's Python side, computed once, because the sources of a running process do not change. */
export function ownToolchainSha256(): string {
  own ??= toolchainSha256(SCIENCE_FOLDER);
  return own;
}

/** SHA-256, in hex, over the lines `{path}\t{sha256}` of each file, sorted by path. */
export function toolchainSha256(scienceFolder: string): string {
  const sources = readdirSync(join(scienceFolder, SOURCES), { recursive: true, encoding: 'utf8' })
    .filter((path) => ENDINGS.some((ending) => path.endsWith(ending)))
    .map((path) => `${SOURCES}/${path.split(sep).join('/')}`);
  const lines = [LOCK, ...sources]
    .map((path) => ({ path, order: Buffer.from(path, 'utf8') }))
    .toSorted((a, b) => a.order.compare(b.order))
    .map(({ path }) => `${path}\t${sha256(readFileSync(join(scienceFolder, path)))}\n`);
  return sha256(lines.join(''));
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
