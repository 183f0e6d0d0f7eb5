/** Storage keys of uploads. Any file name is accepted: the key takes a harmless form of it, the name itself is kept. */
import { AppError } from '../domain/errors.ts';
import type { UploadUrlRequest } from '../domain/requests.ts';

const MAX_NAME_BYTES = 200;
const MAX_PATH_BYTES = 700;

/**
 * The key of a new upload.
 * @throws VALIDATION_ERROR when a logical path is longer than a key can hold.
 */
export function uploadKey(accountId: string, uploadId: string, body: UploadUrlRequest): string {
  if (body.projectId === undefined || body.logicalPath === undefined) {
    return `accounts/${accountId}/uploads/${uploadId}/${uploadFilename(body)}`;
  }
  const path = body.logicalPath.normalize('NFC').replace(/\p{Cc}/gu, '_');
  const tooLong = path.split('/').some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES);
  if (tooLong || Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new AppError(
      'VALIDATION_ERROR',
      `logicalPath: must be at most ${MAX_PATH_BYTES} bytes in all and ${MAX_NAME_BYTES} in each segment.`,
    );
  }
  return `accounts/${accountId}/projects/${body.projectId}/${uploadId}/${path}`;
}

/** The last segment of the name as sent, in NFC, without control characters, of at most 200 bytes. */
export function uploadFilename({ filename }: Pick<UploadUrlRequest, 'filename'>): string {
  const segment = filename.split(/[/\\]/).findLast((part) => part !== '') ?? '_';
  const clean = segment
    .normalize('NFC')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '_');
  const cut = cutToBytes(clean, MAX_NAME_BYTES);
  return cut === '.' || cut === '..' ? cut.replaceAll('.', '_') : cut;
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
