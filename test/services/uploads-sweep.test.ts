/** The sweep of uploads looks at every row, whatever cannot be swept, and catches up after a long pause. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { logPrefix, REQUEST_ROOT } from '../../src/contracts/names.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { closeUpload } from '../../src/services/uploads/end.ts';
import { openUpload } from '../../src/services/uploads/open.ts';
import { readUpload } from '../../src/services/uploads/rows.ts';
import {
  removeAccountFiles,
  sweepEnded,
  sweepLate,
  sweepParts,
  sweepRemoved,
} from '../../src/services/uploads/sweep.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import type { Owner } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { gather, STORE_KINDS } from '../support/stores.ts';
import { termsOf } from '../support/upload-terms.ts';

describe('the sweep of uploads', () => {
  let database: TestDatabase;
  let store: ObjectStore;
  let owner: Owner;
  before(async () => {
    const [s3] = STORE_KINDS;
    if (s3 === undefined) throw new Error('no kind of store');
    [database, { store }] = await Promise.all([openTestDatabase(), s3.open()]);
  });
  after(() => database.close());
  beforeEach(async () => {
    owner = await newAccount(database.db, 100);
  });

  const work = (through: Partial<ObjectStore> = {}) => ({
    db: database.db,
    store: { ...store, ...through },
  });
  const open = async (): Promise<{ uploadId: string; storageKey: string }> => {
    const terms = termsOf(owner.accountId);
    await openUpload(work(), terms, 'run');
    return terms;
  };
  const failureOf = async (sweeping: Promise<unknown>): Promise<string> => {
    const error = await sweeping.catch((thrown: unknown) => thrown);
    expect(error).to.have.nested.property('failures.length', 1);
    return (error as { failures: Error[] }).failures[0]?.message ?? '';
  };
  const keysUnder = async (prefix: string): Promise<string[]> =>
    (await gather(store.list(prefix))).map(({ key }) => key);

  it('ends lost uploads behind any number that are not lost, and beside one that cannot be ended', async () => {
    await database.db.query(
      `with object as (
         insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size, state)
         select 'accounts/' || $1::uuid || '/alive/' || n, $1,
           ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'a', 'text/plain', 1, 'UPLOADING'
         from generate_series(1, 150) n returning *)
       insert into uploads (id, account_id, storage_key, state, provider, part_size, part_count, fingerprint, first_run_id,
         expires_at)
       select upload_id, account_id, storage_key, 'OPEN', 'aws', 1, 1, 'f', 'r', now() - interval '5 hours' from object`,
      [owner.accountId],
    );
    const [stuck, lost] = [await open(), await open()];
    await database.db.query(`update uploads set expires_at = now() - interval '3 hours' where id = any($1)`, [
      [stuck.uploadId, lost.uploadId],
    ]);
    const isOpen = async (uploadId: string): Promise<boolean> => {
      if (uploadId === stuck.uploadId) throw new Error('Temporal does not answer.');
      return uploadId !== lost.uploadId;
    };
    expect(await failureOf(sweepLate({ ...work(), isOpen }))).to.equal(`upload ${stuck.uploadId}`);
    expect((await readUpload(database.db, lost.uploadId))?.state).to.equal('EXPIRED');
    await sweepLate({ ...work(), isOpen: async (uploadId) => uploadId !== stuck.uploadId });
    expect((await readUpload(database.db, stuck.uploadId))?.state).to.equal('EXPIRED');
  });

  it('gives up parts beside some that cannot be given up', async () => {
    const keys = ['a', 'b', 'c'].map((name) => `accounts/${owner.accountId}/uploads/none/${name}`);
    for (const key of keys) await store.createMultipart(key, { contentType: 'text/plain', checksum: null });
    const stuck: Partial<ObjectStore> = {
      async *listMultiparts() {
        for await (const page of store.listMultiparts(`accounts/${owner.accountId}/`)) {
          yield page.map((upload) => ({ ...upload, startedAt: new Date(0) }));
        }
      },
      async abortMultipart(key, storeUploadId) {
        if (key === keys[0]) throw new Error('stuck');
        await store.abortMultipart(key, storeUploadId);
      },
    };
    expect(await failureOf(sweepParts(work(stuck)))).to.equal(`parts of ${keys[0]}`);
    const left = await gather(store.listMultiparts(`accounts/${owner.accountId}/`));
    expect(left.map(({ key }) => key)).to.deep.equal([keys[0]]);
  });

  it('clears what ended long ago once, however long nobody swept, and beside what cannot be cleared', async () => {
    const uploads = [await open(), await open(), await open()];
    const [stuck, old, recent] = uploads;
    for (const { uploadId, storageKey } of uploads) {
      await closeUpload(work(), { uploadId, state: 'ABORTED', code: 'UPLOAD_ABORTED', message: 'gone' });
      await store.put(storageKey, Buffer.from('late'), 'text/plain');
    }
    const ended = (id: string | undefined, ago: string): Promise<unknown> =>
      database.db.query('update uploads set ended_at = now() - $2::interval where id = $1', [id, ago]);
    await ended(stuck?.uploadId, '30 days');
    await ended(old?.uploadId, '30 days');
    await ended(recent?.uploadId, '1 hour');
    let asked: string[] = [];
    const remove = async (keys: readonly string[]): Promise<void> => {
      asked.push(...keys);
      if (keys.includes(stuck?.storageKey ?? '')) throw new Error('stuck');
      await store.remove(keys);
    };
    expect(await failureOf(sweepEnded(work({ remove })))).to.equal(`object ${stuck?.storageKey}`);
    expect(await keysUnder(`accounts/${owner.accountId}/`)).to.deep.equal([stuck?.storageKey]);
    asked = [];
    await sweepEnded(work());
    await sweepEnded(work({ remove }));
    expect(asked, 'only what may still be written is looked at again').to.deep.equal([recent?.storageKey]);
    expect(await keysUnder(`accounts/${owner.accountId}/`)).to.deep.equal([]);
  });

  it('removes requests and logs of a removed account, and of no other, beside one that cannot be', async () => {
    const stuck = await newAccount(database.db, 100);
    const neighbour = await newAccount(database.db, 100);
    const keys = new Map<Owner, string[]>();
    for (const one of [stuck, owner, neighbour]) {
      const { jobId } = admissionOf(one);
      await admitJob(database.db, admissionOf(one, { jobId }), randomUUID());
      const chunks = [`${logPrefix(jobId)}known`, `${logPrefix(jobId)}unknown`];
      await database.db.query(
        `insert into task_logs (job_id, kind, ordinal, attempt, from_byte, to_byte, storage_key)
         values ($1, 'task', 0, 1, 0, 1, $2)`,
        [jobId, chunks[0]],
      );
      keys.set(one, [...chunks, `${REQUEST_ROOT}${one.accountId}/${jobId}/f.json`]);
    }
    const putAll = (): Promise<unknown> =>
      Promise.all([...keys.values()].flat().map((key) => store.put(key, Buffer.from('x'), 'text/plain')));
    const left = async (one: Owner): Promise<number> => {
      const heads = await Promise.all((keys.get(one) ?? []).map((key) => store.head(key)));
      return heads.filter((head) => head !== null).length;
    };
    await putAll();
    for (const { accountId } of [stuck, owner]) await removeAccountFiles(work(), accountId);
    const remove = async (asked: readonly string[]): Promise<void> => {
      if (asked.some((key) => key.includes(stuck.accountId))) throw new Error('stuck');
      await store.remove(asked);
    };
    expect(await failureOf(sweepRemoved(work({ remove })))).to.equal(`object ${keys.get(stuck)?.[2]}`);
    expect([await left(owner), await left(stuck), await left(neighbour)]).to.deep.equal([0, 1, 3]);

    // Bytes that arrive later have no row; the last round finds them.
    await putAll();
    await database.db.query(`update account_removals set requested_at = now() - interval '3 hours'`);
    await sweepRemoved(work());
    expect([await left(owner), await left(stuck), await left(neighbour)]).to.deep.equal([0, 0, 3]);
    const pending = await database.db.query<unknown[]>(
      'select 1 from account_removals where swept_at is null',
    );
    expect(pending).to.deep.equal([]);
  });
});
