import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Actor } from '../../src/domain/access.ts';
import { createCredits } from '../../src/services/credits.ts';
import type { Credits, TransactionQuery } from '../../src/services/credits.ts';
import { encodeCursor, scopeOf } from '../../src/services/cursor.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import { readSubmitFacts } from '../../src/services/jobs/stored-submit.ts';
import {
  grantCredits,
  placeHold,
  postTransfers,
  settleHold,
  startAllowance,
} from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { endPeriod } from '../support/ledger.ts';
import { codeOf } from '../support/refusals.ts';
import type { TransactionListResponse } from '../../src/domain/answers.ts';

type CreditTransaction = TransactionListResponse['transactions'][number];

describe('credits', () => {
  let test: TestDatabase;
  let credits: Credits;
  before(async () => {
    test = await openTestDatabase();
    credits = createCredits(test.db);
  });
  after(() => test.close());

  const customer = async (pence = 0): Promise<Actor> => {
    const { accountId } = await createAccount(test.db, {
      email: `${randomUUID()}@example.com`,
      creditsPence: pence,
    });
    return {
      accountId,
      userId: randomUUID(),
      kind: 'key',
      keyId: randomUUID(),
      environment: 'live',
      scopes: [],
      plan: 'free',
    };
  };
  const grant = (who: Actor, amountPence: number): Promise<unknown> =>
    grantCredits(test.db, {
      accountId: who.accountId,
      amountPence,
      key: randomUUID(),
      description: `gift of ${amountPence}`,
    });
  const grantMonthly = async (who: Actor, pence: number): Promise<void> => {
    const [startsAt, endsAt] = [new Date('2026-01-01T00:00:00Z'), new Date('2100-01-01T00:00:00Z')];
    const { accountId } = who;
    await inTransaction(test.db, (tx) =>
      startAllowance(tx, { id: randomUUID(), accountId, startsAt, endsAt, grantedPence: pence }),
    );
  };
  const hold = async (who: Actor, amountPence: number): Promise<{ holdId: string; jobId: string }> => {
    const [holdId, jobId] = [randomUUID(), randomUUID()];
    const result = await inTransaction(test.db, (tx) =>
      placeHold(tx, { holdId, accountId: who.accountId, jobId, execution: 1, amountPence }),
    );
    expect(result.held).to.equal(true);
    return { holdId, jobId };
  };
  const settle = (holdId: string, chargePence: number): Promise<unknown> =>
    inTransaction(test.db, (tx) => settleHold(tx, { holdId, chargePence }));
  const list = async (
    who: Actor,
    query: Partial<TransactionQuery> = {},
  ): Promise<readonly CreditTransaction[]> =>
    (await credits.transactions(who, { limit: 200, ...query })).transactions;
  const brief = (rows: readonly CreditTransaction[]): unknown[] =>
    rows.map((row) => [
      row.type,
      row.bucket,
      row.amount_cents,
      row.balance_after_cents,
      row.held_after_cents,
    ]);
  /** Follows the cursors to the end of the list. */
  const pages = async (who: Actor, limit: number): Promise<CreditTransaction[][]> => {
    const all: CreditTransaction[][] = [];
    let cursor: string | null = null;
    do {
      const page = await credits.transactions(who, { limit, ...(cursor === null ? {} : { cursor }) });
      all.push([...page.transactions]);
      cursor = page.nextCursor;
    } while (cursor !== null && all.length < 100);
    return all;
  };
  /** Makes a history in which some transfers touch both buckets. */
  const history = async (who: Actor): Promise<void> => {
    await grantMonthly(who, 100);
    for (let round = 0; round < 4; round += 1) {
      await grant(who, 50);
      const { holdId } = await hold(who, 60 + round);
      await settle(holdId, 25 + round);
    }
  };

  describe('balance', () => {
    it('of a new account is all zero', async () => {
      expect(await credits.balance(await customer())).to.deep.equal({
        wallet_cents: 0,
        wallet_held_cents: 0,
        wallet_available_cents: 0,
        monthly_cents: 0,
        monthly_held_cents: 0,
        monthly_available_cents: 0,
        monthly_reset_at: null,
        total_credited_cents: 0,
        held_cents: 0,
        available_cents: 0,
        available_display: '£0.00',
        debt_cents: 0,
      });
    });

    it('counts what is held as owned but not available, the allowance first', async () => {
      const who = await customer(1_000);
      await grantMonthly(who, 205);
      await hold(who, 300);
      expect(await credits.balance(who)).to.deep.equal({
        wallet_cents: 1_000,
        wallet_held_cents: 95,
        wallet_available_cents: 905,
        monthly_cents: 205,
        monthly_held_cents: 205,
        monthly_available_cents: 0,
        monthly_reset_at: '2100-01-01T00:00:00.000Z',
        total_credited_cents: 1_205,
        held_cents: 300,
        available_cents: 905,
        available_display: '£9.05',
        debt_cents: 0,
      });
    });

    it('counts no monthly credits whose period has ended, as no hold takes them', async () => {
      const who = await customer(1_000);
      await grantMonthly(who, 205);
      await hold(who, 100);
      await endPeriod(test.db, who.accountId);
      expect(await credits.balance(who)).to.deep.equal({
        wallet_cents: 1_000,
        wallet_held_cents: 0,
        wallet_available_cents: 1_000,
        monthly_cents: 100,
        monthly_held_cents: 100,
        monthly_available_cents: 0,
        monthly_reset_at: null,
        total_credited_cents: 1_100,
        held_cents: 100,
        available_cents: 1_000,
        available_display: '£10.00',
        debt_cents: 0,
      });
      const jobId = randomUUID();
      const facts = await readSubmitFacts(test.db, who.accountId, jobId, 60);
      expect(facts.availablePence).to.equal(1_000);
      const refused = await inTransaction(test.db, (tx) =>
        placeHold(tx, {
          holdId: randomUUID(),
          accountId: who.accountId,
          jobId,
          execution: 1,
          amountPence: 1_001,
        }),
      );
      expect(refused).to.deep.equal({ held: false, availablePence: facts.availablePence });
    });

    it('is less by the charge once the hold is settled', async () => {
      const who = await customer(500);
      const { holdId } = await hold(who, 300);
      await settle(holdId, 120);
      expect(await credits.balance(who)).to.include({
        total_credited_cents: 380,
        held_cents: 0,
        available_cents: 380,
      });
    });
  });

  describe('a debt', () => {
    const move = (who: Actor, kind: 'topup' | 'dispute', walletPence: number) =>
      inTransaction(test.db, (tx) =>
        postTransfers(tx, [
          {
            ...{ kind, key: randomUUID(), accountId: who.accountId, description: kind, mayOwe: true },
            lines: [
              { account: 'wallet', amountPence: walletPence },
              { account: 'stripe_clearing', amountPence: -walletPence },
            ],
          },
        ]),
      );

    it('is told with the balance, and by each transaction that made or paid it', async () => {
      const who = await customer(500);
      const { holdId } = await hold(who, 200);
      await move(who, 'dispute', -1_000);
      expect(await credits.balance(who)).to.include({ debt_cents: 700, available_cents: 0, held_cents: 200 });
      await move(who, 'topup', 100);
      await settle(holdId, 50);
      await move(who, 'topup', 600);
      expect(
        (await list(who)).map((row) => [
          ...[row.type, row.bucket, row.amount_cents, row.balance_after_cents, row.held_after_cents],
          ...[row.debt_cents, row.debt_after_cents],
        ]),
      ).to.deep.equal([
        ['topup', 'wallet', 150, 150, 0, -450, 0],
        ['hold_release', 'wallet', 0, 0, 0, -150, 450],
        ['charge', 'wallet', -50, 0, 150, 0, 600],
        ['topup', 'wallet', 0, 0, 200, -100, 600],
        ['dispute', 'wallet', -300, 0, 200, 700, 700],
        ['hold', 'wallet', -200, 300, 200, 0, 0],
        ['promo', 'wallet', 500, 500, 0, 0, 0],
      ]);
      expect(await credits.balance(who)).to.include({ debt_cents: 0, available_cents: 150 });
    });

    it('has transactions of its own that come page by page like all others', async () => {
      const who = await customer();
      for (const pence of [-300, 100, 100, 100]) await move(who, pence < 0 ? 'dispute' : 'topup', pence);
      const whole = await list(who);
      expect(whole.map((row) => row.debt_after_cents)).to.deep.equal([0, 100, 200, 300]);
      for (const limit of [1, 2, 3]) expect((await pages(who, limit)).flat()).to.deep.equal(whole);
    });
  });

  describe('transactions', () => {
    it('tell a job’s money: hold, charge and release, each with what was left', async () => {
      const who = await customer(500);
      const { holdId, jobId } = await hold(who, 300);
      await settle(holdId, 120);
      const rows = await list(who);
      expect(brief(rows)).to.deep.equal([
        ['hold_release', 'wallet', 180, 380, 0],
        ['charge', 'wallet', -120, 200, 180],
        ['hold', 'wallet', -300, 200, 300],
        ['promo', 'wallet', 500, 500, 0],
      ]);
      expect(rows.map((row) => row.job_id)).to.deep.equal([jobId, jobId, jobId, null]);
      expect(new Set(rows.map((row) => row.id)).size).to.equal(4);
      expect(rows.every((row) => row.currency === 'GBP' && row.description !== '')).to.equal(true);
    });

    it('have a row for each bucket that a transfer moved', async () => {
      const who = await customer(100);
      await grantMonthly(who, 40);
      const { holdId } = await hold(who, 60);
      await settle(holdId, 50);
      expect(brief(await list(who))).to.deep.equal([
        ['hold_release', 'wallet', 10, 90, 0],
        ['charge', 'wallet', -10, 80, 10],
        ['charge', 'monthly', -40, 0, 0],
        ['hold', 'wallet', -20, 80, 20],
        ['hold', 'monthly', -40, 0, 40],
        ['monthly_grant', 'monthly', 40, 40, 0],
        ['promo', 'wallet', 100, 100, 0],
      ]);
    });

    it('chain: each row’s balances are the row before’s with its own movement', async () => {
      const who = await customer(80);
      await history(who);
      const balances: Record<string, { free: number; held: number }> = {
        wallet: { free: 0, held: 0 },
        monthly: { free: 0, held: 0 },
      };
      for (const row of [...(await list(who))].reverse()) {
        const before = balances[row.bucket] ?? { free: 0, held: 0 };
        const moved =
          row.type === 'charge'
            ? { free: before.free, held: before.held + row.amount_cents }
            : row.type === 'hold' || row.type === 'hold_release'
              ? { free: before.free + row.amount_cents, held: before.held - row.amount_cents }
              : { free: before.free + row.amount_cents, held: before.held };
        expect({ free: row.balance_after_cents, held: row.held_after_cents }, row.id).to.deep.equal(moved);
        balances[row.bucket] = moved;
      }
      const now = await credits.balance(who);
      expect(balances['wallet']).to.deep.equal({
        free: now.wallet_available_cents,
        held: now.wallet_held_cents,
      });
      expect(balances['monthly']).to.deep.equal({
        free: now.monthly_available_cents,
        held: now.monthly_held_cents,
      });
    });

    it('come page by page, each once and in order, whatever the size of a page', async () => {
      const who = await customer(80);
      await history(who);
      const whole = await list(who);
      expect(whole.length).to.be.greaterThan(12);
      for (const limit of [1, 2, 3, 5, whole.length - 1, whole.length, whole.length + 1]) {
        const got = await pages(who, limit);
        expect(got.flat(), `limit ${limit}`).to.deep.equal(whole);
        expect(got.slice(0, -1).every((page) => page.length === limit)).to.equal(true);
        expect(got).to.have.length(Math.ceil(whole.length / limit));
      }
    });

    it('come each once also where all have the same time', async () => {
      const who = await customer(80);
      await history(who);
      await test.tamper(
        `update ledger_transfers set created_at = '2026-01-01T00:00:00.123456Z' where account_id = $1`,
        [who.accountId],
      );
      const whole = await list(who);
      for (const limit of [1, 2, 3, 4]) expect((await pages(who, limit)).flat()).to.deep.equal(whole);
      expect(new Set(whole.map((row) => row.id)).size).to.equal(whole.length);
    });

    it('come each once where times differ by less than a millisecond', async () => {
      const who = await customer(80);
      await history(who);
      await test.tamper(
        `update ledger_transfers t set created_at = timestamptz '2026-01-01T00:00:00.123Z' + n * interval '1 microsecond'
         from (select id, row_number() over (order by id) as n from ledger_transfers where account_id = $1) o where o.id = t.id`,
        [who.accountId],
      );
      const whole = await list(who);
      for (const limit of [1, 2, 3, 4]) expect((await pages(who, limit)).flat()).to.deep.equal(whole);
    });

    it('that arrive between two pages neither hide nor repeat others', async () => {
      const who = await customer(10);
      for (const pence of [20, 30, 40]) await grant(who, pence);
      const first = await credits.transactions(who, { limit: 2 });
      await grant(who, 50);
      const second = await credits.transactions(who, { limit: 2, cursor: first.nextCursor ?? '' });
      expect([...first.transactions, ...second.transactions].map((row) => row.amount_cents)).to.deep.equal([
        40, 30, 20, 10,
      ]);
      expect(second.nextCursor).to.equal(null);
    });

    it('are filtered by type, job and time', async () => {
      const who = await customer(500);
      const one = await hold(who, 100);
      await hold(who, 50);
      await settle(one.holdId, 30);
      expect(brief(await list(who, { type: 'hold' }))).to.deep.equal([
        ['hold', 'wallet', -50, 350, 150],
        ['hold', 'wallet', -100, 400, 100],
      ]);
      expect((await list(who, { jobId: one.jobId })).map((row) => row.type)).to.deep.equal([
        'hold_release',
        'charge',
        'hold',
      ]);
      expect(await list(who, { jobId: one.jobId, type: 'promo' })).to.deep.equal([]);
      await test.tamper(
        `update ledger_transfers t set created_at = timestamptz '2026-03-01T00:00:00Z' + n * interval '1 day'
         from (select id, row_number() over (order by id) as n from ledger_transfers where account_id = $1) o where o.id = t.id`,
        [who.accountId],
      );
      const types = async (query: Partial<TransactionQuery>): Promise<string[]> =>
        (await list(who, query)).map((row) => row.type);
      // From the 2nd to the 6th of March: promo, hold, hold, charge, release.
      expect(await types({ from: '2026-03-04T00:00:00Z' })).to.deep.equal(['hold_release', 'charge', 'hold']);
      expect(await types({ to: '2026-03-03T00:00:00Z' })).to.deep.equal(['promo']);
      expect(await types({ from: '2026-03-03T00:00:00Z', to: '2026-03-04T00:00:00Z' })).to.deep.equal([
        'hold',
      ]);
      expect(await types({ from: '2026-03-03T01:00:00+01:00', to: '2026-03-03T00:00:01Z' })).to.deep.equal([
        'hold',
      ]);
    });

    it('of others stay theirs', async () => {
      const [who, other] = [await customer(10), await customer(20)];
      await grant(other, 30);
      expect(brief(await list(who))).to.deep.equal([['promo', 'wallet', 10, 10, 0]]);
    });

    it('refuse a place that no row has', async () => {
      const who = await customer(10);
      const scope = scopeOf('transactions', who, {});
      for (const place of [['2026-01-01', 'x'], ["'; drop table", 'wallet'], [randomUUID()]]) {
        const cursor = encodeCursor(scope, place);
        expect(await codeOf(credits.transactions(who, { limit: 5, cursor })), place[0]).to.equal(
          'VALIDATION_ERROR',
        );
      }
    });
  });
});
