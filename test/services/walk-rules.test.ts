/**
 * The functions over which random walks go (`test/support/walks/task-rules.ts`) say what the statements of the product do, for
 * a task of every state, of this and another execution, charged before or not.
 */
import { expect } from 'chai';

import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { findResumed } from '../../src/services/jobs/missing.ts';
import { openAgain } from '../../src/services/jobs/resume.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';
import { byClass, isDue, missingByClass, openedAgain, stopped } from '../support/walks/task-rules.ts';
import type { RuleTask } from '../support/walks/task-rules.ts';
import { TASK_STATES } from '../../src/domain/job-state.ts';

/** Forty tasks, one of each kind. */
const TASKS: readonly RuleTask[] = TASK_STATES.flatMap((state) =>
  [1, 2].flatMap((execution) =>
    [null, 1].flatMap((chargedIn) =>
      ['a', 'b'].map((priceClass) => ({
        ...{ state, execution, chargedIn, priceClass },
        ...{ attempts: 3, losses: 2, kills: 1, meteredMs: priceClass === 'a' ? 1_500 : 20 },
      })),
    ),
  ),
);

describe('the rules of random walks', () => {
  const home = suiteHome();

  const jobOfAllKinds = async (): Promise<RunningJob> => {
    const job = await runningJob(home);
    await home.db.query(
      `update tasks t set state = r.state, execution = r.execution, charged_in = r."chargedIn", price_class = r."priceClass",
         attempts = r.attempts, losses = r.losses, kills = r.kills, metered_ms = r."meteredMs"
       from (select row_number() over () - 1 as ordinal, r.* from jsonb_to_recordset($2::jsonb) as r (state text, execution int,
         "chargedIn" int, "priceClass" text, attempts int, losses int, kills int, "meteredMs" bigint)) r
       where t.job_id = $1 and t.ordinal = r.ordinal`,
      [job.jobId, JSON.stringify(TASKS)],
    );
    expect(await rowsOf(job)).to.deep.equal(TASKS);
    return job;
  };
  const rowsOf = ({ jobId }: RunningJob): Promise<RuleTask[]> =>
    home.db.query(
      `select state, execution, charged_in as "chargedIn", price_class as "priceClass", attempts, losses, kills,
         metered_ms as "meteredMs" from tasks where job_id = $1 and kind = 'task' order by ordinal`,
      [jobId],
    );

  for (const to of ['PAUSED', 'CANCELLED'] as const)
    it(`agree with the settlement at ${to}, and with the resume after it`, async () => {
      const job = await jobOfAllKinds();
      const { jobId, accountId } = job;
      const pauseReason = to === 'PAUSED' ? 'OPERATOR' : null;
      await settleJob(home.db, {
        ...{ jobId, execution: 1, transition: 9, to, reason: null, pauseReason },
      });
      const [execution] = await home.db.query<{ charged: unknown }[]>(
        'select charged from job_executions where job_id = $1',
        [jobId],
      );
      expect(execution?.charged).to.deep.equal(byClass(TASKS.filter((task) => isDue(task, 1))));
      const ended = TASKS.map((task) => stopped(task, to));
      expect(await rowsOf(job)).to.deep.equal(ended);

      const { missing } = await findResumed(home.db, [jobId, accountId]);
      expect(missing).to.deep.equal(missingByClass(ended));
      await inTransaction(home.db, (tx) => openAgain(tx, jobId, 2));
      expect(await rowsOf(job)).to.deep.equal(ended.map((task) => openedAgain(task, 2)));
    });
});
