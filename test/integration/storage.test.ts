/** The contract of every object store, here against versitygw. */
import { createHash } from 'node:crypto';

import { expect } from 'chai';

import type { SignedRequest } from '../../src/adapters/storage/storage.ts';
import { openTestStore } from '../support/object-store.ts';
import type { TestStore } from '../support/object-store.ts';

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('object store contract (S3)', () => {
  let test: TestStore;
  before(async () => {
    test = await openTestStore();
  });
  after(() => test.close());

  const send = async (signed: SignedRequest, body: string, headers = signed.headers): Promise<number> => {
    const answer = await fetch(signed.url, { method: 'PUT', body, headers: { ...headers } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const sign = (key: string, body: string): Promise<SignedRequest> =>
    test.store.signPut(key, {
      expiresInSeconds: 60,
      contentType: 'text/plain',
      byteSize: Buffer.byteLength(body),
      sha256: sha256(body),
    });

  describe('presigned PUT', () => {
    it('stores exactly the announced bytes, under any file name', async () => {
      const key = 'put/a b+é\'"#?.txt';
      expect(await send(await sign(key, 'the bytes'), 'the bytes')).to.equal(200);
      expect(await test.store.head(key)).to.include({
        byteSize: 9,
        sha256: sha256('the bytes'),
        contentType: 'text/plain',
      });
    });

    it('refuses other bytes, another length, another type and a missing digest', async () => {
      const signed = await sign('put/refused', 'the bytes');
      expect(await send(signed, 'no bytes!')).to.equal(400);
      expect(await send(signed, 'short', { ...signed.headers, 'content-length': '5' })).to.equal(403);
      expect(await send(signed, 'the bytes', { ...signed.headers, 'content-type': 'text/html' })).to.equal(
        403,
      );
      const { 'x-amz-checksum-sha256': _digest, ...without } = signed.headers;
      expect(await send(signed, 'the bytes', without)).to.equal(403);
      expect(await test.store.head('put/refused')).to.equal(null);
    });

    it('stores an empty file', async () => {
      expect(await send(await sign('put/empty', ''), '')).to.equal(200);
      expect(await test.store.head('put/empty')).to.include({ byteSize: 0, sha256: sha256('') });
    });
  });

  describe('presigned GET', () => {
    it('downloads under the given name and type', async () => {
      await test.store.put('get/one', Buffer.from('content'), 'text/plain');
      const signed = await test.store.signGet('get/one', {
        expiresInSeconds: 60,
        filename: 'ü "1".csv',
        contentType: 'text/csv',
      });
      const answer = await fetch(signed.url);
      expect(await answer.text()).to.equal('content');
      expect(answer.headers.get('content-type')).to.equal('text/csv');
      expect(answer.headers.get('content-disposition')).to.equal(
        `attachment; filename="_ _1_.csv"; filename*=UTF-8''%C3%BC%20%221%22.csv`,
      );
    });
  });

  describe('copy', () => {
    it('answers size and digest of the bytes, with or without a digest at the PUT', async () => {
      await send(await sign('copy/signed', 'signed bytes'), 'signed bytes');
      await test.store.put('copy/plain', Buffer.from('plain bytes'), 'text/plain');
      expect(await test.store.copy('copy/signed', 'copied/1', 'text/plain')).to.equal(sha256('signed bytes'));
      expect(await test.store.copy('copy/plain', 'copied/2', 'text/csv')).to.equal(sha256('plain bytes'));
      expect(await test.store.head('copied/2')).to.include({
        contentType: 'text/csv',
        sha256: sha256('plain bytes'),
      });
    });

    it("answers the digest of the copy's real bytes when the source changed behind the store", async () => {
      await send(await sign('copy/changed', 'as announced'), 'as announced');
      await test.tamper('copy/changed', 'other  bytes');
      const recorded = await test.store.head('copy/changed');
      expect(recorded?.sha256, 'a HEAD repeats the old digest').to.equal(sha256('as announced'));
      expect(await test.store.copy('copy/changed', 'copied/3', 'text/plain')).to.equal(
        sha256('other  bytes'),
      );
      expect(await test.store.hash('copied/3')).to.deep.equal({
        byteSize: 12,
        sha256: sha256('other  bytes'),
      });
    });

    it('answers the new digest when a copy is repeated after a change, whatever was copied before', async () => {
      await send(await sign('copy/twice', 'first'), 'first');
      await test.store.copy('copy/twice', 'copied/4', 'text/plain');
      await test.tamper('copy/twice', 'second!');
      expect(await test.store.copy('copy/twice', 'copied/4', 'text/plain')).to.equal(sha256('second!'));
      await test.tamper('copied/4', 'third');
      expect(await test.store.hash('copied/4'), 'a stream never lies').to.deep.equal({
        byteSize: 5,
        sha256: sha256('third'),
      });
    });
  });

  it('answers nothing for what is missing, and removes it without complaint', async () => {
    expect(await test.store.head('missing')).to.equal(null);
    expect(await test.store.read('missing')).to.equal(null);
    expect(await test.store.hash('missing')).to.equal(null);
    expect(await test.store.copy('missing', 'copied/5', 'text/plain')).to.equal(null);
    await test.store.remove(['missing']);
    await test.store.remove([]);
  });

  it('reads ranges, and hashes with progress', async () => {
    await test.store.put('read/one', Buffer.from('0123456789'), 'text/plain');
    const text = async (range?: { start: number; end?: number }): Promise<string> => {
      const object = await test.store.read('read/one', range);
      return Buffer.concat((await object?.stream.toArray()) ?? []).toString();
    };
    expect(await text()).to.equal('0123456789');
    expect(await text({ start: 7 })).to.equal('789');
    expect(await text({ start: 2, end: 4 })).to.equal('234');
    const seen: number[] = [];
    await test.store.hash('read/one', (bytes) => seen.push(bytes));
    expect(seen.at(-1)).to.equal(10);
  });

  it('lists and removes more than one page', async () => {
    const keys = Array.from({ length: 1_100 }, (_, index) => `many/${String(index).padStart(4, '0')}`);
    for (let from = 0; from < keys.length; from += 50) {
      await Promise.all(
        keys.slice(from, from + 50).map((key) => test.store.put(key, Buffer.from('x'), 'text/plain')),
      );
    }
    const listed: string[] = [];
    const pages: number[] = [];
    for await (const page of test.store.list('many/')) {
      pages.push(page.length);
      listed.push(...page.map((object) => object.key));
    }
    expect(listed).to.deep.equal(keys);
    expect(Math.max(...pages)).to.be.at.most(1_000);
    await test.store.remove(keys);
    for await (const page of test.store.list('many/')) expect(page).to.deep.equal([]);
  });
});
