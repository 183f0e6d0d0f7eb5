/** The form that names and paths of uploads have in storage keys. Names that customers send are compared in this form. */

const MAX_NAME_BYTES = 200;
const MAX_PATH_BYTES = 700;

/** The path as a key and a file system can hold it: each segment of at most 200 bytes, and at most 700 bytes in all. */
export function storedPath(path: string): string {
  const segments = path.split('/').map(storedName);
  return cutToBytes(segments.join('/'), MAX_PATH_BYTES).replace(/\/(?:\.{0,2})$/, '');
}

/** The name as a key and a file system can hold it, of at most 200 bytes. */
export function storedName(name: string): string {
  return cutToBytes(name, MAX_NAME_BYTES);
}

/** The text in NFC, without control characters and lone surrogates. */
export function harmless(text: string): string {
  return text
    .normalize('NFC')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '_');
}

/** The longest beginning of whole characters that has at most so many bytes. */
export function cutToBytes(text: string, bytes: number): string {
  let length = 0;
  let kept = '';
  for (const character of text) {
    length += bytesOf(character);
    if (length > bytes) break;
    kept += character;
  }
  return kept;
}

/** The bytes of one character in UTF-8; the domain has no Buffer. */
function bytesOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
