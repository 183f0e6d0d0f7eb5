/**
 * The journal of an unfinished upload: a file that survives the process, in lines that are only ever added. The digest
 * of a part is written before the part is sent, so the journal has the digest of every part that the service may have
 * received, and a resumed upload can prove that the file still holds what was sent. The journal holds nothing secret but
 * the id of the upload, and only its user may read it. A line that a crash has torn is left out. The order and the id of
 * the upload are synced to the disk before the upload goes on; lines of parts may be lost with the power, and the parts of
 * lost lines are sent again.
 *
 * One process at a time holds the journal of a file.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { CLIENT_CODES, ClientError, localError } from '../errors.ts';
import type { FileIdentity } from './identity.ts';
import { tryLock } from '../lock.mjs';

/** Order of the upload to the service; written before the service is asked. */
export interface JournalOrder {
  readonly apiUrl: string;
  readonly path: string;
  readonly identity: FileIdentity;
  readonly filename: string;
  readonly contentType: string;
  readonly checksum: boolean;
  readonly partSize: number | null;
  readonly projectId: string | null;
  readonly logicalPath: string | null;
  /** Makes the start repeatable when its answer was lost. */
  readonly idempotencyKey: string;
}

/** The service's answer to the order. */
export interface JournalUpload {
  readonly uploadId: string;
  readonly storageKey: string;
  readonly partSize: number;
  readonly partCount: number;
}

/** Content of a journal. */
export interface JournalContent {
  readonly order: JournalOrder;
  readonly upload: JournalUpload | null;
  /** Every part that was sent or was about to be. */
  readonly parts: ReadonlyMap<number, JournalPart>;
}

/** A part as the journal knows it. */
export interface JournalPart {
  /** Hex. */
  readonly sha256: string;
  /** Whether the store has said that it has the part. */
  readonly isStored: boolean;
  /** The ETag that the store gave the part; null where the store gives none. */
  readonly etag: string | null;
}

/** The journal of one file, locked. */
export interface Journal {
  readonly found: JournalContent | null;
  /** Reads the journal again. */
  reread(): Promise<JournalContent | null>;
  /** Empties the journal and writes an order. */
  begin(order: JournalOrder): Promise<void>;
  started(upload: JournalUpload): Promise<void>;
  partRead(number: number, sha256: string): Promise<void>;
  partStored(number: number, etag: string | null): Promise<void>;
  /** Removes the journal of an upload that has ended, well or not. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

const VERSION = 1;
/** The service ends an upload after seven days; what is finished is remembered longer. */
const KEPT_MS = 8 * 24 * 3600 * 1000;
const REMEMBERED_MS = 90 * 24 * 3600 * 1000;

/**
 * Finds the folder of unfinished uploads: below XDG_STATE_HOME, by default `~/.local/state`. @param env the environment, where
 * there is one
 */
export function uploadStateFolder(env: Readonly<Record<string, string | undefined>> = {}): string {
  const named = env['XDG_STATE_HOME'] ?? '';
  return join(named === '' ? join(homedir(), '.local', 'state') : named, 'dockyard', 'uploads');
}

/** The name of a file's journal: of the file's inode, which stays when the file is moved, and of where the file goes. */
export function journalName(
  order: Pick<JournalOrder, 'apiUrl' | 'projectId' | 'logicalPath'>,
  file: FileIdentity,
): string {
  const parts = [order.apiUrl, file.device, file.inode, order.projectId ?? '', order.logicalPath ?? ''];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** Whether a file is the one it was, unwritten since. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.device === other.device &&
    one.inode === other.inode &&
    one.sizeBytes === other.sizeBytes &&
    one.modifiedNs === other.modifiedNs &&
    one.fingerprint === other.fingerprint
  );
}

/**
 * Opens and locks a journal.
 * @throws ClientError UPLOAD_IN_PROGRESS, STATE_UNUSABLE.
 */
export async function openJournal(folder: string, name: string): Promise<Journal> {
  try {
    return await openLocked(folder, name);
  } catch (error) {
    if (error instanceof ClientError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw localError(
      CLIENT_CODES.stateUnusable,
      `${folder} cannot keep what an interrupted upload needs to go on: ${reason}`,
      error,
    );
  }
}

async function openLocked(folder: string, name: string): Promise<Journal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOld(folder);
  const file = join(folder, `${name}.jsonl`);
  const unlock = lockFile(join(folder, `${name}.lock`));
  try {
    const found = await read(file);
    let tail = Promise.resolve();
    const add = (line: unknown, isLasting = false): Promise<void> => {
      tail = tail.then(() => append(file, line, isLasting));
      return tail;
    };
    return {
      found,
      async reread() {
        await tail;
        return read(file);
      },
      async begin(order) {
        await rm(file, { force: true });
        await add({ version: VERSION, order }, true);
        await syncFolder(folder);
      },
      started: (upload) => add({ upload }, true),
      partRead: (number, sha256) => add({ part: number, sha256 }),
      partStored: (number, etag) => add({ stored: number, etag }),
      async remove() {
        await tail.catch(() => undefined);
        await rm(file, { force: true });
      },
      async close() {
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function lockFile(file: string): () => void {
  const { lock, holder } = tryLock(file, { isShared: true });
  if (lock !== null) return () => lock.release();
  const named = holder.pid === null ? '' : ` (${holder.pid})`;
  throw localError(
    CLIENT_CODES.uploadInProgress,
    `This file is being uploaded by another process${named}. Wait for its end or stop it.`,
  );
}

async function append(file: string, line: unknown, isLasting: boolean): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(line)}\n`);
    if (isLasting) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a new name in a folder outlive a crash of the machine, where the system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows opens no folders.
  }
}

async function read(file: string): Promise<JournalContent | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  let order: JournalOrder | null = null;
  let upload: JournalUpload | null = null;
  const parts = new Map<number, JournalPart>();
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry === null) continue;
    if (entry.order !== undefined) {
      // A journal that another version wrote is not read.
      if (entry.version !== VERSION) return null;
      order = entry.order;
    }
    if (entry.upload !== undefined) upload = entry.upload;
    notePart(parts, entry);
  }
  return order === null ? null : { order, upload, parts };
}

function notePart(parts: Map<number, JournalPart>, { part, sha256, stored, etag }: Line): void {
  if (part !== undefined && sha256 !== undefined) parts.set(part, { sha256, isStored: false, etag: null });
  const sent = stored === undefined ? undefined : parts.get(stored);
  if (stored !== undefined && sent !== undefined)
    parts.set(stored, { ...sent, isStored: true, etag: etag ?? null });
}

interface Line {
  readonly version?: number;
  readonly order?: JournalOrder;
  readonly upload?: JournalUpload;
  readonly part?: number;
  readonly sha256?: string;
  readonly stored?: number;
  readonly etag?: string | null;
}

function parseLine(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line);
    return isLine(value) ? value : null;
  } catch {
    return null;
  }
}

/** The journal is the user's own and only this module writes it, so the shape of a line is not checked further. */
function isLine(value: unknown): value is Line {
  return typeof value === 'object' && value !== null;
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const facts = await stat(file).catch(() => null);
    const keptMs = name.endsWith('.done.json') ? REMEMBERED_MS : KEPT_MS;
    if (facts?.isFile() === true && Date.now() - facts.mtimeMs > keptMs) await rm(file, { force: true });
  }
}
