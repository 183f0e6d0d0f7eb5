/** Storage keys of uploads. Any file name is accepted: the key takes a harmless form of it, the name itself is kept. */
import type { UploadUrlRequest } from '../domain/requests.ts';

/** The fields of an upload request from which its storage key is formed. */
export type KeyParts = Pick<UploadUrlRequest, 'filename' | 'projectId' | 'logicalPath'>;

const MAX_NAME_BYTES = 200;
const MAX_PATH_BYTES = 700;
/** A longer key makes an address that stores refuse. */
const MAX_DOWNLOAD_NAME_BYTES = 255;

/** The key of a new upload. A path that is longer than a key can hold is cut in the key and kept whole in the row. */
export function uploadKey(accountId: string, uploadId: string, body: KeyParts): string {
  const path = keptLogicalPath(body);
  if (body.projectId === undefined || path === null) {
    return `accounts/${accountId}/uploads/${uploadId}/${uploadFilename(body)}`;
  }
  // The case of a UUID's letters has no meaning, and lower case keeps the files of a project under one prefix.
  return `accounts/${accountId}/projects/${body.projectId.toLowerCase()}/${uploadId}/${storedPath(path)}`;
}

/** The path as a key and a file system can hold it. The upload's id before it makes the key unique, whatever is cut. */
function storedPath(path: string): string {
  const segments = path.split('/').map((segment) => cutToBytes(segment, MAX_NAME_BYTES));
  return cutToBytes(segments.join('/'), MAX_PATH_BYTES).replace(/\/(?:\.{0,2})$/, '');
}

/** The logical path in the one form that is stored and compared. */
export function keptLogicalPath({ logicalPath }: Pick<KeyParts, 'logicalPath'>): string | null {
  return logicalPath === undefined ? null : harmless(logicalPath);
}

/** The last segment of the name as sent, in NFC, without control characters, of at most 200 bytes. */
export function uploadFilename({ filename }: Pick<KeyParts, 'filename'>): string {
  const clean = harmless(lastSegment(filename));
  const cut = cutToBytes(clean, MAX_NAME_BYTES);
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

function harmless(text: string): string {
  return text
    .normalize('NFC')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '_');
}

function lastSegment(filename: string): string {
  return filename.split(/[/\\]/).findLast((part) => part !== '') ?? '_';
}

function cutToBytes(text: string, bytes: number): string {
  let length = 0;
  let kept = '';
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes) break;
    kept += character;
  }
  return kept;
}
