/**
 * A control worker may be killed between the answer of the provider and our row: the next one finds the same checkout, and the credits of
 * a payment and of a refund move once. The workers are processes of their own.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect } from 'chai';

import { PaymentReturnEntity, TopupEntity } from '../../entities/payments.ts';
import { SOME_OPERATOR } from '../../src/services/audit/index.ts';
import { refundAsOperator, startTopup } from '../../src/services/payments/index.ts';
import { SuitePayments } from '../support/payments.ts';
import { codeOf } from '../support/refusals.ts';

const PROCESS = join(import.meta.dirname, '..', 'support', 'payment-process.ts');

describe('kill -9 of a control worker between an answer of Stripe and our row', function () {
  this.timeout(120_000);
  const suite = new SuitePayments();
  const workers = new Set<ChildProcess>();
  after(() => workers.forEach((worker) => worker.kill('SIGKILL')));

  const work = (...args: string[]): ChildProcess => {
    const worker = spawn(process.execPath, [PROCESS, suite.url, suite.stripe.url, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker));
    return worker;
  };
  const killed = async (...args: string[]): Promise<void> => {
    const answer = suite.stripe.holdNextAnswer();
    const worker = work(...args);
    await answer.held;
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
    answer.release();
  };
  const done = async (...args: string[]): Promise<void> => {
    const [code] = (await once(work(...args), 'exit')) as [number | null];
    expect(code).to.equal(0);
  };

  it('opens one checkout and posts the credits once', async () => {
    // The account has its customer at the provider, so the next answer is the checkout.
    const { actor } = await suite.order('topup-10');
    suite.stripe.isDown = true;
    const command = { body: { tierId: 'topup-50' }, fingerprint: 'f', idempotencyKey: null };
    expect(await codeOf(startTopup(suite.deps, actor, command))).to.equal('SERVICE_UNAVAILABLE');
    suite.stripe.isDown = false;
    const topups = suite.db.getRepository(TopupEntity);
    const { id } = await topups.findOneByOrFail({ accountId: actor.accountId, state: 'CREATED' });
    await killed(id);
    expect(await topups.findOneByOrFail({ id })).to.include({ state: 'CREATED', checkoutId: null });
    const checkoutId = suite.stripe.sessionOf(id).id;
    await done(id);
    suite.stripe.complete(id);
    await killed(id);
    expect(await suite.walletOf(actor), 'nothing is posted halfway').to.deep.equal([0, 0]);
    await Promise.all([done(id), done(id)]);
    expect(await topups.findOneByOrFail({ id })).to.include({ state: 'PAID', checkoutId });
    expect(suite.stripe.made.filter((key) => key === `topup/${id}`)).to.have.length(1);
    expect(await suite.walletOf(actor)).to.deep.equal([5_250, 0]);
  });

  it('makes a refund once, and takes its credits once', async () => {
    const { actor, topupId, paymentId } = await suite.buy('topup-10');
    suite.stripe.isDown = true;
    const order = { topupId, creditPence: 400, key: topupId, reason: 'r' };
    await refundAsOperator(suite.deps, order, SOME_OPERATOR).catch(() => undefined);
    suite.stripe.isDown = false;
    await killed();
    const returns = suite.db.getRepository(PaymentReturnEntity);
    expect(await returns.findOneByOrFail({ topupId })).to.include({ status: 'CREATED', providerId: null });
    await Promise.all([done(), done()]);
    expect(await returns.findOneByOrFail({ topupId })).to.include({
      status: 'succeeded',
      takenPence: 400,
      turns: 1,
    });
    const made = [...suite.stripe.returns.refunds.values()].filter(
      (one) => one['payment_intent'] === paymentId,
    );
    expect(made).to.have.length(1);
    expect(await suite.walletOf(actor)).to.deep.equal([600, 0]);
  });
});
