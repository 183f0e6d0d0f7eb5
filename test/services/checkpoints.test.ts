/** What a running task keeps for its next attempt: only what was staged as it was named, and only while the task runs there. */
import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { CHECKPOINT_ROOT, stagedKey } from '../../src/contracts/names.ts';
import { CHECKPOINT_FILES, TASK_OUTPUTS } from '../../src/contracts/reports.ts';
import { sweepCheckpoints } from '../../src/services/execution/sweep/checkpoints.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import { openComputeWorld, TEST_SECRET } from '../support/compute-world.ts';
import type { Answer, ComputeWorld, SeededJob } from '../support/compute-world.ts';

const NAME = 'state.json';
const INPUT = { from: `checkpoint/task/0/${NAME}`, as: `checkpoint/${NAME}` };

describe('a checkpoint', () => {
  let world: ComputeWorld;
  before(async () => (world = await openComputeWorld()));
  after(() => world.close());

  const claim = (token: string): Promise<Answer> =>
    world.call('/v1/tasks/claim', token, { execution: 1, kind: 'task', ordinals: [0] });
  const stage = (job: SeededJob, bytes: string): Promise<void> =>
    world.store.store.put(
      stagedKey(job.jobId, 0, 1, 'task', 0, `.checkpoint/${NAME}`),
      Buffer.from(bytes),
      'application/octet-stream',
    );
  const keep = ({ token }: SeededJob, bytes: string, attempt = 1): Promise<Answer> =>
    world.call('/v1/tasks/checkpoints', token, {
      ...{ kind: 'task', ordinal: 0, attempt },
      files: [
        { name: NAME, byteSize: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      ],
    });
  /** A job whose first task runs. */
  const running = async (): Promise<SeededJob> => {
    const job = await world.seedJob();
    expect((await claim(job.token)).body.tasks[0].inputs).to.deep.equal([]);
    return job;
  };
  /** Fences the first instance, as its loss does, and answers the token of the next one. */
  const lose = async (job: SeededJob): Promise<string> => {
    const { jobId, claims } = job;
    await world.fence(job);
    await world.database.db.query(`update tasks set state = 'PENDING' where job_id = $1`, [jobId]);
    await world.database.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, vcpus) values ($1, 0, 2, 'local', gen_random_uuid(), 2)`,
      [jobId],
    );
    return signInstanceToken(TEST_SECRET, { ...claims, generation: 2 });
  };
  const storedOf = async ({ jobId }: SeededJob): Promise<string[]> => {
    const keys: string[] = [];
    for await (const page of world.store.store.list(`${CHECKPOINT_ROOT}${jobId}/`))
      keys.push(...page.map(({ key }) => key));
    return keys;
  };

  it('is what the next attempt reads, the last one alone', async () => {
    const job = await running();
    for (const bytes of ['first', 'second']) {
      await stage(job, bytes);
      expect((await keep(job, bytes)).status).to.equal(204);
    }
    expect(await storedOf(job)).to.have.length(1);
    const { body } = await claim(await lose(job));
    expect(body.tasks[0].inputs).to.deep.equal([INPUT]);
    expect(body.inputs).to.have.length(1);
    expect(body.inputs[0]).to.include({ name: INPUT.from, byteSize: 6 });
    expect(await (await fetch(body.inputs[0].url)).text()).to.equal('second');
  });

  it('is not kept when it is not staged as it was named, or the attempt does not run', async () => {
    const job = await running();
    expect((await keep(job, 'bytes')).status, 'not staged').to.equal(400);
    await stage(job, 'other');
    expect((await keep(job, 'bytes')).status, 'other bytes').to.equal(400);
    await stage(job, 'bytes');
    expect((await keep(job, 'bytes', 2)).status, 'another attempt').to.equal(404);
    const token = await lose(job);
    expect((await keep(job, 'bytes')).body, 'a lost instance').to.include({ code: 'FENCED' });
    expect(await storedOf(job)).to.deep.equal([]);
    expect((await claim(token)).body.tasks[0].inputs).to.deep.equal([]);
  });

  it('may have as many files as a task has outputs, and the state of its tool besides', async () => {
    const job = await running();
    const bytes = Buffer.from('x');
    const files = Array.from({ length: CHECKPOINT_FILES + 1 }, (_, index) => ({
      ...{ name: `f${index}`, byteSize: 1, sha256: createHash('sha256').update(bytes).digest('hex') },
    }));
    for (const { name } of files)
      await world.store.store.put(
        stagedKey(job.jobId, 0, 1, 'task', 0, `.checkpoint/${name}`),
        bytes,
        'application/octet-stream',
      );
    const told = { kind: 'task', ordinal: 0, attempt: 1 };
    const all = await world.call('/v1/tasks/checkpoints', job.token, { ...told, files });
    expect(all.status, 'one more').to.equal(400);
    const most = await world.call('/v1/tasks/checkpoints', job.token, { ...told, files: files.slice(1) });
    expect(most.status).to.equal(204);
    expect((await claim(await lose(job))).body.tasks[0].inputs).to.have.length(TASK_OUTPUTS + 16);
  });

  it('ends the count of losses, because a task that comes further is not given up', async () => {
    const job = await running();
    const counts = async (): Promise<unknown> => {
      const [row] = await world.database.db.query<object[]>(
        `select losses, kills from tasks where job_id = $1 and kind = 'task'`,
        [job.jobId],
      );
      return row;
    };
    await world.database.db.query(`update tasks set losses = 3, kills = 2 where job_id = $1`, [job.jobId]);
    expect((await keep(job, 'bytes')).status, 'not staged').to.equal(400);
    expect(await counts()).to.deep.equal({ losses: 3, kills: 2 });
    await stage(job, 'bytes');
    expect((await keep(job, 'bytes')).status).to.equal(204);
    expect(await counts()).to.deep.equal({ losses: 0, kills: 0 });
  });

  it('that the store has lost lets the task begin again', async () => {
    const job = await running();
    await stage(job, 'bytes');
    await keep(job, 'bytes');
    await world.store.store.remove(await storedOf(job));
    expect((await claim(await lose(job))).body.tasks[0].inputs).to.deep.equal([]);
  });

  it('is removed by the sweep when its task is verified, and stays while the task may go on', async () => {
    const [done, open] = [await running(), await running()];
    for (const job of [done, open]) {
      await stage(job, 'bytes');
      await keep(job, 'bytes');
    }
    await world.database.db.query(`update tasks set state = 'SUCCEEDED' where job_id = $1`, [done.jobId]);
    await sweepCheckpoints({ db: world.database.db, store: world.store.store });
    expect(await storedOf(done)).to.deep.equal([]);
    expect(await storedOf(open)).to.have.length(1);
  });
});
