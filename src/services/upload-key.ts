/** Storage keys of uploads. Any file name is accepted: the key takes a harmless form of it, the name itself is kept. */
import type { UploadUrlRequest } from '../domain/requests.ts';
import { cutToBytes, harmless, storedName, storedPath } from '../domain/stored-path.ts';

/** The fields of an upload request from which its storage key is formed. */
export type KeyParts = Pick<UploadUrlRequest, 'filename' | 'projectId' | 'logicalPath'>;

/** A longer key makes an address that stores refuse. */
const MAX_DOWNLOAD_NAME_BYTES = 255;

/**
 * The key of a new upload. A path that is longer than a key can hold is cut in the key and kept whole in the row. The
 * upload's id before the path makes the key unique, whatever is cut.
 */
export function uploadKey(accountId: string, uploadId: string, body: KeyParts): string {
  const path = keptLogicalPath(body);
  if (body.projectId === undefined || path === null) {
    return `accounts/${accountId}/uploads/${uploadId}/${uploadFilename(body)}`;
  }
  // The case of a UUID's letters has no meaning, and lower case keeps the files of a project under one prefix.
  return `accounts/${accountId}/projects/${body.projectId.toLowerCase()}/${uploadId}/${storedPath(path)}`;
}

/** The logical path in the one form that is stored and compared. */
export function keptLogicalPath({ logicalPath }: Pick<KeyParts, 'logicalPath'>): string | null {
  return logicalPath === undefined ? null : harmless(logicalPath);
}

/** The last segment of the name as sent, in NFC, without control characters, of at most 200 bytes. */
export function uploadFilename({ filename }: Pick<KeyParts, 'filename'>): string {
  const cut = storedName(harmless(lastSegment(filename)));
  return cut === '.' || cut === '..' ? cut.replaceAll('.', '_') : cut;
}

/** The name as sent, without the characters that PostgreSQL cannot store. */
export function keptFilename({ filename }: Pick<KeyParts, 'filename'>): string {
  return filename.toWellFormed().replaceAll('\0', '_');
}

/** The name that a download is given: the last segment of the kept one, of at most 255 bytes. */
export function downloadName(kept: string): string {
  return cutToBytes(lastSegment(kept), MAX_DOWNLOAD_NAME_BYTES);
}

function lastSegment(filename: string): string {
  return filename.split(/[/\\]/).findLast((part) => part !== '') ?? '_';
}
