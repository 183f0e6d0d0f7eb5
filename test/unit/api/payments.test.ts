/** Top-ups and events of payments at the door: who may buy, and what an event must be to be handed on. */
import { randomBytes } from 'node:crypto';

import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import { TestApp, expectError } from './test-app.ts';

const MIB = 1024 * 1024;

describe('payments at the door', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await new TestApp().start();
  });
  afterEach(() => app.stop());

  const buy = (key: string, body: object = { tierId: 'topup-10' }) =>
    app.call('POST', '/api/v1/credits/topup', { key, body });

  it('are for live keys; a test key reads what can be bought and buys nothing', async () => {
    expect((await buy('svc_live_all')).status).to.equal(200);
    expectError(await buy('svc_test_all'), 403, 'TEST_KEY_LIVE_BILLING');
    expectError(await buy('svc_live_all', {}), 400, 'VALIDATION_ERROR');
    expect((await app.call('GET', '/api/v1/credits/tiers', { key: 'svc_test_all' })).status).to.equal(200);
  });

  it('say without Retry-After that there is no provider, because waiting does not help', async () => {
    app.fakes.services.topups.start = () =>
      Promise.reject(new AppError('PAYMENTS_NOT_CONFIGURED', 'Credits cannot be bought here.'));
    const reply = await buy('svc_live_all');
    expectError(reply, 503, 'PAYMENTS_NOT_CONFIGURED');
    expect(reply.headers.get('retry-after')).to.equal(null);
  });

  it('hand the bytes of an event on as they came, with their signature, without a key', async () => {
    const raw = new Uint8Array(randomBytes(4096));
    const headers = { 'stripe-signature': 't=1,v1=ab', 'content-type': 'application/octet-stream' };
    const reply = await app.call('POST', '/hooks/stripe', { key: null, raw, headers });
    expect([reply.status, reply.text]).to.deep.equal([200, '']);
    const [event] = app.fakes.calls.events;
    expect(event?.signature).to.equal('t=1,v1=ab');
    expect(event?.body.equals(raw)).to.equal(true);
  });

  it('take events of up to a mebibyte, and none that is larger or has no genuine signature', async () => {
    const send = (bytes: number) => app.call('POST', '/hooks/stripe', { key: null, raw: 'x'.repeat(bytes) });
    expect((await send(MIB)).status).to.equal(200);
    expectError(await send(MIB + 1), 413, 'PAYLOAD_TOO_LARGE');
    app.fakes.services.payments.receive = () =>
      Promise.reject(new AppError('VALIDATION_ERROR', 'The event has no valid signature.'));
    expectError(await send(1), 400, 'VALIDATION_ERROR');
  });
});
