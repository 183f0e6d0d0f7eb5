/** The contract of every object store: what a signed request allows, and what the store itself refuses. */
import { expect } from 'chai';

import type { SignedRequest } from '../../src/adapters/storage/storage.ts';
import type { TestStore } from '../support/object-store.ts';
import { digestOf, send, STORE_KINDS, UNUSUAL_KEYS } from '../support/stores.ts';
import { until } from '../support/until.ts';

const STORED = [200, 201];

for (const kind of STORE_KINDS) {
  describe(`signed requests, ${kind.name}`, () => {
    let test: TestStore;
    before(async () => {
      test = await kind.open();
    });

    const sign = (key: string, body: string, expiresInSeconds = 60): Promise<SignedRequest> =>
      test.store.signPut(key, {
        expiresInSeconds,
        contentType: 'text/plain',
        byteSize: Buffer.byteLength(body),
        sha256: digestOf(body),
      });
    const get = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
      const answer = await fetch(url, { headers });
      return answer;
    };
    const status = async (url: string): Promise<number> => {
      const answer = await get(url);
      await answer.arrayBuffer();
      return answer.status;
    };

    it('stores what was announced, under any file name, and an empty file', async () => {
      for (const [index, name] of UNUSUAL_KEYS.entries()) {
        const [key, body] = [`signed/${index}/${name}`, index === 0 ? '' : `bytes of ${name}`];
        expect(await send(await sign(key, body), body), key).to.be.oneOf(STORED);
        const head = await test.store.head(key);
        expect(head, key).to.include({ byteSize: Buffer.byteLength(body), contentType: 'text/plain' });
        expect(head?.sha256).to.equal(test.store.enforcesPartChecksums ? digestOf(body) : null);
        expect(await test.store.hash(key)).to.include({ sha256: digestOf(body) });
      }
    });

    it('stores again what was stored, because an answer may be lost', async () => {
      const signed = await sign('signed/again', 'the bytes');
      expect(await send(signed, 'the bytes')).to.be.oneOf(STORED);
      expect(await send(signed, 'the bytes')).to.be.oneOf(STORED);
    });

    it('refuses other bytes, another length, type and a missing digest, or tells the size that came', async () => {
      const signed = await sign('signed/refused', 'the bytes');
      if (!test.store.enforcesPartChecksums) {
        expect(await send(signed, 'other, longer bytes')).to.equal(201);
        expect(await test.store.head('signed/refused')).to.include({ byteSize: 19, sha256: null });
        return;
      }
      expect(await send(signed, 'no bytes!')).to.equal(400);
      expect(await send(signed, 'short', { ...signed.headers, 'content-length': '5' })).to.equal(403);
      expect(await send(signed, 'the bytes', { ...signed.headers, 'content-type': 'text/html' })).to.equal(
        403,
      );
      const { 'x-amz-checksum-sha256': _digest, ...without } = signed.headers;
      expect(await send(signed, 'the bytes', without)).to.equal(403);
      expect(await test.store.head('signed/refused')).to.equal(null);
    });

    it('downloads under a name in UTF-8 and with the given type', async () => {
      await test.store.put('get/one', Buffer.from('content'), 'text/plain');
      const { url } = await test.store.signGet('get/one', {
        expiresInSeconds: 60,
        filename: 'ü "1" 漢.csv',
        contentType: 'text/csv; charset=utf-8',
      });
      const answer = await get(url);
      expect(await answer.text()).to.equal('content');
      expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).to.equal(
        `attachment; filename="_ _1_ _.csv"; filename*=UTF-8''%C3%BC%20%221%22%20%E6%BC%A2.csv`,
      );
    });

    it('downloads a range', async () => {
      await test.store.put('get/range', Buffer.from('0123456789'), 'text/plain');
      const { url } = await test.store.signGet('get/range', { expiresInSeconds: 60 });
      const answer = await get(url, { range: 'bytes=3-5' });
      expect(answer.status).to.equal(206);
      expect(answer.headers.get('content-range')).to.equal('bytes 3-5/10');
      expect(await answer.text()).to.equal('345');
    });

    it('allows one method on one key', async () => {
      await test.store.put('one/mine', Buffer.from('mine'), 'text/plain');
      await test.store.put('one/other', Buffer.from('other'), 'text/plain');
      const read = await test.store.signGet('one/mine', { expiresInSeconds: 60 });
      const write = await test.store.signPut('one/mine', { expiresInSeconds: 60, contentType: 'text/plain' });
      const moved = ({ url, headers }: SignedRequest): SignedRequest => {
        const to = new URL(url);
        to.pathname = to.pathname.replace('one/mine', 'one/other');
        return { url: to.href, headers, expiresInSeconds: 60 };
      };
      expect(await status(read.url)).to.equal(200);
      expect(await status(moved(read).url), 'another key').to.equal(403);
      expect(await send(read, 'new', { ...write.headers }), 'a PUT by a GET').to.equal(403);
      expect(await status(write.url), 'a GET by a PUT').to.equal(403);
      expect(await send(moved(write), 'new'), 'another key').to.equal(403);
      expect(await send(write, 'new!')).to.be.oneOf(STORED);
      expect((await test.store.hash('one/other'))?.sha256).to.equal(digestOf('other'));
    });

    it('ends when its time is over', async () => {
      await test.store.put('expiry/one', Buffer.from('content'), 'text/plain');
      // The time of a signature has whole seconds, so one second may be over at once.
      const read = await test.store.signGet('expiry/one', { expiresInSeconds: 4 });
      expect(await status(read.url)).to.equal(200);
      const write = await sign('expiry/two', 'x', 1);
      const uploadId = await test.store.createMultipart('expiry/three', {
        contentType: 'text/plain',
        checksum: null,
      });
      const part = await test.store.signPart('expiry/three', uploadId, 1, { expiresInSeconds: 1 });
      await until('the URL is refused', async () => (await status(read.url)) === 403);
      await until('the PUT is refused', async () => (await send(write, 'x')) === 403);
      await until('the part is refused', async () => (await send(part, 'x')) === 403);
      await test.store.abortMultipart('expiry/three', uploadId);
    });

    it('lives for at most a week', async () => {
      const failure = await test.store
        .signGet('k', { expiresInSeconds: 604_801 })
        .catch((error: unknown) => error);
      expect(String(failure)).to.contain('seven days');
    });
  });
}
