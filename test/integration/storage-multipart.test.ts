/** The contract of every object store: uploads in parts, repeated, refused and given up. */
import { expect } from 'chai';

import { MultipartMissingError, PartMismatchError } from '../../src/adapters/storage/storage.ts';
import type { NamedPart, StoredPart } from '../../src/adapters/storage/storage.ts';
import { streamToStore } from '../../src/services/stream-to-store.ts';
import { inLongRuns } from '../support/long.ts';
import type { TestStore } from '../support/object-store.ts';
import { digestOf, gather, send, STORE_KINDS, UNUSUAL_KEYS } from '../support/stores.ts';

const longIt = inLongRuns(it);

const MIB = 1024 ** 2;
const PARTS = [Buffer.alloc(5 * MIB, 'a'), Buffer.alloc(5 * MIB, 'b'), Buffer.from('the tail')];
const WHOLE = Buffer.concat(PARTS);

for (const kind of STORE_KINDS) {
  describe(`multipart uploads, ${kind.name}`, () => {
    let test: TestStore;
    before(async () => {
      test = await kind.open();
    });

    const begin = (key: string, checksum: 'sha256' | null = 'sha256'): Promise<string> =>
      test.store.createMultipart(key, { contentType: 'chemical/x-pdb', checksum });
    const sendPart = async (
      key: string,
      uploadId: string,
      partNumber: number,
      bytes: Buffer<ArrayBuffer>,
      checksum = true,
    ): Promise<number> => {
      const signed = await test.store.signPart(key, uploadId, partNumber, {
        expiresInSeconds: 60,
        byteSize: bytes.byteLength,
        ...(checksum ? { checksumSha256: digestOf(bytes, 'base64') } : {}),
      });
      return send(signed, bytes);
    };
    const sendAll = async (key: string, uploadId: string): Promise<readonly StoredPart[]> => {
      for (const index of [2, 0, 1]) {
        const bytes = PARTS[index] ?? Buffer.alloc(0);
        expect(await sendPart(key, uploadId, index + 1, bytes)).to.be.oneOf([200, 201]);
      }
      return (await test.store.listParts(key, uploadId)) ?? [];
    };
    const failureOf = (key: string, uploadId: string, parts: readonly NamedPart[]): Promise<unknown> =>
      test.store.completeMultipart(key, uploadId, parts).then(
        () => 'completed',
        (error: unknown) => error,
      );
    const openUnder = async (prefix: string): Promise<string[]> =>
      (await gather(test.store.listMultiparts(prefix))).map((upload) => upload.key);

    it('puts parts together that came in any order, under any file name', async () => {
      for (const [index, name] of UNUSUAL_KEYS.entries()) {
        const key = `parts/${index}/${name}`;
        const uploadId = await begin(key);
        const tail = Buffer.from(`tail of ${name}`);
        expect(await sendPart(key, uploadId, 1, tail), key).to.be.oneOf([200, 201]);
        const [open] = await gather(test.store.listMultiparts(`parts/${index}/`));
        expect(open).to.include({ key, storeUploadId: uploadId });
        expect(Math.abs(Date.now() - Number(open?.startedAt))).to.be.below(60_000);
        const parts = (await test.store.listParts(key, uploadId)) ?? [];
        await test.store.completeMultipart(key, uploadId, parts);
        expect((await test.store.hash(key))?.sha256, key).to.equal(digestOf(tail));
      }
      expect(await openUnder('parts/')).to.deep.equal([]);
      expect((await gather(test.store.list('parts/'))).length).to.equal(UNUSUAL_KEYS.length);
    });

    it('tells the parts that it holds, and nothing of them before the end', async () => {
      const uploadId = await begin('held/one');
      expect(await test.store.listParts('held/one', uploadId)).to.deep.equal([]);
      const parts = await sendAll('held/one', uploadId);
      expect(parts.map(({ partNumber, byteSize }) => [partNumber, byteSize])).to.deep.equal([
        [1, 5 * MIB],
        [2, 5 * MIB],
        [3, 8],
      ]);
      const enforced = test.store.enforcesPartChecksums;
      expect(parts.map((part) => part.checksumSha256)).to.deep.equal(
        PARTS.map((bytes) => (enforced ? digestOf(bytes, 'base64') : null)),
      );
      expect(await test.store.head('held/one')).to.equal(null);
      const done = await test.store.completeMultipart('held/one', uploadId, parts);
      expect(await test.store.head('held/one')).to.include({
        byteSize: WHOLE.byteLength,
        contentType: 'chemical/x-pdb',
        etag: done.etag,
      });
      expect((await test.store.hash('held/one'))?.sha256).to.equal(digestOf(WHOLE));
    });

    it('takes parts that this side sends, in any order and again, as those of clients', async () => {
      const uploadId = await begin('sent/one');
      const named = new Map<number, NamedPart>();
      for (const index of [2, 0, 1, 0]) {
        const bytes = PARTS[index] ?? Buffer.alloc(0);
        named.set(index + 1, await test.store.putPart('sent/one', uploadId, index + 1, bytes));
      }
      const held = (await test.store.listParts('sent/one', uploadId)) ?? [];
      expect(held.map(({ partNumber, byteSize }) => [partNumber, byteSize])).to.deep.equal([
        ...[
          [1, 5 * MIB],
          [2, 5 * MIB],
          [3, 8],
        ],
      ]);
      const parts = [...named.values()].sort((a, b) => a.partNumber - b.partNumber);
      await test.store.completeMultipart('sent/one', uploadId, parts);
      expect((await test.store.hash('sent/one'))?.sha256).to.equal(digestOf(WHOLE));
      expect(await openUnder('sent/')).to.deep.equal([]);
    });

    it('stores what is made while it is sent, whatever the pieces and wherever a part ends', async () => {
      for (const byteSize of [0, 5 * MIB, 10 * MIB + 3]) {
        const whole = Buffer.alloc(byteSize, 'abcdefg');
        const key = `streamed/${byteSize}`;
        const stored = await streamToStore(
          test.store,
          { key, contentType: 'text/csv', partBytes: 5 * MIB },
          inPieces(whole, 3 * MIB + 7),
        );
        expect(stored).to.deep.equal({ byteSize, sha256: digestOf(whole) });
        expect(await test.store.hash(key), key).to.deep.equal(stored);
        expect(await test.store.head(key)).to.include({ byteSize, contentType: 'text/csv' });
      }
      expect(await openUnder('streamed/')).to.deep.equal([]);
    });

    it('stores nothing where what is sent cannot be made to its end', async () => {
      const target = { key: 'broken/one', contentType: 'text/csv', partBytes: 5 * MIB };
      const failure: unknown = await streamToStore(test.store, target, breaking(11 * MIB)).catch(
        (error: unknown) => error,
      );
      expect(String(failure)).to.contain('no more');
      expect(await test.store.head('broken/one')).to.equal(null);
      expect(await openUnder('broken/')).to.deep.equal([]);
    });

    it('answers a repeated completion as the first, also without etags, and lets no abort undo it', async () => {
      const uploadId = await begin('repeat/one', null);
      expect(await sendPart('repeat/one', uploadId, 1, Buffer.from('x'), false)).to.be.oneOf([200, 201]);
      const parts = [{ partNumber: 1, etag: null, checksumSha256: null }];
      const first = await test.store.completeMultipart('repeat/one', uploadId, parts);
      expect(await test.store.completeMultipart('repeat/one', uploadId, parts)).to.deep.equal(first);
      expect(await test.store.listParts('repeat/one', uploadId), 'no longer an upload').to.equal(null);
      await test.store.abortMultipart('repeat/one', uploadId);
      expect((await test.store.hash('repeat/one'))?.sha256).to.equal(digestOf('x'));
      expect(await test.store.completeMultipart('repeat/one', uploadId, parts)).to.deep.equal(first);
    });

    it('completes once when it is asked twice at the same time', async () => {
      const uploadId = await begin('together/one');
      const parts = await sendAll('together/one', uploadId);
      const complete = (): Promise<unknown> =>
        test.store.completeMultipart('together/one', uploadId, parts).catch((error: unknown) => error);
      await Promise.all([complete(), complete()]);
      await test.store.completeMultipart('together/one', uploadId, parts);
      expect((await test.store.hash('together/one'))?.sha256).to.equal(digestOf(WHOLE));
    });

    it('names the part that is not stored', async () => {
      const uploadId = await begin('mismatch/one');
      const parts = await sendAll('mismatch/one', uploadId);
      const failure = await failureOf('mismatch/one', uploadId, [
        ...parts,
        { partNumber: 7, etag: null, checksumSha256: null },
      ]);
      expect(failure).to.be.instanceOf(PartMismatchError).with.property('partNumber', 7);
      expect(String(failure)).to.contain('Part 7');
      if (test.store.enforcesPartChecksums) {
        for (const wrong of [{ etag: `"${'0'.repeat(32)}"` }, { checksumSha256: digestOf('x', 'base64') }]) {
          const named = parts.map((part) => (part.partNumber === 2 ? { ...part, ...wrong } : part));
          const refusal = await failureOf('mismatch/one', uploadId, named);
          expect(refusal, JSON.stringify(wrong))
            .to.be.instanceOf(PartMismatchError)
            .with.property('partNumber', 2);
        }
      }
      expect(await test.store.head('mismatch/one')).to.equal(null);
      await test.store.completeMultipart('mismatch/one', uploadId, parts);
      expect((await test.store.hash('mismatch/one'))?.sha256).to.equal(digestOf(WHOLE));
    });

    it('takes the last bytes sent for a part, and only the parts named', async () => {
      const uploadId = await begin('latest/one');
      for (const text of ['first', 'second!']) {
        expect(await sendPart('latest/one', uploadId, 1, Buffer.from(text))).to.be.oneOf([200, 201]);
      }
      expect(await sendPart('latest/one', uploadId, 2, Buffer.from('not named'))).to.be.oneOf([200, 201]);
      const parts = (await test.store.listParts('latest/one', uploadId)) ?? [];
      expect(parts.map((part) => part.byteSize)).to.deep.equal([7, 9]);
      await test.store.completeMultipart('latest/one', uploadId, parts.slice(0, 1));
      expect((await test.store.hash('latest/one'))?.sha256).to.equal(digestOf('second!'));
    });

    it('keeps nothing of what is given up', async () => {
      const uploadId = await begin('abort/one');
      const parts = await sendAll('abort/one', uploadId);
      await test.store.abortMultipart('abort/one', uploadId);
      await test.store.abortMultipart('abort/one', uploadId);
      expect(await test.store.listParts('abort/one', uploadId)).to.equal(null);
      expect(await openUnder('abort/')).to.deep.equal([]);
      expect(await test.store.head('abort/one')).to.equal(null);
      expect(await gather(test.store.list('abort/'))).to.deep.equal([]);
      expect(await failureOf('abort/one', uploadId, parts)).to.be.instanceOf(MultipartMissingError);
      const next = await begin('abort/one');
      expect(await test.store.listParts('abort/one', next), 'no part of the old one').to.deep.equal([]);
      await test.store.abortMultipart('abort/one', next);
      await test.store.abortMultipart('abort/never', 'unknown');
      expect(await test.store.listParts('abort/never', 'unknown')).to.equal(null);
    });

    it('leaves an object alone that was there before an upload of its key was given up', async () => {
      await test.store.put('abort/there', Buffer.from('kept'), 'text/plain');
      const uploadId = await begin('abort/there');
      expect(await sendPart('abort/there', uploadId, 1, Buffer.from('x'))).to.be.oneOf([200, 201]);
      await test.store.abortMultipart('abort/there', uploadId);
      expect((await test.store.hash('abort/there'))?.sha256).to.equal(digestOf('kept'));
    });

    it('refuses wrong bytes, a missing digest, another length and another part, where it enforces them', async () => {
      const uploadId = await begin('enforced/one');
      const bytes = Buffer.from('the bytes');
      const signed = await test.store.signPart('enforced/one', uploadId, 1, {
        expiresInSeconds: 60,
        byteSize: bytes.byteLength,
        checksumSha256: digestOf(bytes, 'base64'),
      });
      const other = { ...signed, url: signed.url.replace('partNumber=1', 'partNumber=2') };
      if (test.store.enforcesPartChecksums) {
        expect(await send(signed, 'no bytes!')).to.equal(400);
        expect(await send(signed, bytes, { 'content-length': '9' })).to.equal(403);
        expect(await send(signed, 'longer bytes', { ...signed.headers, 'content-length': '12' })).to.equal(
          403,
        );
        expect(await send(other, bytes)).to.equal(403);
        expect(await test.store.listParts('enforced/one', uploadId)).to.deep.equal([]);
      } else {
        expect(signed.headers).to.deep.equal({});
        expect(await send(signed, 'longer bytes')).to.equal(201);
        const [part] = (await test.store.listParts('enforced/one', uploadId)) ?? [];
        expect(part, 'the true size is told').to.include({ byteSize: 12, checksumSha256: null });
      }
      await test.store.abortMultipart('enforced/one', uploadId);
    });

    it('lists more parts than one answer of the store holds', async () => {
      const uploadId = await begin('many-parts/one', null);
      const numbers = Array.from({ length: 1_030 }, (_, index) => index + 1);
      for (let from = 0; from < numbers.length; from += 50) {
        await Promise.all(
          numbers
            .slice(from, from + 50)
            .map((number) => sendPart('many-parts/one', uploadId, number, Buffer.from('x'), false)),
        );
      }
      const parts = await test.store.listParts('many-parts/one', uploadId);
      expect(parts?.map((part) => part.partNumber)).to.deep.equal(numbers);
      await test.store.abortMultipart('many-parts/one', uploadId);
    });

    longIt('lists more open uploads than one answer of the store holds', async () => {
      const keys = Array.from({ length: 1_030 }, (_, index) => `many-open/${String(index).padStart(4, '0')}`);
      const ids: string[] = [];
      for (let from = 0; from < keys.length; from += 50) {
        ids.push(...(await Promise.all(keys.slice(from, from + 50).map((key) => begin(key, null)))));
      }
      const open = await gather(test.store.listMultiparts('many-open/'));
      expect(open.map((upload) => upload.key)).to.deep.equal(keys);
      expect(open.map((upload) => upload.storeUploadId)).to.deep.equal(ids);
    });
  });
}

async function* inPieces(whole: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.byteLength; at += size) yield whole.subarray(at, at + size);
}

async function* breaking(byteSize: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(byteSize, 'x');
  throw new Error('There is no more.');
}
