/**
 * Disputes on a real database, against a stand-in of the provider: what a bank has taken is taken from the wallet or owed, what it gives
 * back comes back, and neither the order of events nor their number matters.
 */
import { expect } from 'chai';
import fc from 'fast-check';

import { PaymentReturnEntity } from '../../entities/payments.ts';
import { followTopup, sweepPaymentEvents, receiveEvent } from '../../src/services/payments/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, end, newHold } from '../support/ledger.ts';
import { SuitePayments } from '../support/payments.ts';
import type { BoughtTopup } from '../support/payments.ts';

const [WITHDRAWN, REINSTATED, CLOSED] = ['funds_withdrawn', 'funds_reinstated', 'closed'].map(
  (what) => `charge.dispute.${what}`,
) as [string, string, string];

describe('disputes', function () {
  this.timeout(240_000);
  const suite = new SuitePayments();
  const spend = async ({ actor }: BoughtTopup, pence: number): Promise<void> => {
    const request = newHold(actor.accountId, pence);
    await inTransaction(suite.db, (tx) => admit(tx, actor, request));
    await inTransaction(suite.db, (tx) =>
      end(tx, request.jobId, { holdId: request.holdId, chargePence: pence }),
    );
  };

  it('take what is left and owe the rest; a dispute that is won pays the debt and the wallet', async () => {
    const bought = await suite.buy('topup-50', 1_000);
    const { actor, paymentId } = bought;
    await spend(bought, 4_000);
    const { id } = suite.stripe.returns.dispute(paymentId, 6_000);
    await suite.tell(WITHDRAWN, id);
    // Price and bonus are 5,250 pence, of which 4,000 are spent.
    expect(await suite.walletOf(actor)).to.deep.equal([0, 4_000]);
    expect(await suite.booksOf(actor)).to.deep.equal({});
    suite.stripe.returns.moveDispute(id, 6_000, 'won');
    await suite.tell(CLOSED, id);
    expect(await suite.walletOf(actor)).to.deep.equal([1_250, 0]);
    expect(await suite.booksOf(actor)).to.deep.equal({
      ...{ bonus_expense: -250, stripe_clearing: -6_000, tax_payable: 1_000 },
    });
    const rows = await suite.db.getRepository(PaymentReturnEntity).findBy({ topupId: bought.topupId });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ kind: 'dispute', status: 'won', takenPence: 0, turns: 2 });
  });

  it('that are lost stay taken, and the next top-up pays the debt first', async () => {
    const bought = await suite.buy('topup-10');
    await spend(bought, 700);
    const { id } = suite.stripe.returns.dispute(bought.paymentId, 1_000);
    await suite.tell(WITHDRAWN, id);
    suite.stripe.returns.closeDispute(id, 'lost');
    await suite.tell(CLOSED, id);
    expect(await suite.walletOf(bought.actor)).to.deep.equal([0, 700]);
    await suite.buy('topup-10', 0, bought.actor);
    expect(await suite.walletOf(bought.actor)).to.deep.equal([300, 0]);
  });

  it('leave what is held to the job that holds it', async () => {
    const bought = await suite.buy('topup-10');
    const { actor } = bought;
    const request = newHold(actor.accountId, 600);
    await inTransaction(suite.db, (tx) => admit(tx, actor, request));
    const { id } = suite.stripe.returns.dispute(bought.paymentId, 1_000);
    await suite.tell(WITHDRAWN, id);
    expect(await suite.walletOf(actor)).to.deep.equal([600, 600]);
    await inTransaction(suite.db, (tx) =>
      end(tx, request.jobId, { holdId: request.holdId, chargePence: 100 }),
    );
    expect(await suite.walletOf(actor), 'what is given back pays the debt').to.deep.equal([0, 100]);
  });

  it('move nothing while a bank only asks', async () => {
    const bought = await suite.buy('topup-10');
    const { id } = suite.stripe.returns.dispute(bought.paymentId, 1_000, 'warning_needs_response');
    for (const type of [WITHDRAWN, CLOSED]) await suite.tell(type, id);
    suite.stripe.returns.closeDispute(id, 'warning_closed');
    await suite.tell(CLOSED, id);
    expect(await suite.walletOf(bought.actor)).to.deep.equal([1_000, 0]);
    expect(suite.alarms).to.deep.equal([]);
  });

  it('after a refund of the whole payment are told to the operator, once, who may win the second payment back', async () => {
    const bought = await suite.buy('topup-10');
    const { returns } = suite.stripe;
    await suite.tell('refund.created', returns.refund(bought.paymentId, 1_000).id);
    expect(suite.alarms).to.deep.equal([]);
    const { id } = returns.dispute(bought.paymentId, 1_000);
    for (let time = 0; time < 2; time += 1) await suite.tell(WITHDRAWN, id);
    expect(suite.alarms).to.have.length(1);
    expect(suite.alarms[0]).to.include({ reason: 'more has gone back than was paid' });
    expect(await suite.walletOf(bought.actor), 'owed what was paid back twice').to.deep.equal([0, 1_000]);
    returns.moveDispute(id, 1_000, 'won');
    await suite.tell(CLOSED, id);
    expect(await suite.walletOf(bought.actor)).to.deep.equal([0, 0]);
    expect(suite.alarms).to.have.length(1);
  });

  it('and refunds of the same payment come to the same whatever the order, number and delay of events', async () => {
    const steps = ['refund', 'withdrawn', 'reinstated', 'again', 'refund fails'] as const;
    await fc.assert(
      fc.asyncProperty(
        // After each thing that happens, some events come; at the end, each event comes one to five times in some order.
        fc.array(fc.nat(5), { minLength: steps.length, maxLength: steps.length }),
        fc.array(fc.nat(5), { maxLength: 20 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
        fc.boolean(),
        async (between, some, all, isDelayed) => {
          const bought = await suite.order('topup-50', 777);
          const { actor, topupId, paymentId } = bought;
          if (!isDelayed) await followTopup(suite.deps, topupId);
          const { returns } = suite.stripe;
          const refund = returns.refund(paymentId, 1_234);
          const dispute = returns.dispute(paymentId, 3_333);
          const happen: (() => unknown)[] = [
            () => returns.moveDispute(dispute.id, 3_333),
            () => returns.moveDispute(dispute.id, -3_333),
            () => returns.failRefund(refund.id),
            () => returns.closeDispute(dispute.id, 'lost'),
          ];
          const events: (() => Promise<string>)[] = [
            () => suite.tell('checkout.session.completed', suite.stripe.sessionOf(topupId).id),
            () => suite.tell('refund.created', refund.id),
            () => suite.tell('refund.failed', refund.id),
            () => suite.tell(WITHDRAWN, dispute.id),
            () => suite.tell(REINSTATED, dispute.id),
            () => suite.tell(CLOSED, dispute.id),
          ];
          for (const [index, nth] of between.entries()) {
            if (!isDelayed) await events[nth]?.();
            happen[index]?.();
          }
          for (const nth of [...some, ...all]) await events[nth]?.();
          const credit = Math.floor((3_333 * 5_000) / 5_777);
          const bonus = Math.ceil((250 * credit) / 5_000);
          expect(await suite.walletOf(actor)).to.deep.equal([5_250 - credit - bonus, 0]);
          expect(await suite.booksOf(actor)).to.deep.equal({
            ...{ bonus_expense: bonus - 250, stripe_clearing: 3_333 - 5_777 },
            tax_payable: 777 - 3_333 + credit,
          });
        },
      ),
      { numRuns: 15 },
    );
    expect(suite.alarms).to.deep.equal([]);
  });

  it('are handled once when many processes handle the same events at once, and by the sweep when none does', async () => {
    const bought = await suite.order('topup-10');
    const { id } = suite.stripe.returns.dispute(bought.paymentId, 400);
    await Promise.all([WITHDRAWN, CLOSED, WITHDRAWN, CLOSED, CLOSED].map((type) => suite.tell(type, id)));
    expect(await suite.walletOf(bought.actor)).to.deep.equal([600, 0]);
    suite.stripe.returns.moveDispute(id, 400, 'won');
    const { body, signature } = suite.stripe.event(REINSTATED, id);
    await receiveEvent(suite.deps, Buffer.from(body), signature);
    await sweepPaymentEvents(suite.deps, 0);
    expect(await suite.walletOf(bought.actor)).to.deep.equal([1_000, 0]);
  });

  it('are not set back by an answer of the provider that was overtaken on its way', async () => {
    const bought = await suite.buy('topup-10');
    const { id } = suite.stripe.returns.dispute(bought.paymentId, 400);
    const late = suite.stripe.holdNextAnswer();
    const told = suite.tell(WITHDRAWN, id);
    await late.held;
    suite.stripe.returns.moveDispute(id, 400, 'won');
    await suite.tell(CLOSED, id);
    late.release();
    await told;
    expect(await suite.walletOf(bought.actor)).to.deep.equal([1_000, 0]);
    const row = await suite.db.getRepository(PaymentReturnEntity).findOneByOrFail({ providerId: id });
    expect(row).to.include({ status: 'won', takenPence: 0 });
  });
});
