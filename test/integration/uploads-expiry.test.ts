// The week that an upload may stay open passes in a moment, on a server whose clock jumps over timers.
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createUploadActivities } from '../../activities/uploads.ts';
import { createUploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import type { UploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { CONTROL_QUEUE, uploadWorkflowId } from '../../src/contracts/names.ts';
import type { UploadResult } from '../../src/contracts/upload.ts';
import { newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { stored } from '../support/multipart.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { send, STORE_KINDS } from '../support/stores.ts';
import type { TestStore } from '../support/object-store.ts';
import { openTimeSkipping } from '../support/time-skipping.ts';
import { termsOf } from '../support/upload-terms.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('an upload that nobody completes', function () {
  this.timeout(300_000);
  let time: TestWorkflowEnvironment;
  let database: TestDatabase;
  let store: TestStore;
  let workflows: UploadWorkflows;
  let worker: Worker;
  let running: Promise<void>;
  before(async () => {
    quietRuntime();
    const [s3] = STORE_KINDS;
    if (s3 === undefined) throw new Error('no kind of store');
    // Alone, because its start is given little time.
    time = await openTimeSkipping();
    [database, store] = await Promise.all([openTestDatabase(), s3.open()]);
    const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
    await time.connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: { AccountId: keyword, JobStatus: keyword, Provider: keyword },
    });
    workflows = createUploadWorkflows({ temporalAddress: time.address, temporalNamespace: 'default' });
    worker = await Worker.create({
      connection: time.nativeConnection,
      taskQueue: CONTROL_QUEUE,
      workflowBundle: { codePath: await ensureBundle() },
      activities: createUploadActivities({ db: database.db, store: store.store }),
    });
    running = worker.run();
  });
  after(async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
    await workflows.close();
    await time.teardown();
    await database.close();
  });

  it('ends by itself after seven days, not before, and leaves nothing', async () => {
    const { accountId } = await newAccount(database.db, 0);
    const terms = termsOf(accountId);
    const decision = await workflows.open(terms, 20_000);
    expect(decision).to.include({ kind: 'decided' });
    const [row] = await database.db.query<{ store_upload_id: string }[]>(
      'select store_upload_id from uploads where id = $1',
      [terms.uploadId],
    );
    const part = await store.store.signPart(terms.storageKey, row?.store_upload_id ?? '', 1, {
      expiresInSeconds: 60,
    });
    expect(await send(part, 'ten bytes.')).to.equal(200);
    expect(await stored(store, accountId)).to.have.length(1);

    await time.sleep(6.9 * DAY_MS);
    expect(await stateOf(terms.uploadId)).to.equal('OPEN');
    expect(await stored(store, accountId)).to.have.length(1);

    const handle = time.client.workflow.getHandle(uploadWorkflowId(terms.uploadId));
    expect((await handle.result()) as UploadResult).to.deep.equal({ decision: 'opened', state: 'EXPIRED' });
    expect(await stateOf(terms.uploadId)).to.equal('EXPIRED');
    expect(await stored(store, accountId)).to.deep.equal([]);
    const { startTime, closeTime } = await handle.describe();
    const passedMs = (closeTime?.getTime() ?? 0) - startTime.getTime();
    expect(passedMs / DAY_MS).to.be.within(6.99, 7.01);
    const [room] = await database.db.query<{ state: string }[]>(
      'select state from stored_objects where storage_key = $1',
      [terms.storageKey],
    );
    expect(room?.state).to.equal('DELETED');
  });

  async function stateOf(uploadId: string): Promise<string | undefined> {
    const [row] = await database.db.query<{ state: string }[]>('select state from uploads where id = $1', [
      uploadId,
    ]);
    return row?.state;
  }
});
