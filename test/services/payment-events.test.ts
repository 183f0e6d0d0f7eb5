/** Events that come faster than they are handled: each is stored and answered at once, and handled in turn or by the sweep. */
import { expect } from 'chai';
import { pino } from 'pino';

import { openPaymentServices } from '../../src/bin/process/payment-services.ts';
import { plainAccess } from '../../src/adapters/temporal/access.ts';
import { sweepPaymentEvents } from '../../src/services/payments/index.ts';
import { SuitePayments } from '../support/payments.ts';
import { WEBHOOK_SECRET } from '../support/stripe.ts';
import { until } from '../support/until.ts';

const EVENTS = 30;

describe('many events at once', function () {
  this.timeout(240_000);
  const suite = new SuitePayments();

  const open = () => {
    const config = {
      ...{
        ...plainAccess('127.0.0.1:1'),
        publicUrl: 'https://dockyard.example',
      },
      ...{
        stripeSecretKey: 'sk_test_1',
        stripeWebhookSecrets: WEBHOOK_SECRET,
        stripeApiUrl: suite.stripe.url,
      },
      ...{ stripeTax: false, stripeInvoices: false },
    } as unknown as Parameters<typeof openPaymentServices>[1];
    return openPaymentServices(suite.db, config, pino({ level: 'silent' }));
  };
  const unhandled = async (ids: readonly string[]): Promise<number> => {
    const [row] = await suite.db.query<{ readonly n: number }[]>(
      'select count(*)::int as n from payment_events where id = any($1) and handled_at is null',
      [ids],
    );
    return row?.n ?? -1;
  };
  const send = async (services: Awaited<ReturnType<typeof open>>['services']) => {
    const { topupId } = await suite.order('topup-10');
    const { id: sessionId } = suite.stripe.sessionOf(topupId);
    const events = Array.from({ length: EVENTS }, () =>
      suite.stripe.event('checkout.session.completed', sessionId),
    );
    const handlers = await Promise.all(
      events.map(({ body, signature }) => services.payments.receive(Buffer.from(body), signature)),
    );
    for (const handle of handlers) handle();
    return events.map(({ id }) => id);
  };

  it('are all handled after their answers', async () => {
    const { services, close } = await open();
    const ids = await send(services);
    await until('every event is handled', async () => (await unhandled(ids)) === 0);
    await close();
  });

  it('are left to the sweep when the process ends before their turn', async () => {
    const { services, close } = await open();
    const ids = await send(services);
    await close();
    expect(await unhandled(ids)).to.be.within(1, EVENTS);
    await sweepPaymentEvents(suite.deps, 0);
    expect(await unhandled(ids)).to.equal(0);
  });
});
