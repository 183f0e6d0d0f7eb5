/** Azure Blob Storage, played by azurite over a temporary folder, with an empty container. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { openContainer } from '../../src/adapters/storage/azure-client.ts';
import type { AzureSettings } from '../../src/adapters/storage/azure-client.ts';
import { createAzureStore } from '../../src/adapters/storage/azure.ts';
import { answering } from './object-store.ts';
import type { Certificate, TestStore } from './object-store.ts';
import { freePort } from './ports.ts';

const ACCOUNT = 'dockyardtest';
const CONTAINER = 'dockyard';
const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve('azurite/package.json')),
  'dist/src/blob/main.js',
);

/**
 * Starts azurite with a container. azurite's files on disk have no names of blobs, so `tamper` goes through the store.
 */
export async function openAzureTestStore(certificate?: Certificate): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-azurite-'));
  const port = await freePort();
  const key = randomBytes(64).toString('base64');
  const tls = certificate === undefined ? [] : ['--cert', certificate.certFile, '--key', certificate.keyFile];
  const server = spawn(
    process.execPath,
    // The SDK speaks a later version of the protocol than azurite knows.
    [PROGRAM, '--silent', '--skipApiVersionCheck', '--disableTelemetry', '--location', folder]
      .concat(['--blobHost', '127.0.0.1', '--blobPort', String(port)])
      .concat(tls),
    { stdio: 'ignore', env: { ...process.env, AZURITE_ACCOUNTS: `${ACCOUNT}:${key}`, NODE_OPTIONS: '' } },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}/${ACCOUNT}`;
  const settings: AzureSettings = {
    storageEndpoint: url,
    storageAccount: ACCOUNT,
    storageAccountKey: key,
    storageContainer: CONTAINER,
    ...(certificate === undefined ? {} : { storageCaFile: certificate.certFile }),
  };
  const store = createAzureStore(settings);
  await answering(() => openContainer(settings).client.createIfNotExists());
  return {
    store,
    elsewhere: createAzureStore({ ...settings, storageContainer: 'elsewhere' }),
    url,
    environment: {
      DOCKYARD_STORAGE_PROVIDER: 'azure',
      DOCKYARD_STORAGE_ENDPOINT: url,
      DOCKYARD_STORAGE_ACCOUNT: ACCOUNT,
      DOCKYARD_STORAGE_ACCOUNT_KEY: key,
      DOCKYARD_STORAGE_CONTAINER: CONTAINER,
    },
    tamper: (name, bytes) => store.put(name, Buffer.from(bytes), 'text/plain'),
    close: async () => {
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
