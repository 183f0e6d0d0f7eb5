/** Webhooks whose servers, names and owners do what they should not. Real servers, a real database. */
import { expect } from 'chai';

import { createOutboundGuard } from '../../src/adapters/outbound/guard.ts';
import type { SessionActor } from '../../src/domain/access.ts';
import type { Answers } from '../../src/domain/answers.ts';
import { createWebhooks, fanOut, sendWebhooks } from '../../src/services/webhooks/index.ts';
import { makeAuthority } from '../support/certificate.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { codeOf } from '../support/refusals.ts';
import { happen, signedInOwner, webhookDeps, WebhookReceiver } from '../support/webhook-receiver.ts';

type Created = Answers['createWebhook'];
type Delivery = Answers['listWebhookDeliveries']['deliveries'][number];

const ADDRESS = '192.0.2.7';
const TYPES = ['topup.paid'];
const HOUR_MS = 3_600_000;

describe('webhooks of bad servers', () => {
  let test: TestDatabase;
  let receiver: WebhookReceiver;
  before(async () => (test = await openTestDatabase()));
  after(() => test.close());
  beforeEach(async () => (receiver = await new WebhookReceiver().open()));
  afterEach(() => receiver.close());

  const deps = () => webhookDeps(test.db);
  const api = () => createWebhooks(deps());
  const commandOf = (url: string) => ({
    ...{ body: { url, types: TYPES }, idempotencyKey: null, fingerprint: 'f', address: ADDRESS },
  });
  const create = (who: SessionActor, url = receiver.url): Promise<Created> =>
    api().create(who, commandOf(url));
  const deliveryOf = async (who: SessionActor, id: string): Promise<Delivery | undefined> =>
    (await api().deliveries(who, id, { limit: 200 })).deliveries[0];
  const sendAt = (id: string, at = Date.now()) =>
    sendWebhooks({ ...deps(), clock: async () => new Date(at + 1_000).toISOString() }, id);

  it('are sent again whatever a server did, and never to where an answer or a name leads later', async () => {
    const who = await signedInOwner(test.db);
    const authority = await makeAuthority();
    const secured = await new WebhookReceiver(await authority.issue('somebody-else.example.org')).open();
    const elsewhere = await new WebhookReceiver().open();
    const { port } = new URL(receiver.url);
    // The name server gives a public address first, then one of this machine.
    const leads = [['93.184.216.34'], ['127.0.0.1']];
    const strict = {
      ...deps(),
      allowsLoopback: false,
      guard: createOutboundGuard({ allowedNetworks: [], resolve: async () => leads.shift() ?? [] }),
    };
    const renamed = await createWebhooks(strict).create(who, commandOf(`https://hooks.example.org:${port}/`));
    const [plain, wrong] = [await create(who), await create(who, secured.url)];
    await happen(test.db, who.accountId);
    await fanOut(test.db);
    const ends: (readonly [typeof receiver.answer, string | null])[] = [
      [(response) => void response.socket?.resetAndDestroy(), 'ANSWER_UNEXPECTED'],
      [(response) => void response.writeHead(302, { location: elsewhere.url }).end(), 'REDIRECTED'],
      [(response) => void response.writeHead(500).end(Buffer.alloc(10_000_000)), 'ANSWER_UNEXPECTED'],
      [(response) => void response.writeHead(200).end(Buffer.alloc(10_000_000)), null],
    ];
    for (const [n, [answer, code]] of ends.entries()) {
      receiver.answer = answer;
      await sendAt(plain.id, Date.now() + (n + 1) * 3 * HOUR_MS);
      expect(await deliveryOf(who, plain.id)).to.include({ code, attempt: n + 1 });
    }
    await sendAt(wrong.id);
    expect(await deliveryOf(who, wrong.id)).to.include({ code: 'TLS_FAILED', state: 'PENDING' });
    await sendWebhooks(strict, renamed.id);
    expect(await deliveryOf(who, renamed.id)).to.include({
      code: 'ADDRESS_REFUSED',
      state: 'PENDING',
    });
    expect([...elsewhere.received, ...secured.received]).to.deep.equal([]);
    expect(receiver.received).to.have.length(ends.length);
    await Promise.all([secured.close(), elsewhere.close(), authority.remove()]);
  });

  it('may be deleted while a message is on its way', async () => {
    const who = await signedInOwner(test.db);
    const { id } = await create(who);
    await happen(test.db, who.accountId, 20);
    await fanOut(test.db);
    receiver.answer = 500;
    receiver.onReceived = () => api().remove(who, id, ADDRESS);
    expect(await sendAt(id)).to.deep.equal({ nextMs: null });
    expect(receiver.received.length).to.be.within(1, 10);
    expect(await codeOf(api().read(who, id))).to.equal('NOT_FOUND');
  });
});
