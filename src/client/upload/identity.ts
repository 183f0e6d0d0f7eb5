/**
 * A file as it is uploaded: opened once, read through one handle, and recognised again after a crash. Recognised means
 * the same device, inode, size, time of change and the same first and last 64 KiB; the parts that were sent are
 * compared by their digests besides, so that this decides only where to look.
 */
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { CLIENT_CODES, localError } from '../errors.ts';

/** Facts by which a file is recognised. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
  readonly sizeBytes: number;
  readonly modifiedNs: string;
  /** SHA-256 over the first and the last 64 KiB. */
  readonly fingerprint: string;
}

/** An open file. */
export interface SourceFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
}

const EDGE_BYTES = 64 * 1024;

/**
 * Opens a file for an upload.
 * @throws ClientError FILE_UNREADABLE, FILE_EMPTY.
 */
export async function openSource(path: string): Promise<SourceFile> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  // Opening a pipe would block for ever, and a folder has no bytes.
  if (!found.isFile()) throw localError(CLIENT_CODES.fileUnreadable, `${path} is not a regular file.`);
  if (found.size === 0)
    throw localError(CLIENT_CODES.fileEmpty, `${path} is empty; the service stores no empty files.`);
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    return { path, handle, identity: await identify(path, handle) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Fills a buffer from a position on.
 * @throws ClientError FILE_CHANGED when the file has become shorter, FILE_UNREADABLE.
 */
export async function readExactly(
  { path, handle }: Pick<SourceFile, 'path' | 'handle'>,
  into: Uint8Array,
  position: number,
): Promise<void> {
  for (let filled = 0; filled < into.byteLength;) {
    const { bytesRead } = await handle
      .read(into, filled, into.byteLength - filled, position + filled)
      .catch((error: unknown) => {
        throw unreadable(path, error);
      });
    if (bytesRead === 0) throw changed(path);
    filled += bytesRead;
  }
}

/** @throws ClientError FILE_CHANGED when somebody has written to the open file since it was opened. */
export async function assertUnchanged({ path, handle, identity }: SourceFile): Promise<void> {
  const facts = await handle.stat({ bigint: true });
  const same = Number(facts.size) === identity.sizeBytes && facts.mtimeNs.toString() === identity.modifiedNs;
  if (!same) throw changed(path);
}

async function identify(path: string, handle: FileHandle): Promise<FileIdentity> {
  const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true });
  const sizeBytes = Number(size);
  const edges = createHash('sha256');
  const edge = Buffer.alloc(Math.min(EDGE_BYTES, sizeBytes));
  for (const position of [0, sizeBytes - edge.byteLength]) {
    await readExactly({ path, handle }, edge, position);
    edges.update(edge);
  }
  return {
    device: dev.toString(),
    inode: ino.toString(),
    sizeBytes,
    modifiedNs: mtimeNs.toString(),
    fingerprint: edges.digest('hex'),
  };
}

function changed(path: string): Error {
  return localError(
    CLIENT_CODES.fileChanged,
    `${path} was changed while it was uploaded. Nothing of it is kept; upload it again when it is complete.`,
  );
}

function unreadable(path: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return localError(CLIENT_CODES.fileUnreadable, `${path} cannot be read: ${reason}`, error);
}
