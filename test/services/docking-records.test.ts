/** Batches and runs as they are answered: their end after a repetition, how ligands are prepared, the engine, and samples. */
import { randomUUID } from 'node:crypto';

import type Joi from 'joi';
import { expect } from 'chai';

import { batchAnswer, runAnswer } from '../../api/docking/record-answers.ts';
import { getBatch } from '../../src/services/docking/batches.ts';
import { getRun } from '../../src/services/docking/runs.ts';
import { DOCKING_ADMISSION } from '../../src/services/docking/write-records.ts';
import { reactivateAccount, suspendAccount } from '../../src/services/identity/index.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf } from '../support/admissions.ts';
import { addRun, dock, dockedBatch, dockedRecord } from '../support/docking-batch.ts';
import type { DockedBatch } from '../support/docking-batch.ts';
import { suiteHome } from '../support/home.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import type { DockingBatchResponse, DockingRunResponse } from '../../src/domain/answers.ts';

type DockingBatchRecord = DockingBatchResponse['batch'];
type DockingRunRecord = DockingRunResponse['run'];

const SETTINGS = {
  ...{ instanceSlots: 2, instanceVcpus: 2, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 1, taskTimeoutSeconds: 60 },
};

/** The answer, which is as the API document says. */
function promised<Answer>(schema: Joi.ObjectSchema<Answer>, answer: Answer): Answer {
  expect(schema.validate(answer, { convert: false }).error?.message).to.equal(undefined);
  return answer;
}

describe('records of docking', () => {
  const home = suiteHome();
  const tools = createToolRegistry({ testTools: TEST_TOOLS });
  const quotes = createQuotes(loadPriceBook(), {
    current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
  });

  const read = async ({ accountId, batchId }: DockedBatch): Promise<DockingBatchRecord> => {
    const deps = { db: home.db, store: home.store, tools, quotes, settings: SETTINGS };
    return promised(batchAnswer, await getBatch(deps, ownerOf(accountId), batchId)).batch;
  };
  const readRun = async ({ accountId, runId }: DockedBatch): Promise<DockingRunRecord> =>
    promised(runAnswer, await getRun({ db: home.db, tools }, ownerOf(accountId), runId)).run;
  const ended = (jobId: string, status: string): Promise<unknown> =>
    home.db.query('update jobs set status = $2, finished_at = now() where id = $1', [jobId, status]);
  const decided = (jobId: string, states: Readonly<Record<number, string>>): Promise<unknown> =>
    home.db.query(
      `update tasks t set state = s.state, failure_code = case s.state when 'FAILED' then 'ENGINE_CRASHED' end
       from jsonb_each_text($2::jsonb) as s (ordinal, state) where t.job_id = $1 and t.kind = 'task' and t.ordinal = s.ordinal::int`,
      [jobId, JSON.stringify(states)],
    );
  /** Repeats a ligand of a batch in a run of its own, which ends in this state. */
  const repeated = async (of: DockedBatch, ordinal: number, state: string): Promise<void> => {
    const next = await dockedBatch(home, ordinal + 1);
    await home.db.query('delete from docking_runs where job_id = $1', [next.jobId]);
    await home.db.query(`delete from tasks where job_id = $1 and kind = 'task' and ordinal <> $2`, [
      ...[next.jobId, ordinal],
    ]);
    await decided(next.jobId, { [ordinal]: state });
    await ended(next.jobId, state);
    const [{ number } = { number: 0 }] = await home.db.query<{ number: number }[]>(
      'select max(number) + 1 as number from docking_runs where batch_id = $1',
      [of.batchId],
    );
    await addRun(home, { ...of, jobId: next.jobId }, randomUUID(), number);
  };

  it('of a batch say how its ligands ended, also where a repetition of failed ones was cancelled', async () => {
    const batch = await dockedBatch(home, 3);
    await dock(home.db, batch.jobId, { 0: dockedRecord([-7]), 1: dockedRecord([-6]) });
    await decided(batch.jobId, { 2: 'FAILED' });
    await ended(batch.jobId, 'PARTIALLY_SUCCEEDED');
    await repeated(batch, 2, 'CANCELLED');
    const { status, counts, runs } = await read(batch);
    expect({ status, runs }).to.deep.equal({ status: 'PARTIALLY_SUCCEEDED', runs: 2 });
    expect(counts).to.deep.equal({
      ...{ total: 3, succeeded: 2, failed: 0, running: 0, pending: 0, cancelled: 1 },
    });
    await repeated(batch, 2, 'SUCCEEDED');
    expect((await read(batch)).status).to.equal('SUCCEEDED');

    const nothing = await dockedBatch(home, 1);
    await decided(nothing.jobId, { 0: 'FAILED' });
    await ended(nothing.jobId, 'FAILED');
    await repeated(nothing, 0, 'CANCELLED');
    expect((await read(nothing)).status).to.equal('FAILED');
  });

  it('of a batch that was cancelled itself say so, whatever becomes of the ligands that are repeated', async () => {
    const batch = await dockedBatch(home, 3);
    await dock(home.db, batch.jobId, { 0: dockedRecord([-7]) });
    await decided(batch.jobId, { 1: 'FAILED', 2: 'CANCELLED' });
    await ended(batch.jobId, 'CANCELLED');
    await repeated(batch, 1, 'SUCCEEDED');
    expect(await read(batch)).to.deep.include({ status: 'CANCELLED', runs: 2 });
  });

  it('of a batch tell how the ligands of its library are prepared, and null where each ligand says so itself', async () => {
    const batch = await dockedBatch(home, 1);
    expect((await read(batch)).ligand_preparation).to.equal(null);
    const preparation = { protonationPh: 6.5, addHydrogens: true, generate3d: true };
    await home.db.query('update docking_batches set ligand_preparation = $2::jsonb where id = $1', [
      ...[batch.batchId, JSON.stringify(preparation)],
    ]);
    expect((await read(batch)).ligand_preparation).to.deep.equal(preparation);
  });

  it('of a run tell the version of the engine as soon as a result tells it', async () => {
    const batch = await dockedBatch(home, 2);
    const unknown = { version: null, toolchain_sha256: null, worker_image_digest: null };
    expect((await readRun(batch)).engine).to.deep.equal({ name: 'autodock-vina', ...unknown });
    const toolchainSha256 = 'b'.repeat(64);
    await dock(home.db, batch.jobId, {
      1: dockedRecord([-7], [], { toolchainSha256, engineVersion: '1.2.7' }),
    });
    expect((await readRun(batch)).engine).to.deep.equal({
      ...{ name: 'autodock-vina', version: '1.2.7', toolchain_sha256: toolchainSha256 },
      worker_image_digest: `sha256:${toolchainSha256}`,
    });
  });

  it('of a sample that was refused or came too late say why, and no more once it is docked again', async () => {
    const batch = await dockedBatch(home, 2);
    const { batchId, accountId, userId } = batch;
    await home.db.query('update docking_batches set sample = true where id = $1', [batchId]);
    expect((await read(batch)).reproducibility).to.deep.equal({ same_seed: null, other_seed: null });
    const admit = (kind: 'same' | 'other', more: object = {}) =>
      admitJob(
        home.db,
        {
          ...admissionOf({ accountId, userId }, { internal: true, inputs: [], ...more }),
          ...sampleOf(kind),
        },
        randomUUID(),
        [DOCKING_ADMISSION],
      );
    const sampleOf = (kind: 'same' | 'other') => ({ sample: { batchId, kind, seed: 8 } });
    await suspendAccount(home.db, { accountId, reason: null });
    for (let turn = 0; turn < 2; turn += 1) expect(await admit('other')).to.include({ kind: 'refused' });
    const late = { admitBy: new Date(Date.now() - 60_000).toISOString() };
    expect(await admit('same', late)).to.deep.equal({ kind: 'expired' });
    const { same_seed: same, other_seed: other } = (await read(batch)).reproducibility ?? {};
    const nothing = { status: 'FAILED', seed: 8, ligands: 0, compared: 0, same_cpu_class: 0 };
    expect(other).to.deep.include({ ...nothing, identical_share: null, within_share: null });
    expect(other?.failure).to.include({ code: 'ACCOUNT_SUSPENDED', stage: 'submit' });
    expect(same).to.deep.include(nothing);
    expect(same?.failure).to.include({ code: 'SERVICE_UNAVAILABLE', stage: 'submit' });

    await reactivateAccount(home.db, { accountId, reason: null });
    expect(await admit('other')).to.include({ kind: 'admitted' });
    const again = (await read(batch)).reproducibility?.other_seed;
    expect(again).to.deep.include({ status: 'SUBMITTED', seed: 8, ligands: 40, failure: null });
  });

  it('of a sample compare bytes only where processors are of one class, and leave out names that reuse has left in files', async () => {
    const batch = await dockedBatch(home, 4);
    const sample = await dockedBatch(home, 4);
    const { batchId } = batch;
    await home.db.query('update docking_batches set sample = true where id = $1', [batchId]);
    await home.db.query(
      `insert into docking_samples (batch_id, kind, job_id, seed) values ($1, 'same', $2, 7)`,
      [batchId, sample.jobId],
    );
    const found = async () => (await read(batch)).reproducibility?.same_seed;
    const places = [0, 1, 2, 3];
    for (const { jobId } of [batch, sample]) {
      await dock(
        home.db,
        jobId,
        Object.fromEntries(places.map((place) => [place, dockedRecord([-7], [], { cpuClass: 'x86-64-v3' })])),
      );
      await home.db.query(
        `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
         select gen_random_uuid(), j.account_id, j.id, 'task', t.ordinal, j.id || t.item_id || f.kind, t.item_id || f.kind, f.kind, 'text/plain', 'txt', 1, repeat('a', 64)
         from jobs j join tasks t on t.job_id = j.id and t.kind = 'task' and t.ordinal < 4, (values ('poses'), ('poses_pdbqt')) f (kind)
         where j.id = $1`,
        [jobId],
      );
    }
    const all = { ligands: 4, compared: 4, within_share: 1 };
    expect(await found()).to.deep.include({ ...all, same_cpu_class: 4, identical_share: 1 });
    const change = (of: string, place: number, jobId: string): Promise<unknown> =>
      home.db.query(`update docking_results set ${of} where job_id = $1 and ordinal = $2`, [jobId, place]);
    await change(`cpu_class = 'x86-64-v4'`, 0, sample.jobId);
    expect(await found()).to.deep.include({ ...all, same_cpu_class: 3, identical_share: 1 });
    // The results of two ligands of the batch were docked under another name; the engine's poses of one of them differ as well.
    const other = await dockedBatch(home, 1);
    await dock(home.db, other.jobId, { 9: dockedRecord([-7]) });
    for (const place of [1, 2]) {
      await change(
        `result_sha256 = repeat('0', 64), cached_from_result_id = (select id from docking_results
        where job_id = '${other.jobId}' and ordinal = 9)`,
        place,
        batch.jobId,
      );
    }
    await home.db.query(
      `update artifacts set sha256 = repeat('b', 64) where job_id = $1 and (kind = 'poses' or task_ordinal = 2) and task_ordinal in (1, 2)`,
      [batch.jobId],
    );
    expect(await found()).to.deep.include({ ...all, same_cpu_class: 3, identical_share: 2 / 3 });
    await change(`cpu_class = null`, 3, sample.jobId);
    expect(await found()).to.deep.include({ ...all, same_cpu_class: 2, identical_share: 1 / 2 });
  });
});
