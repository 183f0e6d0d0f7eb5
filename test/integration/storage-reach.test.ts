/** How a store is reached: with a certificate of its own, with encryption at rest, at a name for each bucket. */
import { request } from 'node:https';
import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { createAzureStore } from '../../src/adapters/storage/azure.ts';
import { createS3Store } from '../../src/adapters/storage/s3.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { loadConfig } from '../../src/config.ts';
import { openAzureTestStore } from '../support/azurite.ts';
import { makeCertificate } from '../support/certificate.ts';
import { openTestStore } from '../support/object-store.ts';
import type { Certificate, TestStore } from '../support/object-store.ts';
import { digestOf, send } from '../support/stores.ts';

const OTHER = {
  DOCKYARD_DATABASE_URL: 'postgres://x/y',
  DOCKYARD_TEMPORAL_ADDRESS: 'x:1',
  DOCKYARD_SECRET: '0'.repeat(64),
  DOCKYARD_COMPUTE_TOKEN: '0'.repeat(64),
};

function whole(store: ObjectStore): Promise<void> {
  return store.put('reach/one', Buffer.from('content'), 'text/plain');
}

describe('a store with a certificate of its own', () => {
  let certificate: Certificate & { remove(): Promise<void> };
  const opened: TestStore[] = [];
  before(async () => {
    certificate = await makeCertificate();
  });
  after(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await certificate.remove();
  });

  const get = (url: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(url, { ca: readFileSync(certificate.certFile) }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end();
    });

  for (const [name, open, without] of [
    [
      'S3',
      () => openTestStore({ certificate }),
      (environment: TestStore['environment']) =>
        createS3Store(loadConfig('gateway', { ...OTHER, ...environment })),
    ],
    [
      'Azure Blob',
      () => openAzureTestStore(certificate),
      (environment: TestStore['environment']) =>
        createAzureStore(loadConfig('gateway', { ...OTHER, ...environment })),
    ],
  ] as const) {
    it(`is believed when its authority is named, and not otherwise: ${name}`, async () => {
      const test = await open();
      opened.push(test);
      await whole(test.store);
      expect(await test.store.hash('reach/one')).to.include({ sha256: digestOf('content') });
      const { url } = await test.store.signGet('reach/one', { expiresInSeconds: 60 });
      expect(url).to.match(/^https:/);
      expect(await get(url)).to.equal(200);
      const failure = await whole(without(test.environment)).catch((error: unknown) => error);
      expect(String(failure)).to.match(/self-signed|self signed|certificate/i);
    });
  }
});

describe('encryption at rest', () => {
  let test: TestStore;
  before(async () => {
    test = await openTestStore({ settings: { storageEncryption: 'AES256' } });
  });
  after(() => test.close());

  it('is asked for by every write, and a signed PUT without it is refused', async () => {
    await whole(test.store);
    expect(await test.store.copy('reach/one', 'reach/two', 'text/plain')).to.equal(digestOf('content'));
    const uploadId = await test.store.createMultipart('reach/three', {
      contentType: 'text/plain',
      checksum: 'sha256',
    });
    await test.store.abortMultipart('reach/three', uploadId);
    const signed = await test.store.signPut('reach/four', {
      expiresInSeconds: 60,
      contentType: 'text/plain',
    });
    const { 'x-amz-server-side-encryption': asked, ...without } = signed.headers;
    expect(asked).to.equal('AES256');
    expect(await send(signed, 'content', without)).to.equal(403);
    expect(await send(signed, 'content')).to.equal(200);
  });
});

describe('settings of the object store', () => {
  const load = (environment: Readonly<Record<string, string>>): unknown =>
    loadConfig('gateway', {
      ...OTHER,
      DOCKYARD_STORAGE_ENDPOINT: 'https://store.example.org',
      ...environment,
    });

  it('need no keys on a machine with an identity, but never half a pair', () => {
    expect(load({})).to.include({ storageProvider: 's3', storageAccessKeyId: '' });
    expect(load({ DOCKYARD_STORAGE_ACCESS_KEY_ID: 'a', DOCKYARD_STORAGE_SECRET_ACCESS_KEY: 'b' })).to.include(
      {
        storageAccessKeyId: 'a',
        storageSecretAccessKey: 'b',
      },
    );
    expect(() => load({ DOCKYARD_STORAGE_ACCESS_KEY_ID: 'a' })).to.throw('SECRET_ACCESS_KEY');
    expect(() => load({ DOCKYARD_STORAGE_SECRET_ACCESS_KEY: 'b' })).to.throw('SECRET_ACCESS_KEY');
  });

  it('need account and key for Azure', () => {
    const azure = { DOCKYARD_STORAGE_PROVIDER: 'azure', DOCKYARD_STORAGE_ACCOUNT: 'a' };
    expect(() => load(azure)).to.throw('DOCKYARD_STORAGE_ACCOUNT_KEY');
    expect(() => load({ ...azure, DOCKYARD_STORAGE_ACCOUNT_KEY: 'not base 64' })).to.throw('ACCOUNT_KEY');
    expect(load({ ...azure, DOCKYARD_STORAGE_ACCOUNT_KEY: 'a2V5' })).to.include({
      storageProvider: 'azure',
      storageContainer: 'dockyard',
    });
  });
});
