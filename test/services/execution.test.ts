import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { TaskReport } from '../../src/contracts/compute.ts';
import { committedKey, jobPrefix, stagedKey } from '../../src/contracts/names.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { abandonedJobs } from '../../src/services/jobs/execution/abandoned.ts';
import { commitTasks } from '../../src/services/jobs/execution/commit.ts';
import { outstanding } from '../../src/services/jobs/execution/pending.ts';
import { planTasks } from '../../src/services/jobs/execution/plan.ts';
import { recordState } from '../../src/services/jobs/execution/record-state.ts';
import { settleJob } from '../../src/services/jobs/execution/settle.ts';
import { launchInstance } from '../../src/services/instances/instances.ts';
import type { StructureSource } from '../../src/adapters/structures/structures.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { openTestStore } from '../support/object-store.ts';
import type { TestStore } from '../support/object-store.ts';

const tools = createToolRegistry({ testTools: true });
const NO_ARCHIVE: StructureSource = {
  fetch: () => Promise.reject(new Error('no job of these tests names a structure')),
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the execution of a job', () => {
  let test: TestDatabase;
  let objects: TestStore;
  before(async () => {
    [test, objects] = await Promise.all([openTestDatabase(), openTestStore()]);
  });
  after(async () => {
    await Promise.all([test.close(), objects.close()]);
  });

  /** A job with its first task running on instance 0.1. */
  const runningJob = async (): Promise<{ jobId: string; accountId: string }> => {
    const owner = await newAccount(test.db, 100);
    const admission = admissionOf(owner, { inputs: [] });
    const { jobId } = admission;
    await admitJob(test.db, admission, randomUUID());
    await planTasks(
      { db: test.db, store: objects.store, tools, structures: NO_ARCHIVE },
      { jobId, execution: 1, plan: admission.plan },
    );
    for (const [index, to] of (['QUEUED', 'PROVISIONING', 'RUNNING'] as const).entries())
      await recordState(test.db, { jobId, transition: index + 1, to, reason: null });
    await test.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus) values ($1, 0, 1, 'local', $2, 'RUNNING', 2)`,
      [jobId, randomUUID()],
    );
    await test.db.query(
      `update tasks set state = 'RUNNING', attempts = 1, slot = 0, generation = 1 where job_id = $1 and ordinal = 0`,
      [jobId],
    );
    return { jobId, accountId: owner.accountId };
  };

  const commit = (jobId: string, report: TaskReport): ReturnType<typeof commitTasks> =>
    commitTasks(
      { db: test.db, store: objects.store, tools },
      { jobId, execution: 1, slot: 0, generation: 1, kind: 'task', reports: [report] },
    );

  const done = (name: string, content: string, more: object = {}): TaskReport => ({
    ordinal: 0,
    end: 'done',
    seconds: 1,
    summary: null,
    outputs: [
      {
        name,
        kind: 'result',
        mediaType: 'application/octet-stream',
        format: null,
        byteSize: content.length,
        sha256: sha256(content),
        ...more,
      },
    ],
  });

  it('commits a staged output under its digest and removes what was staged', async () => {
    const { jobId, accountId } = await runningJob();
    await objects.store.put(
      stagedKey(jobId, 0, 1, 'task', 0, 'result.bin'),
      Buffer.from('bytes'),
      'text/plain',
    );
    const result = await commit(jobId, done('result.bin', 'bytes'));
    expect(result).to.deep.equal({ fenced: false, verified: 1, failed: 0, redo: [] });
    const key = committedKey(accountId, jobId, 'task', 0, { name: 'result.bin', sha256: sha256('bytes') });
    expect((await objects.store.head(key))?.byteSize).to.equal(5);
    expect(await objects.store.head(stagedKey(jobId, 0, 1, 'task', 0, 'result.bin'))).to.equal(null);
  });

  it('touches no object for a report whose names leave the job, and fails the task', async () => {
    const { jobId, accountId } = await runningJob();
    const victim = `accounts/${randomUUID()}/uploads/secret.txt`;
    await objects.store.put(victim, Buffer.from('secret'), 'text/plain');
    const result = await commit(jobId, done(`../../../../${victim}`, 'secret'));
    expect(result).to.deep.equal({ fenced: false, verified: 0, failed: 1, redo: [] });
    expect((await objects.store.head(victim))?.byteSize).to.equal(6);
    for await (const page of objects.store.list(jobPrefix(accountId, jobId))) expect(page).to.deep.equal([]);
  });

  it('fails a task whose report the database or the store could never keep', async () => {
    for (const report of [
      { ...done('result.bin', 'bytes'), summary: { note: 'a\0b' } },
      done('result.bin', 'bytes', { mediaType: 'text/plain\nx-evil: 1' }),
    ]) {
      const { jobId } = await runningJob();
      expect(await commit(jobId, report)).to.deep.equal({ fenced: false, verified: 0, failed: 1, redo: [] });
    }
  });

  it('runs a task again whose staged bytes are not those that were reported', async () => {
    const { jobId, accountId } = await runningJob();
    await objects.store.put(
      stagedKey(jobId, 0, 1, 'task', 0, 'result.bin'),
      Buffer.from('other'),
      'text/plain',
    );
    const result = await commit(jobId, done('result.bin', 'bytes'));
    expect(result).to.deep.equal({ fenced: false, verified: 0, failed: 0, redo: [0] });
    for await (const page of objects.store.list(jobPrefix(accountId, jobId))) expect(page).to.deep.equal([]);
  });

  it('is not set back by a late attempt to record an earlier state, so that it can be settled', async () => {
    const { jobId } = await runningJob();
    await recordState(test.db, { jobId, transition: 5, to: 'FINALIZING', reason: null });
    await recordState(test.db, { jobId, transition: 4, to: 'RECOVERING', reason: 'late' });
    const [row] = await test.db.query<{ status: string }[]>('select status from jobs where id = $1', [jobId]);
    expect(row?.status).to.equal('FINALIZING');
    const ending = {
      jobId,
      execution: 1,
      transition: 6,
      to: 'FAILED',
      reason: null,
      pauseReason: null,
    } as const;
    const settled = await settleJob(test.db, ending);
    expect(settled).to.include({ chargedPence: 0, releasedPence: 42 });
    expect(await settleJob(test.db, ending), 'once more').to.deep.equal(settled);
  });

  it('tells of a cancel whose message was lost', async () => {
    const { jobId } = await runningJob();
    await test.db.query(
      `update jobs set cancel_requested_at = now(), cancel_reason = 'changed my mind' where id = $1`,
      [jobId],
    );
    expect(await outstanding(test.db, jobId)).to.deep.equal({
      parts: [0],
      cancelRequested: true,
      cancelReason: 'changed my mind',
    });
  });

  it('is found when no workflow works on it any more', async () => {
    const { jobId } = await runningJob();
    await test.db.query(`update jobs set updated_at = now() - interval '1 hour' where id = $1`, [jobId]);
    const found = await abandonedJobs(test.db, () => Promise.resolve(false));
    expect(found.map((one) => one.subject)).to.include(jobId);
    expect(await abandonedJobs(test.db, () => Promise.resolve(true))).to.deep.equal([]);
  });

  it('launches nothing for a job that rests or has ended', async () => {
    const { jobId } = await runningJob();
    await recordState(test.db, { jobId, transition: 4, to: 'FINALIZING', reason: null });
    let asked = 0;
    const provider = {
      name: 'local',
      answersExactly: true,
      ensure: () => {
        asked += 1;
        return Promise.reject(new Error('must not be asked'));
      },
      describe: () => Promise.resolve(null),
      terminate: () => Promise.resolve(),
      list: () => Promise.resolve([]),
    };
    const request = { jobId, slot: 0, generation: 2, provider: 'local', vcpus: 2, toolSlots: 2 };
    await launchInstance({ db: test.db, secret: '0'.repeat(64), tokenHours: 1 }, provider, request);
    expect(asked).to.equal(0);
  });
});
