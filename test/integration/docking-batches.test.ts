/**
 * Batches, their runs and their workflows on a stack, with the tool for tests as engine: one job each, one record each, cancelled in
 * every phase, repeated where the engine is to blame, and nothing left of what is refused.
 */
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';

import { dockingWorkflowId } from '../../src/contracts/docking.ts';
import { jobWorkflowId } from '../../src/contracts/names.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { verifyReceipt } from '../../src/services/receipts/verify.ts';
import { NOTHING, openTestApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { inLongRuns, withLong } from '../support/long.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { tuned } from '../support/tuning.ts';

const BATCHES = 'molecular/docking/batches';
const longIt = inLongRuns(it);

describe('batches of docking', function () {
  this.timeout(240_000);
  let api: TestApi;
  let owner: NewAccount;
  let connection: Connection | undefined;
  let temporal: Client;
  before(async function () {
    this.timeout(240_000);
    api = await openTestApi({
      ...{ DOCKYARD_PROVIDER: 'inprocess', DOCKYARD_COMPUTE_MODE: 'inprocess' },
      // A machine that is busy with other suites may take longer than a customer waits.
      ...tuned({ admissionWaitSeconds: 30 }),
      ...{ DOCKYARD_INSTANCE_SLOTS: '3', DOCKYARD_INSTANCE_VCPUS: '3', DOCKYARD_MAX_INSTANCES_PER_JOB: '1' },
    });
    owner = await api.account(100_000);
    connection = await Connection.connect({ address: api.stack.env['DOCKYARD_TEMPORAL_ADDRESS'] ?? '' });
    const namespace = api.stack.env['DOCKYARD_TEMPORAL_NAMESPACE'] ?? 'default';
    temporal = new Client({ connection, namespace });
  });
  after(async () => {
    await connection?.close();
    await endTestStack(api.stack);
  });

  const ligands = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({
      ...{ ligandId: `l${index}`, label: `Ligand ${index}`, preparation: {} },
      source: { kind: 'smiles', smiles: `${'C'.repeat(index + 1)}O` },
    }));
  const batchOf = (count: number, noop: object = { seconds: 0 }): Record<string, unknown> => ({
    ...{ name: 'campaign', engine: 'noop', ligands: ligands(count), metadata: { noop } },
  });
  const create = (body: object, key?: string, account = owner): Promise<Answer> =>
    api.call(
      account.liveKey,
      'POST',
      BATCHES,
      body,
      key === undefined ? {} : { headers: { 'idempotency-key': key } },
    );
  const started = async (body: object): Promise<{ id: string; jobId: string }> => {
    const { status, body: answer } = await create(body);
    expect(status, JSON.stringify(answer)).to.equal(202);
    return { id: answer.batch.id, jobId: answer.jobId };
  };
  const read = async (id: string): Promise<Answer['body']> =>
    (await api.call(owner.liveKey, 'GET', `${BATCHES}/${id}`)).body.batch;
  const act = (id: string, action: string, body: object = {}): Promise<Answer> =>
    api.call(owner.liveKey, 'POST', `${BATCHES}/${id}/${action}`, body);
  const workflowEnds = async (kind: 'run' | 'batch', id: string): Promise<unknown> =>
    temporal.workflow.getHandle(dockingWorkflowId(kind, id)).result();

  it('has one job, one record and a workflow whose child is the job, for the same key at once and afterwards, and counts what the job counts', async () => {
    const key = 'one-batch-key';
    const [answer, second] = await Promise.all([create(batchOf(12), key), create(batchOf(12), key)]);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(202);
    const third = await create(batchOf(12), key);
    expect(new Set([answer, second, third].map(({ body }) => body.batch?.id)).size).to.equal(1);
    expect(third.body.idempotentReplay).to.equal(true);
    expect((await create(batchOf(4), key)).body.code).to.equal('IDEMPOTENCY_KEY_REUSED');
    const { batch, jobId, uiLinks } = answer.body;
    expect(answer.headers.get('location')).to.equal(`/api/v1/${BATCHES}/${batch.id}`);
    expect(uiLinks).to.deep.equal({ studio: `/molecular/studio?dockingBatch=${batch.id}` });
    await api.ends(owner.liveKey, jobId, 180);
    const done = await read(batch.id);
    expect(done).to.include({ status: 'SUCCEEDED', job_id: jobId, runs: 1, ligand_count: 12 });
    expect(done.counts).to.deep.equal({
      ...{ total: 12, succeeded: 12, failed: 0, running: 0, pending: 0, cancelled: 0 },
    });
    const job = await temporal.workflow.getHandle(jobWorkflowId(jobId)).describe();
    expect(job.raw.workflowExecutionInfo?.parentExecution?.workflowId).to.equal(
      dockingWorkflowId('batch', batch.id),
    );
    expect(await workflowEnds('batch', batch.id)).to.deep.equal({ decision: 'admitted', state: 'SUCCEEDED' });
    const run = await api.call(owner.liveKey, 'GET', `molecular/docking/runs/${done.run_id}`);
    expect(run.body.run).to.include({ batch_id: batch.id, experiment_id: null, number: 1, job_id: jobId });
    const listed = await api.call(owner.liveKey, 'GET', `${BATCHES}?name=camp&limit=1`);
    expect(listed.body.batches[0].batch.id).to.equal(batch.id);
    const other = await api.account(1);
    expect((await api.call(other.liveKey, 'GET', `${BATCHES}/${batch.id}`)).status).to.equal(404);
  });

  it('leaves nothing of what is refused: no job, no hold, no record, no workflow', async () => {
    const [poor, rich] = [await api.account(1), await api.account(1_000)];
    const key = 'a-refused-batch';
    const answers = [
      await create(batchOf(5, { seconds: 0, pence: [100] }), key, poor),
      await create({ ...batchOf(5), limitCents: 1 }, undefined, rich),
      await create({ ...batchOf(2), engine: 'blastp' }, undefined, poor),
      await create({ name: 'no ligands', engine: 'noop' }, undefined, poor),
      await create({ ...batchOf(2), engine: undefined }, undefined, poor),
      await create({ ...batchOf(2), receptor: { artifactId: batchOf.name } }, undefined, poor),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).to.deep.equal([
      '402 INSUFFICIENT_CREDITS',
      '422 COST_LIMIT_EXCEEDED',
      '422 UNSUPPORTED_SIMULATOR',
      '422 INPUT_MISSING',
      '422 INPUT_MISSING',
      '400 VALIDATION_ERROR',
    ]);
    for (const { accountId } of [poor, rich]) expect(await api.leftovers(accountId)).to.deep.equal(NOTHING);
    const [rows] = await api.db.query<{ batches: number; runs: number; libraries: number }[]>(
      `select (select count(*)::int from docking_batches where account_id = any($1)) as batches,
         (select count(*)::int from docking_runs where account_id = any($1)) as runs,
         (select count(*)::int from ligand_libraries where account_id = any($1)) as libraries`,
      [[poor.accountId, rich.accountId]],
    );
    expect(rows).to.deep.equal({ batches: 0, runs: 0, libraries: 0 });
  });

  it('is cancelled by its own endpoint while it runs, and not docked again before it has ended', async () => {
    const { id, jobId } = await started(batchOf(40, { seconds: 1 }));
    await api.reaches(owner.liveKey, jobId, 'RUNNING');
    const early = await act(id, 'retry-failed');
    expect([early.status, early.body.code]).to.deep.equal([409, 'BATCH_RUNNING']);
    expect((await act(id, 'cancel', { reason: 'enough' })).status).to.equal(202);
    await api.ends(owner.liveKey, jobId, 180);
    const { status, counts } = await read(id);
    expect(status).to.equal('CANCELLED');
    expect(counts).to.include({ total: 40, cancelled: 40 - Number(counts.succeeded) });
    expect((await act(id, 'cancel')).status).to.equal(200);
    expect(await workflowEnds('batch', id)).to.deep.equal({ decision: 'admitted', state: 'CANCELLED' });
  });

  it('passes a cancel of its workflow on to the job, from the first moment and from a pause', async () => {
    const early = await started(batchOf(40, { seconds: 1 }));
    await temporal.workflow.getHandle(dockingWorkflowId('batch', early.id)).cancel();
    const late = await started(batchOf(40, { seconds: 1 }));
    await api.reaches(owner.liveKey, late.jobId, 'RUNNING');
    await temporal.workflow.getHandle(jobWorkflowId(late.jobId)).signal('pause', { reason: 'OPERATOR' });
    await api.reaches(owner.liveKey, late.jobId, 'PAUSED');
    await temporal.workflow.getHandle(dockingWorkflowId('batch', late.id)).cancel();
    for (const { id, jobId } of [early, late]) {
      const ended = await api.ends(owner.liveKey, jobId, 180);
      expect(ended.body.status).to.equal('CANCELLED');
      expect(await workflowEnds('batch', id)).to.deep.equal({ decision: 'admitted', state: 'CANCELLED' });
    }
  });

  it('refuses a test key and a cursor of another list', async () => {
    expect((await api.call(owner.testKey, 'POST', BATCHES, batchOf(1))).body.code).to.equal(
      'TEST_KEY_LIVE_BILLING',
    );
    const { nextCursor } = (await api.call(owner.liveKey, 'GET', `${BATCHES}?limit=1`)).body;
    const foreign = await api.call(
      owner.liveKey,
      'GET',
      `molecular/docking/experiments?cursor=${nextCursor}`,
    );
    expect(foreign.body.code).to.equal('VALIDATION_ERROR');
  });

  it('stops at the same ligand whatever the shards and slots are, with the same results, and charges what is before it', async () => {
    const rule = { topN: 2, unchangedFor: 8 };
    const stops: object[] = [];
    // A task of three vCPUs leaves room for one at a time.
    const shapes = withLong(
      [
        [1, 1],
        [10, 3],
      ],
      [
        [1, 3],
        [10, 1],
      ],
    );
    for (const [shardSize, vcpus] of shapes) {
      const { id, jobId } = await started({
        ...batchOf(100, { seconds: 0, vcpus }),
        ...{ stopWhen: rule, dockingExecution: { shardSize }, reuse: 'never' },
      });
      const ended = await api.ends(owner.liveKey, jobId, 180);
      const { status, counts, stopped_at: stop, stop_when: asked } = await read(id);
      expect({ status, asked }).to.deep.equal({ status: 'SUCCEEDED', asked: rule });
      expect(ended.body).to.include({ status: 'SUCCEEDED' });
      expect(ended.body.progress).to.include({ percent: 100 });
      expect(counts).to.include({ succeeded: stop.place, failed: 0, cancelled: 100 - Number(stop.place) });
      expect(ended.body.cost.chargedCents, 'pence up to the last ligand').to.equal(2 + Number(stop.place));
      const rest = await api.call(owner.liveKey, 'GET', `${BATCHES}/${id}/results?status=CANCELLED&limit=1`);
      expect(rest.body.results[0].failure.code).to.equal('STOP_RULE');
      const results = await api.call(
        owner.liveKey,
        'GET',
        `${BATCHES}/${id}/results?sort=affinity&limit=100`,
      );
      const ranked = results.body.results.flatMap((one: Answer['body']) =>
        one.status === 'SUCCEEDED' ? [`${one.rank} ${one.ligand_id} ${one.best_affinity_kcal_mol}`] : [],
      );
      expect(ranked).to.have.length(stop.place);
      const named = await api.db.query<{ item_id: string }[]>(
        `select item_id from artifacts where job_id = $1 and task_kind = 'task' order by 1`,
        [jobId],
      );
      stops.push({ stop, ranked, outputs: named.map(({ item_id: item }) => item) });
    }
    expect(new Set(stops.map((stop) => JSON.stringify(stop))).size, JSON.stringify(stops)).to.equal(1);
    const other = await started({ ...batchOf(12), stopWhen: { topN: 5, unchangedFor: 12 } });
    await api.ends(owner.liveKey, other.jobId, 180);
    expect(await read(other.id)).to.deep.include({ status: 'SUCCEEDED', stopped_at: null });
  });

  it('takes what an equal batch has docked, for the start fee alone, and says so in its receipt', async () => {
    const noop = { seconds: 0, prepare: true };
    const outputsOf = async (jobId: string): Promise<readonly string[]> => {
      const { body } = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/outputs?limit=50`);
      return body.outputs.flatMap((output: Answer['body']) =>
        output.taskIndex === null ? [] : [`${output.taskIndex} ${output.sha256}`],
      );
    };
    const docked: { jobId: string; charged: number; adopted: object[]; outputs: readonly string[] }[] = [];
    for (const reuse of withLong(['verified', 'verified'], ['never'])) {
      const { id, jobId } = await started({ ...batchOf(6, noop), name: 'twice', reuse });
      const ended = await api.ends(owner.liveKey, jobId, 180);
      const { status, counts, run_id: runId } = await read(id);
      expect({ status, succeeded: counts.succeeded }).to.deep.equal({ status: 'SUCCEEDED', succeeded: 6 });
      let receipt: Answer | undefined;
      await until('the receipt is signed', async () => {
        receipt = await api.call(owner.liveKey, 'GET', `molecular/docking/runs/${runId}/receipt`);
        return receipt.status === 200;
      });
      const keys = await api.call(null, 'GET', '/.well-known/dockyard-receipt-keys.json');
      expect(verifyReceipt(receipt?.body, keys.body)).to.include({ ok: true });
      const { adopted = [] } = receipt?.body.receipt ?? {};
      docked.push({ jobId, charged: ended.body.cost.chargedCents, adopted, outputs: await outputsOf(jobId) });
    }
    const [first, again, never] = docked;
    const from = Array.from({ length: 6 }, (_, taskIndex) => ({
      ...{ taskIndex, fromJobId: first?.jobId, fromTaskIndex: taskIndex },
    }));
    expect(docked.map(({ charged }) => charged)).to.deep.equal(withLong([8, 2], [8]));
    expect(docked.map(({ adopted }) => adopted)).to.deep.equal(withLong<object[]>([[], from], [[]]));
    expect(first?.outputs).to.have.length(6);
    expect(again?.outputs).to.deep.equal(first?.outputs);
    if (never !== undefined) expect(never.outputs).to.deep.equal(first?.outputs);
  });

  it('docks a sample again, for nothing, with its seed and with another one', async () => {
    const { id, jobId } = await started({
      ...batchOf(8),
      ...{
        sample: true,
        parameters: { box: { derivation: { kind: 'ligand', componentId: 'STR' } }, protocol: { seed: 7 } },
      },
    });
    await api.ends(owner.liveKey, jobId, 180);
    expect(await workflowEnds('batch', id)).to.deep.equal({ decision: 'admitted', state: 'SUCCEEDED' });
    const { sample, reproducibility, counts, runs } = await read(id);
    expect({ sample, runs, succeeded: counts.succeeded }).to.deep.equal({
      sample: true,
      runs: 1,
      succeeded: 8,
    });
    const { same_seed: same, other_seed: other } = reproducibility;
    const compared = { status: 'SUCCEEDED', ligands: 5, compared: 5, same_cpu_class: 5, failure: null };
    expect(same).to.deep.equal({ ...compared, seed: 7, identical_share: 1, within_share: 1 });
    expect(other).to.deep.include({ ...compared, seed: 8, identical_share: 0 });
    expect(other.within_share).to.be.within(0, 1);
    const jobs = await api.db.query<{ internal: boolean; charged: number }[]>(
      `select j.internal, h.charged_pence::int as charged from docking_samples s join jobs j on j.id = s.job_id
         join holds h on h.job_id = j.id where s.batch_id = $1`,
      [id],
    );
    expect(jobs).to.deep.equal([
      { internal: true, charged: 0 },
      { internal: true, charged: 0 },
    ]);
  });

  longIt('docks a sample again that the workflow of its batch was lost with, once', async () => {
    const parameters = { box: { derivation: { kind: 'ligand', componentId: 'STR' } }, protocol: { seed: 9 } };
    const { id, jobId } = await started({ ...batchOf(6), sample: true, parameters });
    await temporal.workflow.getHandle(dockingWorkflowId('batch', id)).terminate('lost');
    await api.ends(owner.liveKey, jobId, 180);
    const nothing = { same_seed: null, other_seed: null };
    expect((await read(id)).reproducibility).to.deep.equal(nothing);
    await api.db.query(`update jobs set finished_at = now() - interval '10 minutes' where id = $1`, [jobId]);
    const sweep = temporal.schedule.getHandle('sweep');
    await sweep.trigger();
    await until('both are docked again', async () => {
      const { same_seed: same, other_seed: other } = (await read(id)).reproducibility;
      return same?.status === 'SUCCEEDED' && other?.status === 'SUCCEEDED';
    });
    const { same_seed: same, other_seed: other } = (await read(id)).reproducibility;
    expect(same).to.include({ seed: 9, compared: 5, same_cpu_class: 5, identical_share: 1 });
    expect(other).to.include({ seed: 10, compared: 5 });
    await sweep.trigger();
    await until('nothing is left to be begun', async () => {
      const rows = await api.db.query<unknown[]>(
        'select 1 from docking_batches where id = $1 and sample_admissions is null',
        [id],
      );
      return rows.length === 1;
    });
    const jobs = await api.db.query<unknown[]>('select 1 from docking_samples where batch_id = $1', [id]);
    expect(jobs).to.have.length(2);
  });

  it('docks again what the engine is to blame for, in one run however often it is asked at once', async () => {
    const fail = [
      { index: 2, kind: 'exit' },
      { index: 5, kind: 'error' },
    ];
    const { id, jobId } = await started(batchOf(6, { seconds: 0, fail }));
    await api.ends(owner.liveKey, jobId, 180);
    expect((await read(id)).status).to.equal('PARTIALLY_SUCCEEDED');
    const other = await act(id, 'retry-failed', { codes: ['ENGINE_TIMEOUT'] });
    expect([other.status, other.body.code]).to.deep.equal([409, 'NOTHING_TO_RETRY']);
    const answers = await Promise.all([act(id, 'retry-failed'), act(id, 'retry-failed')]);
    const runs = new Set(answers.flatMap(({ body }) => body.run?.id ?? []));
    expect(runs.size, JSON.stringify(answers.map(({ body }) => body))).to.equal(1);
    const [run] = answers.flatMap(({ body }) => body.run ?? []);
    expect(run).to.include({ batch_id: id, number: 2 });
    await api.ends(owner.liveKey, run.job_id, 180);
    const after = await read(id);
    expect(after).to.include({ runs: 2, run_id: run.id, job_id: run.job_id, status: 'PARTIALLY_SUCCEEDED' });
    expect(after.counts).to.include({ total: 6, succeeded: 5, failed: 1, pending: 0 });
    expect(await workflowEnds('run', run.id)).to.deep.equal({ decision: 'admitted', state: 'SUCCEEDED' });
    const again = await act(id, 'retry-failed', { codes: ['NOOP_ERROR'] });
    expect(again.status).to.equal(202);
    await api.ends(owner.liveKey, again.body.jobId, 180);
    expect((await read(id)).status).to.equal('SUCCEEDED');
  });
});
