/** The thread in which a control worker reads and hashes stored objects, over a store connection of its own. */
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';

import { openObjectStore } from '../../adapters/storage/open.ts';
import { loadConfig } from '../../config.ts';
import type { HashCheckpoint } from '../../contracts/upload.ts';
import { createObjectHasher } from '../../services/stored-objects/object-hasher.ts';
import type { StoredDigest } from '../../services/stored-objects/stored-digests.ts';
import type { ObjectDigest } from '../../services/stored-objects/digest.ts';

/** An object to be read. The port of an object receives the message to stop and sends how far the reading is. */
export type HashTask =
  | { readonly kind: 'version'; readonly key: string; readonly byteSize: number }
  | {
      readonly kind: 'object';
      readonly key: string;
      readonly byteSize: number;
      readonly checkpoint: HashCheckpoint | null;
      readonly resumableAboveBytes?: number;
      readonly port: MessagePort;
    };

/** How far the reading of an object is. */
export interface HashProgress {
  readonly offset: number;
  readonly checkpoint: HashCheckpoint | null;
}

/** A low priority: where cores are few, the work that customers wait for goes before the hashing. */
const PRIORITY = 10;
// On Linux a priority belongs to the thread that sets it; on other systems the whole process would get the priority.
if (process.platform === 'linux') setPriority(PRIORITY);

const store = await openObjectStore(loadConfig('control'));

/** Reads one object. */
export async function hashInThread(task: HashTask): Promise<ObjectDigest | StoredDigest | null> {
  if (task.kind === 'version') return createObjectHasher(store).hashVersion(task.key, task.byteSize);
  const { port, key, byteSize, checkpoint, ...sizes } = task;
  const hasher = createObjectHasher(store, sizes);
  const stopped = new AbortController();
  port.once('message', () => stopped.abort());
  try {
    return await hasher.hash(key, {
      byteSize,
      checkpoint,
      signal: stopped.signal,
      onProgress: (offset, told) => port.postMessage({ offset, checkpoint: told() } satisfies HashProgress),
    });
  } finally {
    port.close();
  }
}
