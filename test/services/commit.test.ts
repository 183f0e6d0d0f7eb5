/**
 * The commit of outputs and the completeness check: each step may run twice, run twice at the same time, or stop
 * half-way.
 */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { TaskReport } from '../../src/contracts/instance.ts';
import type { WorkKind } from '../../src/contracts/job.ts';
import { jobPrefix, stagedKey } from '../../src/contracts/names.ts';
import { Invariant } from '../../src/domain/invariant.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { checkCompleteness } from '../../src/services/execution/settle/completeness.ts';
import { writeManifest } from '../../src/services/execution/settle/manifest.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { suiteHome } from '../support/home.ts';
import { refusalOf } from '../support/refusals.ts';
import { objectsOf, reportOf, runningJob, stage, startAgain } from '../support/running-job.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const VERIFIED = { fenced: false, verified: 1, failed: 0, redo: [] };
const REDO = { fenced: false, verified: 0, failed: 0, redo: [0] };
const BYTES = reportOf('result.bin', 'bytes');

describe('the commit of outputs', () => {
  const home = suiteHome();

  const commit = (
    jobId: string,
    report: TaskReport,
    { kind = 'task', store = home.store }: { kind?: WorkKind; store?: ObjectStore } = {},
  ): ReturnType<typeof commitTasks> =>
    commitTasks(
      { db: home.db, store, tools, recorders: RECORDERS },
      { jobId, execution: 1, slot: 0, generation: 1, kind, reports: [report] },
    );

  const contentOf = async (key: string): Promise<string> => {
    const object = await home.store.read(key);
    return object === null ? '' : (await buffer(object.stream)).toString();
  };
  const artifactsOf = (jobId: string): Promise<{ storage_key: string; name: string }[]> =>
    home.db.query('select storage_key, name from artifacts where job_id = $1 order by task_kind', [jobId]);
  const rowOf = async (jobId: string, kind: WorkKind): Promise<{ state: string; attempts: number }> => {
    const [row] = await home.db.query<{ state: string; attempts: number }[]>(
      'select state, attempts from tasks where job_id = $1 and kind = $2 and ordinal = 0',
      [jobId, kind],
    );
    return row ?? expect.fail('no such task');
  };
  /** Brings a job to FINALIZING by deciding every other task, so that its completeness can be checked. */
  const finalizing = async (jobId: string): Promise<void> => {
    await home.db.query(
      `update tasks set state = 'CANCELLED' where job_id = $1 and state in ('PENDING', 'RUNNING')`,
      [jobId],
    );
    await home.db.query(`update jobs set status = 'FINALIZING' where id = $1`, [jobId]);
  };
  const countsOf = async (jobId: string): Promise<unknown> => {
    const [row] = await home.db.query<unknown[]>(
      'select tasks_verified::int as verified, tasks_failed::int as failed from jobs where id = $1',
      [jobId],
    );
    return row;
  };

  it('copies a staged output under its digest and removes what was staged', async () => {
    const job = await runningJob(home);
    await stage(home, job.jobId, 'bytes');
    expect(await commit(job.jobId, BYTES)).to.deep.equal(VERIFIED);
    const [artifact] = await artifactsOf(job.jobId);
    const key = artifact?.storage_key ?? '';
    expect(key.startsWith(`${jobPrefix(job.accountId, job.jobId)}0/`)).to.equal(true);
    expect(key).to.match(/\/[0-9a-f]{64}-[0-9a-f]{16}-result\.bin$/);
    expect(artifact?.name).to.equal('result.bin');
    expect(await contentOf(key)).to.equal('bytes');
    expect(await home.store.head(stagedKey(job.jobId, 0, 1, 'task', 0, 'result.bin'))).to.equal(null);
  });

  it('touches no object for a report whose names leave the job, and fails the task', async () => {
    const job = await runningJob(home);
    const victim = `accounts/${randomUUID()}/uploads/secret.txt`;
    await home.store.put(victim, Buffer.from('secret'), 'text/plain');
    const result = await commit(job.jobId, reportOf(`../../../../${victim}`, 'secret'));
    expect(result).to.deep.equal({ fenced: false, verified: 0, failed: 1, redo: [] });
    expect((await home.store.head(victim))?.byteSize).to.equal(6);
    expect(await objectsOf(home, job)).to.deep.equal([]);
  });

  it('fails a task whose report the database or the store could never keep', async () => {
    for (const report of [
      { ...BYTES, summary: { note: 'a\0b' } },
      reportOf('result.bin', 'bytes', { mediaType: 'text/plain\nx-evil: 1' }),
    ]) {
      const { jobId } = await runningJob(home);
      expect(await commit(jobId, report)).to.deep.equal({ fenced: false, verified: 0, failed: 1, redo: [] });
    }
  });

  it('runs a task again whose staged bytes are not those that were reported, and keeps no copy', async () => {
    const job = await runningJob(home);
    await stage(home, job.jobId, 'other');
    expect(await commit(job.jobId, BYTES)).to.deep.equal(REDO);
    expect(await objectsOf(home, job)).to.deep.equal([]);
  });

  for (const kind of ['task', 'prepare', 'control'] as const) {
    it(`answers the same when it is repeated after its answer was lost: ${kind}`, async () => {
      const { jobId } = await runningJob(home, ['prepare', 'control']);
      await stage(home, jobId, 'other', kind);
      expect(await commit(jobId, BYTES, { kind }), 'outputs that do not verify').to.deep.equal(REDO);
      expect(await commit(jobId, BYTES, { kind }), 'the same once more').to.deep.equal(REDO);
      expect(await rowOf(jobId, kind)).to.deep.equal({ state: 'PENDING', attempts: 1 });

      await startAgain(home.db, jobId);
      await stage(home, jobId, 'bytes', kind);
      expect(await commit(jobId, BYTES, { kind }), 'outputs that verify').to.deep.equal(VERIFIED);
      expect(await commit(jobId, BYTES, { kind }), 'the same once more').to.deep.equal(VERIFIED);
      expect(await countsOf(jobId)).to.deep.equal({ verified: kind === 'task' ? 1 : 0, failed: 0 });
      expect(await artifactsOf(jobId)).to.have.length(1);
    });
  }

  it('answers the same for tasks that have failed, by their tool or after their attempts', async () => {
    const failed = { fenced: false, verified: 0, failed: 1, redo: [] };
    const reports: TaskReport[] = [
      { ordinal: 0, end: 'failed', code: 'TOOL_FAILED', message: 'no', seconds: 1 },
      BYTES,
    ];
    for (const report of reports) {
      const { jobId } = await runningJob(home);
      await home.db.query('update tasks set attempts = 4 where job_id = $1 and ordinal = 0', [jobId]);
      expect(await commit(jobId, report)).to.deep.equal(failed);
      expect(await commit(jobId, report)).to.deep.equal(failed);
      expect(await countsOf(jobId)).to.deep.equal({ verified: 0, failed: 1 });
    }
  });

  it('counts a task that succeeded for the report of those very outputs only', async () => {
    const { jobId } = await runningJob(home);
    await stage(home, jobId, 'bytes');
    expect(await commit(jobId, BYTES)).to.deep.equal(VERIFIED);
    const others = { fenced: false, verified: 0, failed: 0, redo: [] };
    expect(await commit(jobId, reportOf('result.bin', 'other'))).to.deep.equal(others);
    expect(await commit(jobId, reportOf('second.bin', 'bytes'))).to.deep.equal(others);
  });

  it('that slept before its copy cannot change what another attempt has verified', async () => {
    const job = await runningJob(home);
    await stage(home, job.jobId, 'bytes');
    const held = heldBeforeCopy(home.store);
    const early = commit(job.jobId, BYTES, { store: held.store });
    await held.reached;
    expect(await commit(job.jobId, BYTES)).to.deep.equal(VERIFIED);
    // A presigned address is valid beyond the commit; the new bytes have the same length.
    await stage(home, job.jobId, 'OTHER');
    held.go();
    expect(await early, 'what the other attempt did').to.deep.equal(VERIFIED);
    const [artifact] = await artifactsOf(job.jobId);
    expect(await contentOf(artifact?.storage_key ?? '')).to.equal('bytes');
    expect(await objectsOf(home, job)).to.deep.equal([artifact?.storage_key]);
    await finalizing(job.jobId);
    expect(await checkCompleteness(home, job.jobId)).to.deep.equal({ setBack: 0, standing: null });
  });

  it('that slept decides nothing of a later run of the task, and takes nothing from its staging', async () => {
    for (const later of ['other', 'bytes']) {
      const job = await runningJob(home);
      await stage(home, job.jobId, 'other');
      const held = heldBeforeCopy(home.store);
      const early = commit(job.jobId, BYTES, { store: held.store });
      await held.reached;
      expect(await commit(job.jobId, BYTES)).to.deep.equal(REDO);
      await startAgain(home.db, job.jobId);
      await stage(home, job.jobId, later);
      held.go();
      await early;
      expect(await rowOf(job.jobId, 'task')).to.deep.equal({ state: 'RUNNING', attempts: 2 });
      expect(await objectsOf(home, job)).to.deep.equal([]);
      expect(await commit(job.jobId, BYTES)).to.deep.equal(later === 'bytes' ? VERIFIED : REDO);
    }
  });

  it('of a fenced instance leaves no copy', async () => {
    const job = await runningJob(home);
    await stage(home, job.jobId, 'bytes');
    const held = heldBeforeCopy(home.store);
    const early = commit(job.jobId, BYTES, { store: held.store });
    await held.reached;
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [job.jobId]);
    held.go();
    expect(await early).to.deep.equal({ fenced: true, verified: 0, failed: 0, redo: [] });
    expect(await objectsOf(home, job)).to.deep.equal([]);
  });

  it('is proven at the end: a step or task whose object is missing is set back and told, and counted no more', async () => {
    const { jobId } = await runningJob(home, ['control']);
    for (const kind of ['task', 'control'] as const) {
      await stage(home, jobId, 'bytes', kind);
      expect(await commit(jobId, BYTES, { kind })).to.deep.equal(VERIFIED);
    }
    await finalizing(jobId);
    expect(await checkCompleteness(home, jobId)).to.deep.equal({ setBack: 0, standing: null });
    const [control, task] = await artifactsOf(jobId);
    await home.store.remove([control?.storage_key ?? '']);
    expect(await checkCompleteness(home, jobId)).to.deep.equal({
      setBack: 1,
      standing: { verified: 1, failed: 0, steps: ['control'] },
    });
    expect((await rowOf(jobId, 'control')).state).to.equal('PENDING');
    // As after an answer that was lost: the same call again.
    expect(await checkCompleteness(home, jobId)).to.deep.equal({
      setBack: 1,
      standing: { verified: 1, failed: 0, steps: ['control'] },
    });
    await home.store.remove([task?.storage_key ?? '']);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await checkCompleteness(home, jobId)).to.deep.equal({
        setBack: 2,
        standing: { verified: 0, failed: 0, steps: ['control'] },
      });
    }
    expect(await countsOf(jobId)).to.deep.equal({ verified: 0, failed: 0 });
  });

  it('of a merge is set back with each task that it has read, and goes when nothing is left to merge', async () => {
    const { jobId } = await runningJob(home, ['control', 'merge']);
    for (const kind of ['task', 'control'] as const) {
      await stage(home, jobId, 'bytes', kind);
      expect(await commit(jobId, BYTES, { kind })).to.deep.equal(VERIFIED);
    }
    const staged = stagedKey(jobId, 0, 1, 'merge', 0, 'merged.bin');
    await home.store.put(staged, Buffer.from('bytes'), 'application/octet-stream');
    const merged = reportOf('merged.bin', 'bytes', { kind: 'merged' });
    expect(await commit(jobId, merged, { kind: 'merge' })).to.deep.equal(VERIFIED);
    // A second verified task, so that something is left to merge.
    await home.db.query(`update tasks set state = 'SUCCEEDED' where job_id = $1 and ordinal = 1`, [jobId]);
    await home.db.query('update jobs set tasks_verified = 2 where id = $1', [jobId]);
    await finalizing(jobId);
    const [control, , task] = await artifactsOf(jobId);
    await home.store.remove([control?.storage_key ?? '']);
    expect(await checkCompleteness(home, jobId), 'a step that the merge has not read').to.deep.include({
      standing: { verified: 2, failed: 0, steps: ['control'] },
    });
    expect((await rowOf(jobId, 'merge')).state).to.equal('SUCCEEDED');

    await home.store.remove([task?.storage_key ?? '']);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await checkCompleteness(home, jobId)).to.deep.equal({
        setBack: 3,
        standing: { verified: 1, failed: 0, steps: ['control', 'merge'] },
      });
    expect((await rowOf(jobId, 'merge')).state).to.equal('PENDING');
    expect(await artifactsOf(jobId), 'what was merged of the lost output').to.deep.equal([]);
    expect(await countsOf(jobId)).to.deep.equal({ verified: 1, failed: 0 });

    await home.db.query(`update tasks set state = 'FAILED' where job_id = $1 and kind <> 'merge'`, [jobId]);
    expect(await checkCompleteness(home, jobId), 'nothing is left to merge').to.deep.equal({
      setBack: 0,
      standing: null,
    });
  });

  it('is not taken back by a comparison that slept while the work was done again, nor after the end', async () => {
    for (const isOver of [false, true]) {
      const job = await runningJob(home);
      await stage(home, job.jobId, 'bytes');
      await commit(job.jobId, BYTES);
      await finalizing(job.jobId);
      const [first] = await artifactsOf(job.jobId);
      await home.store.remove([first?.storage_key ?? '']);
      const held = heldAfterList(home.store);
      const early = checkCompleteness({ ...home, db: home.db, store: held.store }, job.jobId);
      await held.reached;

      expect(await checkCompleteness(home, job.jobId)).to.deep.include({ setBack: 1 });
      await startAgain(home.db, job.jobId);
      await stage(home, job.jobId, 'bytes');
      expect(await commit(job.jobId, BYTES)).to.deep.equal(VERIFIED);
      if (isOver) await home.db.query(`update jobs set status = 'SUCCEEDED' where id = $1`, [job.jobId]);
      held.go();
      if (isOver) expect(await refusalOf(early)).to.be.instanceOf(Invariant);
      else expect(await early).to.deep.equal({ setBack: 0, standing: null });
      expect(await rowOf(job.jobId, 'task')).to.deep.equal({ state: 'SUCCEEDED', attempts: 2 });
      expect(await countsOf(job.jobId)).to.deep.equal({ verified: 1, failed: 0 });
      const [second] = await artifactsOf(job.jobId);
      expect(await contentOf(second?.storage_key ?? '')).to.equal('bytes');
    }
  });

  it('that died between its copies and its transaction leaves nothing behind, however the job ends', async () => {
    for (const isProven of [true, false]) {
      const job = await runningJob(home);
      const stray = `${jobPrefix(job.accountId, job.jobId)}0/${'0'.repeat(64)}-${'0'.repeat(16)}-result.bin`;
      await home.store.put(stray, Buffer.from('bytes'), 'text/plain');
      await finalizing(job.jobId);
      if (isProven)
        expect(await checkCompleteness(home, job.jobId)).to.deep.equal({ setBack: 0, standing: null });
      await writeManifest({ ...home, tools }, { jobId: job.jobId, isProven });
      expect(await objectsOf(home, job)).to.deep.equal([]);
    }
  });

  it('adds nothing to an ended job, whose outputs are final: neither a commit nor a manifest that slept until then', async () => {
    const job = await runningJob(home);
    await stage(home, job.jobId, 'bytes');
    expect(await commit(job.jobId, BYTES)).to.deep.equal(VERIFIED);
    const before = await objectsOf(home, job);
    await home.db.query(`update jobs set status = 'PARTIALLY_SUCCEEDED' where id = $1`, [job.jobId]);

    await writeManifest({ ...home, tools }, { jobId: job.jobId, isProven: true });
    expect(await commit(job.jobId, BYTES)).to.include({ fenced: true });
    expect((await artifactsOf(job.jobId)).map((row) => row.storage_key)).to.deep.equal(before);
    expect(await objectsOf(home, job), 'its own files are gone').to.deep.equal(before);
  });
});

interface HeldStore {
  readonly store: ObjectStore;
  readonly reached: Promise<unknown>;
  go(): void;
}

/** A store whose lists wait at their end, as in a worker that is frozen there. */
function heldAfterList(store: ObjectStore): HeldStore {
  const reached = Promise.withResolvers<null>();
  const gate = Promise.withResolvers<null>();
  return {
    store: {
      ...store,
      async *list(prefix) {
        yield* store.list(prefix);
        reached.resolve(null);
        await gate.promise;
      },
    },
    reached: reached.promise,
    go: () => gate.resolve(null),
  };
}

/** A store whose first copy waits, as in a worker that is frozen there. */
function heldBeforeCopy(store: ObjectStore): HeldStore {
  const reached = Promise.withResolvers<null>();
  const gate = Promise.withResolvers<null>();
  return {
    store: {
      ...store,
      copy: async (from, to, contentType) => {
        reached.resolve(null);
        await gate.promise;
        return store.copy(from, to, contentType);
      },
    },
    reached: reached.promise,
    go: () => gate.resolve(null),
  };
}
