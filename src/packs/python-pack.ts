/**
 * The way of Python: a pack that is an environment of locked packages and nothing else. The environment lies where all of them do and
 * counts by what its installer has recorded of every file. The proof runs once after an install, because a program may take seconds
 * to start, and again when the packages are verified; a host that looks compares the sizes of all files.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { digestOfFiles, sha256OfFile } from './digest.ts';
import type { PackFile } from './digest.ts';
import type { PackDefinition, PackPlaces, PythonWay } from './pack.ts';
import { pythonOf } from './python.ts';

/** An environment that is there. */
export interface PythonEnvironment {
  readonly folder: string;
  readonly python: string;
  /** The digest over all packages, as their installer recorded them. */
  readonly digest: string;
}

const PROVEN = '.proven';
const RECORD = /\.dist-info$/;
const COMPILED = /\.pyc"?,sha256=/;
const LOOKS_AT_ONCE = 64;

/** A pack that comes by the way of Python. */
export type PythonPack = PackDefinition & { readonly way: PythonWay };

/** Whether a pack comes by the way of Python. */
export function isPythonPack(pack: PackDefinition): pack is PythonPack {
  return pack.way !== null && 'interpreter' in pack.way;
}

/** The environment of a pack; null where it was not made. */
export async function environmentOf(
  pack: PythonPack,
  { environment }: Pick<PackPlaces, 'environment'>,
): Promise<PythonEnvironment | null> {
  const python = await pythonOf(pack, environment);
  if (python === null) return null;
  const folder = dirname(dirname(python));
  const records = await recordsOf(folder);
  const files = await Promise.all(
    records.map(async (path): Promise<PackFile> => {
      const sha256 = await sha256OfFile(path);
      return { path: path.slice(folder.length + 1), sizeBytes: 0, isProgram: false, sha256 };
    }),
  );
  return { folder, python, digest: digestOfFiles(files) };
}

/** Compares the files with what the installer recorded, by their sizes alone or by every byte; answers what is not as recorded, or null. */
export async function damageOfEnvironment(
  { way }: PythonPack,
  { folder }: Pick<PythonEnvironment, 'folder'>,
  depth: 'sizes' | 'bytes',
): Promise<string | null> {
  const made = /^version_info *= *(\S+)/m.exec(await readFile(join(folder, 'pyvenv.cfg'), 'utf8'))?.[1] ?? '';
  if (!`${made}.`.startsWith(`${way.interpreter}.`))
    return `it was made with Python ${made}, and ${way.interpreter} is wanted`;
  for (const record of await recordsOf(folder)) {
    const lines = (await readFile(record, 'utf8')).split('\n').map(readLine);
    const site = dirname(dirname(record));
    for (let from = 0; from < lines.length; from += LOOKS_AT_ONCE) {
      const part = lines.slice(from, from + LOOKS_AT_ONCE);
      const faults = await Promise.all(part.map((line) => faultOfFile(site, line, depth)));
      const fault = faults.find((one) => one !== null);
      if (fault !== undefined) return fault;
    }
  }
  return null;
}

interface RecordedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * A line of a record: path, digest in base64url, size. A path with a comma stands in quotes. The record itself has neither, and compiled
 * modules are made anew by each installation.
 */
function readLine(line: string): RecordedFile | null {
  const found = /^(?:"((?:[^"]|"")+)"|([^,]+)),sha256=([\w-]+),(\d+)\s*$/.exec(line);
  if (found === null || COMPILED.test(line)) return null;
  const [, quoted, plain, digest = '', size = ''] = found;
  const path = quoted?.replaceAll('""', '"') ?? plain ?? '';
  return { path, sha256: Buffer.from(digest, 'base64url').toString('hex'), sizeBytes: Number(size) };
}

async function faultOfFile(
  site: string,
  recorded: RecordedFile | null,
  depth: 'sizes' | 'bytes',
): Promise<string | null> {
  if (recorded === null) return null;
  const file = resolve(site, recorded.path);
  const facts = await stat(file).catch(() => null);
  if (facts === null) return `${recorded.path} is missing`;
  const isSame =
    facts.size === recorded.sizeBytes &&
    (depth === 'sizes' || (await sha256OfFile(file)) === recorded.sha256);
  return isSame ? null : `${recorded.path} is not as it was installed`;
}

/** The records of all packages, in the order of their names. */
async function recordsOf(folder: string): Promise<readonly string[]> {
  const library = join(folder, 'lib');
  const versions = await readdir(library).catch(() => []);
  const sites = versions.map((version) => join(library, version, 'site-packages'));
  const names = await Promise.all(
    sites.map(async (site) =>
      (await readdir(site).catch(() => []))
        .filter((name) => RECORD.test(name))
        .map((name) => join(site, name, 'RECORD')),
    ),
  );
  return names
    .flat()
    .filter((path) => existsSync(path))
    .sort();
}

/** Whether the programs of the environment have run with these very packages. */
export async function isProven({ folder, digest }: PythonEnvironment): Promise<boolean> {
  return (await readFile(join(folder, PROVEN), 'utf8').catch(() => '')) === digest;
}

/** Notes that they have; an environment that cannot be written to is proven anew each time. */
export async function noteProof({ folder, digest }: PythonEnvironment): Promise<void> {
  await writeFile(join(folder, PROVEN), digest).catch(() => undefined);
}
