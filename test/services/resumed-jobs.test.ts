import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { claimTasks } from '../../src/services/execution/claim/claim.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { takeUpResumed } from '../../src/services/execution/sweep/abandoned.ts';
import { openAgain } from '../../src/services/jobs/resume.ts';
import { placeHold } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { quote } from '../../src/domain/pricing.ts';
import type { VerifiedTasks } from '../../src/domain/pricing.ts';
import { suiteHome } from '../support/home.ts';
import { runsOf } from '../support/long.ts';
import { runningJob } from '../support/running-job.ts';

describe('a resumed job', () => {
  const home = suiteHome();

  it('goes on after a resume that nobody was told of for a minute, whatever comes of the message to another', async () => {
    const resumedFor = async (execution: number, time: string): Promise<string> => {
      const { jobId } = await runningJob(home);
      await home.db.query(
        `update jobs set status = 'SUBMITTED', execution = $2, updated_at = now() - $3::interval where id = $1`,
        [jobId, execution, time],
      );
      return jobId;
    };
    const due = [await resumedFor(2, '61 seconds'), await resumedFor(3, '2 hours')].sort();
    await resumedFor(2, '50 seconds');
    await resumedFor(1, '2 hours');
    const told: string[] = [];
    const ended = await takeUpResumed(home.db, async (jobId, message) => {
      expect(message).to.deep.equal({ kind: 'resume' });
      told.push(jobId);
      if (jobId === due[0]) throw new Error('Temporal does not answer');
      return true;
    }).catch((error: unknown) => error);
    expect(told).to.have.members(due);
    expect(ended).to.include({ message: '1 resumed jobs were not told that they go on.' });
  });

  it('is charged its start fee once, and a late repeat of the settlement before changes nothing of it', async () => {
    const { jobId, accountId } = await runningJob(home);
    const verify = (execution: number): Promise<unknown> =>
      home.db.query(
        `update tasks set state = 'SUCCEEDED', execution = $2 where job_id = $1 and kind = 'task' and ordinal = $2 - 1`,
        [jobId, execution],
      );
    const pause = (execution: number) =>
      settleJob(home.db, {
        ...{
          jobId,
          execution,
          transition: 10 * execution,
          to: 'PAUSED',
          reason: null,
          pauseReason: 'OPERATOR',
        },
      });
    await verify(1);
    const first = await pause(1);
    expect(first).to.include({ chargedPence: 3, verified: 1, to: 'PAUSED' });

    const holdId = randomUUID();
    await placeHold(home.db, { holdId, accountId, jobId, execution: 2, amountPence: 39 });
    await home.db.query(
      `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro, plan)
       select job_id, 2, $2, quote, estimated_micro, currency, price_book_version, fx_rate_micro, plan
       from job_executions where job_id = $1`,
      [jobId, holdId],
    );
    await inTransaction(home.db, (tx) => openAgain(tx, jobId, 2));
    await home.db.query(`update jobs set status = 'RUNNING', execution = 2 where id = $1`, [jobId]);
    expect(await pause(1)).to.deep.equal(first);
    const [job] = await home.db.query<{ status: string }[]>('select status from jobs where id = $1', [jobId]);
    expect(job).to.deep.equal({ status: 'RUNNING' });
    await verify(2);
    expect(await pause(2)).to.include({ chargedPence: 1, verified: 2 });
  });

  it('pays for what a checkpoint holds where it pauses, and for the rest at the end: together what one run costs', async () => {
    const pricing = {
      ...{ model: 'measured' as const, currency: 'GBP' as const, startFeeMicro: 20_000, licenceNames: [] },
      ...{ softwareMicro: 0, storageMicro: 0, egressMicro: 0 },
      // Ten tasks of a second at a penny each.
      ...{ microPerHour: 36_000_000, estimatedSeconds: 10, ceilingPercent: 120 },
    };
    const offer = quote('test', 1_000_000, pricing, 10);
    /** The task works for so long, keeps that or loses it with its instance, and goes on, or the job pauses there. */
    const WORK = fc.record({
      ms: fc.integer({ min: 1, max: 3000 }),
      then: fc.constantFrom('on', 'loss', 'pause'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(WORK, { maxLength: 6 }),
        fc.integer({ min: 1, max: 2000 }),
        async (pieces, lastMs) => {
          const { jobId, accountId } = await runningJob(home);
          let execution = 1;
          let kept = 0;
          const change = (set: string): Promise<unknown> =>
            home.db.query(`update tasks set ${set} where job_id = $1 and kind = 'task' and ordinal = 0`, [
              jobId,
            ]);
          const settle = async (to: 'PAUSED' | 'PARTIALLY_SUCCEEDED'): Promise<void> => {
            await settleJob(home.db, {
              ...{ jobId, execution, transition: 10 * execution, to, reason: null },
              pauseReason: to === 'PAUSED' ? 'CREDITS' : null,
            });
          };
          await home.db.query(`update job_executions set quote = $2 where job_id = $1`, [
            jobId,
            JSON.stringify(offer),
          ]);
          for (const { ms, then } of pieces) {
            if (then === 'loss') continue;
            kept += ms;
            await change(`checkpoint = '[]', kept_ms = ${String(kept)}`);
            if (then !== 'pause') continue;
            await settle('PAUSED');
            await settle('PAUSED');
            execution += 1;
            const holdId = randomUUID();
            await placeHold(home.db, { holdId, accountId, jobId, execution, amountPence: offer.heldPence });
            await home.db.query(
              `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro, plan)
             select job_id, $2, $3, quote, estimated_micro, currency, price_book_version, fx_rate_micro, plan
             from job_executions where job_id = $1 and n = 1`,
              [jobId, execution, holdId],
            );
            await inTransaction(home.db, (tx) => openAgain(tx, jobId, execution));
            await home.db.query(`update jobs set status = 'RUNNING', execution = $2 where id = $1`, [
              jobId,
              execution,
            ]);
          }
          await change(`state = 'SUCCEEDED', metered_ms = ${String(kept + lastMs)}`);
          await home.db.query(`update jobs set status = 'FINALIZING' where id = $1`, [jobId]);
          await settle('PARTIALLY_SUCCEEDED');
          const rows = await home.db.query<{ charged: VerifiedTasks[]; pence: number }[]>(
            `select e.charged, h.charged_pence::int as pence from job_executions e join holds h on h.id = e.hold_id where e.job_id = $1`,
            [jobId],
          );
          const ms = rows.flatMap(({ charged }) => charged.map((one) => one.meteredMs + (one.keptMs ?? 0)));
          expect(ms.reduce((sum, one) => sum + one, 0)).to.equal(kept + lastMs);
          const pence = rows.reduce((sum, row) => sum + row.pence, 0);
          const whole = 2 + Math.floor((kept + lastMs) / 1000);
          expect(pence).to.be.within(Math.min(whole, 14) - rows.length, whole);
        },
      ),
      { numRuns: runsOf(10) },
    );
  });

  it('has a running task taken over from a fenced instance alone', async () => {
    const { jobId } = await runningJob(home);
    await home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus)
       values ($1, 1, 1, 'local', $2, 'RUNNING', 2)`,
      [jobId, randomUUID()],
    );
    // The claim is written before the job's facts are read, of which this job has none.
    const deps = { db: home.db, factsOf: () => Promise.reject(new Error('no facts')) };
    const slotAfterClaim = async (): Promise<unknown> => {
      const claims = { jobId, slot: 1, generation: 1, expiresAt: 0 };
      await claimTasks(deps, claims, { execution: 1, kind: 'task', ordinals: [0] }).catch(() => undefined);
      const [task] = await home.db.query<{ slot: number }[]>(
        `select slot from tasks where job_id = $1 and kind = 'task' and ordinal = 0`,
        [jobId],
      );
      return task?.slot;
    };
    expect(await slotAfterClaim(), 'its instance works').to.equal(0);
    await home.db.query('update instances set fenced_at = now() where job_id = $1 and slot = 0', [jobId]);
    expect(await slotAfterClaim(), 'its instance is fenced').to.equal(1);
  });
});
