/** The outputs of a running job, as a client sees them that asks again and again for new outputs. */
import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Database } from '../../src/adapters/database.ts';
import { stagedKey } from '../../src/contracts/names.ts';
import { isTerminal, JOB_STATES } from '../../src/domain/job-state.ts';
import { encodeCursor, scopeOf } from '../../src/services/cursor.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { listOutputs } from '../../src/services/jobs/outputs.ts';
import type { OutputQuery } from '../../src/services/jobs/outputs.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { openComputeWorld } from '../support/compute-world.ts';
import type { ComputeWorld, SeededJob } from '../support/compute-world.ts';
import { heldAfterBegin } from '../support/held-database.ts';
import { codeOf } from '../support/refusals.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import type { OutputListResponse } from '../../src/domain/answers.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const START = '1970-01-01T00:00:00Z';

describe('outputs', () => {
  let world: ComputeWorld;
  let db: Database;
  before(async () => {
    world = await openComputeWorld();
    ({ db } = world.database);
  });
  after(() => world.close());

  const seed = async (tasks: number): Promise<SeededJob> => {
    const job = await world.seedJob({}, tasks);
    const ordinals = Array.from({ length: tasks }, (_, ordinal) => ordinal);
    const claimed = await world.call('/v1/tasks/claim', job.token, { execution: 1, kind: 'task', ordinals });
    expect(claimed.status).to.equal(200);
    return job;
  };
  /** Commits one output of each task, staged as an instance stages it. */
  const commit = async ({ jobId }: SeededJob, ordinals: readonly number[], on = db): Promise<void> => {
    const reports = await Promise.all(
      ordinals.map(async (ordinal) => {
        const content = `of ${ordinal}`;
        const key = stagedKey(jobId, 0, 1, 'task', ordinal, 'result.bin');
        await world.store.store.put(key, Buffer.from(content), 'application/octet-stream');
        return {
          ...({ ordinal, end: 'done', seconds: 1, summary: null } as const),
          outputs: [
            {
              ...{ name: 'result.bin', kind: 'result', mediaType: 'application/octet-stream', format: null },
              ...{ byteSize: content.length, sha256: createHash('sha256').update(content).digest('hex') },
            },
          ],
        };
      }),
    );
    const request = { jobId, execution: 1, slot: 0, generation: 1, kind: 'task', reports } as const;
    const result = await commitTasks(
      { db: on, store: world.store.store, tools, recorders: RECORDERS },
      request,
    );
    expect(result).to.include({ fenced: false, verified: ordinals.length });
  };
  const list = (job: SeededJob, query: Partial<OutputQuery> = {}): Promise<OutputListResponse> =>
    listOutputs({ db, store: world.store.store }, ownerOf(job.accountId), job.jobId, {
      limit: 100,
      ...query,
    });
  const tasksOf = (answer: OutputListResponse): (number | null)[] =>
    answer.outputs.map((output) => output.taskIndex);
  const latestOf = (answer: OutputListResponse): string =>
    answer.outputs
      .map((output) => output.createdAt)
      .sort()
      .at(-1) ?? expect.fail('no output');

  it('that are committed later are newer, also when their commit began first', async () => {
    const job = await seed(2);
    const held = heldAfterBegin(db);
    const early = commit(job, [0], held.db);
    await held.begun;
    await commit(job, [1]);
    const seen = await list(job, { since: START });
    expect(tasksOf(seen)).to.deep.equal([1]);

    held.go();
    await early;
    expect(tasksOf(await list(job, { since: latestOf(seen) }))).to.deep.equal([0]);
  });

  it('are never repeated to who sends the latest time back as it was answered', async () => {
    const job = await seed(3);
    await commit(job, [0, 1]);
    const seen = await list(job, { since: START });
    expect(seen.outputs.every(({ createdAt }) => /\.\d{6}Z$/.test(createdAt))).to.equal(true);
    expect(tasksOf(await list(job, { since: latestOf(seen) }))).to.deep.equal([]);
    await commit(job, [2]);
    expect(tasksOf(await list(job, { since: latestOf(seen) }))).to.deep.equal([2]);
  });

  it('that are committed behind a page are on one of the next', async () => {
    const job = await seed(4);
    await commit(job, [2]);
    await commit(job, [3]);
    const first = await list(job, { since: START, limit: 1 });
    expect(tasksOf(first)).to.deep.equal([2]);
    await commit(job, [0]);
    await commit(job, [1]);
    const rest: (number | null)[] = [];
    let cursor = first.nextCursor;
    while (cursor !== null) {
      const page = await list(job, { since: START, limit: 1, cursor });
      rest.push(...tasksOf(page));
      cursor = page.nextCursor;
    }
    expect(rest).to.deep.equal([3, 0, 1]);
    expect(tasksOf(await list(job))).to.deep.equal([0, 1, 2, 3]);
  });

  it('are final once the job has ended; failed tasks are told apart from missing ones, and the counts add up', async () => {
    const job = await seed(250);
    await commit(job, [0, 249]);
    await db.query(
      `update tasks set state = 'FAILED', failure_code = 'X' where job_id = $1 and ordinal between 100 and 219`,
      [job.jobId],
    );
    await db.query('update jobs set tasks_failed = 120 where id = $1', [job.jobId]);
    for (const status of JOB_STATES) {
      await db.query('update jobs set status = $2 where id = $1', [job.jobId, status]);
      const answer = await list(job);
      expect(answer.final, status).to.equal(isTerminal(status));
      expect(answer).to.include({ expected: 250, present: 2, failedCount: 120, missingCount: 128 });
    }
    const { failed, missing } = await list(job);
    const from = (first: number): string[] => Array.from({ length: 100 }, (_, index) => `${first + index}`);
    expect(failed).to.deep.equal(from(100));
    expect(missing).to.deep.equal([...from(1).slice(0, 99), '220']);
  });

  it('refuse a place that no row has', async () => {
    const job = await seed(1);
    const refused = async (place: readonly string[], query: Partial<OutputQuery> = {}): Promise<void> => {
      const scope = scopeOf('outputs', ownerOf(job.accountId), { ...query, jobId: job.jobId });
      const code = await codeOf(list(job, { ...query, cursor: encodeCursor(scope, place) }));
      expect(code, String(place)).to.equal('VALIDATION_ERROR');
    };
    await refused(['2026-02-30T00:00:00.000000Z', randomUUID()], { since: START });
    await refused(['yesterday', randomUUID()], { since: START });
    await refused(['2026-02-03T00:00:00.000000Z', 'x'], { since: START });
    await refused(['x', 'name', randomUUID()]);
  });
});
