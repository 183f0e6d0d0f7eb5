/**
 * The installed packs of one user: a folder per pack, in it a folder per version. `pack.json` lists every file
 * with its digest; it is written before the folder gets its name by one rename, so a folder that has its name is whole.
 * Folders called `.partial-…` are work of an install; only the holder of the pack's lock removes what others have left.
 */
import { lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { processIdentity, tryLock } from '../client/lock.mjs';
import { isRecord } from '../domain/is-record.ts';
import { describeFiles, digestOfFiles } from './digest.ts';
import type { PackFile } from './digest.ts';
import type { PackDefinition } from './pack.ts';
import { endGroup } from './run.ts';

/** Content of `pack.json`. */
export interface PackRecord {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly installedAt: string;
  readonly files: readonly PackFile[];
}

/** An installed pack as its folder tells it. */
export interface CachedPack {
  readonly folder: string;
  /** Null when `pack.json` is missing or damaged. */
  readonly record: PackRecord | null;
}

const RECORD = 'pack.json';
const PARTIAL = '.partial-';
const GROUP = '.group';
const LOCK_PAUSE_MS = 200;

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of all caches of this user: `$XDG_CACHE_HOME`, else `~/.cache`. */
export function cacheHome(environment: Environment): string {
  const base = environment['XDG_CACHE_HOME'];
  // The XDG rules say that a relative path is to be ignored.
  return base !== undefined && isAbsolute(base) ? base : join(environment['HOME'] ?? homedir(), '.cache');
}

/** The folder of all packs of this user. */
export function packsFolder(environment: Environment): string {
  return join(cacheHome(environment), 'dockyard', 'tools', 'packs');
}

/** The folder of the Python environments that the set-up makes. */
export function pythonsFolder(environment: Environment): string {
  return join(cacheHome(environment), 'dockyard', 'tools', 'science');
}

/** The packs of the pinned version that are installed: one, or none. */
export async function cachedPacks(folder: string, pack: PackDefinition): Promise<readonly CachedPack[]> {
  const place = cachedFolder(folder, pack);
  return (await isFolder(place)) ? [{ folder: place, record: await readRecord(place) }] : [];
}

/** Names the folder of a pack that was installed from packages of Debian. */
export function cachedFolder(folder: string, pack: PackDefinition): string {
  return join(folder, pack.name, `${pack.version}-debian`);
}

/**
 * A text that changes when a file of an installed pack is changed, added to or removed: sizes and times of all files.
 * Null when a file is missing or has another size than at the install.
 */
export async function signatureOf({ folder, record }: CachedPack): Promise<string | null> {
  if (record === null) return null;
  const facts = await Promise.all(
    record.files.map(async ({ path, sizeBytes }) => {
      const found = await lstat(join(folder, path)).catch(() => null);
      return found !== null && found.size === sizeBytes ? `${path} ${found.mtimeMs} ${found.ctimeMs}` : null;
    }),
  );
  return facts.includes(null) ? null : `${record.digest}\n${facts.join('\n')}`;
}

/** Reads every file of an installed pack again. @returns null when all are as installed, else what is not. */
export async function damageOf({ folder, record }: CachedPack): Promise<string | null> {
  if (record === null) return 'its pack.json is missing or damaged';
  const files = (await describeFiles(folder)).filter(({ path }) => path !== RECORD);
  if (digestOfFiles(files) === record.digest) return null;
  const now = new Map(files.map((file) => [file.path, file]));
  const changed = record.files.find((file) => {
    const found = now.get(file.path);
    return found?.sha256 !== file.sha256 || found.isProgram !== file.isProgram;
  });
  if (changed !== undefined) {
    return `${changed.path} is ${now.has(changed.path) ? 'not as it was installed' : 'missing'}`;
  }
  const before = new Set(record.files.map(({ path }) => path));
  const added = files.find(({ path }) => !before.has(path));
  return added === undefined ? 'its pack.json is damaged' : `${added.path} was not installed`;
}

/** Makes the record of a finished pack, writes it and puts the pack in place. */
export async function placePack(
  made: string,
  place: string,
  { name, version }: Pick<PackRecord, 'name' | 'version'>,
): Promise<PackRecord> {
  const files = await describeFiles(made);
  const record: PackRecord = {
    name,
    version,
    digest: digestOfFiles(files),
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    installedAt: new Date().toISOString(),
    files,
  };
  await writeFile(join(made, RECORD), `${JSON.stringify(record, null, 1)}\n`, { flush: true });
  // A damaged pack of the same version makes room; it goes with the work folder.
  await rename(place, `${made}.old`).catch(() => undefined);
  await rename(made, place);
  return record;
}

/** A folder of the install's own; what the install starts is noted there, so that the next install can end it. */
export async function openWorkFolder(folder: string, name: string): Promise<string> {
  return mkdtemp(join(folder, name, PARTIAL));
}

/** Notes the process group that works in a work folder. */
export function noteGroup(work: string, pid: number): void {
  writeFileSync(join(work, GROUP), JSON.stringify({ pid, identity: processIdentity(pid) }));
}

/** Removes what killed installs of a pack have left, after their programs, which may still be writing. */
export async function sweep(folder: string, name: string): Promise<void> {
  for (const entry of await readdir(join(folder, name)).catch(() => [])) {
    if (!entry.startsWith(PARTIAL)) continue;
    const work = join(folder, name, entry);
    const group = parseJson(await readFile(join(work, GROUP), 'utf8').catch(() => ''));
    if (isRecord(group) && typeof group['pid'] === 'number') {
      if (processIdentity(group['pid']) === group['identity']) endGroup(group['pid']);
    }
    await removeFolder(work);
  }
}

/** Runs `work` while no other process installs or removes the pack; says so when it has to wait. */
export async function withPackLock<T>(
  folder: string,
  name: string,
  onWait: () => void,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(join(folder, name), { recursive: true });
  const file = join(folder, `${name}.lock`);
  for (let isTold = false; ; isTold = true) {
    signal?.throwIfAborted();
    const { lock } = tryLock(file, { isShared: true });
    if (lock === null) {
      if (!isTold) onWait();
      await sleep(LOCK_PAUSE_MS);
      continue;
    }
    process.once('exit', lock.release);
    try {
      return await work();
    } finally {
      process.removeListener('exit', lock.release);
      lock.release();
    }
  }
}

/** Removes a folder and all that is in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function isFolder(place: string): Promise<boolean> {
  return lstat(place).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

async function readRecord(place: string): Promise<PackRecord | null> {
  const value = parseJson(await readFile(join(place, RECORD), 'utf8').catch(() => ''));
  return isPackRecord(value) ? value : null;
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}

function isPackRecord(value: unknown): value is PackRecord {
  if (!isRecord(value)) return false;
  const hasTexts = ['name', 'version', 'digest', 'installedAt'].every(
    (key) => typeof value[key] === 'string',
  );
  const { files } = value;
  return (
    hasTexts && typeof value['sizeBytes'] === 'number' && Array.isArray(files) && files.every(isPackFile)
  );
}

function isPackFile(value: unknown): value is PackFile {
  if (!isRecord(value)) return false;
  const { path, sizeBytes, isProgram, sha256 } = value;
  return (
    typeof path === 'string' &&
    typeof sizeBytes === 'number' &&
    typeof isProgram === 'boolean' &&
    typeof sha256 === 'string'
  );
}
