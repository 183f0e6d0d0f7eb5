/**
 * The effects of a lost instance: no recovery mode starts a task for ever, and no slot is replaced for ever in vain.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { createInstanceActivities } from '../../activities/instances.ts';
import type { WorkKind } from '../../src/contracts/job.ts';
import type { CommitRequest } from '../../src/services/execution/commit/commit-records.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { replaceInstance } from '../../src/services/execution/instances/replace.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob, startAgain } from '../support/running-job.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const GENTLE = {
  silenceSeconds: 10,
  giveUpSeconds: 60,
  launchSeconds: 900,
  goneConfirmSeconds: 5,
  goneMinAgeSeconds: 60,
};

interface TaskRow {
  readonly state: string;
  readonly attempts: number;
  readonly losses: number;
  readonly kills: number;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
}

describe('a task that is lost to infrastructure', () => {
  const home = suiteHome();
  const given: [string, number][] = [];
  const countGivenUp = (cause: string, count: number): void => {
    if (count > 0) given.push([cause, count]);
  };
  beforeEach(() => given.splice(0));

  const jobIn = async (mode: 'standard' | 'resumable', steps: readonly ('prepare' | 'control')[] = []) => {
    const { jobId } = await runningJob(home, steps);
    await home.db.query('update jobs set recovery_mode = $2 where id = $1', [jobId, mode]);
    await home.db.query('update instances set last_contact_at = now() where job_id = $1', [jobId]);
    return jobId;
  };
  const rowOf = async (jobId: string, kind: WorkKind = 'task'): Promise<TaskRow> => {
    const [row] = await home.db.query<TaskRow[]>(
      `select state, attempts, losses, kills, failure_code, failure_message from tasks
       where job_id = $1 and kind = $2 and ordinal = 0`,
      [jobId, kind],
    );
    return row ?? expect.fail('no such task');
  };
  /** Launches a generation; with `runs` the first task and the open steps run on it. */
  const launch = async (jobId: string, generation: number, runs = true): Promise<void> => {
    if (generation > 1)
      await home.db.query(
        `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus, last_contact_at)
         values ($1, 0, $2, 'local', $3, 'RUNNING', 2, now())`,
        [jobId, generation, randomUUID()],
      );
    if (!runs) {
      await home.db.query(`update tasks set state = 'PENDING' where job_id = $1 and state = 'RUNNING'`, [
        jobId,
      ]);
      return;
    }
    await startAgain(home.db, jobId);
    await home.db.query(`update tasks set generation = $2 where job_id = $1 and state = 'RUNNING'`, [
      jobId,
      generation,
    ]);
  };
  const lose = (jobId: string, generation: number, cause = 'INSTANCE_GONE') =>
    replaceInstance(home.db, { jobId, slot: 0, generation, execution: 1, cause });

  it('with its instance, in standard recovery, is started again three times and given up at the fourth loss', async () => {
    const [jobId, last] = [await jobIn('standard'), 4];
    for (let loss = 1; loss < last; loss += 1) {
      await launch(jobId, loss);
      expect(await lose(jobId, loss)).to.deep.equal({ requeued: 1, failed: 0, deadEnds: 0, pauseSeconds: 0 });
      expect(await rowOf(jobId)).to.include({ state: 'PENDING', losses: loss, attempts: loss });
    }
    await launch(jobId, last);
    const activities = createInstanceActivities({
      ...{ db: home.db, providers: new Map(), leases: GENTLE, secret: '0'.repeat(64) },
      countGivenUp,
    });
    const lost = { jobId, slot: 0, generation: last, execution: 1, cause: 'INSTANCE_GONE' };
    expect(await activities.replaceInstance(lost)).to.deep.include({ requeued: 0, failed: 1, deadEnds: 1 });
    expect(await rowOf(jobId)).to.include({
      ...{ state: 'FAILED', losses: last, failure_code: 'WORKER_LOST' },
      failure_message: `The instance was lost each time this task ran; it was started again ${String(last - 1)} times.`,
    });
    expect(given).to.deep.equal([['instance_lost', 1]]);
    const [job] = await home.db.query<unknown[]>('select tasks_failed from jobs where id = $1', [jobId]);
    expect(job).to.deep.equal({ tasks_failed: 1 });
  });

  it('with its instance, in resumable recovery, is never given up; the pauses before the next instance grow to a quarter of an hour', async () => {
    const jobId = await jobIn('resumable');
    const pauses: number[] = [];
    for (let loss = 1; loss <= 13; loss += 1) {
      await launch(jobId, loss);
      const { pauseSeconds, ...found } = await lose(jobId, loss);
      expect(found).to.deep.equal({ requeued: 1, failed: 0, deadEnds: 0 });
      expect(await rowOf(jobId)).to.include({ state: 'PENDING', losses: loss, failure_code: null });
      pauses.push(pauseSeconds);
    }
    expect(pauses).to.deep.equal([0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  it('is none of the task where the provider has taken the instance away, however often and in every mode', async () => {
    const jobId = await jobIn('standard');
    for (let taken = 1; taken <= 6; taken += 1) {
      await launch(jobId, taken);
      expect(await lose(jobId, taken, 'PREEMPTED')).to.deep.equal({
        requeued: 1,
        failed: 0,
        deadEnds: 0,
        pauseSeconds: 0,
      });
      expect(await rowOf(jobId)).to.include({ state: 'PENDING', losses: 0, attempts: taken });
    }
  });

  it('is no loss where the instance had no task yet: in resumable recovery the slot pauses, and the job goes on', async () => {
    const jobId = await jobIn('resumable');
    for (const [loss, pauseSeconds] of [0, 2, 4, 8].entries()) {
      await launch(jobId, loss + 1, false);
      const repeated = [await lose(jobId, loss + 1), await lose(jobId, loss + 1)];
      for (const found of repeated)
        expect(found).to.deep.equal({
          ...{ requeued: 0, failed: 0, deadEnds: 0, pauseSeconds },
        });
    }
  });

  it('has kept what its checkpoint says, after which its slot pauses anew', async () => {
    const jobId = await jobIn('resumable');
    for (const [loss, hasKept] of [false, false, true, false, false].entries()) {
      await launch(jobId, loss + 1);
      const kept = `checkpoint_at = now() - interval '4 seconds', checkpoint = '[]', started_at = now() - interval '9 seconds'`;
      await home.db.query(
        `update tasks set ${hasKept ? kept : 'started_at = now()'} where job_id = $1 and state = 'RUNNING'`,
        [jobId],
      );
      const { pauseSeconds } = await lose(jobId, loss + 1);
      expect(pauseSeconds, `loss ${String(loss + 1)}`).to.equal([0, 2, 0, 0, 2][loss]);
      const [entry] = await home.db.query<{ seconds_lost: number }[]>(
        'select seconds_lost from recoveries where job_id = $1 and generation = $2',
        [jobId, loss + 1],
      );
      if (hasKept) expect(entry?.seconds_lost, 'lost since the checkpoint').to.be.within(3.9, 8.9);
    }
  });

  it('is told apart from an instance that cannot work: three generations of those in a row are a dead end', async () => {
    const jobId = await jobIn('resumable');
    for (const generation of [1, 2, 3]) {
      await launch(jobId, generation, generation === 2);
      const found = await lose(jobId, generation, generation === 2 ? 'NO_PROGRESS' : 'WORKER_ERROR');
      expect(found, String(generation)).to.include({ deadEnds: generation });
      expect(await lose(jobId, generation), 'a repeat').to.include({ requeued: 0, deadEnds: generation });
      const [job] = await home.db.query<unknown[]>('select pause_reason from jobs where id = $1', [jobId]);
      expect(job, 'a pause that is pending').to.deep.equal({
        pause_reason: generation === 3 ? 'OPERATOR' : null,
      });
    }
  });

  it('does not hide what its generation decided, after which dead ends are counted from the beginning', async () => {
    const jobId = await jobIn('standard');
    await launch(jobId, 1, false);
    expect(await lose(jobId, 1)).to.include({ deadEnds: 1 });
    await launch(jobId, 2, false);
    await home.db.query(
      `update tasks set state = 'SUCCEEDED', slot = 0, generation = 2 where job_id = $1 and kind = 'task' and ordinal = 1`,
      [jobId],
    );
    expect(await lose(jobId, 2)).to.include({ deadEnds: 0 });
    await launch(jobId, 3, false);
    expect(await lose(jobId, 3)).to.include({ deadEnds: 1 });
  });

  it('is not seen in a launch that came to nothing, which is no dead end either', async () => {
    const jobId = await jobIn('standard');
    await launch(jobId, 1, false);
    await home.db.query('update instances set last_contact_at = null where job_id = $1', [jobId]);
    expect(await lose(jobId, 1, 'INSTANCE_SILENT')).to.deep.equal({
      requeued: 0,
      failed: 0,
      deadEnds: 0,
      pauseSeconds: 0,
    });
  });

  const commitKill = (jobId: string, kind: WorkKind = 'task') => {
    const report = {
      ordinal: 0,
      end: 'failed',
      code: 'ENGINE_OUT_OF_MEMORY',
      message: 'It was killed.',
    } as const;
    const request: CommitRequest = {
      ...{ jobId, execution: 1, slot: 0, generation: 1, kind },
      reports: [{ ...report, seconds: 1, lost: true }],
    };
    return commitTasks(
      { db: home.db, store: home.store, tools, recorders: RECORDERS, countGivenUp },
      request,
    );
  };

  for (const kind of ['task', 'prepare'] as const) {
    it(`by a killed tool, a ${kind}, is another attempt three times, then fails with the code that was reported`, async () => {
      const jobId = await jobIn('resumable', kind === 'prepare' ? ['prepare'] : []);
      for (const attempt of [1, 2, 3]) {
        expect(await commitKill(jobId, kind)).to.deep.include({ failed: 0, redo: [0] });
        expect(await rowOf(jobId, kind)).to.deep.equal({
          ...{ state: 'PENDING', attempts: attempt, losses: attempt, kills: attempt },
          ...{ failure_code: null, failure_message: null },
        });
        // A repeated commit does not count a second loss.
        expect(await commitKill(jobId, kind)).to.deep.include({ failed: 0, redo: [0] });
        await startAgain(home.db, jobId);
      }
      expect(await commitKill(jobId, kind)).to.deep.include({ failed: 1, redo: [] });
      expect(await rowOf(jobId, kind)).to.include({
        ...{ state: 'FAILED', attempts: 4, failure_code: 'ENGINE_OUT_OF_MEMORY' },
        failure_message: 'It was killed. It was started 4 times.',
      });
      expect(given).to.deep.equal([['tool_killed', 1]]);
    });
  }

  it('by a killed tool is its last loss where its losses are bounded, and not where they are not', async () => {
    for (const [mode, found] of [
      ['standard', { state: 'FAILED', failure_code: 'ENGINE_OUT_OF_MEMORY' }],
      ['resumable', { state: 'PENDING', failure_code: null }],
    ] as const) {
      const jobId = await jobIn(mode);
      await home.db.query('update tasks set losses = 3 where job_id = $1 and ordinal = 0', [jobId]);
      await commitKill(jobId);
      expect(await rowOf(jobId), mode).to.include({ losses: 4, kills: 1, ...found });
    }
  });
});
