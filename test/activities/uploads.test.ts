import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import { CancelledFailure } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createUploadActivities } from '../../activities/uploads.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { HashCheckpoint } from '../../src/contracts/upload.ts';
import { createFileTurns } from '../../src/services/file-turns.ts';
import { createObjectHasher } from '../../src/services/stored-objects/object-hasher.ts';
import { openUpload } from '../../src/services/uploads/open.ts';
import { readUpload } from '../../src/services/uploads/rows.ts';
import { newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { fileWork } from '../support/file-work.ts';
import { bytesOf } from '../support/multipart.ts';
import { digestOf, STORE_KINDS } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { termsOf } from '../support/upload-terms.ts';

describe('the activity that hashes a stored object', () => {
  const bytes = bytesOf(20_000_000);
  let database: TestDatabase;
  let store: ObjectStore;
  let uploadId: string;
  before(async () => {
    const [s3] = STORE_KINDS;
    if (s3 === undefined) throw new Error('no kind of store');
    [database, { store }] = await Promise.all([openTestDatabase(), s3.open()]);
    const { accountId } = await newAccount(database.db, 0);
    const terms = termsOf(accountId, { byteSize: bytes.byteLength });
    ({ uploadId } = terms);
    await openUpload({ db: database.db, store }, terms, 'run');
    await store.put(terms.storageKey, bytes, 'text/plain');
  });
  after(() => database.close());

  /** The activity over a store in which a test may replace a method. */
  const hashWith =
    (through: Partial<ObjectStore> = {}) =>
    (asked: { uploadId: string }) =>
      createUploadActivities({
        db: database.db,
        store,
        ...fileWork(database.db, store),
        hasher: createObjectHasher({ ...store, ...through }, { resumableAboveBytes: 1_000_000 }),
      }).hashStoredUpload(asked);

  it('tells its state in heartbeats, from which another attempt goes on', async () => {
    const beats: HashCheckpoint[] = [];
    const first = new MockActivityEnvironment();
    first.on('heartbeat', (details: HashCheckpoint) => beats.push(details));
    const expected = { byteSize: bytes.byteLength, sha256: digestOf(bytes) };
    expect(await first.run(hashWith(), { uploadId })).to.deep.equal(expected);
    const [checkpoint] = beats;
    expect(checkpoint?.offset).to.be.within(8_000_000, 12_000_000);

    const starts: (number | undefined)[] = [];
    const watched: Partial<ObjectStore> = {
      read(key, range) {
        starts.push(range?.start);
        return store.read(key, range);
      },
    };
    const second = new MockActivityEnvironment({ heartbeatDetails: checkpoint });
    expect(await second.run(hashWith(watched), { uploadId })).to.deep.equal(expected);
    expect(starts).to.deep.equal([checkpoint?.offset]);
  });

  it('ends its attempt at once while its account has no turn, and is told when to come again', async () => {
    const turns = createFileTurns(database.db, { ofAccount: 1, inProcess: 8 });
    const row = await readUpload(database.db, uploadId);
    const held = Promise.withResolvers<undefined>();
    let begun = false;
    const other = turns.during({ id: randomUUID(), accountId: row?.account_id ?? '' }, () => {
      begun = true;
      return held.promise;
    });
    await until('the turn is taken', () => begun);
    const activities = createUploadActivities({
      ...{ db: database.db, store, turns },
      hasher: createObjectHasher({ read: () => Promise.reject(new Error('It is read.')) }),
    });
    const refused = await new MockActivityEnvironment()
      .run((asked: { uploadId: string }) => activities.hashStoredUpload(asked), { uploadId })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ApplicationFailure);
    expect(refused).to.deep.include({ type: 'NoTurnError', nonRetryable: false, category: 'BENIGN' });
    expect((refused as ApplicationFailure).nextRetryDelay).to.equal(500);
    held.resolve(undefined);
    await other;
    expect(await new MockActivityEnvironment().run(hashWith(), { uploadId })).to.include({
      sha256: digestOf(bytes),
    });
  });

  it('ends when it is cancelled, though the store is silent', async () => {
    let reading = false;
    const silent: Partial<ObjectStore> = {
      async read() {
        reading = true;
        return { stream: new Readable({ read: () => undefined }), byteSize: bytes.byteLength, etag: null };
      },
    };
    const environment = new MockActivityEnvironment();
    const running = environment.run(hashWith(silent), { uploadId }).catch((error: unknown) => error);
    await until('the object is read', () => reading);
    environment.cancel();
    expect(await running).to.be.instanceOf(CancelledFailure);
  });
});
