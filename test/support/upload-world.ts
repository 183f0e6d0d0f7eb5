/** Uploads with a worker and a Temporal server whose clock jumps over timers, over a real database and a real store. */
import { Worker } from '@temporalio/worker';
import proto from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createUploadActivities } from '../../activities/uploads.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { plainAccess } from '../../src/adapters/temporal/access.ts';
import { createUploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import type { UploadFacts, UploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { CONTROL_QUEUE, STORAGE_QUEUE } from '../../src/contracts/names.ts';
import type { CompletionRequest, UploadTerms } from '../../src/contracts/upload.ts';
import { countParts, partsDigest } from '../../src/services/uploads/parts.ts';
import { carryOf, readUpload } from '../../src/services/uploads/rows.ts';
import type { UploadRow } from '../../src/services/uploads/rows.ts';
import { newAccount } from './admissions.ts';
import { openTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { fileWork } from './file-work.ts';
import type { TestStore } from './object-store.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { send, STORE_KINDS } from './stores.ts';
import { openTimeSkipping } from './time-skipping.ts';
import { termsOf } from './upload-terms.ts';

/** The worker, the server, the database and the store, as a test uses them. */
export class UploadWorld {
  readonly time: TestWorkflowEnvironment;
  readonly database: TestDatabase;
  readonly store: TestStore;
  readonly workflows: UploadWorkflows;
  readonly #workers: readonly Worker[];
  readonly #running: Promise<unknown>;

  private constructor(parts: Pick<UploadWorld, 'time' | 'database' | 'store'>, workers: readonly Worker[]) {
    this.time = parts.time;
    this.database = parts.database;
    this.store = parts.store;
    this.workflows = createUploadWorkflows(plainAccess(parts.time.address));
    this.#workers = workers;
    this.#running = Promise.all(workers.map((worker) => worker.run()));
  }

  static async open(through: (store: ObjectStore) => ObjectStore = (store) => store): Promise<UploadWorld> {
    quietRuntime();
    const [s3] = STORE_KINDS;
    if (s3 === undefined) throw new Error('no kind of store');
    // The server starts alone, because little time is given for its start.
    const time = await openTimeSkipping();
    const [database, store] = await Promise.all([openTestDatabase(), s3.open()]);
    const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
    await time.connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: { AccountId: keyword, JobStatus: keyword, Provider: keyword },
    });
    const { nativeConnection: connection } = time;
    const seen = through(store.store);
    const work = fileWork(database.db, seen);
    const activities = createUploadActivities({ db: database.db, store: seen, ...work });
    const workflowBundle = { codePath: await ensureBundle() };
    const workers = [
      await Worker.create({ connection, taskQueue: CONTROL_QUEUE, workflowBundle, activities }),
      await Worker.create({ connection, taskQueue: STORAGE_QUEUE, activities }),
    ];
    return new UploadWorld({ time, database, store }, workers);
  }

  /** The terms of an upload of a new account. */
  async terms(more: Partial<UploadTerms> = {}): Promise<UploadTerms> {
    const { accountId } = await newAccount(this.database.db, 0);
    return termsOf(accountId, more);
  }

  /** Opens an upload and sends its one part. */
  async begin(more: Partial<UploadTerms> = {}): Promise<UploadTerms> {
    const terms = await this.terms(more);
    expect(await this.workflows.open(terms, 20_000)).to.include({ kind: 'decided' });
    const { store_upload_id: storeUploadId } = await this.row(terms.uploadId);
    const part = await this.store.store.signPart(terms.storageKey, storeUploadId ?? '', 1, {
      expiresInSeconds: 60,
    });
    expect(await send(part, 'ten bytes.')).to.equal(200);
    return terms;
  }

  /** The facts that a message to the workflow carries, and the completion of the parts that were sent. */
  async message({ uploadId, accountId }: UploadTerms): Promise<[UploadFacts, CompletionRequest]> {
    const row = await this.row(uploadId);
    const listed = await this.store.store.listParts(row.storage_key, row.store_upload_id ?? '');
    const { received } = countParts(row, listed ?? []);
    return [
      { accountId, carry: carryOf(row) },
      { partsSha256: partsDigest(received), sha256: null },
    ];
  }

  /** The state of the upload's object, which tells whether its room is taken. */
  async roomOf({ storageKey }: UploadTerms): Promise<string | undefined> {
    const [room] = await this.database.db.query<{ state: string }[]>(
      'select state from stored_objects where storage_key = $1',
      [storageKey],
    );
    return room?.state;
  }

  async row(uploadId: string): Promise<UploadRow> {
    const row = await readUpload(this.database.db, uploadId);
    if (row === null) throw new Error(`no upload ${uploadId}`);
    return row;
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    await this.#running;
    await this.workflows.close();
    await this.time.teardown();
    await this.database.close();
  }
}
