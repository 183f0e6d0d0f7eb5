/** The digest of stored bytes, computed by reading the bytes. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** Hashes a stream to its end. `onProgress` gets the bytes read so far. */
export async function hashStream(
  stream: Readable,
  onProgress?: (bytes: number) => void,
): Promise<{ byteSize: number; sha256: string }> {
  const digest = createHash('sha256');
  let byteSize = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new Error('The store streamed something that is not bytes.');
    digest.update(chunk);
    byteSize += chunk.byteLength;
    onProgress?.(byteSize);
  }
  return { byteSize, sha256: digest.digest('hex') };
}
