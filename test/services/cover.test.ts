/** The hold covers tasks before their dispatch: repeated, at once, extended, refused for each reason, and in part. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import type { CoverResult } from '../../src/contracts/job.ts';
import { limitedTo, oneClass, quote } from '../../src/domain/pricing.ts';
import type { TaskPricing } from '../../src/domain/pricing.ts';
import { coverTasks } from '../../src/services/execution/cover/cover.ts';
import { setLimits, settleHold } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import {
  admit,
  balancesOf,
  give,
  newHold,
  openCustomer,
  openKey,
  suiteLedger,
  transferCount,
} from '../support/ledger.ts';

const COMMON = {
  currency: 'GBP' as const,
  ...{ startFeeMicro: 20_000, softwareMicro: 0, storageMicro: 0, egressMicro: 0 },
  licenceNames: [],
} as const;
/** A penny a second; ten tasks of one second each, of which the hold has twelve pence and a fifth of two more. */
const MEASURED: TaskPricing = {
  ...COMMON,
  model: 'measured',
  ...{ microPerHour: 36_000_000, estimatedSeconds: 10, ceilingPercent: 120 },
};
const FIXED: TaskPricing = { ...COMMON, model: 'fixed', classes: oneClass(10, 10_000) };
const TASKS = 10;
const HELD = 15;
const LEG_SECONDS = 4;

interface Seed {
  readonly wallet?: number;
  readonly pricing?: TaskPricing;
  readonly limitPence?: number;
  readonly ofKey?: boolean;
}

describe('the cover of a dispatch', () => {
  const test = suiteLedger();

  const seed = async ({ wallet = HELD, pricing = MEASURED, limitPence, ofKey = false }: Seed = {}) => {
    const customer = await openCustomer(test.db, wallet);
    const keyId = ofKey ? await openKey(test.db.manager, customer) : null;
    const offer = limitedTo(quote('test', 1_000_000, pricing, TASKS), limitPence ?? null);
    const hold = newHold(customer.accountId, offer.heldPence);
    const { jobId, holdId } = hold;
    await inTransaction(test.db, (tx) =>
      admit(tx, customer, { ...hold, ...(keyId === null ? {} : { keyId }) }),
    );
    await test.db.query(
      'update job_executions set quote = $2, covers_dispatch = true, limit_pence = $3 where job_id = $1',
      [jobId, JSON.stringify(offer), limitPence ?? null],
    );
    await test.db.query(
      `insert into tasks (job_id, kind, ordinal, item_id) select $1, 'task', i, i::text from generate_series(0, ${String(TASKS - 1)}) i`,
      [jobId],
    );
    const cover = (...ordinals: number[]): Promise<CoverResult> =>
      coverTasks(
        { db: test.db, legSeconds: LEG_SECONDS },
        { jobId, execution: 1, ordinals, taskSeconds: 60 },
      );
    /** Tasks that are verified, each after so many milliseconds. */
    const verify = (ms: number, ...ordinals: number[]): Promise<unknown> =>
      test.db.query(
        `update tasks set state = 'SUCCEEDED', metered_ms = $2 where job_id = $1 and ordinal = any($3::int[])`,
        [jobId, ms, ordinals],
      );
    return { ...customer, keyId, jobId, holdId, cover, verify };
  };
  const held = async (accountId: string): Promise<number> =>
    (await balancesOf(test.db, accountId)).wallet_held;
  const extensions = async (holdId: string): Promise<string[]> => {
    const rows = await test.db.query<{ key: string }[]>(
      `select idempotency_key as key from ledger_transfers where hold_id = $1 and kind = 'hold_increase' order by version`,
      [holdId],
    );
    return rows.map(({ key }) => key);
  };

  it('costs nothing while tasks take what was estimated, and a repeat changes nothing', async () => {
    const { accountId, cover, verify } = await seed();
    for (let at = 0; at < TASKS; at += 1) {
      for (let times = 0; times < 2; times += 1)
        expect(await cover(at)).to.deep.equal({ covered: [at], refused: null });
      if (at % 2 === 0) await verify(1200, at);
    }
    expect(await held(accountId)).to.equal(HELD);
    expect(await transferCount(test.db, accountId)).to.equal(2);
  });

  it('extends the hold under keys of the hold when tasks take longer, once for each part', async () => {
    const { accountId, holdId, cover, verify } = await seed({ wallet: 100 });
    await cover(0);
    await verify(5000, 0);
    // Two pence to start, five that are verified, and five seconds for each that is to run.
    expect(await cover(1, 2)).to.deep.equal({ covered: [1, 2], refused: null });
    expect(await extensions(holdId)).to.deep.equal([`extend/${holdId}/1`]);
    expect(await held(accountId)).to.equal(HELD + 3);
    expect(await cover(1, 2)).to.deep.equal({ covered: [1, 2], refused: null });
    expect(await cover(3)).to.deep.equal({ covered: [3], refused: null });
    expect(await extensions(holdId)).to.deep.equal([`extend/${holdId}/1`, `extend/${holdId}/2`]);
    expect(await held(accountId)).to.equal(22);
  });

  it('covers the next leg of a task that has kept more than was expected, as long as what is kept, up to the longest', async () => {
    const { accountId, jobId, cover } = await seed({ wallet: 31 });
    const leftMs = async (keptMs: number, paidMs = 0): Promise<unknown> => {
      await test.db.query(
        `update tasks set checkpoint = '[]', kept_ms = $2, paid_ms = $3 where job_id = $1 and ordinal = 0`,
        [jobId, keptMs, paidMs],
      );
      const { refused } = await cover(0);
      const [row] = await test.db.query<{ ms: number }[]>(
        `select (covered_ms - kept_ms + paid_ms)::int as ms from tasks where job_id = $1 and ordinal = 0`,
        [jobId],
      );
      return refused?.reason ?? row?.ms;
    };
    expect(await leftMs(0), 'a tenth of the ceiling').to.equal(1200);
    expect(await leftMs(1000), 'no more than was expected').to.equal(200);
    expect(await leftMs(1300)).to.equal(1300);
    expect(await leftMs(3000)).to.equal(3000);
    expect(await held(accountId)).to.equal(HELD);
    expect(await leftMs(9000), 'the longest leg').to.equal(4000);
    expect(await leftMs(12_500)).to.equal(4000);
    expect(await held(accountId)).to.equal(19);
    expect(await leftMs(9000, 8000), 'paid for in an earlier execution').to.equal(200);
    await test.db.query(
      'update tasks set covered_in = 1, covered_ms = 12500 where job_id = $1 and ordinal > 0',
      [jobId],
    );
    expect(await leftMs(30_000)).to.equal('CREDITS');
  });

  it('never covers more than is held, however many ask at once', async () => {
    const { cover } = await seed({ pricing: FIXED, limitPence: 7 });
    const results = await Promise.all(Array.from({ length: TASKS }, (_, at) => cover(at)));
    expect(results.flatMap(({ covered }) => covered)).to.have.length(5);
    for (const { covered, refused } of results)
      expect(refused).to.deep.equal(covered.length === 1 ? null : { reason: 'COST_LIMIT', cause: null });
  });

  it('covers as much of a shard as fits, in its order', async () => {
    const { cover } = await seed({ pricing: FIXED, limitPence: 5 });
    expect(await cover(9, 4, 7, 1)).to.deep.equal({
      covered: [9, 4, 7],
      refused: { reason: 'COST_LIMIT', cause: null },
    });
  });

  it('takes the last credits where a whole step is too much, and is refused for want of more', async () => {
    const { accountId, jobId, cover, verify } = await seed({ wallet: HELD + 2 });
    await cover(0);
    await verify(7500, 0);
    expect(await cover(1)).to.deep.equal({ covered: [1], refused: null });
    expect(await held(accountId)).to.equal(HELD + 2);
    const row = () => test.db.query<unknown[]>('select pause_reason from jobs where id = $1', [jobId]);
    expect(await row()).to.deep.equal([{ pause_reason: null }]);
    expect(await cover(2)).to.deep.equal({ covered: [], refused: { reason: 'CREDITS', cause: null } });
    expect(await row(), 'the status says that the job is about to pause').to.deep.equal([
      { pause_reason: 'CREDITS' },
    ]);
    await give(test.db, accountId, 50);
    expect(await cover(2)).to.deep.equal({ covered: [2], refused: null });
  });

  it('is refused at the limits of the job, of the month, of the key and of the resume, until they are raised', async () => {
    const limits = {
      job: (pence: number | null) => ({ jobLimitPence: pence }),
      month: (pence: number | null) => ({ monthLimitPence: pence }),
      key: (pence: number | null, keyId: string) => ({ key: { keyId, monthLimitPence: pence } }),
    };
    for (const limit of Object.values(limits)) {
      const { accountId, keyId, cover, verify } = await seed({ wallet: 100, ofKey: true });
      await setLimits(test.db, accountId, limit(HELD + 1, keyId ?? ''));
      await cover(0);
      await verify(8000, 0);
      expect(await cover(1)).to.deep.equal({ covered: [], refused: { reason: 'COST_LIMIT', cause: null } });
      expect(await held(accountId), 'nothing more is held').to.equal(HELD);
      await setLimits(test.db, accountId, limit(HELD + 3, keyId ?? ''));
      expect(await cover(1)).to.deep.equal({ covered: [1], refused: null });
      expect(await held(accountId)).to.equal(HELD + 3);
    }
    const { accountId, cover, verify } = await seed({ wallet: 100, limitPence: HELD + 1 });
    await cover(0);
    await verify(8000, 0);
    expect(await cover(1)).to.deep.equal({ covered: [], refused: { reason: 'COST_LIMIT', cause: null } });
    expect(await held(accountId)).to.equal(HELD);
  });

  it('waits for an operator where the account may hold nothing', async () => {
    const { accountId, cover, verify } = await seed({ wallet: 100 });
    await cover(0);
    await verify(9000, 0);
    await test.db.query(`update accounts set state = 'SUSPENDED' where id = $1`, [accountId]);
    const refused = { reason: 'OPERATOR', cause: 'ACCOUNT_SUSPENDED' };
    expect(await cover(1)).to.deep.equal({ covered: [], refused });
  });

  it('counts a verified task that is to run again as one that runs', async () => {
    const { jobId, cover, verify } = await seed({ pricing: FIXED, limitPence: 4 });
    await cover(0, 1);
    await verify(0, 0, 1);
    await test.db.query(`update tasks set state = 'PENDING' where job_id = $1 and ordinal = 0`, [jobId]);
    expect((await cover(2)).covered).to.deep.equal([]);
    expect((await cover(0)).covered).to.deep.equal([0]);
  });

  it('asks nothing for a task that an earlier execution has charged', async () => {
    const { jobId, cover } = await seed({ pricing: FIXED, limitPence: 3 });
    await test.db.query(`update tasks set charged_in = 1 where job_id = $1 and ordinal < 5`, [jobId]);
    expect((await cover(0, 1, 2, 3, 4, 5)).covered).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect((await cover(6)).covered).to.deep.equal([]);
  });

  it('covers nothing once the execution is settled', async () => {
    const { jobId, holdId, cover } = await seed();
    await inTransaction(test.db, async (tx) => {
      await settleHold(tx, { holdId, chargePence: 0 });
      await tx.query('update job_executions set settled_at = now() where job_id = $1', [jobId]);
      await tx.query(`update jobs set status = 'CANCELLED', finished_at = now() where id = $1`, [jobId]);
    });
    expect(await cover(0)).to.deep.equal({ covered: [], refused: null });
  });

  it('knows no execution that is not there', async () => {
    const request = { jobId: uuidv7(), execution: 1, ordinals: [0], taskSeconds: 1 };
    const refused = await coverTasks({ db: test.db, legSeconds: LEG_SECONDS }, request).catch(
      (error: unknown) => error,
    );
    expect(String(refused)).to.include('has no execution 1');
  });
});
