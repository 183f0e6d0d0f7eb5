/** Every identity of `verifyLedger` is broken on purpose, past all triggers and keys, and must be found by its name. */
import { expect } from 'chai';

import { LEDGER_CHECKS, verifyLedger } from '../../src/services/ledger/verify.ts';
import type { Violation } from '../../src/services/ledger/verify.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { admit, end, newHold, openCustomer, startPeriod } from '../support/ledger.ts';

interface Breakage {
  readonly what: string;
  readonly sql: string;
  /** Other identities that cannot but break with it. */
  readonly also?: readonly string[];
}

/** Ids in `sql` of what the books of each test hold. */
const OPEN = `(select id from holds where state = 'OPEN')`;
const SETTLED = `(select id from holds where state = 'SETTLED')`;
const OPEN_JOB = `(select job_id from holds where state = 'OPEN')`;
const SETTLED_JOB = `(select job_id from holds where state = 'SETTLED')`;
const WALLET = `(select id from ledger_accounts where kind = 'wallet' and version > 0)`;
const REVENUE = `(select id from ledger_accounts where kind = 'revenue')`;
const GIFT = `(select id from ledger_transfers where kind = 'promo')`;
const CAPACITY = `insert into capacity_requests (job_id, execution, account_id, vcpus, priority, state)
  select id, 1, account_id, 1, 0, 'GRANTED' from jobs where id =`;
const LONG_AGO = `updated_at = now() - interval '2 minutes'`;

const BREAKAGES: Readonly<Record<string, readonly Breakage[]>> = {
  'transfer-sums-to-zero': [
    {
      what: 'the service took more than the customer gave',
      sql: `update ledger_entries set amount_pence = amount_pence + 1 where ledger_account_id = ${REVENUE}`,
    },
    {
      what: 'a side of a transfer is missing',
      sql: `delete from ledger_entries where ledger_account_id = ${REVENUE}`,
    },
    {
      what: 'a transfer has no entries',
      sql: `insert into ledger_transfers (id, account_id, kind, idempotency_key, input_sha256, description)
        select gen_random_uuid(), account_id, 'promo', 'x', 'x', 'x' from jobs limit 1`,
    },
  ],
  'entry-belongs': [
    {
      what: 'the transfer of an entry is gone',
      sql: `delete from ledger_transfers where id = ${GIFT}`,
    },
    {
      what: 'the account of an entry is gone',
      sql: `delete from ledger_accounts where id = ${REVENUE}`,
    },
    {
      what: 'a transfer moves credits of another customer',
      sql: `update ledger_transfers set account_id = (select id from accounts order by id desc limit 1) where id = ${GIFT}`,
    },
    {
      what: 'an entry of the service has a version',
      sql: `update ledger_entries set version = 1, balance_after_pence = amount_pence where ledger_account_id = ${REVENUE}`,
    },
    {
      what: 'an entry of a customer has no balance',
      sql: `update ledger_entries set balance_after_pence = null where ledger_account_id = ${WALLET} and version = 1`,
      also: ['balances-follow-entries'],
    },
  ],
  'customer-has-all-accounts': [
    {
      what: 'an account was deleted',
      sql: `delete from ledger_accounts where kind = 'debt' and account_id = (select account_id from jobs limit 1)`,
    },
  ],
  'balance-is-sum-of-entries': [
    {
      what: 'a balance was raised',
      sql: `update ledger_accounts set balance_pence = balance_pence + 1 where id = ${WALLET}`,
    },
    {
      what: 'a balance was raised where nothing ever moved',
      sql: `update ledger_accounts set balance_pence = 5 where kind = 'debt' and version = 0`,
    },
  ],
  'versions-are-gapless': [
    {
      what: 'a version was skipped',
      sql: `update ledger_accounts set version = version + 1 where id = ${WALLET}`,
    },
    {
      what: 'an entry was renumbered',
      sql: `update ledger_entries set version = version + 1 where ledger_account_id = ${WALLET}
        and version = (select max(version) from ledger_entries where ledger_account_id = ${WALLET})`,
    },
  ],
  'balances-follow-entries': [
    {
      what: 'a balance that was shown is wrong',
      sql: `update ledger_entries set balance_after_pence = balance_after_pence + 1 where ledger_account_id = ${WALLET} and version = 1`,
    },
    {
      what: 'two entries changed places',
      sql: `update ledger_entries set id = default where ledger_account_id = ${WALLET} and version = 1`,
    },
  ],
  'held-is-open-lots': [
    {
      what: 'a lot vanished',
      sql: `delete from hold_lots where hold_id = ${OPEN}`,
      also: ['hold-is-its-lots'],
    },
    {
      what: 'a lot changed its bucket',
      sql: `update hold_lots set bucket = 'wallet' where hold_id = ${OPEN} and bucket = 'monthly'`,
    },
  ],
  'hold-is-its-lots': [
    {
      what: 'a hold says that it charged less than its lots',
      sql: `update holds set charged_pence = charged_pence - 1, released_pence = released_pence + 1 where id = ${SETTLED}`,
      also: ['hold-is-its-transfers'],
    },
    { what: 'a settled hold has no time', sql: `update holds set settled_at = null where id = ${SETTLED}` },
    { what: 'an open hold has one', sql: `update holds set settled_at = now() where id = ${OPEN}` },
  ],
  'hold-is-its-transfers': [
    {
      what: 'hold and lots agree on another charge than was booked',
      sql: `with h as (update holds set charged_pence = charged_pence - 1, released_pence = released_pence + 1 where id = ${SETTLED} returning id)
        update hold_lots set charged_pence = charged_pence - 1, released_pence = released_pence + 1
        where hold_id = (select id from h) and charged_pence > 0 and ordinal = 0`,
    },
    {
      what: 'a charge was booked as a release',
      sql: `update ledger_transfers set kind = 'hold_release' where kind = 'charge'`,
    },
  ],
  'transfer-has-its-hold': [
    {
      what: 'a charge names no hold',
      sql: `update ledger_transfers set hold_id = null where kind = 'charge'`,
      also: ['hold-is-its-transfers'],
    },
    {
      what: 'a charge names another job than its hold',
      sql: `update ledger_transfers set job_id = gen_random_uuid() where kind = 'charge'`,
    },
    {
      what: 'a gift names a hold that does not exist',
      sql: `update ledger_transfers set hold_id = gen_random_uuid() where kind = 'promo'`,
    },
  ],
  'open-hold-has-open-execution': [
    {
      what: 'a job that nobody knows holds credits',
      sql: `with x as (delete from job_executions where hold_id = ${OPEN}) delete from jobs where id = ${OPEN_JOB}`,
    },
    {
      what: 'an execution was settled without its hold',
      sql: `with j as (update jobs set status = 'FAILED' where id = ${OPEN_JOB})
        update job_executions set settled_at = now() where hold_id = ${OPEN}`,
    },
  ],
  'open-execution-has-open-hold': [
    {
      what: 'an execution goes on after its hold was settled',
      sql: `with j as (update jobs set status = 'RUNNING' where id = ${SETTLED_JOB})
        update job_executions set settled_at = null where hold_id = ${SETTLED}`,
    },
  ],
  'ended-job-is-settled': [
    {
      what: 'a job ended with its hold open',
      sql: `update jobs set status = 'FAILED' where id = ${OPEN_JOB}`,
    },
    {
      what: 'a job paused with its hold open',
      sql: `update jobs set status = 'PAUSED' where id = ${OPEN_JOB}`,
    },
    {
      what: 'a job went on to its next execution with its hold open',
      sql: `update jobs set execution = 2 where id = ${OPEN_JOB}`,
      also: ['running-job-is-held'],
    },
  ],
  'running-job-is-held': [
    {
      what: 'a job runs with nothing held',
      sql: `update jobs set status = 'RUNNING' where id = ${SETTLED_JOB}`,
    },
  ],
  'ended-job-has-no-capacity': [
    {
      what: 'an ended job keeps capacity for more than a minute',
      sql: `with j as (update jobs set ${LONG_AGO} where id = ${SETTLED_JOB}) ${CAPACITY} ${SETTLED_JOB}`,
    },
    {
      what: 'a job keeps the capacity of an earlier execution',
      sql: `${CAPACITY} ${OPEN_JOB}; update capacity_requests set execution = 0`,
    },
    {
      what: 'a job that nobody knows has capacity',
      sql: `${CAPACITY} ${OPEN_JOB}; update capacity_requests set job_id = gen_random_uuid()`,
    },
  ],
};

/** What looks like a breakage and is none. */
const SOUND: readonly Breakage[] = [
  { what: 'capacity of a job that runs', sql: `${CAPACITY} ${OPEN_JOB}` },
  { what: 'capacity of a job that ended a moment ago', sql: `${CAPACITY} ${SETTLED_JOB}` },
  {
    what: 'capacity of an ended job whose instances are still being stopped',
    sql: `with j as (update jobs set ${LONG_AGO} where id = ${SETTLED_JOB}),
      i as (insert into instances (job_id, slot, generation, provider, launch_token, vcpus, state)
        select ${SETTLED_JOB}, 0, 1, 'local', 'token', 1, 'RUNNING')
      ${CAPACITY} ${SETTLED_JOB}`,
  },
  {
    what: 'capacity that was given back',
    sql: `${CAPACITY} ${SETTLED_JOB}; update capacity_requests set state = 'RELEASED'; update jobs set ${LONG_AGO} where id = ${SETTLED_JOB}`,
  },
];

describe('verifyLedger', () => {
  let test: TestDatabase;

  // Sound books of a customer with credits of both kinds, an open job and a settled one, and of one who has nothing.
  before(async () => {
    test = await openTestDatabase({ poolSize: 2 });
    const customer = await openCustomer(test.db, 100);
    await openCustomer(test.db);
    await startPeriod(test.db, customer.accountId, 30);
    await inTransaction(test.db, async (tx) => {
      const done = newHold(customer.accountId, 40);
      await admit(tx, customer, done);
      await end(tx, done.jobId, { holdId: done.holdId, chargePence: 12 });
      await admit(tx, customer, newHold(customer.accountId, 25));
    });
  });
  after(() => test.close());
  // Every breakage was taken back.
  afterEach(async () => {
    expect(await verifyLedger(test.db)).to.deep.equal([]);
  });

  /** What is found after SQL without triggers and keys, in a transaction that is rolled back. */
  async function foundAfter(sql: string): Promise<readonly Violation[]> {
    const runner = test.db.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(`set local session_replication_role = 'replica'`);
      await runner.query(sql);
      return await verifyLedger(runner.manager);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  it('has a breakage here for each of its identities', () => {
    expect(Object.keys(BREAKAGES).sort()).to.deep.equal([...LEDGER_CHECKS].sort());
  });

  for (const [check, breakages] of Object.entries(BREAKAGES)) {
    for (const { what, sql, also = [] } of breakages) {
      it(`finds by ${check}: ${what}`, async () => {
        const found = await foundAfter(sql);
        expect(new Set(found.map((violation) => violation.check))).to.have.keys([check, ...also]);
        for (const violation of found) {
          expect(violation.subject).to.match(/^[0-9a-f-]+(\/\d+)?$/);
          expect(violation.detail).to.not.equal('');
        }
      });
    }
  }

  for (const { what, sql } of SOUND) {
    it(`says nothing of ${what}`, async () => {
      expect(await foundAfter(sql)).to.deep.equal([]);
    });
  }
});
