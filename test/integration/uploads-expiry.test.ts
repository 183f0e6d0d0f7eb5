// The week that an upload may stay open passes in a moment, on a server whose clock jumps over timers.
import { Readable } from 'node:stream';

import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createUploadActivities } from '../../activities/uploads.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { createUploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import type { UploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { CONTROL_QUEUE, uploadWorkflowId } from '../../src/contracts/names.ts';
import type { UploadResult, UploadTerms } from '../../src/contracts/upload.ts';
import { countParts, partsDigest } from '../../src/services/uploads/parts.ts';
import { carryOf, readUpload } from '../../src/services/uploads/rows.ts';
import { newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { stored } from '../support/multipart.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { digestOf, send, STORE_KINDS } from '../support/stores.ts';
import type { TestStore } from '../support/object-store.ts';
import { openTimeSkipping } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';
import { termsOf } from '../support/upload-terms.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A worker of its own on a server of its own, over a real database and store. */
class World {
  readonly time: TestWorkflowEnvironment;
  readonly database: TestDatabase;
  readonly store: TestStore;
  readonly workflows: UploadWorkflows;
  readonly #worker: Worker;
  readonly #running: Promise<void>;

  private constructor(parts: Pick<World, 'time' | 'database' | 'store'>, worker: Worker) {
    this.time = parts.time;
    this.database = parts.database;
    this.store = parts.store;
    this.workflows = createUploadWorkflows({
      temporalAddress: parts.time.address,
      temporalNamespace: 'default',
    });
    this.#worker = worker;
    this.#running = worker.run();
  }

  static async open(through: (store: ObjectStore) => ObjectStore = (store) => store): Promise<World> {
    quietRuntime();
    const [s3] = STORE_KINDS;
    if (s3 === undefined) throw new Error('no kind of store');
    // Alone, because its start is given little time.
    const time = await openTimeSkipping();
    const [database, store] = await Promise.all([openTestDatabase(), s3.open()]);
    const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
    await time.connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: { AccountId: keyword, JobStatus: keyword, Provider: keyword },
    });
    const worker = await Worker.create({
      connection: time.nativeConnection,
      taskQueue: CONTROL_QUEUE,
      workflowBundle: { codePath: await ensureBundle() },
      activities: createUploadActivities({ db: database.db, store: through(store.store) }),
    });
    return new World({ time, database, store }, worker);
  }

  /** Opens an upload and sends its one part. */
  async begin(more: Partial<UploadTerms> = {}): Promise<UploadTerms> {
    const { accountId } = await newAccount(this.database.db, 0);
    const terms = termsOf(accountId, more);
    expect(await this.workflows.open(terms, 20_000)).to.include({ kind: 'decided' });
    const { store_upload_id: storeUploadId } = await this.row(terms.uploadId);
    const part = await this.store.store.signPart(terms.storageKey, storeUploadId ?? '', 1, {
      expiresInSeconds: 60,
    });
    expect(await send(part, 'ten bytes.')).to.equal(200);
    return terms;
  }

  async row(uploadId: string) {
    const row = await readUpload(this.database.db, uploadId);
    if (row === null) throw new Error(`no upload ${uploadId}`);
    return row;
  }

  async close(): Promise<void> {
    if (this.#worker.getState() === 'RUNNING') this.#worker.shutdown();
    await this.#running;
    await this.workflows.close();
    await this.time.teardown();
    await this.database.close();
  }
}

describe('an upload that nobody completes', function () {
  this.timeout(300_000);
  let world: World;
  before(async () => {
    world = await World.open();
  });
  after(() => world.close());

  it('ends by itself after seven days, not before, and leaves nothing', async () => {
    const { time, store } = world;
    const { uploadId, accountId, storageKey } = await world.begin();
    await time.sleep(6.9 * DAY_MS);
    expect((await world.row(uploadId)).state).to.equal('OPEN');
    expect(await stored(store, accountId)).to.have.length(1);

    const handle = time.client.workflow.getHandle(uploadWorkflowId(uploadId));
    expect((await handle.result()) as UploadResult).to.deep.equal({ decision: 'opened', state: 'EXPIRED' });
    expect((await world.row(uploadId)).state).to.equal('EXPIRED');
    expect(await stored(store, accountId)).to.deep.equal([]);
    const { startTime, closeTime } = await handle.describe();
    const passedMs = (closeTime?.getTime() ?? 0) - startTime.getTime();
    expect(passedMs / DAY_MS).to.be.within(6.99, 7.01);
    const [room] = await world.database.db.query<{ state: string }[]>(
      'select state from stored_objects where storage_key = $1',
      [storageKey],
    );
    expect(room?.state).to.equal('DELETED');
  });
});

describe('an upload whose bytes are being read', function () {
  this.timeout(300_000);
  let world: World;
  let reading = 0;
  before(async () => {
    world = await World.open((inner) => ({
      ...inner,
      // A store that answers and brings no bytes.
      async read(key, range) {
        const found = await inner.read(key, range);
        found?.stream.destroy();
        reading += 1;
        return found === null ? null : { ...found, stream: new Readable({ read: () => undefined }) };
      },
    }));
  });
  after(() => world.close());

  it('is aborted without waiting for the reading, and leaves nothing', async () => {
    const { workflows, store } = world;
    const { uploadId, accountId } = await world.begin({ announcedSha256: digestOf('ten bytes.') });
    const row = await world.row(uploadId);
    const listed = await store.store.listParts(row.storage_key, row.store_upload_id ?? '');
    const counted = countParts(row, listed ?? []);
    const facts = { accountId, carry: carryOf(row) };
    const request = { partsSha256: partsDigest(counted.received), sha256: null };
    const completing = workflows.complete(facts, request, 20_000);
    await until('the object is read', () => reading > 0);
    expect((await world.row(uploadId)).state).to.equal('VERIFYING');
    const aborted = await workflows.abort(facts, 20_000);
    expect(JSON.stringify(aborted)).to.include('"code":"UPLOAD_ABORTED"');
    expect(await completing).to.deep.equal(aborted);
    expect(await stored(store, accountId)).to.deep.equal([]);
  });
});
