/**
 * Reconciliation on a real database, against a stand-in of the provider: what agrees is silent, and each thing that does not is a row, a
 * number and a line until it does.
 */
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';

import { MockActivityEnvironment } from '@temporalio/testing';

import { createReconciliationActivities } from '../../activities/reconciliation.ts';
import { ReconciliationDifferenceEntity } from '../../entities/reconciliation.ts';
import { registerReconciliationMetrics } from '../../src/bin/process/reconciliation-metrics.ts';
import {
  compareBalance,
  compareCheckouts,
  compareHolds,
  listDifferences,
} from '../../src/services/reconciliation/index.ts';
import type { Difference } from '../../src/services/reconciliation/index.ts';
import { requirePayments } from '../../src/services/payments/topup-rows.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, end, newHold, openCustomer } from '../support/ledger.ts';
import { SuitePayments } from '../support/payments.ts';

describe('reconciliation', function () {
  this.timeout(240_000);
  const suite = new SuitePayments();

  const balance = async (quietSeconds = -1): Promise<Map<string, string>> => {
    const found = await compareBalance(suite.db, requirePayments(suite.deps.payments), quietSeconds);
    return new Map(found.map(({ subject, detail }) => [subject, detail]));
  };
  const age = (topupId: string): Promise<unknown> =>
    suite.db.query(`update topups set expires_at = now() - interval '2 hours' where id = $1`, [topupId]);

  it('of the balance is silent when payments, tax, refunds and disputes are all in the books, page by page', async () => {
    suite.stripe.returns.pageSize = 2;
    const paid = await suite.buy('topup-50', 1_000);
    const refund = suite.stripe.returns.refund(paid.paymentId, 1_200);
    await suite.tell('refund.created', refund.id);
    const other = await suite.buy('topup-200');
    const dispute = suite.stripe.returns.dispute(other.paymentId, 20_000);
    await suite.tell('charge.dispute.funds_withdrawn', dispute.id);
    suite.stripe.returns.moveDispute(dispute.id, 20_000, 'won');
    await suite.tell('charge.dispute.closed', dispute.id);
    expect([...(await balance())]).to.deep.equal([]);
    const [kept] = await suite.db.query<{ readonly n: number }[]>(
      'select count(*)::int as n from provider_transactions where payment_id = any($1)',
      [[paid.paymentId, other.paymentId]],
    );
    expect(kept?.n).to.equal(5);
    suite.stripe.returns.pageSize = 100;
  });

  it('of the balance finds what only one side has, until both have it', async () => {
    const { returns } = suite.stripe;
    const late = await suite.buy('topup-10');
    const refund = returns.refund(late.paymentId, 400);
    const unheard = await suite.order('topup-10');
    const unpaid = await suite.buy('topup-10');
    const gone = returns.moves.findIndex((move) => JSON.stringify(move).includes(unpaid.paymentId));
    const [missing] = returns.moves.splice(gone, 1);
    returns.move('charge', 77, { id: 'ch_foreign', object: 'charge', payment_intent: 'pi_foreign' });
    returns.move('payout', -500, { id: 'po_1', object: 'payout' });
    expect([...(await balance(3_600))], 'what has just moved may be under way').to.deep.equal([]);
    const found = await balance();
    expect(Object.fromEntries(found)).to.deep.equal({
      [late.paymentId]: `top-up ${late.topupId}: 1000 pence in the books, 600 at the provider`,
      [unheard.paymentId]: 'no top-up: 0 pence in the books, 1000 at the provider',
      [unpaid.paymentId]: `top-up ${unpaid.topupId}: 1000 pence in the books, 0 at the provider`,
      pi_foreign: 'no top-up: 0 pence in the books, 77 at the provider',
    });
    await suite.tell('refund.created', refund.id);
    await suite.tell('checkout.session.completed', suite.stripe.sessionOf(unheard.topupId).id);
    if (missing !== undefined) returns.moves.push(missing);
    expect([...(await balance()).keys()]).to.deep.equal(['pi_foreign']);
  });

  it('of checkouts follows those that are overdue, and finds what stays open or waits for a person', async () => {
    const unheard = await suite.order('topup-10');
    const open = await suite.order('topup-10');
    suite.stripe.change(open.topupId, { status: 'open', payment_status: 'unpaid', payment_intent: null });
    const parked = await suite.order('topup-10');
    suite.stripe.change(parked.topupId, { amount_subtotal: 999 });
    const young = await suite.order('topup-10');
    for (const { topupId } of [unheard, open, parked]) await age(topupId);
    const found = await compareCheckouts(suite.deps);
    const details = new Map(found.map(({ subject, detail }) => [subject, detail]));
    expect(details.get(open.topupId)).to.equal('still OPEN');
    expect(details.get(parked.topupId)).to.equal('parked: amount');
    expect([details.has(unheard.topupId), details.has(young.topupId)]).to.deep.equal([false, false]);
    expect(await suite.walletOf(unheard.actor)).to.deep.equal([1_000, 0]);
    suite.stripe.isDown = true;
    const silent = (await compareCheckouts(suite.deps)).find(({ subject }) => subject === open.topupId);
    suite.stripe.isDown = false;
    expect(silent?.detail).to.match(/^still OPEN; not answered: /);
  });

  it('of holds finds those whose job no workflow works on', async () => {
    const customer = await openCustomer(suite.db, 500);
    const [lost, worked] = [newHold(customer.accountId, 100), newHold(customer.accountId, 150)];
    for (const request of [lost, worked]) await inTransaction(suite.db, (tx) => admit(tx, customer, request));
    const isOpen = async (jobId: string): Promise<boolean> => jobId !== lost.jobId;
    expect(await compareHolds(suite.db, isOpen)).to.deep.equal([]);
    expect(await compareHolds(suite.db, isOpen, -1)).to.deep.equal([
      { subject: lost.holdId, detail: `100 pence held for job ${lost.jobId}, and no workflow runs` },
    ]);
    await inTransaction(suite.db, (tx) => end(tx, lost.jobId, { holdId: lost.holdId, chargePence: 0 }));
    expect(await compareHolds(suite.db, isOpen, -1)).to.deep.equal([]);
  });

  it('keeps a row for each difference until it is gone, counts them, logs them, and makes the command fail', async () => {
    const customer = await openCustomer(suite.db, 500);
    const request = newHold(customer.accountId, 100);
    await inTransaction(suite.db, (tx) => admit(tx, customer, request));
    // The lock on the books does not matter to a hold, so the test makes the hold old.
    await suite.db.query(`update holds set created_at = now() - interval '1 hour' where id = $1`, [
      request.holdId,
    ]);
    const said: (Partial<Difference> & { readonly message: string })[] = [];
    const error = (message: string, facts: Partial<Difference>): void =>
      void said.push({ message, ...facts });
    const nothing = (): void => undefined;
    const logger = { error, log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing };
    const round = (isOpen: boolean): Promise<void> => {
      const activities = createReconciliationActivities({
        ...suite.deps,
        workflows: { isOpen: async () => isOpen },
      });
      return new MockActivityEnvironment({}, { logger }).run(() => activities.reconcileBooks());
    };
    const held = async (): Promise<number> =>
      (await listDifferences(suite.db)).filter(({ subject }) => subject === request.holdId).length;
    await round(false);
    await round(false);
    expect(await held()).to.equal(1);
    expect(said.filter(({ subject }) => subject === request.holdId)).to.have.length(2);
    expect(said[0]).to.include({ message: 'reconciliation found a difference' });
    const registry = new Registry();
    registerReconciliationMetrics(registry, suite.db);
    expect(await registry.metrics()).to.match(/^dockyard_reconciliation_differences{check="holds"} 1$/m);
    const failed = await suite.dockyard('admin', 'reconcile', '--last');
    expect([failed.code, failed.err]).to.deep.equal([1, '']);
    expect(failed.out).to.contain(request.holdId).and.to.contain('do NOT agree');
    suite.stripe.isDown = true;
    expect(await round(true).catch((thrown: unknown) => thrown), 'the provider is away').to.be.instanceOf(
      Error,
    );
    suite.stripe.isDown = false;
    expect(await held(), 'holds were compared all the same').to.equal(0);
    const rows = await suite.db
      .getRepository(ReconciliationDifferenceEntity)
      .findBy({ subject: request.holdId });
    expect(rows.map(({ endedAt }) => endedAt instanceof Date)).to.deep.equal([true]);
    await suite.db.query('update reconciliation_differences set ended_at = now() where ended_at is null');
    const agreed = await suite.dockyard('admin', 'reconcile', '--last', '--json');
    expect([agreed.code, JSON.parse(agreed.out)]).to.deep.equal([
      0,
      { ok: true, checks: ['checkouts', 'balance', 'subscriptions', 'holds'], differences: [] },
    ]);
    await suite.db.query(
      `insert into reconciliation_differences (id, check_name, subject, detail) values ($1, 'balance', 'pi', 'd')`,
      [uuidv7()],
    );
    expect((await suite.dockyard('admin', 'reconcile', '--last', '--json')).code).to.equal(1);
  });
});
