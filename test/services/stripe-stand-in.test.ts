/** The stand-in of Stripe understands what Stripe understands, and nothing else. */
import { expect } from 'chai';

import { StripeStandIn } from '../support/stripe.ts';

describe('the stand-in of Stripe', function () {
  this.timeout(240_000);

  const send = async (stripe: StripeStandIn, body: string): Promise<number> => {
    const answer = await fetch(`${stripe.url}/v1/customers`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk_test_1',
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': body,
      },
      body,
    });
    return answer.status;
  };
  const endOf = (stripe: StripeStandIn): Promise<unknown> =>
    stripe.stop().then(
      () => 'ended',
      (error: unknown) => String(error),
    );

  it('fails the suite of a request with a parameter that Stripe does not know', async () => {
    const good = await new StripeStandIn().start();
    expect(await send(good, 'metadata[account_id]=a')).to.equal(200);
    expect(await endOf(good)).to.equal('ended');
    const bad = await new StripeStandIn().start();
    await send(bad, 'colour=blue');
    expect(await endOf(bad))
      .to.contain('POST /v1/customers colour=blue')
      .and.to.contain('400');
  });
});
