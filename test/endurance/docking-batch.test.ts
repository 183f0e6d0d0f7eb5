/**
 * A batch as large as a batch may be, from a stored file, through the public API, while every kind of process is killed on the way.
 * Each ligand has one result, the record of the batch, the rows and the status of the job tell the same counts, the ledger is
 * exact, no history is long, and each history replays.
 *
 * `DOCKYARD_BATCH_LIGANDS=500` makes a short one. The engine is the tool for tests, so what is tried is the service and no chemistry.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';

import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { dockingWorkflowId } from '../../src/contracts/docking.ts';
import { isTerminal } from '../../src/domain/job-state.ts';
import { leavesNothing, moneyIsExact, priceOf } from '../support/faults/aftermath.ts';
import { standingOf, stateOf } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured } from '../support/faults/times.ts';
import { START_FEE_PENCE } from '../support/faults/noop.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { until } from '../support/until.ts';

const LIGANDS = Number(process.env['DOCKYARD_BATCH_LIGANDS'] ?? 10_000);
/** What is killed, in this order, each at its share of the ligands. */
const KILLS = ['api', 'control', 'compute', 'temporal', 'postgres', 'gateway', 'control', 'api'];
const MOST_EVENTS = 10_000;
const PAGE = 100;
const BATCH_MS = 45 * 60_000;
// The bodies of all answers are looked into.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = Record<string, any>;
type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

const BATCHES = 'molecular/docking/batches';

describe(`a batch of ${String(LIGANDS)} ligands with ${String(KILLS.length)} kills on the way`, function () {
  this.timeout(2 * BATCH_MS);
  let world: FaultWorld;
  let customer: Customer;
  let job: FaultJob;
  let batchId = '';
  let request: object = {};

  before(async function () {
    this.timeout(180_000);
    world = await openFaultWorld({
      settings: { DOCKYARD_INSTANCE_SLOTS: '4', DOCKYARD_MAX_INSTANCES_PER_JOB: '2' },
    });
    customer = await world.customer();
  });

  /** Asks the API; a request that fails because a process is down is repeated. */
  const ask = async (method: string, path: string, body?: Body): Promise<Body> => {
    let answer: Body = {};
    await until(
      `${method} ${path} is answered`,
      async () => {
        const response = await fetch(`${world.stack.apiUrl}/api/v1/${path}`, {
          ...{ method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
          headers: {
            authorization: `Bearer ${customer.key}`,
            ...{
              'content-type': 'application/json',
              'idempotency-key': `${method}-${String(body?.name)}-of-this-suite`,
            },
          },
        }).catch(() => null);
        if (response === null || response.status >= 500) return false;
        answer = (await response.json()) as Body;
        expect(response.status, JSON.stringify(answer)).to.be.below(300);
        return true;
      },
      60_000,
    );
    return answer;
  };

  it('is docked once, whatever is killed', async () => {
    const path = join(world.stack.home, 'library.smi');
    writeFileSync(path, libraryOf(LIGANDS));
    const { storageKey } = await customer.client.upload({ path, contentType: 'text/plain' });
    const { artifact } = await customer.client.registerArtifact({ storageKey, format: 'smi' });
    request = {
      ...{ engine: 'noop', libraryArtifactId: artifact.artifactId },
      ...{ dockingExecution: { shardSize: 10 }, recovery: { mode: 'resumable' } },
      metadata: { noop: { seconds: 0, outputBytes: 64, prepare: true } },
    };
    const acceptedAt = performance.now();
    const created = await ask('POST', BATCHES, { name: 'endurance', ...request });
    const acceptedMs = performance.now() - acceptedAt;
    batchId = created['batch'].id;
    const jobId = String(created['jobId']);
    job = { jobId, customer, heldPence: priceOf(LIGANDS) };
    const startedAt = performance.now();
    for (const [index, name] of KILLS.entries()) {
      await verified(Math.floor((LIGANDS * (index + 0.5)) / (KILLS.length + 1)));
      await countsAgree();
      await world.killAndRestart(name);
      await countsAgree();
    }
    await until('the job has ended', isOver, BATCH_MS).catch(stands);
    measured('batch', { acceptedMs, seconds: (performance.now() - startedAt) / 1000 });
    await leavesNothing(world, job);
  });

  /**
   * Whatever is asked is answered from the rows of one moment between two looks at the rows, so it lies between the two; and the counts
   * that the job's row has are those of its tasks at every moment.
   */
  const countsAgree = async (): Promise<void> => {
    const before = await verifiedRows();
    const { batch } = await ask('GET', `${BATCHES}/${batchId}`);
    const { progress } = await customer.client.status(job.jobId);
    const after = await verifiedRows();
    const { total, succeeded, failed, running, pending, cancelled } = batch.counts;
    expect(succeeded, 'succeeded in the record').to.be.within(before, after);
    expect(progress.completed, 'completed in the status').to.be.within(before, after);
    expect({ total, failed, cancelled }).to.deep.equal({ total: LIGANDS, failed: 0, cancelled: 0 });
    expect(Number(succeeded) + Number(running) + Number(pending), 'all ligands').to.equal(LIGANDS);
    expect(progress).to.include({ total: LIGANDS, failed: 0 });
  };
  const verifiedRows = async (): Promise<number> => {
    const [row] = await world.rows<{ job: number; tasks: number; results: number; scored: number }>(
      `select j.tasks_verified as job, (select count(*)::int from tasks where job_id = j.id and kind = 'task' and state = 'SUCCEEDED') as tasks,
         (select count(*)::int from docking_results where job_id = j.id) as results,
         (select coalesce(sum(count), 0)::int from docking_rank_counts where job_id = j.id) as scored
       from jobs j where j.id = $1`,
      [job.jobId],
    );
    const { job: count = 0, ...rows } = row ?? {};
    expect(rows, 'rows at one moment').to.deep.equal({ tasks: count, results: count, scored: count });
    return count;
  };

  const isOver = async (): Promise<boolean> => isTerminal((await stateOf(world, job)) ?? 'SUBMITTED');
  const stands = async (error: unknown): Promise<never> => {
    throw new Error(`${String(error)} ${await standingOf(world, job)}`, { cause: error });
  };
  const verified = async (count: number): Promise<void> => {
    await until(
      `${String(count)} ligands are verified`,
      async () => {
        const [row] = await world.rows<{ count: number }>(
          `select count(*)::int as count from tasks where job_id = $1 and kind = 'task' and state = 'SUCCEEDED'`,
          [job.jobId],
        );
        return (row?.count ?? 0) >= count;
      },
      BATCH_MS,
    ).catch(stands);
  };

  it('tells the same counts in its record, in the rows and in the status of its job', async () => {
    const { batch } = await ask('GET', `${BATCHES}/${batchId}`);
    expect(batch).to.include({ status: 'SUCCEEDED', ligand_count: LIGANDS, runs: 1, job_id: job.jobId });
    expect(batch.counts).to.deep.equal({
      ...{ total: LIGANDS, succeeded: LIGANDS, failed: 0, running: 0, pending: 0, cancelled: 0 },
    });
    const status = await customer.client.status(job.jobId);
    expect(status.status).to.equal('SUCCEEDED');
    expect(status.progress).to.include({ total: LIGANDS, completed: LIGANDS, failed: 0 });
    const rows = await world.rows(
      `select (select count(*)::int from docking_results where job_id = $1) as results,
         (select count(distinct ligand_id)::int from docking_results where job_id = $1) as ligands,
         (select sum(count)::int from docking_rank_counts where job_id = $1) as ranked,
         (select count(*)::int from tasks where job_id = $1 and kind = 'task' and state = 'SUCCEEDED') as tasks,
         (select count(*)::int from artifacts where job_id = $1 and task_kind = 'task') as outputs`,
      [job.jobId],
    );
    expect(rows).to.deep.equal([
      { results: LIGANDS, ligands: LIGANDS, ranked: LIGANDS, tasks: LIGANDS, outputs: LIGANDS },
    ]);
  });

  it('lists each result once, the best first', async () => {
    const ids = new Set<string>();
    let [cursor, last] = ['', -Infinity];
    for (;;) {
      const page = await ask(
        'GET',
        `${BATCHES}/${batchId}/results?sort=affinity&limit=${String(PAGE)}${cursor}`,
      );
      for (const result of page['results']) {
        ids.add(result.ligand_id);
        expect(result.best_affinity_kcal_mol).to.be.at.least(last);
        last = result.best_affinity_kcal_mol;
      }
      if (page['nextCursor'] === null) break;
      cursor = `&cursor=${String(page['nextCursor'])}`;
    }
    expect(ids.size).to.equal(LIGANDS);
  });

  it('costs what was docked, and the ledger is exact', async () => {
    const { cost } = await customer.client.status(job.jobId);
    expect(cost.chargedCents).to.equal(priceOf(LIGANDS));
    await moneyIsExact(world, job, priceOf(LIGANDS));
  });

  it('is taken from before by an equal batch, for the start fee alone', async () => {
    const startedAt = performance.now();
    const { jobId, batch } = await ask('POST', BATCHES, { name: 'again', ...request });
    const again = { jobId: String(jobId), customer, heldPence: priceOf(LIGANDS) };
    await until(
      'the second job has ended',
      async () => isTerminal((await stateOf(world, again)) ?? 'SUBMITTED'),
      BATCH_MS,
    );
    measured('from before', { ligands: LIGANDS, seconds: (performance.now() - startedAt) / 1000 });
    const { batch: ended } = await ask('GET', `${BATCHES}/${String(batch.id)}`);
    expect(ended.counts).to.include({ total: LIGANDS, succeeded: LIGANDS });
    const [row] = await world.rows<{ adopted: number }>(
      'select count(*)::int as adopted from docking_results where job_id = $1 and cached_from_result_id is not null',
      [jobId],
    );
    expect(row?.adopted).to.equal(LIGANDS);
    await leavesNothing(world, again);
    await moneyIsExact(world, again, START_FEE_PENCE);
  });

  it('has no long history, and each of its histories replays', async () => {
    const temporal = await world.temporal();
    const lengths: number[] = [];
    const histories: { workflowId: string; history: History }[] = [];
    for (const prefix of [`job/${job.jobId}`, dockingWorkflowId('batch', batchId)])
      for await (const { workflowId, runId } of temporal.workflow.list({
        query: `WorkflowId STARTS_WITH "${prefix}"`,
      })) {
        const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
        lengths.push(history.events?.length ?? 0);
        histories.push({ workflowId, history });
      }
    measured('histories', { count: lengths.length, longest: Math.max(...lengths) });
    expect(lengths.length).to.be.above(LIGANDS / 250);
    expect(Math.max(...lengths)).to.be.below(MOST_EVENTS);
    const bundle = { codePath: await ensureBundle() };
    for await (const { workflowId, error } of Worker.runReplayHistories(
      { workflowBundle: bundle },
      histories,
    ))
      expect(error, workflowId).to.equal(undefined);
  });
});

/** A library of molecules that all differ: the digits of their numbers, as atoms of a chain. */
function libraryOf(count: number): string {
  const atoms = ['C', 'N', 'O', 'S'];
  const lines = Array.from({ length: count }, (_, number) => {
    const chain = Array.from(number.toString(atoms.length))
      .map((digit) => atoms[Number(digit)] ?? 'C')
      .join('');
    return `C${chain}C ligand-${String(number)}\n`;
  });
  return lines.join('');
}
