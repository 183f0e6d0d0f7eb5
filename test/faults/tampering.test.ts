/** Bytes that change behind the system's back are found before they count: the task runs again and is charged once. */
import { existsSync } from 'node:fs';
import { open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';

import { expect } from 'chai';
import pg from 'pg';

import { stagedKey } from '../../src/contracts/names.ts';
import { endsWell } from '../support/faults/aftermath.ts';
import {
  reaches,
  submitNoop,
  tasksOf,
  taskStarts,
  untilRunning,
  untilVerified,
} from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';

const OUTPUT = 'result.bin';

const longIt = inLongRuns(it);

describe('outputs changed behind the back of the system', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  const staged = (job: FaultJob, ordinal: number): string =>
    world.fileOf(stagedKey(job.jobId, 0, 1, 'task', ordinal, OUTPUT));

  /** Lets tasks end and stage their outputs while no control worker can commit. */
  const stageWithoutCommit = async (job: FaultJob, count: number): Promise<void> => {
    await untilRunning(world, job, count);
    world.stack.pause('control');
    const files = Array.from({ length: count }, (_, ordinal) => staged(job, ordinal));
    await until('the outputs are staged', () => files.every((file) => existsSync(file)), RECOVERY_MS);
  };

  it('in staging before the commit: found, done again, charged once', async () => {
    const job = await submitNoop(world, { tasks: 2, seconds: 0.5 });
    try {
      await stageWithoutCommit(job, 2);
      const bytes = await readFile(staged(job, 0));
      // The bytes are replaced in place by bytes of the same length, so the store still tells the old digest.
      await writeFile(staged(job, 0), Buffer.alloc(bytes.byteLength, 'x'));
    } finally {
      world.stack.resume('control');
    }
    const tasks = await endsWell(world, job, 2);
    expect(tasks.map(({ attempts }) => attempts)).to.deep.equal([2, 1]);
    expect((await taskStarts(world, job)).get(0)).to.equal(2);
  });

  longIt(
    'in staging again and again while they are committed: only what was reported is ever committed',
    async () => {
      const job = await submitNoop(world, { tasks: 2, seconds: 0.3, outputBytes: 8_000_000 });
      let writes = 0;
      try {
        await stageWithoutCommit(job, 2);
      } finally {
        world.stack.resume('control');
      }
      const file = await open(staged(job, 0), 'r+');
      try {
        const isOpen = async (): Promise<boolean> => {
          const [task] = await tasksOf(world, job);
          return task?.state === 'RUNNING' && task.attempts === 1;
        };
        while (await isOpen()) {
          for (let round = 0; round < 20; round += 1, writes += 1) {
            await file.write(Buffer.alloc(64, writes % 256), 0, 64, Math.floor(Math.random() * 7_999_000));
            await turn();
          }
        }
      } finally {
        await file.close();
      }
      const tasks = await endsWell(world, job, 2);
      measured('changed while committed', { writes, attempts: tasks[0]?.attempts ?? 0 });
    },
  );

  it('in staging between the copy and its transaction: the verified copy counts, whatever staging says', async () => {
    const job = await submitNoop(world, { tasks: 2, seconds: 0.5 });
    const client = new pg.Client({ connectionString: world.stack.env['DOCKYARD_DATABASE_URL'] });
    await client.connect();
    try {
      await stageWithoutCommit(job, 2);
      await client.query('begin');
      await client.query('select 1 from jobs where id = $1 for update', [job.jobId]);
      world.stack.resume('control');
      // The copies of the outputs are made and verified; the transaction of the commit waits for the job's row. The progress
      // of the instance waits for the same row, in a statement of another text.
      await until('a commit stands before its transaction', async () => {
        const waiting = await world.rows(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query = 'select 1 from jobs where id = $1 for no key update'`,
        );
        return waiting.length > 0;
      });
      await writeFile(staged(job, 0), 'something else');
      await rm(staged(job, 1));
    } finally {
      world.stack.resume('control');
      await client.end();
    }
    const tasks = await endsWell(world, job, 2);
    expect(tasks.map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
  });

  it('a committed object missing or of another size at the end: found, done again, charged once', async () => {
    const job = await submitNoop(world, { tasks: 6, seconds: 0.5 });
    await untilVerified(world, job, 2);
    const [missing, short] = await world.rows<{ storage_key: string; task_ordinal: number }>(
      `select storage_key, task_ordinal from artifacts where job_id = $1 and task_kind = 'task' order by task_ordinal limit 2`,
      [job.jobId],
    );
    if (missing === undefined || short === undefined) throw new Error('two tasks are verified');
    await rm(world.fileOf(missing.storage_key));
    await truncate(world.fileOf(short.storage_key), 10);
    await reaches(world, job, 'RECOVERING', 'SUCCEEDED');
    const tasks = await endsWell(world, job, 6);
    const again = tasks.filter(({ attempts }) => attempts === 2).map(({ ordinal }) => ordinal);
    expect(again).to.deep.equal([missing.task_ordinal, short.task_ordinal]);
    expect(tasks.filter(({ attempts }) => attempts > 2)).to.deep.equal([]);
  });
});
