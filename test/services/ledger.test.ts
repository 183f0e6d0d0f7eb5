/** The guarantees of single movements: they are repeatable, exact, refused as a whole, and never changed afterwards. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { grantCredits, openAccount, postTransfers } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { NONE, balancesOf, openCustomer, transferCount, suiteLedger } from '../support/ledger.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

describe('the ledger', () => {
  const test = suiteLedger();

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
      expect(new Set(codes)).to.deep.equal(new Set(['accepted', 'IDEMPOTENCY_KEY_REUSED']));
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
    for (const change of [
      'update ledger_transfers set description = description',
      'delete from ledger_transfers',
      'truncate ledger_transfers cascade',
      `insert into ledger_transfers select * from ledger_transfers
         on conflict (id) do update set description = excluded.description`,
    ]) {
      it(`is append-only: ${change.split('\n', 1).join('')}`, async () => {
        const { accountId } = await openCustomer(test.db, 5);
        expect(String(await refusalOf(test.db.query(change)))).to.contain('append-only');
        expect(await transferCount(test.db, accountId)).to.equal(1);
      });
    }

    it('is shown line by line, and cannot be changed there', async () => {
      const { accountId } = await openCustomer(test.db, 5);
      const lines = await test.db.query(
        `select account, amount_pence, balance_after_pence from ledger_entries where account_id = $1 order by ordinal`,
        [accountId],
      );
      expect(lines).to.deep.equal([
        { account: 'wallet', amount_pence: 5, balance_after_pence: 5 },
        { account: 'bonus_expense', amount_pence: -5, balance_after_pence: null },
      ]);
      for (const change of [
        'update ledger_entries set amount_pence = 6',
        'delete from ledger_entries',
        'insert into ledger_entries select * from ledger_entries',
      ])
        expect(String(await refusalOf(test.db.query(change))), change).to.contain('view');
    });

    /** A copy of a transfer that differs in its keys and in the given columns. */
    const copyWith = (columns: Readonly<Record<string, string>>): string => {
      const given = { id: 'gen_random_uuid()', version: '1000', idempotency_key: "'other'", ...columns };
      const rest = ['account_id', 'kind', 'input_sha256', 'description', 'accounts', 'amounts_pence'];
      rest.push('wallet_after', 'wallet_held_after', 'monthly_after', 'monthly_held_after', 'debt_after');
      const names = [...new Set([...Object.keys(given), ...rest])];
      const values = names.map((name) => new Map(Object.entries(given)).get(name) ?? name);
      return `insert into ledger_transfers (${names.join()}) select ${values.join()} from ledger_transfers limit 1`;
    };

    it('cannot hold two transfers of one key or version, credits below zero, a debt above zero, or half a customer', async () => {
      const { accountId } = await openCustomer(test.db, 5);
      const changes = [
        copyWith({ idempotency_key: 'idempotency_key' }),
        copyWith({ version: 'version' }),
        ...['wallet', 'wallet_held', 'monthly', 'monthly_held', 'debt', 'version'].flatMap((column) => [
          `update ledger_balances set ${column} = ${column === 'debt' ? 1 : -1} where account_id = '${accountId}'`,
          `update ledger_balances set ${column} = null where account_id = '${accountId}'`,
        ]),
      ];
      for (const change of changes)
        expect(String(await refusalOf(test.db.query(change))), change).to.match(
          /unique|violates (check|not-null)/,
        );
    });

    it('takes a transfer that is balanced, and no other, whoever writes it', async () => {
      await openCustomer(test.db, 5);
      const given = (accounts: string, amounts: string): string =>
        copyWith({ accounts: `${accounts}::text[]`, amounts_pence: `${amounts}::bigint[]` });
      const unbalanced = [
        given(`'{wallet,revenue}'`, `'{1,-2}'`),
        given(`'{wallet,revenue}'`, `'{0,0}'`),
        given(`'{wallet,revenue,debt}'`, `'{1,-1,0}'`),
        given(`'{wallet,revenue}'`, `'{1,null}'`),
        given(`'{wallet,null}'`, `'{1,-1}'`),
        given(`'{wallet}'`, `'{0}'`),
        given(`'{}'`, `'{}'`),
        given(`'{wallet,revenue}'`, `'{1,-2,1}'`),
        given(`'{wallet,revenue,debt}'`, `'{1,-1}'`),
        given(`'{wallet,wallet}'`, `'{1,-1}'`),
        given(`'{wallet,pocket}'`, `'{1,-1}'`),
        given(`'[0:1]={wallet,revenue}'`, `'[0:1]={1,-1}'`),
        given(`'{{wallet},{revenue}}'`, `'{{1},{-1}}'`),
      ];
      for (const change of unbalanced)
        expect(String(await refusalOf(test.db.query(change))), change).to.contain('ledger_transfers_sound');
      const runner = test.db.createQueryRunner();
      try {
        await runner.startTransaction();
        await runner.query(given(`'{wallet,revenue,debt}'`, `'{-3,1,2}'`));
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
    });
  });
});
