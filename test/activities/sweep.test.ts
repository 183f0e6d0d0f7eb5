/**
 * One round of the deployment's sweep: a part of the round that fails does not stop the other parts, and fails the
 * activity at its end.
 */
import { randomUUID } from 'node:crypto';

import type { LogMetadata } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createSweepActivities } from '../../activities/sweep.ts';
import type { InstanceProvider } from '../../src/adapters/instances/instances.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { STAGING_ROOT } from '../../src/contracts/names.ts';
import { Invariant } from '../../src/domain/invariant.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { openUpload } from '../../src/services/uploads/open.ts';
import { readUpload } from '../../src/services/uploads/rows.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { STORE_KINDS } from '../support/stores.ts';
import { termsOf } from '../support/upload-terms.ts';

describe('the activity that sweeps the deployment', () => {
  let database: TestDatabase;
  let store: ObjectStore;
  before(async () => {
    const [s3] = STORE_KINDS;
    if (s3 === undefined) throw new Error('no kind of store');
    [database, { store }] = await Promise.all([openTestDatabase(), s3.open()]);
  });
  after(() => database.close());

  it('sweeps the rest where a step fails, and fails with its name', async () => {
    const { accountId } = await newAccount(database.db, 0);
    const terms = termsOf(accountId);
    await openUpload({ db: database.db, store }, terms, 'run');
    await database.db.query(`update uploads set expires_at = now() - interval '3 hours' where id = $1`, [
      terms.uploadId,
    ]);
    const failing: Pick<InstanceProvider, 'name' | 'list'> = {
      name: 'local',
      list: () => Promise.reject(new Error('The provider is away.')),
    };
    const isOpen = async (): Promise<boolean> => false;
    const list: ObjectStore['list'] = (prefix) => {
      if (prefix === STAGING_ROOT) throw new Error('The store lists nothing.');
      return store.list(prefix);
    };
    const activities = createSweepActivities({
      db: database.db,
      store: { ...store, list },
      providers: new Map([['local', failing as InstanceProvider]]),
      ...{ workflows: { endOf: async () => null, startExport: async () => undefined } },
      takeUp: async () => false,
      uploadWorkflows: { isOpen },
      ...{ payments: null, alarm: () => undefined },
      stagingUrlSeconds: 900,
    });
    const told: unknown[] = [];
    const silent = (): void => undefined;
    const logger = {
      ...{ log: silent, trace: silent, debug: silent, info: silent, warn: silent },
      error: (_message: string, meta?: LogMetadata) => told.push(meta?.['step']),
    };
    const environment = new MockActivityEnvironment({}, { logger });
    const error = await environment
      .run(() => activities.sweepDeployment())
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ message: 'Not all was swept: instances of local, staging.' });
    expect(error).to.have.nested.property('cause.message', 'The provider is away.');
    expect(told).to.deep.equal(['instances of local', 'staging']);
    expect((await readUpload(database.db, terms.uploadId))?.state).to.equal('EXPIRED');
  });

  it('names every open job without a workflow in its log, and as many as a failure can show with their count', async () => {
    const { db } = database;
    const template = admissionOf(await newAccount(db, 100));
    await admitJob(db, template, randomUUID());
    const lost = 1_500;
    await db.query(
      `insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(),
         'updated_at', now() - interval '1 day'))).* from jobs j, generate_series(1, $2::int) where j.id = $1`,
      [template.jobId, lost],
    );
    const isOpen = async (): Promise<boolean> => false;
    const activities = createSweepActivities({
      ...{ db, store, providers: new Map(), stagingUrlSeconds: 900 },
      ...{ workflows: { endOf: async () => 'failed', startExport: async () => undefined } },
      takeUp: async () => true,
      ...{ uploadWorkflows: { isOpen }, payments: null, alarm: () => undefined },
    });
    const told = new Set<unknown>();
    const silent = (): void => undefined;
    const logger = {
      ...{ log: silent, trace: silent, debug: silent, info: silent, warn: silent },
      error: (_message: string, meta?: LogMetadata) => told.add(meta?.['subject']),
    };
    const environment = new MockActivityEnvironment({}, { logger });
    const error = await environment.run(() => activities.auditLedger()).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Invariant);
    const { message } = error as Invariant;
    expect(message).to.include(`open-job-has-workflow, ${String(lost)} found: `);
    expect(message).to.include('… (the log of the control worker has all)');
    expect(message.length).to.be.below(66_000);
    expect(told.size).to.be.at.least(lost);
    await database.tamper('delete from jobs where id <> $1', [template.jobId]);
  });
});
