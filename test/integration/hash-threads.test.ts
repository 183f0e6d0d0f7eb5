/** A control worker hashes beside its event loop, so a short statement never waits for a large file. */
import { performance } from 'node:perf_hooks';

import { expect } from 'chai';

import { createThreadHasher } from '../../src/bin/process/hash-threads.ts';
import type { ThreadHasher } from '../../src/bin/process/hash-threads.ts';
import type { HashCheckpoint } from '../../src/contracts/upload.ts';
import { bytesOf } from '../support/multipart.ts';
import { openTestStore } from '../support/object-store.ts';
import type { TestStore } from '../support/object-store.ts';
import { digestOf } from '../support/stores.ts';

const KEY = 'accounts/a/uploads/1/large.bin';
const FORM = 'hash-wasm-4';
/** Settings that the process reads at its start; the thread reads only those of the store. */
const ELSEWHERE = {
  DOCKYARD_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  DOCKYARD_TEMPORAL_ADDRESS: '127.0.0.1:1',
  DOCKYARD_SECRET: '0'.repeat(64),
  DOCKYARD_COMPUTE_TOKEN: '0'.repeat(32),
  DOCKYARD_SETTINGS_KEY: `key:${'0'.repeat(64)}`,
};

describe('hashing beside the event loop', () => {
  const bytes = bytesOf(100_000_000);
  const expected = { byteSize: bytes.byteLength, sha256: digestOf(bytes) };
  let store: TestStore;
  let env: Record<string, string>;
  const open: ThreadHasher[] = [];
  const hasherOf = (more: { readonly resumableAboveBytes?: number } = {}): ThreadHasher => {
    const hasher = createThreadHasher({ atOnce: 4, env, ...more });
    open.push(hasher);
    return hasher;
  };

  before(async () => {
    store = await openTestStore();
    env = { ...ELSEWHERE, ...store.environment, DOCKYARD_STORAGE_PATH_STYLE: 'true' };
    await store.store.put(KEY, bytes, 'application/octet-stream');
  });
  after(async () => {
    for (const hasher of open) await hasher.close();
    await store.close();
  });

  it('leaves the event loop idle while it reads at full speed', async () => {
    const hasher = hasherOf();
    await hasher.hashVersion('accounts/a/none', 1);
    const before = performance.eventLoopUtilization();
    const found = await Promise.all([1, 2, 3].map(() => hasher.hash(KEY, { byteSize: bytes.byteLength })));
    const { utilization } = performance.eventLoopUtilization(before);
    for (const each of found) expect(each).to.deep.equal(expected);
    expect(utilization).to.be.lessThan(0.3);
  });

  it('answers what is not there, and the ETag of what is', async () => {
    const hasher = hasherOf();
    expect(await hasher.hash('accounts/a/none', { byteSize: 1 })).to.equal(null);
    expect(await hasher.hashVersion('accounts/a/none', 1)).to.equal(null);
    const etag = (await store.store.head(KEY))?.etag;
    expect(await hasher.hashVersion(KEY, bytes.byteLength)).to.deep.equal({ ...expected, etag });
  });

  it('tells its state, from which another thread goes on', async () => {
    const told: (HashCheckpoint | null)[] = [];
    const onProgress = (_: number, checkpoint: () => HashCheckpoint | null): void =>
      void told.push(checkpoint());
    const options = { byteSize: bytes.byteLength, onProgress };
    expect(await hasherOf({ resumableAboveBytes: 1 }).hash(KEY, options)).to.deep.equal(expected);
    expect(told.length).to.be.greaterThan(10);
    const checkpoint = told.at(-1) ?? null;
    expect(checkpoint).to.include({ form: FORM });

    const again = hasherOf({ resumableAboveBytes: 1 });
    const offsets: number[] = [];
    const found = await again.hash(KEY, {
      ...{ byteSize: bytes.byteLength, checkpoint },
      onProgress: (offset) => void offsets.push(offset),
    });
    expect(found).to.deep.equal(expected);
    for (const offset of offsets) expect(offset).to.be.greaterThan(checkpoint?.offset ?? 0);
  });

  it('ends when it is stopped, and other readings of its thread go on', async () => {
    const hasher = hasherOf();
    const stopped = new AbortController();
    const other = hasher.hash(KEY, { byteSize: bytes.byteLength });
    const one = hasher.hash(KEY, {
      ...{ byteSize: bytes.byteLength, signal: stopped.signal },
      onProgress: () => stopped.abort(),
    });
    expect(await one.catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(await other).to.deep.equal(expected);
  });
});
