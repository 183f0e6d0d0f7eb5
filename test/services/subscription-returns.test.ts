/**
 * Subscriptions of one account that were paid twice, and payments of subscriptions that went back, on a real database against a
 * stand-in of the provider: never two allowances for one time, and never one whose payment went back, whatever event comes first.
 */
import { expect } from 'chai';

import { LedgerTransferEntity } from '../../entities/ledger.ts';
import { PaymentCustomerEntity, PaymentEventEntity } from '../../entities/payments.ts';
import { compareSubscriptions } from '../../src/services/reconciliation/index.ts';
import { grantDueAllowances } from '../../src/services/plans/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, balancesOf, end, newHold, openCustomer } from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { SuitePayments } from '../support/payments.ts';

const [DAY_MS, MINUTE_MS] = [86_400_000, 60_000];

describe('payments of subscriptions', function () {
  this.timeout(120_000);
  const suite = new SuitePayments();
  /** Whole seconds, as Stripe has them. */
  const now = Math.floor(Date.now() / 1000) * 1000;
  const at = (days: number, minutes = 0): Date => new Date(now + days * DAY_MS + minutes * MINUTE_MS);
  const month = (days: number, minutes = 0) => ({
    startsAt: at(days, minutes),
    endsAt: at(days + 30, minutes),
  });

  const newCustomer = async () => {
    const customer = await openCustomer(suite.db);
    const customerId = `cus_${customer.accountId}`;
    const { accountId } = customer;
    await suite.db.getRepository(PaymentCustomerEntity).insert({ accountId, customerId });
    return { ...customer, customerId };
  };
  const monthlyOf = async ({ accountId }: Customer) => (await balancesOf(suite.db, accountId)).monthly;
  const grants = ({ accountId }: Customer) =>
    suite.db.getRepository(LedgerTransferEntity).countBy({ accountId, kind: 'monthly_grant' });
  const parkedOf = async (id: string) =>
    (await suite.db.getRepository(PaymentEventEntity).findOneByOrFail({ id })).parked;
  const planOf = async ({ accountId }: Customer) =>
    (await suite.db.query<{ plan: string }[]>('select plan from accounts where id = $1', [accountId]))[0]
      ?.plan;

  it('for the same time grant one allowance, whichever comes first and however often, and the other is told of', async () => {
    for (let order = 0; order < 4; order += 1) {
      const customer = await newCustomer();
      const { billing } = suite.stripe;
      // Two pages to subscribe at were open, and both were paid, five minutes apart.
      const [one, two] = [1, 2].map(() => billing.set(customer.customerId, 'active'));
      const [first, second] = [one, two].map((id, minutes) =>
        billing.invoice(id ?? null, month(-1, minutes * 5)),
      );
      const told = order % 2 === 0 ? [first, second] : [second, first];
      const events: string[] = [];
      for (const invoice of told)
        for (let repeat = 0; repeat <= order; repeat += 1)
          events.push(await suite.tell('invoice.paid', invoice ?? ''));
      expect([await planOf(customer), await monthlyOf(customer), await grants(customer)]).to.deep.equal([
        ...['pro', 2_000, 1],
      ]);
      expect(await parkedOf(events.at(-1) ?? '')).to.equal(
        'a second subscription was paid beside the one that has the allowance',
      );
      expect(suite.alarms).to.have.length.above(0);
      const found = await compareSubscriptions(suite.deps);
      expect(found.map(({ detail }) => detail)).to.include(
        `a second subscription of account ${customer.accountId}`,
      );
      // The end of the month that was granted, while that of the other goes on for minutes.
      await grantDueAllowances(suite.db, at(29, 2));
      await grantDueAllowances(suite.db, at(29, 4));
      expect(await grants(customer)).to.equal(1);
      // The operator ends one of them; the other goes on, and its next month has its allowance.
      const [ended, kept] = order < 2 ? [one, two] : [two, one];
      billing.set(customer.customerId, 'canceled', ended);
      await suite.tell('customer.subscription.deleted', ended ?? '');
      await suite.tell('invoice.paid', billing.invoice(kept ?? null, month(29, 5)));
      await grantDueAllowances(suite.db, at(29, 6));
      expect([await planOf(customer), await grants(customer)]).to.deep.equal(['pro', 2]);
    }
  });

  it('that came after the end of another have their own allowance, also where that end was never told', async () => {
    const customer = await newCustomer();
    const { billing } = suite.stripe;
    const former = billing.set(customer.customerId, 'active');
    await suite.tell('invoice.paid', billing.invoice(former, month(-20)));
    billing.set(customer.customerId, 'canceled', former);
    // After that end, however long the suite has taken until here.
    const startsAt = new Date(Math.ceil(Date.now() / 1000) * 1000);
    const next = billing.set(customer.customerId, 'active');
    const event = await suite.tell('invoice.paid', billing.invoice(next, { startsAt, endsAt: at(31) }));
    expect([await parkedOf(event), await grants(customer)]).to.deep.equal([null, 1]);
    await grantDueAllowances(suite.db, at(10, 1));
    expect([await monthlyOf(customer), await grants(customer)]).to.deep.equal([2_000, 2]);
  });

  it('that go back take the allowance with them, whether the refund or the payment is told first', async () => {
    for (const isRefundFirst of [true, false]) {
      const customer = await newCustomer();
      const { billing, returns } = suite.stripe;
      const id = billing.set(customer.customerId, 'active');
      const paymentId = `pi_${customer.accountId}`;
      const invoice = billing.invoice(id, { ...month(-1), paymentId });
      const { id: refundId } = returns.refund(paymentId, 2_400);
      const told = [() => suite.tell('invoice.paid', invoice), () => suite.tell('refund.created', refundId)];
      for (const tell of isRefundFirst ? told.reverse() : told)
        for (let repeat = 0; repeat < 2; repeat += 1) expect(await parkedOf(await tell())).to.equal(null);
      await grantDueAllowances(suite.db);
      expect([await monthlyOf(customer), await grants(customer)]).to.deep.equal([0, 1]);
      expect(await planOf(customer), 'the plan follows the subscription').to.equal('pro');
      const [expiry] = await suite.db
        .getRepository(LedgerTransferEntity)
        .findBy({ accountId: customer.accountId, kind: 'monthly_expiry' });
      expect(expiry).to.include({ description: 'Monthly credits whose payment went back' });
      // The next month is paid again, and granted.
      await suite.tell('invoice.paid', billing.invoice(id, month(29)));
      await grantDueAllowances(suite.db, at(29, 1));
      expect(await grants(customer)).to.equal(2);
    }
    expect(suite.alarms).to.deep.equal([]);
  });

  it('wait for a person where a part went back, where the allowance was spent, and where the money came back', async () => {
    const customer = await newCustomer();
    const { billing, returns } = suite.stripe;
    const id = billing.set(customer.customerId, 'active');
    const paymentId = `pi_${customer.accountId}`;
    await suite.tell('invoice.paid', billing.invoice(id, { ...month(-1), paymentId }));
    const part = await suite.tell('refund.created', returns.refund(paymentId, 100).id);
    expect(await parkedOf(part)).to.equal('a part of the payment of a subscription went back');
    expect(await monthlyOf(customer)).to.equal(2_000);
    const request = newHold(customer.accountId, 500);
    await inTransaction(suite.db, (tx) => admit(tx, customer, request));
    const dispute = returns.dispute(paymentId, 2_400);
    const taken = await suite.tell('charge.dispute.funds_withdrawn', dispute.id);
    expect(await parkedOf(taken)).to.contain('what was spent or is held');
    expect(await monthlyOf(customer)).to.equal(0);
    // The job runs on; what it gives back belongs to a month that has ended.
    await inTransaction(suite.db, (tx) =>
      end(tx, request.jobId, { holdId: request.holdId, chargePence: 300 }),
    );
    expect(await balancesOf(suite.db, customer.accountId)).to.include({
      monthly: 0,
      monthly_held: 0,
      wallet: 0,
    });
    returns.moveDispute(dispute.id, 2_400, 'won');
    const back = await suite.tell('charge.dispute.funds_reinstated', dispute.id);
    expect(await parkedOf(back)).to.equal('the payment of a subscription came back');
    expect(suite.alarms).to.have.length(3);
    // A payment that nobody here knows of is parked as before.
    const unknown = await suite.tell('refund.created', returns.refund('pi_of_another_shop', 100).id);
    expect(await parkedOf(unknown)).to.equal('unknown top-up');
  });
});
