/**
 * Chunks of a log between the store and the fence: a refused chunk leaves nothing in the store, a recorded chunk stays.
 */
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { logPrefix } from '../../src/contracts/names.ts';
import { createJobFacts } from '../../src/services/execution/claim/job-facts.ts';
import { storeLogChunk } from '../../src/services/execution/claim/task-log.ts';
import { readTaskLog } from '../../src/services/jobs/log.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { openComputeWorld } from '../support/compute-world.ts';
import type { ComputeWorld, SeededJob } from '../support/compute-world.ts';
import { waitsForLock } from '../support/lock-waits.ts';
import { refusalOf } from '../support/refusals.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });

describe('a chunk of a task’s log', () => {
  let world: ComputeWorld;
  before(async () => (world = await openComputeWorld()));
  after(() => world.close());

  const seed = async (): Promise<SeededJob> => {
    const job = await world.seedJob({}, 1);
    const claimed = await world.call('/v1/tasks/claim', job.token, {
      ...{ execution: 1, kind: 'task', ordinals: [0] },
    });
    expect(claimed.status).to.equal(200);
    return job;
  };
  /** Stores bytes 0 to 5; `meanwhile` happens when the bytes are in the store. */
  const send = (job: SeededJob, meanwhile: () => Promise<void> = async () => undefined): Promise<void> => {
    const { db } = world.database;
    const { store } = world.store;
    const slow: Pick<ObjectStore, 'put'> = {
      async put(...given) {
        await store.put(...given);
        await meanwhile();
      },
    };
    const factsOf = createJobFacts({
      ...{ db, store, findTool: (id: string) => tools.find(id) },
      ...{ urlSeconds: 900, taskTimeoutSeconds: 3600, legSeconds: 3600 },
    });
    return storeLogChunk(
      { db, store: Object.assign(Object.create(store), slow) as ObjectStore, factsOf },
      job.claims,
      { kind: 'task', ordinal: 0, attempt: 1, from: 0 },
      Buffer.from('lines'),
    );
  };
  const stored = async (job: SeededJob): Promise<string[]> => {
    const keys: string[] = [];
    for await (const page of world.store.store.list(logPrefix(job.jobId)))
      keys.push(...page.map(({ key }) => key));
    return keys;
  };
  const recorded = async (job: SeededJob): Promise<string[]> => {
    const rows = await world.database.db.query<{ storage_key: string }[]>(
      'select storage_key from task_logs where job_id = $1',
      [job.jobId],
    );
    return rows.map(({ storage_key }) => storage_key);
  };

  it('that a fence overtakes is refused, and does not stay in the store', async () => {
    const job = await seed();
    const refused = await refusalOf(send(job, () => world.fence(job)));
    expect(refused).to.include({ code: 'FENCED' });
    expect(await stored(job)).to.deep.equal([]);
  });

  it('of a task that another instance has got meanwhile does not stay in the store', async () => {
    const job = await seed();
    const refused = await refusalOf(
      send(job, async () => {
        await world.database.db.query('update tasks set generation = 2, attempts = 2 where job_id = $1', [
          job.jobId,
        ]);
      }),
    );
    expect(refused).to.include({ code: 'FENCED' });
    expect(await stored(job)).to.deep.equal([]);
  });

  it('that was recorded stays, also when it is sent again and refused', async () => {
    const job = await seed();
    await send(job);
    const kept = await recorded(job);
    expect(await stored(job))
      .to.deep.equal(kept)
      .and.to.have.length(1);
    expect(await refusalOf(send(job, () => world.fence(job)))).to.include({ code: 'FENCED' });
    expect(await stored(job)).to.deep.equal(kept);
    expect(await recorded(job)).to.deep.equal(kept);
  });

  it('that is recorded while a fence is set stays, also when a repeat of it is refused', async () => {
    const job = await seed();
    const { db } = world.database;
    const blocker = db.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('select 1 from tasks where job_id = $1 for update', [job.jobId]);
    // The first call has passed the fence and waits for the task; the fence waits for the first call, so the repetition
    // can know its end.
    const first = send(job);
    await waitsForLock(db, 'insert into task_logs');
    const fence = world.fence(job);
    await waitsForLock(db, 'update instances');
    const repeat = refusalOf(send(job, () => fence));
    await blocker.commitTransaction();
    await blocker.release();
    await first;
    expect(await repeat).to.include({ code: 'FENCED' });
    expect(await stored(job))
      .to.deep.equal(await recorded(job))
      .and.to.have.length(1);
  });

  it('is one of a bounded number that a reader of the log looks at', async () => {
    const job = await seed();
    const { db } = world.database;
    const { store } = world.store;
    await send(job);
    await db.query(
      `insert into task_logs (job_id, kind, ordinal, attempt, from_byte, to_byte, storage_key)
       select $1, 'task', 0, 1, n, n + 1, 'none' from generate_series(5, 60000) n`,
      [job.jobId],
    );
    const log = await readTaskLog({ db, store }, ownerOf(job.accountId), job.jobId, 0, { start: 0, end: 4 });
    expect(log.totalBytes).to.equal(50_004);
    expect(await text(log.stream)).to.equal('lines');
  });
});
