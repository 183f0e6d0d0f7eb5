/**
 * The digest of a folder: one SHA-256 over the sorted list of its files with the SHA-256 of each. Times and owners do
 * not count, so that two installs of the same files have the same digest.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file or link of a pack. */
export interface PackFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly isProgram: boolean;
  /** SHA-256 of the bytes; of a link, of the text that it points to. */
  readonly sha256: string;
}

/** The SHA-256 of a file. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The files and links below some paths of a folder, in the order of their names. @throws Error when a path is missing. */
export async function listPaths(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const facts = await lstat(join(folder, path));
    if (!facts.isDirectory()) {
      found.push(path);
      continue;
    }
    const names = (await readdir(join(folder, path))).map((name) =>
      path === '.' ? name : `${path}/${name}`,
    );
    found.push(...(await listPaths(folder, names)));
  }
  return found.sort();
}

/** The files of a folder with their digests; the named paths only, else all. */
export async function describeFiles(
  folder: string,
  paths: readonly string[] = ['.'],
): Promise<readonly PackFile[]> {
  const files: PackFile[] = [];
  for (const path of await listPaths(folder, paths)) {
    const full = join(folder, path);
    const facts = await lstat(full);
    const sha256 = facts.isSymbolicLink() ? sha256OfText(await readlink(full)) : await sha256OfFile(full);
    files.push({ path, sizeBytes: facts.size, isProgram: isProgram(facts), sha256 });
  }
  return files;
}

/** The digest over files; whether a file may be run counts too. */
export function digestOfFiles(files: readonly PackFile[]): string {
  const lines = files.map(({ path, isProgram: runs, sha256 }) => `${sha256} ${runs ? 'x' : '-'} ${path}\n`);
  return sha256OfText(lines.join(''));
}

function isProgram(facts: { readonly mode: number; isSymbolicLink(): boolean }): boolean {
  return !facts.isSymbolicLink() && (facts.mode & 0o100) !== 0;
}

function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
