/**
 * Each test breaks one identity of `verifyLedger` on purpose, past all triggers, keys and checks; `verifyLedger` must
 * find it by its name.
 */
import { expect } from 'chai';

import { extendHold, setLimits } from '../../src/services/ledger/index.ts';
import { LEDGER_CHECKS, verifyLedger } from '../../src/services/ledger/verify.ts';
import type { Violation } from '../../src/services/ledger/verify.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { BREAKAGES, SOUND, WITHOUT_CHECKS } from '../support/ledger-breakages.ts';
import { admit, end, newHold, openCustomer, openKey, startPeriod } from '../support/ledger.ts';

describe('verifyLedger', () => {
  let test: TestDatabase;

  // Makes sound books: a customer with credits of both kinds, an open job and a settled one; a customer whose settled job was
  // held in three parts for a key with a limit; and a customer with nothing.
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
    const other = await openCustomer(test.db, 100);
    const keyId = await openKey(test.db, other);
    await setLimits(test.db, other.accountId, { key: { keyId, monthLimitPence: 100 } });
    await startPeriod(test.db, other.accountId, 30);
    await inTransaction(test.db, async (tx) => {
      const hold = { ...newHold(other.accountId, 20), keyId };
      await admit(tx, other, hold);
      await extendHold(tx, { holdId: hold.holdId, part: 1, amountPence: 15 });
      await extendHold(tx, { holdId: hold.holdId, part: 2, amountPence: 40 });
      await end(tx, hold.jobId, { holdId: hold.holdId, chargePence: 36 });
    });
    await startPeriod(test.db, other.accountId, 5);
  });
  after(() => test.close());
  // Checks that every breakage was taken back.
  afterEach(async () => {
    expect(await verifyLedger(test.db)).to.deep.equal([]);
  });

  /** The violations after SQL without triggers, keys and checks, in a transaction that is rolled back. */
  async function foundAfter(sql: string): Promise<readonly Violation[]> {
    const runner = test.db.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(`set local session_replication_role = 'replica'`);
      await runner.query(WITHOUT_CHECKS);
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
