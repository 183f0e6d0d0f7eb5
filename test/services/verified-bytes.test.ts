/** A digest is answered only for the bytes of which it was computed, whatever is stored at the address afterwards. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { Actor } from '../../src/domain/access.ts';
import { artifactDownloadUrl, registerArtifact } from '../../src/services/artifacts.ts';
import { checkInputs } from '../../src/services/jobs/inputs.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { assembleUpload } from '../../src/services/uploads/assemble.ts';
import { releaseUpload } from '../../src/services/uploads/end.ts';
import { createUploadUrl, renewUploadUrl } from '../../src/services/uploads/index.ts';
import { openUpload } from '../../src/services/uploads/open.ts';
import { countParts, partsDigest } from '../../src/services/uploads/parts.ts';
import { readUpload } from '../../src/services/uploads/rows.ts';
import { newOwner } from '../support/actors.ts';
import { withLong } from '../support/long.ts';
import { codeOf } from '../support/refusals.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { digestOf, send, STORE_KINDS } from '../support/stores.ts';
import { termsOf } from '../support/upload-terms.ts';
import type { UploadUrlResponse } from '../../src/domain/answers.ts';

const FIRST = 'ATOM 1';
const OTHER = 'ATOM 2';
const FILE = { filename: 'a.pdb', contentType: 'text/plain', size: FIRST.length };

describe('a digest that was recorded', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  // Both kinds keep one contract (`test/integration/storage-multipart.test.ts`), so one of them shows the rest.
  for (const kind of withLong(STORE_KINDS.slice(0, 1), STORE_KINDS.slice(1))) {
    describe(`on ${kind.name}`, () => {
      let store: ObjectStore;
      let actor: Actor;
      let reads: string[];
      before(async () => {
        ({ store } = await kind.open());
      });
      beforeEach(async () => {
        actor = await newOwner(database.db);
        reads = [];
      });

      const deps = () => {
        const read: ObjectStore['read'] = (key, range) => {
          reads.push(key);
          return store.read(key, range);
        };
        const counting: ObjectStore = { ...store, read };
        const quotaBytes = { free: 1_000_000, pro: 1_000_000 };
        return { db: database.db, store: counting, digests: createDigestReader(counting), quotaBytes };
      };
      const put = async ({ uploadUrl, headers }: UploadUrlResponse, bytes: string): Promise<void> => {
        expect(await send({ url: uploadUrl, headers: headers ?? {} }, bytes)).to.be.oneOf([200, 201]);
      };
      const upload = async (bytes = FIRST): Promise<UploadUrlResponse> => {
        const announced = await createUploadUrl(deps(), actor, FILE);
        await put(announced, bytes);
        return announced;
      };
      const register = (storageKey: string, format: 'pdb' | 'log' = 'pdb') =>
        registerArtifact(deps(), actor, { storageKey, format });
      const download = async (artifactId: string) => artifactDownloadUrl(deps(), actor, artifactId);
      const submit = (storageKey: string) =>
        checkInputs(deps(), actor.accountId, [{ path: 'sceneFile', storageKey, reference: null }]);
      const recorded = async (key: string) => {
        const [row] = await database.db.query<{ sha256: string | null; etag: string | null }[]>(
          'select sha256, etag from stored_objects where storage_key = $1',
          [key],
        );
        return row;
      };
      const refused = async (work: Promise<unknown>): Promise<void> => {
        const error = await work.catch((thrown: unknown) => thrown);
        expect(error).to.include({ code: 'CHECKSUM_MISMATCH', status: 422 });
        expect(String(error)).to.include('was changed after it was verified');
      };

      it('is told of no other bytes of the same length', async () => {
        const announced = await upload();
        const { artifact } = (await register(announced.s3Key)).response;
        expect(artifact.sha256).to.equal(digestOf(FIRST));
        expect(await recorded(announced.s3Key)).to.deep.equal({
          sha256: digestOf(FIRST),
          etag: (await store.head(announced.s3Key))?.etag,
        });
        await put(announced, OTHER);
        await refused(register(announced.s3Key, 'log'));
        await refused(register(announced.s3Key));
        await refused(download(artifact.artifactId));
        await refused(submit(announced.s3Key));
        expect((await recorded(announced.s3Key))?.sha256).to.equal(digestOf(FIRST));
      });

      it('is not computed again while the bytes stay, and once when they were written again', async () => {
        const announced = await upload();
        const { artifact } = (await register(announced.s3Key)).response;
        expect(reads).to.have.length(1);
        await Promise.all([
          register(announced.s3Key),
          register(announced.s3Key, 'log'),
          download(artifact.artifactId),
          submit(announced.s3Key),
        ]);
        expect(reads).to.have.length(1);
        await put(announced, FIRST);
        const pins = await submit(announced.s3Key);
        expect(pins.get(announced.s3Key)?.sha256).to.equal(digestOf(FIRST));
        await download(artifact.artifactId);
        const { etag } = (await store.head(announced.s3Key)) ?? {};
        expect((await recorded(announced.s3Key))?.etag).to.equal(etag);
        expect(reads.length).to.be.at.most(2);
      });

      it('from before ETags were kept is proven once', async () => {
        const announced = await upload();
        const { artifact } = (await register(announced.s3Key)).response;
        await database.db.query('update stored_objects set etag = null where storage_key = $1', [
          announced.s3Key,
        ]);
        for (let time = 0; time < 2; time += 1) await download(artifact.artifactId);
        expect(reads).to.have.length(2);
        await database.db.query('update stored_objects set etag = null where storage_key = $1', [
          announced.s3Key,
        ]);
        await put(announced, OTHER);
        await refused(submit(announced.s3Key));
      });

      it('of a multipart upload needs no second reading', async () => {
        const terms = termsOf(actor.accountId, {
          byteSize: FIRST.length,
          provider: store.multipartProvider,
          announcedSha256: digestOf(FIRST),
        });
        const { uploadId, storageKey } = terms;
        await openUpload(deps(), terms, 'run');
        const row = await readUpload(database.db, uploadId);
        if (row?.store_upload_id == null) throw new Error('not open');
        await send(await store.signPart(storageKey, row.store_upload_id, 1, { expiresInSeconds: 60 }), FIRST);
        const counted = countParts(row, (await store.listParts(storageKey, row.store_upload_id)) ?? []);
        const request = { partsSha256: partsDigest(counted.received), sha256: null };
        expect(await assembleUpload(deps(), { uploadId, request })).to.include({ kind: 'assembled' });
        await releaseUpload(deps(), { uploadId, sha256: digestOf(FIRST) });
        expect((await submit(storageKey)).get(storageKey)?.sha256).to.equal(digestOf(FIRST));
        expect(reads).to.deep.equal([]);
        await store.put(storageKey, Buffer.from(OTHER), 'text/plain');
        await refused(submit(storageKey));
      });

      it('ends the life of the address: a verified file is not written again', async () => {
        const announced = await upload();
        await submit(announced.s3Key);
        const error = await renewUploadUrl(deps(), actor, announced.s3Key, FILE).catch(
          (thrown: unknown) => thrown,
        );
        expect(error).to.include({ code: 'UPLOAD_ALREADY_COMPLETE', status: 409 });
        expect(String(error)).to.include(announced.s3Key);
      });

      it('of a file that is gone is not given an address', async () => {
        const announced = await upload();
        const { artifact } = (await register(announced.s3Key)).response;
        await store.remove([announced.s3Key]);
        const error = await download(artifact.artifactId).catch((thrown: unknown) => thrown);
        expect(error).to.include({ code: 'NOT_FOUND' });
        expect(await codeOf(register(announced.s3Key))).to.equal('INPUT_NOT_FOUND');
      });
    });
  }
});

describe('the digests that one process computes', () => {
  let store: ObjectStore;
  before(async () => {
    const [s3] = STORE_KINDS;
    if (s3 === undefined) throw new Error('no kind of store');
    ({ store } = await s3.open());
  });

  it('are read once for all who ask at once, and again for who has seen other bytes', async () => {
    await store.put('digests/one', Buffer.from(FIRST), 'text/plain');
    let reads = 0;
    const digests = createDigestReader({
      read(key, range) {
        reads += 1;
        return store.read(key, range);
      },
    });
    const seen = { key: 'digests/one', byteSize: FIRST.length, etag: '"seen"' };
    const found = await Promise.all(Array.from({ length: 20 }, () => digests.read(seen)));
    expect(new Set(found.map((one) => one?.sha256))).to.deep.equal(new Set([digestOf(FIRST)]));
    expect(reads).to.equal(1);
    await Promise.all([digests.read(seen), digests.read({ ...seen, etag: '"other"' })]);
    expect(reads).to.equal(3);
    // The bytes that were read have this ETag, so they need not be read again.
    const etag = (await store.head(seen.key))?.etag ?? null;
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await digests.read({ ...seen, etag })).to.include({ sha256: digestOf(FIRST), etag });
    }
    expect(reads).to.equal(4);
  });

  it('are few at once, and large files do not keep small ones waiting', async () => {
    await store.put('digests/two', Buffer.from(FIRST), 'text/plain');
    const waiting: (() => void)[] = [];
    let large = 0;
    let mostLarge = 0;
    let isHeld = true;
    const digests = createDigestReader({
      async read(_key, range) {
        if (range === undefined && isHeld) {
          large += 1;
          mostLarge = Math.max(mostLarge, large);
          await new Promise<void>((resolve) => waiting.push(resolve));
          large -= 1;
        }
        return store.read('digests/two', range);
      },
    });
    const many = Array.from({ length: 10 }, (_, index) =>
      digests.read({ key: `large/${index}`, byteSize: 1024 ** 3, etag: null }),
    );
    await turn();
    expect(large).to.equal(2);
    isHeld = false;
    const small = await digests.read({ key: 'small', byteSize: FIRST.length, etag: null });
    expect(small?.sha256).to.equal(digestOf(FIRST));
    for (const go of waiting) go();
    await Promise.all(many);
    expect(mostLarge).to.equal(2);
  });

  it('are of one version of the object, when it is written while it is read', async () => {
    const [bytes, others] = [Buffer.alloc(20, 'a'), Buffer.alloc(20, 'b')];
    await store.put('digests/three', bytes, 'text/plain');
    let reads = 0;
    async function* brokenOff(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, 10);
      await store.put('digests/three', others, 'text/plain');
      throw new Error('broken off');
    }
    const digests = createDigestReader({
      async read(key, range) {
        reads += 1;
        const object = await store.read(key, range);
        if (reads > 1 || object === null) return object;
        object.stream.destroy();
        return { ...object, stream: Readable.from(brokenOff()) };
      },
    });
    const found = await digests.read({ key: 'digests/three', byteSize: 20, etag: null });
    const etag = (await store.head('digests/three'))?.etag;
    expect(found).to.deep.equal({ byteSize: 20, sha256: digestOf(others), etag });
  });
});
