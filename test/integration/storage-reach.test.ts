/**
 * The ways in which a store is reached: with a certificate of its own, with encryption at rest, with a host name for
 * each bucket.
 */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { createAzureStore } from '../../src/adapters/storage/azure.ts';
import { createBucket } from '../../src/adapters/storage/bucket.ts';
import { letsThrough, uploadOriginOf } from '../../src/adapters/storage/browser-access.ts';
import { createS3Store } from '../../src/adapters/storage/s3.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { loadConfig } from '../../src/config.ts';
import { openAzureTestStore } from '../support/azurite.ts';
import { makeCertificate } from '../support/certificate.ts';
import { openTestStore } from '../support/object-store.ts';
import type { Certificate, TestStore } from '../support/object-store.ts';
import { freePort } from '../support/ports.ts';
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

describe('a bucket with a host of its own', () => {
  let test: TestStore;
  before(async () => {
    test = await openTestStore({ domain: 'store.test' });
  });
  after(() => test.close());

  it('takes and gives what is signed for that host, and not for another bucket', async () => {
    const { port } = new URL(test.url);
    const settings = loadConfig('gateway', {
      ...OTHER,
      ...test.environment,
      DOCKYARD_STORAGE_ENDPOINT: `http://store.test:${port}`,
      DOCKYARD_STORAGE_PATH_STYLE: 'false',
    });
    // No DNS server has the name; requests for the name go to this machine.
    const ask = (url: string, method: string, headers: Readonly<Record<string, string>>): Promise<string> =>
      new Promise((resolve, reject) => {
        const { pathname, search, host } = new URL(url);
        const path = `${pathname}${search}`;
        const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers: { ...headers, host } });
        sent.on('error', reject).on('response', (answer) => {
          text(answer).then((body) => resolve(`${answer.statusCode} ${body}`), reject);
        });
        sent.end(method === 'PUT' ? 'content' : undefined);
      });
    const store = createS3Store(settings);
    const terms = { expiresInSeconds: 60, byteSize: 7, sha256: digestOf('content') };
    const put = await store.signPut('hosts/ä b', terms);
    expect(new URL(put.url).host).to.equal(`dockyard.store.test:${port}`);
    expect(await ask(put.url, 'PUT', put.headers)).to.equal('200 ');
    const get = await store.signGet('hosts/ä b', { expiresInSeconds: 60 });
    expect(await ask(get.url, 'GET', {})).to.equal('200 content');
    expect(await ask(get.url.replace('dockyard.store', 'other.store'), 'GET', {})).to.match(/^(403|404) /);
    expect((await test.store.hash('hosts/ä b'))?.sha256, 'the same bucket by path').to.equal(
      digestOf('content'),
    );
  });
});

describe('encryption at rest', () => {
  let test: TestStore;
  before(async () => {
    test = await openTestStore({ settings: { storageEncryption: 'AES256' } });
  });
  after(() => test.close());

  it('is asked for by every write, and a signed PUT without it is refused', async () => {
    await whole(test.store);
    expect(await test.store.copy('reach/one', 'reach/two', 'text/plain')).to.deep.equal({
      byteSize: null,
      sha256: digestOf('content'),
    });
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

describe('pages that send files to a store', () => {
  const PAGES = 'https://dockyard.example';
  let test: TestStore;
  before(async () => {
    test = await openTestStore();
  });
  after(() => test.close());

  it('are let through once the bucket was made for their origin, and no other origin is', async () => {
    const place = { ...test.environment, DOCKYARD_STORAGE_BUCKET: 'pages' };
    const config = loadConfig('gateway', { ...OTHER, ...place });
    expect(await letsThrough(config, PAGES), 'before').to.equal(false);
    await createBucket({
      endpoint: config.storageEndpoint,
      region: config.storageRegion,
      bucket: config.storageBucket,
      accessKeyId: config.storageAccessKeyId,
      secretAccessKey: config.storageSecretAccessKey,
      pageOrigin: PAGES,
    });
    expect(await letsThrough(config, PAGES)).to.equal(true);
    expect(await letsThrough(config, 'https://elsewhere.example')).to.equal(false);

    const { url, headers } = await createS3Store(config).signPut('reach/page', {
      ...{ expiresInSeconds: 60, contentType: 'text/plain', sha256: digestOf('content') },
    });
    const put = await fetch(url, { method: 'PUT', headers: { ...headers, origin: PAGES }, body: 'content' });
    expect(put.status).to.equal(200);
    expect(put.headers.get('access-control-allow-origin')).to.equal(PAGES);
    expect(put.headers.get('access-control-expose-headers')).to.match(/etag/i);
  });

  it('find the store by the host of its bucket where it has one, and nobody tells of a store that is away', async () => {
    const place = {
      storageProvider: 's3',
      storageBucket: 'files',
      storageContainer: 'blobs',
      storageEndpoint: 'https://s3.example:8443/',
      storagePathStyle: false,
    } as const;
    expect(uploadOriginOf(place)).to.equal('https://files.s3.example:8443');
    expect(uploadOriginOf({ ...place, storagePathStyle: true })).to.equal('https://s3.example:8443');
    expect(uploadOriginOf({ ...place, storageProvider: 'azure' })).to.equal('https://s3.example:8443');
    const away = {
      ...place,
      storageEndpoint: `http://127.0.0.1:${await freePort()}`,
      storagePathStyle: true,
    };
    expect(await letsThrough(away, PAGES)).to.equal(null);
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
