import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { JobAdmission } from '../../src/contracts/job.ts';
import { quote } from '../../src/domain/pricing.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { grantCredits, openAccount } from '../../src/services/ledger/index.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { noop } from '../../src/tools/noop.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

describe('admission', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase();
  });
  after(() => test.close());

  const account = async (pence: number): Promise<{ accountId: string; userId: string }> => {
    const accountId = randomUUID();
    const userId = randomUUID();
    await test.db.query('insert into accounts (id) values ($1)', [accountId]);
    await test.db.query('insert into users (id, account_id, email) values ($1, $2, $3)', [
      userId,
      accountId,
      `${userId}@example.com`,
    ]);
    await openAccount(test.db, accountId);
    if (pence > 0)
      await grantCredits(test.db, { accountId, amountPence: pence, key: accountId, description: 'test' });
    return { accountId, userId };
  };

  const admission = (
    owner: { accountId: string; userId: string },
    more: Partial<JobAdmission> = {},
  ): JobAdmission => {
    const request = { jobType: 'simulation', simulator: 'noop', taskCount: 40 } as const;
    const plan = noop.plan(request, { maxInstances: 1, slotsPerInstance: 2, vcpusPerInstance: 2 });
    const book = loadPriceBook();
    const jobId = more.jobId ?? randomUUID();
    return {
      jobId,
      ...owner,
      accountPlan: 'free',
      jobType: 'simulation',
      simulator: 'noop',
      jobName: null,
      recoveryMode: 'standard',
      idempotencyKey: null,
      fingerprint: 'a'.repeat(64),
      request,
      requestKey: null,
      plan,
      quote: quote(book.version, 790_000, noop.price(request, plan, book), 40),
      inputs: [
        { storageKey: 'accounts/x/uploads/1/a', byteSize: 3, sha256: null },
        { storageKey: 'accounts/x/uploads/2/b', byteSize: 4, sha256: 'b'.repeat(64) },
      ],
      provider: 'local',
      effectiveSeed: null,
      admitBy: new Date(Date.now() + 60_000).toISOString(),
      response: {
        jobId,
        jobType: 'simulation',
        estimatedCost: 0.42,
        currency: 'GBP',
        status: 'SUBMITTED',
        provider: 'local',
        message: 'held',
        creditCurrency: 'GBP',
        fxRate: 1,
        heldCents: 42,
      },
      ...more,
    };
  };

  const rowsOf = async (jobId: string): Promise<unknown> => {
    const [row] = await test.db.query<unknown[]>(
      `select (select count(*)::int from jobs where id = $1) as jobs, (select count(*)::int from holds where job_id = $1) as holds,
         (select count(*)::int from job_executions where job_id = $1) as executions,
         (select count(*)::int from job_inputs where job_id = $1) as inputs,
         (select count(*)::int from ledger_transfers where job_id = $1) as transfers`,
      [jobId],
    );
    return row;
  };
  const NOTHING = { jobs: 0, holds: 0, executions: 0, inputs: 0, transfers: 0 };
  const ALL = { jobs: 1, holds: 1, executions: 1, inputs: 2, transfers: 1 };

  it('writes job, hold, execution and inputs together', async () => {
    const wanted = admission(await account(100));
    const decision = await admitJob(test.db, wanted, 'run-1');
    expect(decision).to.deep.equal({
      kind: 'admitted',
      fingerprint: wanted.fingerprint,
      response: wanted.response,
      replay: false,
    });
    expect(await rowsOf(wanted.jobId)).to.deep.equal(ALL);
    const [held] = await test.db.query<{ balance_pence: number }[]>(
      `select balance_pence from ledger_accounts where account_id = $1 and kind = 'wallet_held'`,
      [wanted.accountId],
    );
    expect(held?.balance_pence).to.equal(42);
  });

  it('answers the stored decision to a second attempt, as a replay to another run', async () => {
    const wanted = admission(await account(100));
    await admitJob(test.db, wanted, 'run-1');
    expect(await admitJob(test.db, wanted, 'run-1')).to.include({ kind: 'admitted', replay: false });
    const other = await admitJob(test.db, { ...wanted, fingerprint: 'c'.repeat(64) }, 'run-2');
    expect(other).to.include({ kind: 'admitted', replay: true, fingerprint: wanted.fingerprint });
    expect(await rowsOf(wanted.jobId)).to.deep.equal(ALL);
  });

  it('leaves nothing when credits do not cover the hold, and admits after a top-up', async () => {
    const wanted = admission(await account(41));
    expect(await admitJob(test.db, wanted, 'run-1')).to.include({
      kind: 'refused',
      code: 'INSUFFICIENT_CREDITS',
    });
    expect(await rowsOf(wanted.jobId)).to.deep.equal(NOTHING);
    await grantCredits(test.db, {
      accountId: wanted.accountId,
      amountPence: 1,
      key: randomUUID(),
      description: 'top-up',
    });
    expect(await admitJob(test.db, wanted, 'run-2')).to.include({ kind: 'admitted', replay: false });
  });

  it('starts nothing after admitBy, but still answers what was admitted in time', async () => {
    const late = admission(await account(100), { admitBy: new Date(Date.now() - 1_000).toISOString() });
    expect(await admitJob(test.db, late, 'run-1')).to.deep.equal({ kind: 'expired' });
    expect(await rowsOf(late.jobId)).to.deep.equal(NOTHING);
    const wanted = admission(await account(100));
    await admitJob(test.db, wanted, 'run-1');
    expect(await admitJob(test.db, { ...wanted, admitBy: late.admitBy }, 'run-1')).to.include({
      kind: 'admitted',
    });
  });

  it('admits once when many attempts run at the same time', async () => {
    const wanted = admission(await account(1_000));
    const decisions = await Promise.all(
      Array.from({ length: 12 }, (_, run) => admitJob(test.db, wanted, `run-${run}`)),
    );
    expect(decisions.every((decision) => decision.kind === 'admitted')).to.equal(true);
    expect(decisions.filter((decision) => decision.kind === 'admitted' && !decision.replay)).to.have.length(
      1,
    );
    expect(await rowsOf(wanted.jobId)).to.deep.equal(ALL);
  });

  it('never overdraws an account by jobs that are admitted together', async () => {
    const owner = await account(42 * 5 + 10);
    const decisions = await Promise.all(
      Array.from({ length: 12 }, () => admitJob(test.db, admission(owner), randomUUID())),
    );
    expect(decisions.filter((decision) => decision.kind === 'admitted')).to.have.length(5);
    expect(decisions.filter((decision) => decision.kind === 'refused')).to.have.length(7);
  });
});
