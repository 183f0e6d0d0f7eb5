/** Reads the beginning of inputs that a submit has checked, so that a tool can refuse what no run could use. */
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { AppError } from '../../domain/errors.ts';
import type { ReadBeginning } from '../../tools/tool.ts';

/** No tool needs more to tell what a file is, and many submits look at the same time. */
const MOST_BYTES = 1024 * 1024;

/** A reader of the beginnings of stored files. */
export function beginningReader(store: Pick<ObjectStore, 'read'>): ReadBeginning {
  return async (storageKey, mostBytes) => {
    const most = Math.min(mostBytes, MOST_BYTES);
    const opened = await store.read(storageKey, { start: 0, end: most - 1 });
    // The file was there a moment ago; one without a byte has no range.
    if (opened === null)
      throw new AppError('INPUT_NOT_FOUND', `The file ${storageKey} is gone. Upload it again.`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.stream) chunks.push(Buffer.from(chunk));
    const bytes = Buffer.concat(chunks).subarray(0, most);
    return { bytes, isWhole: bytes.byteLength >= opened.byteSize, byteSize: opened.byteSize };
  };
}
