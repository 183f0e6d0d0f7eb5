// The work behind the upload workflow, on every kind of store, with each step repeated and interrupted.
import { createHash } from 'node:crypto';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { CompletionRequest, UploadTerms } from '../../src/contracts/upload.ts';
import { assembleUpload } from '../../src/services/uploads/assemble.ts';
import { hashObject } from '../../src/services/stored-objects/digest.ts';
import { closeUpload, releaseUpload } from '../../src/services/uploads/end.ts';
import { openUpload } from '../../src/services/uploads/open.ts';
import { countParts, partsDigest } from '../../src/services/uploads/parts.ts';
import { readUpload } from '../../src/services/uploads/rows.ts';
import {
  removeAccountFiles,
  sweepEnded,
  sweepLate,
  sweepParts,
  sweepRemoved,
  sweepUploads,
} from '../../src/services/uploads/sweep.ts';
import { newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { withLong } from '../support/long.ts';
import { bytesOf, PART, stored } from '../support/multipart.ts';
import { digestOf, send, STORE_KINDS } from '../support/stores.ts';
import { termsOf } from '../support/upload-terms.ts';

const BYTES = bytesOf(PART + 10) as Buffer<ArrayBuffer>;
const ABORT = { state: 'ABORTED', code: 'UPLOAD_ABORTED', message: 'gone' } as const;

describe('multipart uploads, behind their workflow', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  // Both kinds keep one contract (`test/integration/storage-multipart.test.ts`), so one of them shows the rest.
  for (const kind of withLong(STORE_KINDS.slice(0, 1), STORE_KINDS.slice(1))) {
    describe(`the work on uploads, on ${kind.name}`, function () {
      this.timeout(240_000);
      let store: ObjectStore;
      let accountId: string;
      const work = (through: Partial<ObjectStore> = {}) => ({
        db: database.db,
        store: { ...store, ...through },
      });
      before(async () => {
        ({ store } = await kind.open());
      });
      beforeEach(async () => {
        ({ accountId } = await newAccount(database.db, 0));
      });

      const twoParts = (more: Partial<UploadTerms> = {}): UploadTerms =>
        termsOf(accountId, {
          byteSize: BYTES.byteLength,
          partCount: 2,
          provider: store.multipartProvider,
          ...more,
        });
      const sendAll = async ({ uploadId }: UploadTerms, bytes = BYTES): Promise<CompletionRequest> => {
        const row = await readUpload(database.db, uploadId);
        if (row?.store_upload_id == null) throw new Error('not open');
        for (const partNumber of [1, 2]) {
          const signed = await store.signPart(row.storage_key, row.store_upload_id, partNumber, {
            expiresInSeconds: 60,
          });
          const slice = bytes.subarray((partNumber - 1) * PART, partNumber * PART);
          expect(await send(signed, slice)).to.be.oneOf([200, 201]);
        }
        const counted = countParts(row, (await store.listParts(row.storage_key, row.store_upload_id)) ?? []);
        return { partsSha256: partsDigest(counted.received), sha256: null };
      };
      const open = async (terms = twoParts()): Promise<UploadTerms> => {
        expect(await openUpload(work(), terms, 'run')).to.include({ kind: 'opened' });
        return terms;
      };
      const left = (): Promise<string[]> => stored({ store }, accountId);

      it('opens an upload once, however often and at once it is asked to', async () => {
        const terms = twoParts();
        const decisions = await Promise.all(
          Array.from({ length: 5 }, () => openUpload(work(), terms, 'run')),
        );
        expect(new Set(decisions.map((decision) => JSON.stringify(decision))).size).to.equal(1);
        expect((await readUpload(database.db, terms.uploadId))?.state).to.equal('OPEN');
        await closeUpload(work(), { uploadId: terms.uploadId, ...ABORT });
        expect(await left()).to.deep.equal([]);
      });

      it('opens nothing too late, and goes on with an opening that was broken off', async () => {
        const late = twoParts({ openBy: new Date(Date.now() - 60_000).toISOString() });
        expect(await openUpload(work(), late, 'run')).to.deep.equal({ kind: 'expired' });
        expect(await readUpload(database.db, late.uploadId)).to.equal(null);

        const broken = twoParts();
        const down = { createMultipart: () => Promise.reject(new Error('down')) };
        expect(await openUpload(work(down), broken, 'run').catch(String)).to.include('down');
        expect((await readUpload(database.db, broken.uploadId))?.state).to.equal('OPENING');
        await open({ ...broken, openBy: late.openBy });
        expect((await readUpload(database.db, broken.uploadId))?.state).to.equal('OPEN');
      });

      it('gives up what took too long to open and has no key by which it could be asked for again', async () => {
        const unheard = twoParts({ isUnnamed: true });
        const down = { createMultipart: () => Promise.reject(new Error('down')) };
        expect(await openUpload(work(down), unheard, 'run').catch(String)).to.include('down');
        const late = { ...unheard, openBy: new Date(Date.now() - 1_000).toISOString() };
        expect(await openUpload(work(), late, 'run')).to.deep.equal({ kind: 'expired' });
        expect((await readUpload(database.db, unheard.uploadId))?.state).to.equal('ABORTED');
        expect(await left()).to.deep.equal([]);
        await open(twoParts({ isUnnamed: true }));
      });

      it('puts parts together that were sent whole, and releases the key once', async () => {
        const terms = await open();
        const request = await sendAll(terms);
        const asked = { uploadId: terms.uploadId, request };
        const other = { ...asked, request: { ...request, partsSha256: 'x' } };
        expect(await assembleUpload(work(), other)).to.include({
          kind: 'refused',
          code: 'UPLOAD_INCOMPLETE',
        });
        for (let turn = 0; turn < 2; turn += 1)
          expect(await assembleUpload(work(), asked)).to.deep.equal({ kind: 'assembled', sha256: null });
        const ends = [];
        for (let turn = 0; turn < 2; turn += 1)
          ends.push(await releaseUpload(work(), { uploadId: terms.uploadId, sha256: null }));
        expect(ends[1]).to.deep.equal(ends[0]);
        expect(ends[0]).to.deep.include({ state: 'COMPLETED' });
        expect(await assembleUpload(work(), asked)).to.deep.equal({ kind: 'ended', end: ends[0] });
        expect(await closeUpload(work(), { uploadId: terms.uploadId, ...ABORT })).to.deep.equal(ends[0]);
        expect(await store.hash(terms.storageKey)).to.deep.equal({
          byteSize: BYTES.byteLength,
          sha256: digestOf(BYTES),
        });
        expect(await left()).to.deep.equal([terms.storageKey]);
      });

      it('recognises the object of a completion that was broken off at any step', async () => {
        const breakable: (keyof ObjectStore)[] = ['listParts', 'completeMultipart', 'head'];
        for (const method of breakable) {
          const terms = await open();
          const asked = { uploadId: terms.uploadId, request: await sendAll(terms) };
          // The store does the work, and its answer is lost.
          const lost = {
            [method]: async (...args: never[]) => {
              await (store[method] as (...all: never[]) => unknown)(...args);
              throw new Error('answer lost');
            },
          };
          expect(await assembleUpload(work(lost), asked).catch(String)).to.include('answer lost');
          expect(await assembleUpload(work(), asked), method).to.deep.equal({
            kind: 'assembled',
            sha256: null,
          });
          expect(await releaseUpload(work(), { ...asked, sha256: null })).to.include({ state: 'COMPLETED' });
        }
      });

      it('fails an upload whose parts the store has lost, and clears up', async () => {
        const terms = await open();
        const request = await sendAll(terms);
        const row = await readUpload(database.db, terms.uploadId);
        await store.abortMultipart(terms.storageKey, row?.store_upload_id ?? '');
        const verdict = await assembleUpload(work(), { uploadId: terms.uploadId, request });
        expect(verdict).to.include({ kind: 'failed', code: 'UPLOAD_ABORTED' });
      });

      it('leaves nothing of an aborted upload, whatever attempts began and whatever is repeated', async () => {
        const terms = await open();
        await sendAll(terms);
        // An attempt died before it could record the upload that it had begun.
        await store.createMultipart(terms.storageKey, { contentType: 'text/plain', checksum: null });
        expect(await left()).to.have.length(2);
        const down = { remove: () => Promise.reject(new Error('down')) };
        const closing = { uploadId: terms.uploadId, ...ABORT };
        expect(await closeUpload(work(down), closing).catch(String)).to.include('down');
        expect((await readUpload(database.db, terms.uploadId))?.state).to.equal('OPEN');
        for (let turn = 0; turn < 2; turn += 1)
          expect(await closeUpload(work(), { ...closing, state: 'EXPIRED' })).to.include({
            state: 'EXPIRED',
          });
        expect(await left()).to.deep.equal([]);
      });

      it('sweeps parts that no open upload knows, once they are old enough', async () => {
        const terms = await open();
        await store.createMultipart(terms.storageKey, { contentType: 'text/plain', checksum: null });
        const orphan = `accounts/${accountId}/uploads/none/x`;
        await store.createMultipart(orphan, { contentType: 'text/plain', checksum: null });
        await sweepParts(work());
        expect(await left()).to.have.length(3);
        const aged: Partial<ObjectStore> = {
          async *listMultiparts(prefix) {
            for await (const page of store.listMultiparts(prefix))
              yield page
                .filter(({ key }) => key.includes(accountId))
                .map((upload) => ({ ...upload, startedAt: new Date(Date.now() - 3 * 3_600_000) }));
          },
        };
        await sweepParts(work(aged));
        expect(await left()).to.have.length(2);
        await closeUpload(work(), { uploadId: terms.uploadId, ...ABORT });
        expect(await left()).to.deep.equal([]);
      });

      it('waits for an object that the store is still putting together', async () => {
        const terms = await open();
        const asked = { uploadId: terms.uploadId, request: await sendAll(terms) };
        let looks = 0;
        const later: Partial<ObjectStore> = {
          head: async (key) => ((looks += 1) < 3 ? null : store.head(key)),
        };
        expect(await assembleUpload(work(later), asked)).to.deep.equal({ kind: 'assembled', sha256: null });
        expect(looks).to.equal(3);
        await closeUpload(work(), { uploadId: terms.uploadId, ...ABORT });
      });

      it('removes once more what an ended upload has in the store', async () => {
        const terms = await open();
        await closeUpload(work(), { uploadId: terms.uploadId, ...ABORT });
        await store.put(terms.storageKey, Buffer.from('late'), 'text/plain');
        await sweepEnded(work());
        expect(await left()).to.have.length(1);
        for (const ago of ['15 minutes', '150 minutes']) {
          await store.put(terms.storageKey, Buffer.from('late'), 'text/plain');
          await database.db.query(`update uploads set ended_at = now() - $2::interval where id = $1`, [
            terms.uploadId,
            ago,
          ]);
          await sweepEnded(work());
          expect(await left(), ago).to.deep.equal([]);
        }
      });

      it('sweeps the rest where something cannot be swept, and says so', async () => {
        const terms = await open();
        await closeUpload(work(), { uploadId: terms.uploadId, ...ABORT });
        await store.put(terms.storageKey, Buffer.from('late'), 'text/plain');
        await database.db.query(`update uploads set ended_at = now() - interval '15 minutes' where id = $1`, [
          terms.uploadId,
        ]);
        const listMultiparts = (): never => {
          throw new Error('The store lists none.');
        };
        const sweep = { ...work({ listMultiparts }), isOpen: async () => true };
        const told = await sweepUploads(sweep).catch((error: unknown) => error);
        expect(told).to.have.nested.property('cause.message', 'The store lists none.');
        expect(await left()).to.deep.equal([]);
      });

      it('sweeps uploads whose time is over and whose workflow is lost', async () => {
        const [lost, kept] = [await open(), await open()];
        await database.db.query(
          `update uploads set expires_at = now() - interval '3 hours' where id = any($1)`,
          [[lost.uploadId, kept.uploadId]],
        );
        await sweepLate({ ...work(), isOpen: async (uploadId) => uploadId === kept.uploadId });
        expect((await readUpload(database.db, lost.uploadId))?.state).to.equal('EXPIRED');
        expect((await readUpload(database.db, kept.uploadId))?.state).to.equal('OPEN');
        await closeUpload(work(), { uploadId: kept.uploadId, ...ABORT });
      });

      it('sweeps everything of a removed account, and what still arrives', async () => {
        const done = await open();
        await assembleUpload(work(), { uploadId: done.uploadId, request: await sendAll(done) });
        await releaseUpload(work(), { uploadId: done.uploadId, sha256: null });
        const under = await open();
        await store.put(`accounts/${accountId}/jobs/j/out`, Buffer.from('x'), 'text/plain');
        const { accountId: neighbour } = await newAccount(database.db, 0);
        await store.put(`accounts/${neighbour}/uploads/u/x`, Buffer.from('x'), 'text/plain');
        await removeAccountFiles(work(), accountId);
        await sweepRemoved(work());
        expect(await left()).to.deep.equal([]);
        expect(await stored({ store }, neighbour)).to.have.length(1);
        expect((await readUpload(database.db, under.uploadId))?.state).to.equal('ABORTED');
        await store.put(`accounts/${accountId}/uploads/u/late`, Buffer.from('x'), 'text/plain');
        await database.db.query(
          `update account_removals set requested_at = now() - interval '3 hours' where account_id = $1`,
          [accountId],
        );
        await sweepRemoved(work());
        expect(await left()).to.deep.equal([]);
        const [removal] = await database.db.query<{ swept_at: Date | null }[]>(
          'select swept_at from account_removals where account_id = $1',
          [accountId],
        );
        expect(removal?.swept_at).to.be.instanceOf(Date);
      });
    });
  }

  describe('the room of an account', () => {
    it('is never given away twice, whoever asks at once and whatever way', async () => {
      const { accountId } = await newAccount(database.db, 0);
      const [s3] = STORE_KINDS;
      const store = (await s3?.open())?.store;
      if (store === undefined) throw new Error('no store');
      const decisions = await Promise.all(
        Array.from({ length: 20 }, () =>
          openUpload(
            { db: database.db, store },
            termsOf(accountId, { byteSize: 100, quotaBytes: 750 }),
            'run',
          ),
        ),
      );
      const opened = decisions.filter(({ kind }) => kind === 'opened');
      expect(opened).to.have.length(7);
      for (const decision of decisions)
        if (decision.kind !== 'opened') expect(decision).to.include({ code: 'STORAGE_QUOTA_EXCEEDED' });
      const [used] = await database.db.query<{ bytes: number; rows: number }[]>(
        `select sum(byte_size)::bigint as bytes, count(*)::int as rows from stored_objects where account_id = $1`,
        [accountId],
      );
      expect(used).to.deep.equal({ bytes: 700, rows: 7 });
    });
  });

  describe('the digest of a stored object', () => {
    const bytes = bytesOf(20_000_000);
    const expected = createHash('sha256').update(bytes).digest('hex');
    let store: ObjectStore;
    before(async () => {
      const [s3] = STORE_KINDS;
      if (s3 === undefined) throw new Error('no store');
      ({ store } = await s3.open());
      await store.put('accounts/hash/x', bytes, 'text/plain');
    });

    it('goes on where the store broke off, and gives up when it always does', async () => {
      for (const resumableAboveBytes of [0, Number.MAX_SAFE_INTEGER]) {
        let reads = 0;
        const breaking: Pick<ObjectStore, 'read'> = {
          async read(key, range) {
            reads += 1;
            const found = await store.read(key, range);
            if (found !== null && reads < 4) {
              let seen = 0;
              found.stream.on('data', (chunk: Buffer) => {
                seen += chunk.byteLength;
                if (seen > 3_000_000) found.stream.destroy(new Error('broken'));
              });
              found.stream.pause();
            }
            return found;
          },
        };
        const hashed = await hashObject(breaking, 'accounts/hash/x', {
          byteSize: bytes.byteLength,
          resumableAboveBytes,
        });
        expect(hashed).to.deep.equal({ byteSize: bytes.byteLength, sha256: expected });
        expect(reads).to.equal(4);
      }
      const dead: Pick<ObjectStore, 'read'> = { read: () => Promise.reject(new Error('down')) };
      expect(await hashObject(dead, 'x', { byteSize: 1 }).catch(String)).to.include('down');
      expect(await hashObject(store, 'accounts/hash/none', { byteSize: 1 })).to.equal(null);
    });

    it('of a large one goes on in another process from what the heartbeat told', async () => {
      const told: string[] = [];
      const first = new AbortController();
      const attempt = hashObject(store, 'accounts/hash/x', {
        byteSize: bytes.byteLength,
        resumableAboveBytes: 0,
        signal: first.signal,
        onProgress: (_offset, checkpoint) => {
          told.push(JSON.stringify(checkpoint()));
          first.abort();
        },
      });
      expect(await attempt.catch(String)).to.include('stopped');
      const checkpoint = JSON.parse(told[0] ?? 'null');
      expect(checkpoint.offset).to.be.within(8_000_000, 12_000_000);
      const starts: (number | undefined)[] = [];
      const watched: Pick<ObjectStore, 'read'> = {
        read: (key, range) => {
          starts.push(range?.start);
          return store.read(key, range);
        },
      };
      const options = { byteSize: bytes.byteLength, resumableAboveBytes: 0 };
      const hashed = await hashObject(watched, 'accounts/hash/x', { ...options, checkpoint });
      expect(hashed).to.deep.equal({ byteSize: bytes.byteLength, sha256: expected });
      expect(starts).to.deep.equal([checkpoint.offset]);
      const foreign = { ...checkpoint, state: Buffer.from('other build').toString('base64') };
      expect(
        (await hashObject(store, 'accounts/hash/x', { ...options, checkpoint: foreign }))?.sha256,
      ).to.equal(expected);
    });
  });
});
