import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { JobEntity } from '../../entities/jobs.ts';
import { TaskEntity } from '../../entities/tasks.ts';
import type { InstanceClaims } from '../../src/contracts/instance.ts';
import { createContact } from '../../src/services/execution/instances/contact.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';
import { until } from '../support/until.ts';

const SLOTS = 5;

describe('the progress that instances tell', () => {
  const home = suiteHome();
  const claimsOf = (jobId: string, slot: number): InstanceClaims => ({
    ...{ jobId, slot },
    ...{ generation: 1, expiresAt: 0 },
  });
  /** A job of which each of five instances runs one task: the instance of a slot the task of that ordinal. */
  const jobOfFive = async (): Promise<string> => {
    const { jobId } = await runningJob(home);
    for (let slot = 1; slot < SLOTS; slot += 1) {
      await home.db.query(
        `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus)
         values ($1, $2, 1, 'local', $3, 'RUNNING', 2)`,
        [jobId, slot, randomUUID()],
      );
      await home.db.query(
        `update tasks set state = 'RUNNING', attempts = 1, slot = $2, generation = 1
         where job_id = $1 and kind = 'task' and ordinal = $2`,
        [jobId, slot],
      );
    }
    return jobId;
  };
  const percents = async (jobId: string): Promise<readonly number[]> => {
    const tasks = await home.db.getRepository(TaskEntity).find({
      where: { jobId, kind: 'task' },
      order: { ordinal: 'ASC' },
      take: SLOTS,
    });
    return tasks.map(({ progressPercent }) => progressPercent);
  };
  const versionOf = async (jobId: string): Promise<number> => {
    const { version } = await home.db.getRepository(JobEntity).findOneByOrFail({ id: jobId });
    return version;
  };

  it('is that of every instance of a job, however close their contacts are, in few writes', async () => {
    const jobId = await jobOfFive();
    const contact = createContact(home.db);
    const before = await versionOf(jobId);
    for (const percent of [10, 20, 30])
      for (let slot = 0; slot < SLOTS; slot += 1)
        await contact(claimsOf(jobId, slot), {
          running: [{ kind: 'task', ordinal: slot, percent: percent + slot }],
        });
    await until('every task has what was told last', async () => {
      const now = await percents(jobId);
      return now.every((percent, slot) => percent === 30 + slot);
    });
    // The first contact is written at once, the others together a second later.
    expect((await versionOf(jobId)) - before).to.equal(2);
  });

  it('of a job that somebody holds is written when the job is let go, and holds up nobody else', async () => {
    const [held, free] = [await jobOfFive(), await jobOfFive()];
    const contact = createContact(home.db);
    const running = [{ kind: 'task' as const, ordinal: 1, percent: 40 }];
    // A commit or a replacement holds the job, then its tasks.
    await inTransaction(home.db, async (tx) => {
      await tx.query('select 1 from jobs where id = $1 for no key update', [held]);
      await Promise.all([held, free].map((jobId) => contact(claimsOf(jobId, 1), { running })));
      await until('the other job has its progress', async () => (await percents(free))[1] === 40);
      await tx.query('update tasks set started_at = now() where job_id = $1', [held]);
      expect((await percents(held))[1]).to.equal(0);
    });
    await until('the job has its progress', async () => (await percents(held))[1] === 40);
  });

  it('that is written already is not written again', async () => {
    const jobId = await jobOfFive();
    const contact = createContact(home.db);
    const running = [{ kind: 'task' as const, ordinal: 2, percent: 40 }];
    await contact(claimsOf(jobId, 2), { running });
    await until('it is written', async () => (await percents(jobId))[2] === 40);
    const before = await versionOf(jobId);
    await contact(claimsOf(jobId, 2), { running });
    await contact(claimsOf(jobId, 3), { running: [{ kind: 'task', ordinal: 3, percent: 10 }] });
    await until('another is written', async () => (await percents(jobId))[3] === 10);
    expect((await versionOf(jobId)) - before).to.equal(1);
  });

  it('is left out when its instance was fenced after it told', async () => {
    const jobId = await jobOfFive();
    const contact = createContact(home.db);
    for (const slot of [0, 1, 2])
      await contact(claimsOf(jobId, slot), { running: [{ kind: 'task', ordinal: slot, percent: 50 }] });
    await home.db.query('update instances set fenced_at = now() where job_id = $1 and slot = 1', [jobId]);
    await until('the third task has its progress', async () => (await percents(jobId))[2] === 50);
    expect(await percents(jobId)).to.deep.equal([50, 0, 50, 0, 0]);
  });

  it('of a task that another instance runs by now changes nothing', async () => {
    const jobId = await jobOfFive();
    const contact = createContact(home.db);
    await contact(claimsOf(jobId, 3), { running: [{ kind: 'task', ordinal: 2, percent: 70 }] });
    await contact(claimsOf(jobId, 4), { running: [{ kind: 'task', ordinal: 4, percent: 70 }] });
    await until('the last task has its progress', async () => (await percents(jobId))[4] === 70);
    expect(await percents(jobId)).to.deep.equal([0, 0, 0, 0, 70]);
  });
});
