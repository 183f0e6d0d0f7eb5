/** What single movements promise: they are repeatable, exact, refused as a whole, and never changed afterwards. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { AppError } from '../../src/domain/errors.ts';
import { grantCredits, openAccount, postTransfers, verifyLedger } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { NONE, balancesOf, openCustomer, refusalOf, transferCount } from '../support/ledger.ts';

describe('the ledger', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase();
  });
  after(() => test.close());
  // Whatever a test did, in success or refusal, the books are right.
  afterEach(async () => {
    expect(await verifyLedger(test.db)).to.deep.equal([]);
  });

  const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await refusalOf(work);
    return error instanceof AppError ? error.code : error;
  };

  describe('grants', () => {
    const grant = (accountId: string, amountPence: number, key: string, description = 'A gift') =>
      grantCredits(test.db, { accountId, amountPence, key, description });

    it('give once under a key, and answer a repeat with the same transfer, whatever its wording', async () => {
      const { accountId } = await openCustomer(test.db);
      const key = uuidv7();
      const first = await grant(accountId, 500, key);
      expect(first.replayed).to.equal(false);
      expect(await grant(accountId, 500, key, 'The same gift')).to.deep.equal({ ...first, replayed: true });
      expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 500 });
    });

    it('refuse a key that stands for another amount or another customer', async () => {
      const { accountId } = await openCustomer(test.db);
      const other = await openCustomer(test.db);
      const key = uuidv7();
      await grant(accountId, 500, key);
      expect(await codeOf(grant(accountId, 501, key))).to.equal('IDEMPOTENCY_KEY_REUSED');
      expect(await codeOf(grant(other.accountId, 500, key))).to.equal('IDEMPOTENCY_KEY_REUSED');
      expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 500 });
      expect(await balancesOf(test.db, other.accountId)).to.deep.equal(NONE);
    });

    it('under one key from many connections give once', async () => {
      const { accountId } = await openCustomer(test.db);
      const key = uuidv7();
      const posted = await Promise.all(Array.from({ length: 24 }, () => grant(accountId, 7, key)));
      expect(posted.filter((transfer) => !transfer.replayed)).to.have.length(1);
      expect(new Set(posted.map((transfer) => transfer.id)).size).to.equal(1);
      expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 7 });
    });

    it('under one key for two customers at once give to one of them', async () => {
      const customers = await Promise.all([openCustomer(test.db), openCustomer(test.db)]);
      const key = uuidv7();
      const codes = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          codeOf(grant(customers[index % 2]?.accountId ?? '', 9, key)),
        ),
      );
      expect(new Set(codes)).to.deep.equal(new Set([null, 'IDEMPOTENCY_KEY_REUSED']));
      const wallets = await Promise.all(customers.map(({ accountId }) => balancesOf(test.db, accountId)));
      expect(wallets.map(({ wallet }) => wallet).sort()).to.deep.equal([0, 9]);
    });

    it('refuse nothing, a negative amount and parts of a penny', async () => {
      const { accountId } = await openCustomer(test.db);
      for (const amount of [0, -1, 0.5, Number.NaN, 2 ** 53])
        expect(await refusalOf(grant(accountId, amount, uuidv7())), String(amount)).to.be.instanceOf(Error);
      expect(await transferCount(test.db, accountId)).to.equal(0);
    });

    it('need a customer whose accounts are open; opening them again changes nothing', async () => {
      expect(await refusalOf(grant(uuidv7(), 1, uuidv7()))).to.be.instanceOf(Error);
      const { accountId } = await openCustomer(test.db, 11);
      await openAccount(test.db, accountId);
      expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 11 });
    });
  });

  describe('a batch of transfers', () => {
    const move = (accountId: string, amountPence: number, key = uuidv7()) => ({
      ...{ kind: 'adjustment' as const, key, accountId, description: 'Adjustment' },
      lines: [
        { account: 'wallet' as const, amountPence },
        { account: 'adjustments' as const, amountPence: -amountPence },
      ],
    });

    it('is checked at its end: it may pass through less than zero', async () => {
      const { accountId } = await openCustomer(test.db, 10);
      await inTransaction(test.db, (tx) => postTransfers(tx, [move(accountId, -15), move(accountId, 5)]));
      expect(await balancesOf(test.db, accountId)).to.deep.equal(NONE);
    });

    it('is refused as a whole when one customer would be below zero', async () => {
      const [one, two] = [await openCustomer(test.db, 10), await openCustomer(test.db, 10)];
      const batch = [move(one.accountId, 5), move(two.accountId, -11)];
      const refused = inTransaction(test.db, (tx) => postTransfers(tx, batch));
      expect(await codeOf(refused)).to.equal('INSUFFICIENT_CREDITS');
      expect(await balancesOf(test.db, one.accountId)).to.deep.equal({ ...NONE, wallet: 10 });
      expect(await balancesOf(test.db, two.accountId)).to.deep.equal({ ...NONE, wallet: 10 });
    });

    it('writes what is new of it and finds what is not', async () => {
      const { accountId } = await openCustomer(test.db);
      const [known, fresh] = [move(accountId, 3), move(accountId, 4)];
      const [first] = await inTransaction(test.db, (tx) => postTransfers(tx, [known]));
      const posted = await inTransaction(test.db, (tx) => postTransfers(tx, [fresh, known]));
      expect(posted.map(({ replayed }) => replayed)).to.deep.equal([false, true]);
      expect(posted[1]?.id).to.equal(first?.id);
      expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 7 });
    });

    it('that is unbalanced or names a key twice is refused', async () => {
      const { accountId } = await openCustomer(test.db);
      const lines = [{ account: 'wallet' as const, amountPence: 1 }];
      const twice = move(accountId, 1);
      for (const batch of [[{ ...move(accountId, 1), lines }], [twice, twice]])
        expect(await refusalOf(inTransaction(test.db, (tx) => postTransfers(tx, batch)))).to.be.instanceOf(
          Error,
        );
      expect(await transferCount(test.db, accountId)).to.equal(0);
    });
  });

  describe('history', () => {
    const columns = { ledger_transfers: 'description', ledger_entries: 'version' };
    for (const [table, column] of Object.entries(columns)) {
      for (const change of [
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
        `insert into ${table} overriding system value select * from ${table}
           on conflict (id) do update set ${column} = excluded.${column}`,
      ]) {
        it(`is append-only: ${change.split('\n', 1).join('')}`, async () => {
          const { accountId } = await openCustomer(test.db, 5);
          expect(String(await refusalOf(test.db.query(change)))).to.contain('append-only');
          expect(await transferCount(test.db, accountId)).to.equal(1);
        });
      }
    }

    it('cannot hold two transfers of one key, an entry of nothing, or an account below zero', async () => {
      const { accountId } = await openCustomer(test.db, 5);
      const changes = [
        `insert into ledger_transfers (id, account_id, kind, idempotency_key, input_sha256, description)
         select gen_random_uuid(), account_id, kind, idempotency_key, input_sha256, description from ledger_transfers limit 1`,
        `insert into ledger_entries (transfer_id, ledger_account_id, amount_pence)
         select transfer_id, ledger_account_id, 0 from ledger_entries limit 1`,
        `update ledger_accounts set balance_pence = -1 where account_id = '${accountId}'`,
        `update ledger_accounts set balance_pence = 0 where account_id is null`,
      ];
      for (const change of changes)
        expect(String(await refusalOf(test.db.query(change))), change).to.match(/unique|violates check/);
    });
  });
});
