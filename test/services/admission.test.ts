import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { JobAdmission } from '../../src/contracts/job.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { grantCredits, postTransfers, setLimits, verifyLedger } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import type { Owner } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import { openKey } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import type { TestDatabase } from '../support/database.ts';

describe('admission', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase();
  });
  after(() => test.close());

  const account = (pence: number): Promise<Owner> => newAccount(test.db, pence);

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
    const wanted = admissionOf(await account(100));
    const decision = await admitJob(test.db, wanted, 'run-1');
    expect(decision).to.deep.equal({
      kind: 'admitted',
      fingerprint: wanted.fingerprint,
      response: wanted.response,
      ...{ replay: false, submitId: wanted.submitId },
    });
    expect(await rowsOf(wanted.jobId)).to.deep.equal(ALL);
    const [held] = await test.db.query<{ wallet_held: number }[]>(
      `select wallet_held from ledger_balances where account_id = $1`,
      [wanted.accountId],
    );
    expect(held?.wallet_held).to.equal(42);
  });

  it('answers the stored decision to a second attempt, as a replay to another run', async () => {
    const wanted = admissionOf(await account(100));
    await admitJob(test.db, wanted, 'run-1');
    expect(await admitJob(test.db, wanted, 'run-1')).to.include({ kind: 'admitted', replay: false });
    const other = await admitJob(test.db, { ...wanted, fingerprint: 'c'.repeat(64) }, 'run-2');
    expect(other).to.include({ kind: 'admitted', replay: true, fingerprint: wanted.fingerprint });
    expect(await rowsOf(wanted.jobId)).to.deep.equal(ALL);
  });

  it('leaves nothing when credits do not cover the hold, and admits after a top-up', async () => {
    const wanted = admissionOf(await account(41));
    expect(await admitJob(test.db, wanted, 'run-1')).to.include({
      kind: 'refused',
      fingerprint: wanted.fingerprint,
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

  it('leaves nothing while the account owes something, says what, and admits once that is paid', async () => {
    const owner = await account(0);
    const wanted = admissionOf(owner);
    const move = (kind: 'topup' | 'dispute', pence: number) =>
      inTransaction(test.db, (tx) =>
        postTransfers(tx, [
          {
            ...{ kind, key: randomUUID(), accountId: owner.accountId, description: kind, mayOwe: true },
            lines: [
              { account: 'wallet', amountPence: pence },
              { account: 'stripe_clearing', amountPence: -pence },
            ],
          },
        ]),
      );
    await move('dispute', -1_234);
    const refused = await admitJob(test.db, wanted, 'run-1');
    expect(refused).to.include({ kind: 'refused', code: 'INSUFFICIENT_CREDITS' });
    expect(refused).to.have.property('message').that.contains('owes £12.34');
    expect(await rowsOf(wanted.jobId)).to.deep.equal(NOTHING);
    await move('topup', 1_234 + 42);
    expect(await admitJob(test.db, wanted, 'run-2')).to.include({ kind: 'admitted', replay: false });
  });

  it('leaves nothing when the hold would pass a limit, and names the limit and what is left of it', async () => {
    const owner = await account(1_000);
    const keyId = await openKey(test.db, owner);
    const caller = { kind: 'key' as const, id: keyId };
    await setLimits(test.db, owner.accountId, { monthLimitPence: 100, key: { keyId, monthLimitPence: 50 } });
    expect(await admitJob(test.db, admissionOf(owner, { caller }), 'run')).to.include({ kind: 'admitted' });
    const wanted = admissionOf(owner, { caller });
    const refused = await admitJob(test.db, wanted, 'run');
    expect(refused).to.include({ kind: 'refused', code: 'COST_LIMIT_EXCEEDED' });
    expect(refused)
      .to.have.property('message')
      .that.contains('£0.08 is left of the cost limit of this API key');
    expect(await rowsOf(wanted.jobId)).to.deep.equal(NOTHING);
    // A job of nobody's key counts for the account alone.
    expect(await admitJob(test.db, admissionOf(owner), 'run')).to.include({ kind: 'admitted' });
    const last = await admitJob(test.db, admissionOf(owner), 'run');
    expect(last).to.have.property('message').that.contains('£0.16 is left of the cost limit of the account');
    expect(await verifyLedger(test.db)).to.deep.equal([]);
  });

  it('starts nothing after admitBy, but still answers what was admitted in time', async () => {
    const late = admissionOf(await account(100), { admitBy: new Date(Date.now() - 1_000).toISOString() });
    expect(await admitJob(test.db, late, 'run-1')).to.deep.equal({ kind: 'expired' });
    expect(await rowsOf(late.jobId)).to.deep.equal(NOTHING);
    const wanted = admissionOf(await account(100));
    await admitJob(test.db, wanted, 'run-1');
    expect(await admitJob(test.db, { ...wanted, admitBy: late.admitBy }, 'run-1')).to.include({
      kind: 'admitted',
    });
  });

  it('admits once when many attempts run at the same time', async () => {
    const wanted = admissionOf(await account(1_000));
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
      Array.from({ length: 12 }, () => admitJob(test.db, admissionOf(owner), randomUUID())),
    );
    expect(decisions.filter((decision) => decision.kind === 'admitted')).to.have.length(5);
    expect(decisions.filter((decision) => decision.kind === 'refused')).to.have.length(7);
  });

  it('leaves nothing when the hold was waited for until after admitBy', async () => {
    const owner = await account(100);
    const wanted = admissionOf(owner, { admitBy: new Date(Date.now() + 1500).toISOString() });
    const blocker = test.db.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('select 1 from ledger_balances where account_id = $1 for update', [owner.accountId]);
    const waiting = admitJob(test.db, wanted, 'run-1');
    await until('admitBy has passed', async () => {
      const [row] = await test.db.query<{ late: boolean }[]>('select now() > $1::timestamptz as late', [
        wanted.admitBy,
      ]);
      return row?.late === true;
    });
    const late = admitJob(test.db, wanted, 'run-1');
    await blocker.commitTransaction();
    await blocker.release();
    expect([await waiting, await late].map((decision) => decision.kind)).to.deep.equal([
      'expired',
      'expired',
    ]);
    expect(await rowsOf(wanted.jobId)).to.deep.equal(NOTHING);
  });

  it('keep the tool that the start arguments name', async () => {
    const owner = await newAccount(test.db, 1000);
    const toolOf = async (more: Partial<JobAdmission>): Promise<unknown> => {
      const admission = admissionOf(owner, more);
      await admitJob(test.db, admission, randomUUID());
      const [row] = await test.db.query<{ tool_id: string }[]>('select tool_id from jobs where id = $1', [
        admission.jobId,
      ]);
      return row?.tool_id;
    };
    expect(await toolOf({ toolId: 'a-tool', simulator: 'noop' })).to.equal('a-tool');
    expect(await toolOf({ toolId: 'render', simulator: null, jobType: 'render' })).to.equal('render');
  });

  it('name the key or the session that submitted the job', async () => {
    const owner = await newAccount(test.db, 1000);
    const callerOfJob = async (more: Partial<JobAdmission>): Promise<unknown> => {
      const admission = admissionOf(owner, more);
      await admitJob(test.db, admission, randomUUID());
      const [row] = await test.db.query<unknown[]>(
        'select caller_kind as kind, caller_id as id from jobs where id = $1',
        [admission.jobId],
      );
      return row;
    };
    for (const kind of ['key', 'session'] as const) {
      const caller = { kind, id: randomUUID() };
      expect(await callerOfJob({ caller })).to.deep.equal(caller);
    }
  });
});
