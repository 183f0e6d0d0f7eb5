/**
 * Hashing beside the event loop. Reading a store at full speed fills a thread; on the event loop of a control worker
 * every short statement and every workflow task would have to wait between two chunks.
 */
import { MessageChannel } from 'node:worker_threads';

import { Piscina } from 'piscina';

import type { ObjectHasher } from '../../services/stored-objects/object-hasher.ts';
import type { StoredDigest } from '../../services/stored-objects/stored-digests.ts';
import type { HashOptions, ObjectDigest } from '../../services/stored-objects/digest.ts';
import type { HashProgress, HashTask } from './hash-thread.ts';

/** A hasher with a thread of its own. */
export interface ThreadHasher extends ObjectHasher {
  close(): Promise<void>;
}

/** One thread reads as fast as a store sends, and leaves the other cores to work that customers wait for. */
const THREADS = 1;
const IDLE_MS = 30_000;

export interface ThreadHasherOptions {
  /** The number of objects that are read at once. */
  readonly atOnce: number;
  /** Objects of more bytes are hashed with a state that another process can take over. */
  readonly resumableAboveBytes?: number;
  /** The environment from which the thread reads its settings; by default the environment of the process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes the hasher of one process; its thread starts with the first object and ends when it is idle. */
export function createThreadHasher({ atOnce, env, ...sizes }: ThreadHasherOptions): ThreadHasher {
  const pool = new Piscina<HashTask, ObjectDigest | StoredDigest | null>({
    filename: new URL('./hash-thread.ts', import.meta.url).href,
    name: 'hashInThread',
    minThreads: 0,
    maxThreads: THREADS,
    concurrentTasksPerWorker: atOnce,
    idleTimeout: IDLE_MS,
    ...(env === undefined ? {} : { env }),
  });
  return {
    hash: (key, options) => hashObject(pool, key, { ...options, ...sizes }),
    async hashVersion(key, byteSize) {
      const found = await pool.run({ kind: 'version', key, byteSize });
      if (found === null) return null;
      return { etag: null, ...found };
    },
    close: () => pool.destroy(),
  };
}

async function hashObject(
  pool: Piscina<HashTask, ObjectDigest | StoredDigest | null>,
  key: string,
  options: HashOptions,
): Promise<ObjectDigest | null> {
  const { byteSize, checkpoint = null, signal, resumableAboveBytes: above } = options;
  const sizes = above === undefined ? {} : { resumableAboveBytes: above };
  const { port1: near, port2: port } = new MessageChannel();
  near.on('message', ({ offset, checkpoint: told }: HashProgress) =>
    options.onProgress?.(offset, () => told),
  );
  const stop = (): void => near.postMessage('stop');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    const task: HashTask = { kind: 'object', key, byteSize, checkpoint, port, ...sizes };
    return await pool.run(task, { transferList: [port] });
  } finally {
    signal?.removeEventListener('abort', stop);
    near.close();
  }
}
