/**
 * Refunds on a real database, against a stand-in of the provider: at most what is unspent goes back, once, whoever asks, and what
 * was made at the provider reaches the books in any order.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { AuditEntryEntity } from '../../entities/audit.ts';
import { PaymentReturnEntity } from '../../entities/payments.ts';
import type { PaymentReturn } from '../../entities/payments.ts';
import { SOME_OPERATOR } from '../../src/services/audit/index.ts';
import { listTopups, readTopup, refundAsOperator, sweepRefunds } from '../../src/services/payments/index.ts';
import type { RefundOrder } from '../../src/services/payments/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, end, give, newHold } from '../support/ledger.ts';
import { SuitePayments } from '../support/payments.ts';
import type { BoughtTopup } from '../support/payments.ts';
import { codeOf } from '../support/refusals.ts';
import { expectStatementOfBalance } from '../support/statements.ts';

describe('refunds', function () {
  this.timeout(240_000);
  const suite = new SuitePayments();

  const refund = (
    topupId: string,
    creditPence: number,
    more: Partial<RefundOrder> = {},
  ): Promise<PaymentReturn> =>
    refundAsOperator(
      suite.deps,
      { ...{ topupId, creditPence, key: randomUUID(), reason: 'A reason' }, ...more },
      SOME_OPERATOR,
    );
  /** Spends, or holds when nothing is charged. */
  const use = async (
    { actor }: BoughtTopup,
    heldPence: number,
    chargePence: number | null,
  ): Promise<void> => {
    const request = newHold(actor.accountId, heldPence);
    await inTransaction(suite.db, (tx) => admit(tx, actor, request));
    if (chargePence !== null)
      await inTransaction(suite.db, (tx) => end(tx, request.jobId, { holdId: request.holdId, chargePence }));
  };

  it('give back price, tax and bonus once, however often the key is repeated, and say so in the audit log', async () => {
    const bought = await suite.buy('topup-50', 1_000);
    const { actor, topupId } = bought;
    expect(await suite.booksOf(actor)).to.deep.equal({
      ...{ bonus_expense: -250, stripe_clearing: -6_000, tax_payable: 1_000 },
    });
    const key = randomUUID();
    const made = await Promise.all([1, 2, 3].map(() => refund(topupId, 500, { key })));
    expect(new Set(made.map(({ id }) => id)).size).to.equal(1);
    expect(made[0]).to.include({ grossPence: 600, takenPence: 600, status: 'succeeded' });
    expect(
      [...suite.stripe.returns.refunds.values()].filter((one) => one['payment_intent'] === bought.paymentId),
    )
      .to.have.length(1)
      .and.to.have.nested.property('[0].amount', 600);
    expect(await suite.walletOf(actor)).to.deep.equal([4_725, 0]);
    expect(await suite.booksOf(actor)).to.deep.equal({
      ...{ bonus_expense: -225, stripe_clearing: -5_400, tax_payable: 900 },
    });
    const shown = { amountCents: 5_000, taxCents: 1_000, refundedCents: 600 };
    expect(await readTopup(suite.db, actor, topupId)).to.include(shown);
    expect((await listTopups(suite.db, actor, { limit: 5 })).topups[0]).to.include(shown);
    const months = await expectStatementOfBalance(suite.db, actor.accountId);
    const lines = months.flatMap((month) => month.lines);
    expect(lines.map(({ type, wallet_cents, paid_cents }) => [type, wallet_cents, paid_cents])).to.deep.equal(
      [
        ['topup', 5_000, 6_000],
        ['topup_bonus', 250, 0],
        ['refund', -525, -600],
      ],
    );
    expect(await codeOf(refund(topupId, 501, { key }))).to.equal('IDEMPOTENCY_KEY_REUSED');
    const entries = await suite.db
      .getRepository(AuditEntryEntity)
      .findBy({ accountId: actor.accountId, action: 'credits.refunded' });
    expect(entries.map(({ subject, after }) => [subject, after])).to.deep.equal([
      [topupId, { amountPence: 500, grossPence: 600, refundId: made[0]?.id, key, reason: 'A reason' }],
    ]);
    expect((await refund(topupId, 4_500)).grossPence).to.equal(5_400);
    expect(await suite.walletOf(actor)).to.deep.equal([0, 0]);
    expect(await suite.booksOf(actor)).to.deep.equal({});
  });

  it('are refused beyond what is unspent; what is held counts as spent, and gifts are spent first', async () => {
    const bought = await suite.buy('topup-10');
    const { actor, topupId } = bought;
    await give(suite.db, actor.accountId, 300);
    await use(bought, 500, 400);
    await use(bought, 200, null);
    // 300 of 600 were a gift, so 300 of the top-up are spent or held.
    expect(await codeOf(refund(topupId, 701))).to.equal('REFUND_EXCEEDS_UNSPENT');
    await refund(topupId, 700);
    expect(await suite.walletOf(actor)).to.deep.equal([200, 0]);
    expect(await codeOf(refund(topupId, 1))).to.equal('REFUND_EXCEEDS_UNSPENT');
    await give(suite.db, actor.accountId, 1_000);
    // What is held is now spent from the gift. What was charged before stays spent from the top-up.
    expect(await codeOf(refund(topupId, 201)), 'no gift is paid out').to.equal('REFUND_EXCEEDS_UNSPENT');
    expect(await codeOf(refund(randomUUID(), 1))).to.equal('NOT_FOUND');
    expect(
      await codeOf(refundAsOperator({ ...suite.deps, payments: null }, order(topupId), SOME_OPERATOR)),
    ).to.equal('PAYMENTS_NOT_CONFIGURED');
  });

  const order = (topupId: string): RefundOrder => ({
    topupId,
    creditPence: 1,
    key: randomUUID(),
    reason: 'r',
  });

  it('take the older top-up as spent first, and never give two the same pence', async () => {
    const first = await suite.buy('topup-10');
    const second = await suite.buy('topup-10', 0, first.actor);
    await use(first, 600, 600);
    const codes = await Promise.all(
      [300, 300].map((pence) =>
        refund(first.topupId, pence).then(
          () => 'made',
          () => 'refused',
        ),
      ),
    );
    expect(codes.sort()).to.deep.equal(['made', 'refused']);
    await refund(second.topupId, 1_000);
    expect(await suite.walletOf(first.actor)).to.deep.equal([100, 0]);
  });

  it('are made once by the sweep when the operator is cut off, also after the provider has forgotten the key', async () => {
    const bought = await suite.buy('topup-10');
    suite.stripe.answersToLose = 3;
    expect(await refund(bought.topupId, 400).catch((error: unknown) => error)).to.be.instanceOf(Error);
    suite.stripe.answersToLose = 0;
    expect(await suite.walletOf(bought.actor), 'nobody spends what goes back').to.deep.equal([600, 0]);
    await suite.db.query(
      `update payment_returns set created_at = created_at - interval '25 hours' where topup_id = $1`,
      [bought.topupId],
    );
    await sweepRefunds(suite.deps);
    suite.stripe.isDown = true;
    expect(await refund(bought.topupId, 100).catch((error: unknown) => error)).to.be.instanceOf(Error);
    suite.stripe.isDown = false;
    await sweepRefunds(suite.deps, 0);
    await sweepRefunds(suite.deps, 0);
    const made = [...suite.stripe.returns.refunds.values()].filter(
      (one) => one['payment_intent'] === bought.paymentId,
    );
    expect(made.map(({ amount }) => amount)).to.deep.equal([400, 100]);
    const rows = await suite.db.getRepository(PaymentReturnEntity).findBy({ topupId: bought.topupId });
    expect(rows.map(({ status }) => status)).to.deep.equal(['succeeded', 'succeeded']);
    expect(await suite.walletOf(bought.actor)).to.deep.equal([500, 0]);
  });

  it('give the credits back when the provider refuses or the bank fails, and pay a debt first', async () => {
    const bought = await suite.buy('topup-10');
    const { actor, topupId, paymentId } = bought;
    suite.stripe.returns.refund(paymentId, 900);
    const refused = await refund(topupId, 1_000);
    expect(refused).to.include({ status: 'REFUSED', takenPence: 0 });
    expect(suite.alarms.at(-1)).to.deep.include({ topupId });
    expect(await suite.walletOf(actor)).to.deep.equal([1_000, 0]);
    const made = await refund(topupId, 100);
    await use(bought, 900, 900);
    const [dashboard] = [...suite.stripe.returns.refunds.values()].filter(
      (one) => one['payment_intent'] === paymentId,
    );
    await suite.tell('refund.created', dashboard?.id ?? '');
    expect(await suite.walletOf(actor), 'the dashboard knows no unspent').to.deep.equal([0, 900]);
    suite.stripe.returns.failRefund(made.providerId ?? '');
    await suite.tell('refund.failed', made.providerId ?? '');
    expect(await suite.walletOf(actor)).to.deep.equal([0, 800]);
    suite.stripe.returns.failRefund(dashboard?.id ?? '');
    await suite.tell('refund.failed', dashboard?.id ?? '');
    expect(await suite.walletOf(actor)).to.deep.equal([100, 0]);
    expect(await suite.booksOf(actor)).to.deep.equal({ stripe_clearing: -1_000 });
  });

  it('come to the same whatever the order in which events come, late, repeated, and before their payment', async () => {
    const event = fc.constantFrom(...[0, 1, 2, 3, 4, 5]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
        async (some, all) => {
          const { actor, topupId, paymentId } = await suite.order('topup-50', 999);
          const { returns } = suite.stripe;
          const [kept, failed] = [returns.refund(paymentId, 3_333), returns.refund(paymentId, 1_111)];
          returns.refund(paymentId, 7);
          const third = [...returns.refunds.keys()].at(-1) ?? '';
          const told = [
            () => suite.tell('checkout.session.completed', suite.stripe.sessionOf(topupId).id),
            () => suite.tell('refund.created', kept.id),
            () => suite.tell('refund.created', failed.id),
            () => suite.tell('refund.updated', third),
            async () => {
              returns.failRefund(failed.id);
              return suite.tell('refund.failed', failed.id);
            },
            () => suite.tell('refund.updated', kept.id),
          ];
          for (const nth of [...some, ...all]) await told[nth]?.();
          const credit = Math.floor((3_340 * 5_000) / 5_999);
          const bonus = Math.ceil((250 * credit) / 5_000);
          expect(await suite.walletOf(actor)).to.deep.equal([5_250 - credit - bonus, 0]);
          expect(await suite.booksOf(actor)).to.deep.equal({
            ...{
              bonus_expense: bonus - 250,
              stripe_clearing: 3_340 - 5_999,
              tax_payable: 999 - 3_340 + credit,
            },
          });
        },
      ),
      { numRuns: 12 },
    );
    expect(suite.alarms).to.deep.equal([]);
  });

  it('of payments that are not ours, or not posted, wait for a person', async () => {
    const { returns } = suite.stripe;
    const foreign = returns.refund('pi_foreign', 5);
    const wrong = await suite.order();
    suite.stripe.change(wrong.topupId, { amount_subtotal: 1 });
    const unposted = returns.refund(wrong.paymentId, 5);
    const other = await suite.buy('topup-10');
    const dollars = returns.refund(other.paymentId, 5);
    returns.refunds.set(dollars.id, { ...dollars, currency: 'usd' });
    const events: string[] = [];
    for (const { id } of [foreign, unposted, dollars, { id: 're_unknown' }])
      events.push(await suite.tell('refund.created', id));
    const rows = await suite.db.query<{ readonly id: string; readonly parked: string }[]>(
      'select id, parked from payment_events where id = any($1) and handled_at is not null',
      [events],
    );
    const parked = new Map(rows.map((row) => [row.id, row.parked]));
    expect(events.map((id) => parked.get(id))).to.deep.equal([
      ...['unknown top-up', 'top-up is not paid', 'currency', 'unknown object'],
    ]);
    expect(await suite.walletOf(other.actor)).to.deep.equal([1_000, 0]);
  });

  it('are made by the command line, above £100 only when it is meant', async () => {
    const { actor, topupId } = await suite.buy('topup-200');
    const command = (pence: number, ...more: string[]) =>
      suite.dockyard(
        ...['admin', 'credits', 'refund', topupId, '--pence', String(pence), '--key', topupId],
        ...['--reason', 'Bought twice', ...more],
      );
    const asked = await command(10_001);
    expect(asked.code).to.equal(2);
    expect(asked.err).to.contain('--yes');
    const made = await command(10_001, '--yes', '--json');
    expect(made.code, made.err).to.equal(0);
    expect(JSON.parse(made.out)).to.include({
      topupId,
      amountPence: 10_001,
      grossPence: 10_001,
      status: 'succeeded',
    });
    expect((await command(10_001, '--yes')).out).to.equal(
      `Refunded £100.01 of top-up ${topupId}: succeeded.\n`,
    );
    expect(await suite.walletOf(actor)).to.deep.equal([22_000 - 10_001 - 1_001, 0]);
    const beyond = await suite.dockyard(
      ...['admin', 'credits', 'refund', topupId, '--pence', '10000', '--key', 'another', '--reason', 'More'],
    );
    expect([beyond.code, beyond.err]).to.deep.equal([
      2,
      'dockyard: At most 9999 pence can be refunded of this top-up. What was spent or is held does not go back.\n',
    ]);
  });
});
