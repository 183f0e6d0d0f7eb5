/**
 * The SHA-256 of a stored object, computed by streaming. After a broken connection the reading continues at the same
 * byte. Up to a few gigabytes the built-in implementation is used, which is five times as fast. The built-in
 * implementation cannot save its state, so the next worker after a lost one starts over, which costs seconds. Larger
 * objects are hashed by an implementation whose state is saved in the heartbeat.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { createSHA256 } from 'hash-wasm';
import type { IHasher } from 'hash-wasm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { HashCheckpoint } from '../../contracts/upload.ts';

/** The digest of an object and the bytes that were read for it. */
export interface ObjectDigest {
  readonly byteSize: number;
  readonly sha256: string;
}

export interface HashOptions {
  readonly byteSize: number;
  /** The state that an earlier attempt saved. */
  readonly checkpoint?: HashCheckpoint | null;
  /** Objects of more bytes are hashed so that another process can go on. */
  readonly resumableAboveBytes?: number;
  /** Called every few megabytes; without a checkpoint there is only the progress to tell. */
  onProgress?(offset: number, checkpoint: () => HashCheckpoint | null): void;
  readonly signal?: AbortSignal;
}

interface Digest {
  readonly offset: number;
  update(chunk: Uint8Array): void;
  hex(): string;
  state(): HashCheckpoint | null;
}

const RESUMABLE_ABOVE_BYTES = 4 * 1024 ** 3;
const PROGRESS_BYTES = 8 * 1024 ** 2;
const STALL_MS = 30_000;
const BREAKS_IN_A_ROW = 5;
const FORM = 'hash-wasm-4';

/** Hashes an object; null when it is not there. @throws what the store throws when it breaks off again and again. */
export async function hashObject(
  store: Pick<ObjectStore, 'read'>,
  key: string,
  options: HashOptions,
): Promise<ObjectDigest | null> {
  const resumable = options.byteSize > (options.resumableAboveBytes ?? RESUMABLE_ABOVE_BYTES);
  const digest = resumable ? await resumableDigest(options.checkpoint ?? null) : builtInDigest();
  for (let breaks = 0; ;) {
    const before = digest.offset;
    try {
      const found = await readOn(store, key, digest, options);
      return found ? { byteSize: digest.offset, sha256: digest.hex() } : null;
    } catch (error) {
      breaks = digest.offset > before ? 0 : breaks + 1;
      if (options.signal?.aborted === true || breaks === BREAKS_IN_A_ROW) throw error;
    }
  }
}

/** Reads from where the digest is to the end; false when there is no object. */
async function readOn(
  store: Pick<ObjectStore, 'read'>,
  key: string,
  digest: Digest,
  options: HashOptions,
): Promise<boolean> {
  // A range that begins at the end cannot be asked for.
  if (digest.offset > 0 && digest.offset >= options.byteSize) return true;
  const object = await store.read(key, digest.offset === 0 ? undefined : { start: digest.offset });
  if (object === null) return false;
  const from = digest.offset;
  let told = from;
  const stop = (): void => void object.stream.destroy(new Error('Hashing was stopped.'));
  options.signal?.addEventListener('abort', stop, { once: true });
  const watch = watchStall(object.stream, () => digest.offset);
  try {
    for await (const chunk of object.stream) {
      if (!(chunk instanceof Uint8Array)) throw new Error('The store streamed something that is not bytes.');
      digest.update(chunk);
      if (digest.offset - told < PROGRESS_BYTES) continue;
      told = digest.offset;
      options.onProgress?.(told, () => digest.state());
    }
  } finally {
    clearInterval(watch);
    options.signal?.removeEventListener('abort', stop);
  }
  if (digest.offset - from < object.byteSize) throw new Error('The store broke off.');
  return true;
}

/** Ends a stream that has brought no bytes for a while, so that the stream is opened again. */
function watchStall(stream: Readable, offset: () => number): NodeJS.Timeout {
  let seen = -1;
  return setInterval(() => {
    if (offset() === seen) stream.destroy(new Error('The store is silent.'));
    seen = offset();
  }, STALL_MS);
}

function builtInDigest(): Digest {
  const hash = createHash('sha256');
  let offset = 0;
  return {
    get offset() {
      return offset;
    },
    update(chunk) {
      hash.update(chunk);
      offset += chunk.byteLength;
    },
    hex: () => hash.digest('hex'),
    state: () => null,
  };
}

async function resumableDigest(checkpoint: HashCheckpoint | null): Promise<Digest> {
  const hash = await createSHA256();
  hash.init();
  let offset = checkpoint?.form === FORM && loads(hash, checkpoint) ? checkpoint.offset : 0;
  return {
    get offset() {
      return offset;
    },
    update(chunk) {
      hash.update(chunk);
      offset += chunk.byteLength;
    },
    hex: () => hash.digest('hex'),
    state: () => ({ offset, state: Buffer.from(hash.save()).toString('base64'), form: FORM }),
  };
}

/**
 * Restores a saved state; a state that another build of the implementation saved is refused, and hashing starts over.
 */
function loads(hash: IHasher, checkpoint: HashCheckpoint): boolean {
  try {
    hash.load(Buffer.from(checkpoint.state, 'base64'));
    return true;
  } catch {
    hash.init();
    return false;
  }
}
