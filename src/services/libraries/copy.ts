/**
 * The unpacked copy of a library, whose ranges instances read. A file that is not packed is copied inside the store; a packed one is
 * unpacked once more on its way into the store. Either copy counts only with the digest that the reader of the index has seen.
 */
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { libraryBytes } from '../../tools/ligand-library/unpack.ts';

const TEXT = 'text/plain; charset=utf-8';

/** The unpacked bytes of a library, as they were read. */
export interface UnpackedFile {
  readonly byteSize: number;
  readonly sha256: string;
}

/** Makes the copy. @returns false where the file has other bytes by now. */
export async function storeCopy(
  store: ObjectStore,
  stored: { readonly storageKey: string; readonly sha256: string },
  copyKey: string,
  copy: UnpackedFile,
): Promise<boolean> {
  if (copy.sha256 !== stored.sha256) {
    await store.put(copyKey, { ...copy, open: () => unpacked(store, stored.storageKey) }, TEXT);
    return true;
  }
  const copied = await store.copy(stored.storageKey, copyKey, TEXT);
  if (copied === null) return false;
  const sha256 = copied.sha256 ?? (await store.hash(copyKey))?.sha256;
  return sha256 === copy.sha256;
}

async function* unpacked(store: ObjectStore, key: string): AsyncGenerator<Uint8Array, void> {
  const opened = await store.read(key);
  if (opened !== null) yield* libraryBytes(opened.stream);
}
