/**
 * The merge: work on an instance after all tasks, over the verified outputs of the tasks. Whatever happens to the merge, the
 * tasks stay verified and charged, and what is merged is made of all that is verified, in the order of the tasks.
 */
import { expect } from 'chai';

import { readAtMost } from '../../src/services/stored-objects/read-object.ts';
import { endsWith, notRunAgain } from '../support/faults/aftermath.ts';
import { ended, instanceOf, submitNoop, tasksOf } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { noopOutput } from '../support/faults/noop.ts';
import { RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { sideBySide } from '../support/side-by-side.ts';
import { until } from '../support/until.ts';
import type { OutputListResponse } from '../../src/domain/answers.ts';

const BYTES = 100;
const CASES_AT_ONCE = 3;

/** What the noop tool writes for an item. */
const outputOf = (index: number): Buffer => noopOutput(index, BYTES);

describe('a merge', function () {
  this.timeout(RECOVERY_MS * 4);
  let world: FaultWorld;
  const { test, start } = sideBySide(CASES_AT_ONCE);
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
    start();
  });

  const submit = (wish: object): Promise<FaultJob> =>
    submitNoop(world, { tasks: 4, seconds: 0, outputBytes: BYTES, merge: true, ...wish });
  const mergeOf = async ({ jobId }: FaultJob): Promise<{ state: string; attempts: number } | undefined> => {
    const sql = `select state, attempts from tasks where job_id = $1 and kind = 'merge'`;
    const [row] = await world.rows<{ state: string; attempts: number }>(sql, [jobId]);
    return row;
  };
  const untilMerging = (job: FaultJob): Promise<void> =>
    until('the merge runs', async () => (await mergeOf(job))?.state === 'RUNNING', RECOVERY_MS);
  const listOf = async ({ jobId, customer }: FaultJob): Promise<OutputListResponse> => {
    const headers = { authorization: `Bearer ${customer.key}` };
    const answer = await fetch(`${world.stack.apiUrl}/api/v1/jobs/${jobId}/outputs`, { headers });
    return (await answer.json()) as OutputListResponse;
  };
  const mergedOf = async (job: FaultJob): Promise<Buffer | null> => {
    const { jobId, outputs } = await listOf(job);
    const output = outputs.find(({ kind }) => kind === 'merged');
    if (output === undefined) return null;
    expect(output).to.include({ name: 'merged.bin', frame: null, taskIndex: null, ligandId: null });
    expect(output.storageKey).to.include(`/jobs/${jobId}/merge/`);
    return Buffer.from((await readAtMost(world.store, output.storageKey, 1_000_000)) ?? []);
  };

  test('puts all outputs together in the order of the tasks, and is not charged', async () => {
    const job = await submit({});
    await endsWith(world, job, { state: 'SUCCEEDED', verified: 4 });
    expect(await mergedOf(job)).to.deep.equal(Buffer.concat([0, 1, 2, 3].map(outputOf)));
    expect(await listOf(job)).to.include({ complete: true, final: true });
  });

  test('leaves out the tasks that failed', async () => {
    const job = await submit({ fail: [{ index: 1, kind: 'error' }] });
    await endsWith(world, job, { state: 'PARTIALLY_SUCCEEDED', verified: 3 });
    expect(await mergedOf(job)).to.deep.equal(Buffer.concat([0, 2, 3].map(outputOf)));
  });

  test('does not run when no task is verified', async () => {
    const job = await submit({ tasks: 1, fail: [{ index: 0, kind: 'error' }] });
    await endsWith(world, job, { state: 'FAILED', verified: 0 });
    expect(await mergeOf(job)).to.deep.equal({ state: 'CANCELLED', attempts: 0 });
  });

  for (const kind of ['error', 'exit', 'spec']) {
    test(`that fails for good by ${kind} makes the job a partial success, and every task stays charged`, async () => {
      const job = await submit({ fail: [{ index: 'merge', kind }] });
      await endsWith(world, job, { state: 'PARTIALLY_SUCCEEDED', verified: 4 });
      const { failures, progress } = await ended(world, job);
      expect(failures).to.have.length(1);
      expect(failures[0]).to.include({ index: null, id: null });
      expect(progress).to.include({ completed: 4, failed: 0 });
      expect(await mergedOf(job)).to.equal(null);
      expect(await listOf(job)).to.include({ complete: false, final: true });
    });
  }

  test('runs again when its tool was killed, and when the instance was killed -9 under it', async () => {
    const [tool, instance] = [
      await submit({ fail: [{ index: 'merge', kind: 'killself', times: 1 }] }),
      await submit({ mergeSeconds: 3 }),
    ];
    await untilMerging(instance);
    const verified = await tasksOf(world, instance);
    world.stack.kill(await instanceOf(world, instance));
    for (const job of [tool, instance]) {
      await endsWith(world, job, { state: 'SUCCEEDED', verified: 4 });
      expect(await mergedOf(job)).to.deep.equal(Buffer.concat([0, 1, 2, 3].map(outputOf)));
      expect(await mergeOf(job)).to.deep.equal({ state: 'SUCCEEDED', attempts: 2 });
    }
    await notRunAgain(world, instance, verified.slice(1));
  });

  test('ends with the job that is cancelled during it', async () => {
    const job = await submit({ mergeSeconds: 60 });
    await untilMerging(job);
    await job.customer.client.cancel(job.jobId, {});
    await endsWith(world, job, { state: 'CANCELLED', verified: 4 });
    expect(await mergedOf(job)).to.equal(null);
  });
});
