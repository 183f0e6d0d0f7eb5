/** A versitygw over a temporary folder, so that a test can change bytes behind the store's back. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createS3Store } from '../../src/adapters/storage/s3.ts';
import type { S3Settings } from '../../src/adapters/storage/s3.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { findTool } from '../../src/stack/tools.ts';
import { freePort } from './ports.ts';

/** A running store. */
export interface TestStore {
  readonly store: ObjectStore;
  /** The same store, over a bucket that does not exist. */
  readonly elsewhere: ObjectStore;
  readonly url: string;
  /** The settings with which a Dockyard process uses this store. */
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces the bytes of an object on disk, without the store's knowledge. */
  tamper(key: string, bytes: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A certificate and its key, in PEM files. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

const BUCKET = 'dockyard';
const CREDENTIALS = { storageAccessKeyId: 'test', storageSecretAccessKey: 'test-secret' };

/** Starts a store with an empty bucket. */
export async function openTestStore(
  options: {
    readonly certificate?: Certificate;
    readonly settings?: Partial<S3Settings>;
    /** The domain under which each bucket has a host name of its own. */
    readonly domain?: string;
  } = {},
): Promise<TestStore> {
  const { certificate } = options;
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-store-'));
  await mkdir(join(folder, BUCKET));
  const port = await freePort();
  const url = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const tls = certificate === undefined ? [] : ['--cert', certificate.certFile, '--key', certificate.keyFile];
  const hosts = options.domain === undefined ? [] : ['--virtual-domain', `${options.domain}:${port}`];
  const server = spawn(
    findTool('versitygw', process.env),
    [
      '--port',
      `127.0.0.1:${port}`,
      '--region',
      'us-east-1',
      '--quiet',
      '--keep-alive',
      ...tls,
      ...hosts,
      'posix',
      folder,
    ],
    {
      stdio: 'ignore',
      env: {
        ...process.env,
        ROOT_ACCESS_KEY: CREDENTIALS.storageAccessKeyId,
        ROOT_SECRET_KEY: CREDENTIALS.storageSecretAccessKey,
      },
    },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const settings: S3Settings = {
    storageEndpoint: url,
    storageRegion: 'us-east-1',
    storageBucket: BUCKET,
    storagePathStyle: true,
    ...CREDENTIALS,
    ...(certificate === undefined ? {} : { storageCaFile: certificate.certFile }),
    ...options.settings,
  };
  const store = createS3Store(settings);
  await answering(() => store.ping());
  return {
    store,
    elsewhere: createS3Store({ ...settings, storageBucket: 'elsewhere' }),
    url,
    environment: {
      DOCKYARD_STORAGE_ENDPOINT: url,
      DOCKYARD_STORAGE_REGION: 'us-east-1',
      DOCKYARD_STORAGE_BUCKET: BUCKET,
      DOCKYARD_STORAGE_ACCESS_KEY_ID: CREDENTIALS.storageAccessKeyId,
      DOCKYARD_STORAGE_SECRET_ACCESS_KEY: CREDENTIALS.storageSecretAccessKey,
    },
    tamper: (key, bytes) => writeFile(join(folder, BUCKET, key), bytes),
    close: async () => {
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Repeats a question until a store that has only just started answers it. */
export async function answering(ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    }
  }
}
