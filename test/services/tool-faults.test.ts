/** A tool that throws at the gateway fails what it was asked for, for good; an outage fails nothing. */
import { expect } from 'chai';

import type { ClaimResponse } from '../../src/contracts/instance.ts';
import { CALL_ITEMS } from '../../src/contracts/instance.ts';
import type { WorkKind } from '../../src/contracts/job.ts';
import { claimTasks } from '../../src/services/execution/claim/claim.ts';
import { signInputs } from '../../src/services/execution/claim/input-urls.ts';
import { createJobFacts } from '../../src/services/execution/claim/job-facts.ts';
import type { ComputeTool, ToolFaultReport } from '../../src/services/execution/claim/tool-fault.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { openComputeWorld } from '../support/compute-world.ts';
import type { ComputeWorld, SeededJob } from '../support/compute-world.ts';
import { refusalOf } from '../support/refusals.ts';

const broken = (): never => {
  throw new TypeError('the tool has a fault');
};

describe('a tool that throws at the gateway', () => {
  let world: ComputeWorld;
  before(async () => (world = await openComputeWorld()));
  after(() => world.close());

  const faults: ToolFaultReport[] = [];
  beforeEach(() => faults.splice(0));

  /** A gateway with this tool and with the store and database of the world. */
  const gatewayOf = (tool: ComputeTool) => {
    const { db } = world.database;
    const factsOf = createJobFacts({
      ...{ db, store: world.store.store, findTool: () => tool, urlSeconds: 900 },
      taskTimeoutSeconds: 3600,
      legSeconds: 3600,
    });
    const deps = { db, factsOf, onToolFault: (fault: ToolFaultReport) => void faults.push(fault) };
    return (job: SeededJob, kind: WorkKind, ordinals: number[], execution = 1): Promise<ClaimResponse> =>
      claimTasks(deps, job.claims, { execution, kind, ordinals });
  };
  const statesOf = async ({ jobId }: SeededJob): Promise<string[]> => {
    const rows = await world.database.db.query<{ text: string }[]>(
      `select kind || ' ' || ordinal || ' ' || state || coalesce(' ' || failure_code, '') as text from tasks
       where job_id = $1 order by kind, ordinal`,
      [jobId],
    );
    return rows.map(({ text }) => text);
  };
  const failedOf = async ({ jobId }: SeededJob): Promise<unknown> => {
    const [row] = await world.database.db.query<{ tasks_failed: number }[]>(
      'select tasks_failed from jobs where id = $1',
      [jobId],
    );
    return row?.tasks_failed;
  };

  it('in taskSpec fails that task with a code, and hands out the others', async () => {
    const job = await world.seedJob({}, 3);
    const claim = gatewayOf({
      ...noop,
      work: {
        ...noop.work,
        taskSpec: (request, kind, ordinal, context) =>
          ordinal === 1 ? broken() : noop.work.taskSpec(request, kind, ordinal, context),
      },
    });
    const answer = await claim(job, 'task', [0, 1]);
    expect(answer.tasks.map(({ ordinal }) => ordinal)).to.deep.equal([0]);
    expect(await statesOf(job)).to.deep.equal([
      'task 0 RUNNING',
      'task 1 FAILED INTERNAL_ERROR',
      'task 2 PENDING',
    ]);
    expect((await claim(job, 'task', [0, 1])).tasks, 'it is not asked again').to.deep.equal(answer.tasks);
    expect(await failedOf(job)).to.equal(1);
    expect(faults).to.have.length(1);
    expect(faults[0]).to.deep.include({ jobId: job.jobId, toolId: 'noop', given: 1 });
    expect(faults[0]?.error).to.have.nested.property('cause.message', 'the tool has a fault');
  });

  it('in taskInputs fails that task too', async () => {
    const job = await world.seedJob({}, 1);
    const answer = await gatewayOf({ ...noop, inputs: { ...noop.inputs, taskInputs: broken } })(
      job,
      'task',
      [0],
    );
    expect(answer.tasks).to.deep.equal([]);
    expect(await statesOf(job)).to.deep.equal(['task 0 FAILED INTERNAL_ERROR']);
  });

  const brokenTools: Readonly<Record<string, ComputeTool>> = {
    sessionSpec: { ...noop, work: { ...noop.work, sessionSpec: broken } },
    limits: { ...noop, work: { ...noop.work, limits: broken } },
    stored: { ...noop, inputs: { ...noop.inputs, stored: broken } },
    preparation: { ...noop, inputs: { ...noop.inputs, preparation: broken } },
  };
  for (const [question, tool] of Object.entries(brokenTools)) {
    it(`in ${question} fails every task of the job that is undecided, and keeps what is verified`, async () => {
      const job = await world.seedJob({}, 3);
      await world.database.db.query(
        `update tasks set state = 'SUCCEEDED' where job_id = $1 and ordinal = 2`,
        [job.jobId],
      );
      const answer = await gatewayOf(tool)(job, 'task', [0]);
      expect(answer).to.deep.include({ toolId: 'noop', tasks: [], inputs: [] });
      expect(await statesOf(job)).to.deep.equal([
        'task 0 FAILED INTERNAL_ERROR',
        'task 1 FAILED INTERNAL_ERROR',
        'task 2 SUCCEEDED',
      ]);
      expect(await failedOf(job)).to.equal(2);
      expect(faults.map(({ given }) => given)).to.deep.equal([2]);
    });
  }

  it('in the preparation fails that step alone, which its job reads as its failure', async () => {
    const job = await world.seedJob({}, 1);
    await world.database.db.query(
      `insert into tasks (job_id, kind, ordinal, item_id) values ($1, 'prepare', 0, 'prepare')`,
      [job.jobId],
    );
    expect(
      (await gatewayOf({ ...noop, work: { ...noop.work, taskSpec: broken } })(job, 'prepare', [0])).tasks,
    ).to.deep.equal([]);
    expect(await statesOf(job)).to.deep.equal(['prepare 0 FAILED INTERNAL_ERROR', 'task 0 PENDING']);
    expect(await failedOf(job), 'a step is not counted').to.equal(0);
  });

  const merging = async (taskCount: number): Promise<SeededJob> => {
    const job = await world.seedJob({ merge: true }, taskCount);
    const { db } = world.database;
    await db.query(`update tasks set state = 'SUCCEEDED' where job_id = $1`, [job.jobId]);
    await db.query(`insert into tasks (job_id, kind, ordinal, item_id) values ($1, 'merge', 0, 'merge')`, [
      job.jobId,
    ]);
    await db.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, byte_size, sha256)
       select gen_random_uuid(), $2, $1::uuid, 'task', n, $1::uuid::text || '/' || n, 'result.bin', 'result', 'text/plain', 1, repeat('a', 64)
       from generate_series(0, $3::int - 1) n`,
      [job.jobId, job.accountId, taskCount],
    );
    return job;
  };

  it('that names an output for the merge that no task has fails the merge alone, also beyond the first page', async () => {
    const job = await merging(CALL_ITEMS + 2);
    const claim = gatewayOf({
      ...noop,
      inputs: {
        ...noop.inputs,
        taskInputs: (_request, _kind, _ordinal, { verified }) => ({
          ...{ inputs: [], prepared: [] },
          committed: verified.map((at) => `outputs/${at}/${at === CALL_ITEMS + 1 ? 'other' : 'result.bin'}`),
        }),
      },
    });
    expect((await claim(job, 'merge', [0])).tasks).to.deep.equal([]);
    expect((await statesOf(job))[0]).to.equal('merge 0 FAILED INTERNAL_ERROR');
    expect(await failedOf(job), 'the tasks stay verified').to.equal(0);
    expect(faults[0]?.error).to.have.property(
      'message',
      `no verified task has outputs/${CALL_ITEMS + 1}/other`,
    );
  });

  it('in taskInputs when an instance asks for the next page fails the merge, which is not asked for again', async () => {
    const job = await merging(2);
    expect((await gatewayOf(noop)(job, 'merge', [0])).tasks).to.have.length(1);
    const { db } = world.database;
    const tool = { ...noop, inputs: { ...noop.inputs, taskInputs: broken } };
    const factsOf = createJobFacts({
      ...{
        db,
        store: world.store.store,
        findTool: () => tool,
        urlSeconds: 900,
        taskTimeoutSeconds: 3600,
        legSeconds: 3600,
      },
    });
    const deps = { db, factsOf, onToolFault: (fault: ToolFaultReport) => void faults.push(fault) };
    const page = { kind: 'merge', ordinal: 0, names: ['outputs/0/result.bin'] } as const;
    for (let turn = 0; turn < 2; turn += 1)
      expect(await refusalOf(signInputs(deps, job.claims, page))).to.include({ code: 'NOT_FOUND' });
    expect((await statesOf(job))[0]).to.equal('merge 0 FAILED INTERNAL_ERROR');
    expect(faults).to.have.length(1);
  });

  it('is told apart from a store that does not answer, which fails nothing', async () => {
    const job = await world.seedJob({}, 1);
    await world.database.tamper(
      `update jobs set request = null, request_key = 'requests/away' where id = $1`,
      [job.jobId],
    );
    const { db } = world.database;
    const store = Object.assign(Object.create(world.store.store), {
      read: () => Promise.reject(new Error('The store is away.')),
    });
    const factsOf = createJobFacts({
      ...{ db, store, findTool: () => noop, urlSeconds: 900, taskTimeoutSeconds: 3600, legSeconds: 3600 },
    });
    const claim = claimTasks({ db, factsOf }, job.claims, {
      execution: 1,
      kind: 'task',
      ordinals: [0],
    });
    expect(await refusalOf(claim)).to.include({ message: 'The store is away.' });
    expect(await statesOf(job)).to.deep.equal(['task 0 RUNNING']);
  });

  it('does nothing for an instance that is fenced', async () => {
    const job = await world.seedJob({}, 1);
    await world.fence(job);
    expect(
      await refusalOf(gatewayOf({ ...noop, work: { ...noop.work, taskSpec: broken } })(job, 'task', [0])),
    ).to.include({
      code: 'FENCED',
    });
    expect(await statesOf(job)).to.deep.equal(['task 0 PENDING']);
  });

  it('hands out what belongs to the execution that is asked for, never what another one had', async () => {
    const job = await world.seedJob({}, 2);
    let seconds = 1;
    const claim = gatewayOf({
      ...noop,
      work: { ...noop.work, sessionSpec: () => ({ seconds }) },
    });
    expect((await claim(job, 'task', [0])).session).to.deep.equal({ seconds: 1 });
    expect(await refusalOf(claim(job, 'task', [0], 2)), 'not yet').to.include({ code: 'NOT_FOUND' });
    seconds = 2;
    expect((await claim(job, 'task', [1])).session, 'what is fixed is kept').to.deep.equal({ seconds: 1 });
    await world.database.tamper('update jobs set execution = 2 where id = $1', [job.jobId]);
    await world.database.tamper(`update tasks set state = 'PENDING' where job_id = $1`, [job.jobId]);
    expect((await claim(job, 'task', [0], 2)).session).to.deep.equal({ seconds: 2 });
    expect(await refusalOf(claim(job, 'task', [0], 1)), 'over').to.include({ code: 'NOT_FOUND' });
  });
});
