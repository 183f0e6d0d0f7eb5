/** The client verifies messages as the library of Standard Webhooks does. */
import { randomBytes } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';

import { verifyWebhook } from '../../../src/client/index.ts';
import { failureOf } from '../../support/refusals.ts';

const AT = new Date('2026-11-22T09:02:17Z');
const drawSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
const [secret, other] = [drawSecret(), drawSecret()];
const EVENT = { id: 'e-1', type: 'job.succeeded', timestamp: AT.toISOString(), data: { jobId: 'jöb' } };
const BODY = JSON.stringify(EVENT);

function headersOf(body = BODY, secrets = [secret], at = AT): Record<string, string> {
  return {
    'webhook-id': EVENT.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(EVENT.id, at, body)).join(' '),
  };
}

const codeOf = async (...args: Parameters<typeof verifyWebhook>): Promise<unknown> =>
  (await failureOf(verifyWebhook(...args))).code;

describe('verifyWebhook', () => {
  it('gives the event of what the library has signed, whatever form body and headers have', async () => {
    const headers = headersOf();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const body of [BODY, new TextEncoder().encode(BODY)])
      for (const form of [headers, upper, new Headers(headers)])
        expect(await verifyWebhook({ body, headers: form }, secret, { now: AT })).to.deep.equal(EVENT);
  });

  it('takes a message that one of several secrets has signed, on either side', async () => {
    const options = { now: AT };
    const both = { body: BODY, headers: headersOf(BODY, [secret, other]) };
    for (const secrets of [secret, other, [drawSecret(), other]])
      expect(await verifyWebhook(both, secrets, options)).to.deep.equal(EVENT);
    expect(await codeOf(both, drawSecret(), options)).to.equal('WEBHOOK_SIGNATURE_WRONG');
    // A signature of another kind is left alone.
    const mixed = `v1a,zzzz v2 v1,??? ${both.headers['webhook-signature']}`;
    const message = { body: BODY, headers: { ...both.headers, 'webhook-signature': mixed } };
    expect(await verifyWebhook(message, other, options)).to.deep.equal(EVENT);
  });

  it('refuses what is old, of the future, changed or no message at all, and says which', async () => {
    const message = { body: BODY, headers: headersOf() };
    const at = (seconds: number): Date => new Date(AT.getTime() + seconds * 1000);
    expect(await verifyWebhook(message, secret, { now: at(300) })).to.deep.equal(EVENT);
    expect(await codeOf(message, secret, { now: at(301) })).to.equal('WEBHOOK_EXPIRED');
    expect(await codeOf(message, secret, { now: at(-301) })).to.equal('WEBHOOK_EXPIRED');
    expect(await codeOf(message, secret)).to.equal('WEBHOOK_EXPIRED');
    const now = at(60);
    expect(await codeOf(message, secret, { now, toleranceSeconds: 59 })).to.equal('WEBHOOK_EXPIRED');
    expect(await codeOf({ ...message, body: `${BODY} ` }, secret, { now })).to.equal(
      'WEBHOOK_SIGNATURE_WRONG',
    );
    for (const name of Object.keys(message.headers)) {
      const { [name]: _left, ...headers } = message.headers;
      expect(await codeOf({ body: BODY, headers }, secret, { now })).to.equal('WEBHOOK_UNREADABLE');
    }
    const headers = { ...message.headers, 'webhook-timestamp': 'noon' };
    expect(await codeOf({ body: BODY, headers }, secret, { now })).to.equal('WEBHOOK_UNREADABLE');
    expect(await codeOf({ body: 'no', headers: headersOf('no') }, secret, { now: AT })).to.equal(
      'WEBHOOK_UNREADABLE',
    );
    for (const wrong of ['', 'whsec_', 'whsec_!'])
      expect(await codeOf(message, wrong, { now })).to.equal('WEBHOOK_SECRET_INVALID');
    expect(await codeOf(message, [], { now })).to.equal('WEBHOOK_SIGNATURE_WRONG');
  });

  it('decides as the library does, wherever a message was changed', async () => {
    const library = new Webhook(secret);
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.constantFrom('nothing', 'body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
        fc.nat(),
        async (data, changed, place) => {
          const body = JSON.stringify({ ...EVENT, data });
          const headers = headersOf(body, [secret], new Date());
          const message: Record<string, string> = { ...headers, body };
          const { [changed]: text } = message;
          if (text !== undefined) {
            const at = place % text.length;
            // The last character of base64 has bits that say nothing, so 4 and 7 may mean the same there.
            const character = /[4-7]/.test(text[at] ?? '') ? '8' : '7';
            message[changed] = text.slice(0, at) + character + text.slice(at + 1);
          }
          const { body: sent = '', ...sentHeaders } = message;
          const judged = (() => {
            try {
              return library.verify(sent, sentHeaders);
            } catch {
              return 'refused';
            }
          })();
          const ours = await verifyWebhook({ body: sent, headers: sentHeaders }, secret).catch(
            () => 'refused',
          );
          expect(ours).to.deep.equal(judged);
        },
      ),
    );
  });
});
