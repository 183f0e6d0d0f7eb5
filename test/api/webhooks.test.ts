/** Webhooks over HTTP on a whole stack: what a server is sent is what a poller and a stream are told. */
import { expect } from 'chai';

import { createClient, verifyWebhook } from '../../src/client/index.ts';
import type { DeliveryFilter } from '../../src/client/index.ts';
import type { AccountEvent } from '../../src/client/types.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { failureOf } from '../support/refusals.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';
import { verified, WebhookReceiver } from '../support/webhook-receiver.ts';

const JOBS = 5;
const ENDED = 'job.succeeded';

describe('webhooks over HTTP', function () {
  this.timeout(120_000);
  let api: TestApi;
  let receiver: WebhookReceiver;
  before(async () => {
    [api, receiver] = await Promise.all([testApi(), new WebhookReceiver().open()]);
  });
  after(() => receiver.close());

  it('get the events that a poller and a stream get, each once, also where some tries fail, and a test', async () => {
    const owner = await api.account();
    const { headers } = await sessionOf(api, owner.accountId);
    const call = (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> =>
      api.call(null, method, path, body, { headers });
    const types = ['job.submitted', 'job.running', ENDED];
    const made = await call('POST', 'webhooks', { url: receiver.url, types });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { id, secret } = made.body;

    const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.liveKey });
    const streamed: AccountEvent[] = [];
    const started = Promise.withResolvers<undefined>();
    const following = (async () => {
      for await (const event of client.events({ types, onCursor: () => started.resolve(undefined) })) {
        streamed.push(event);
        if (streamed.filter(({ type }) => type === ENDED).length === JOBS) break;
      }
    })();
    await started.promise;
    // The first tries are in vain, and come again five seconds later.
    receiver.answer = 503;
    await Promise.all(Array.from({ length: JOBS }, () => client.submit(noopJob())));
    await until('a try was in vain', () => receiver.received.length > 0);
    receiver.answer = 200;
    await following;

    const polled = await api.call(
      owner.liveKey,
      'GET',
      `events?limit=200&${types.map((type) => `types=${type}`).join('&')}`,
    );
    const ids = polled.body.events.map((event: AccountEvent) => event.id);
    expect(streamed.map((event) => event.id)).to.deep.equal(ids);
    const deliveries = async (query: string): Promise<readonly { eventId: string }[]> =>
      (await call('GET', `webhooks/${id}/deliveries?limit=200${query}`)).body.deliveries;
    await until('all are taken', async () => (await deliveries('&state=SUCCEEDED')).length === ids.length);
    expect((await deliveries('')).map(({ eventId }) => eventId).toReversed()).to.deep.equal(ids);
    for (const message of receiver.received) expect(verified(message, secret)['id']).to.equal(message.id);
    expect([...new Set(receiver.ids)].toSorted()).to.deep.equal(ids.toSorted());

    const test = await call('POST', `webhooks/${id}/test`);
    expect(test.status, JSON.stringify(test.body)).to.equal(202);
    await until('the test has come', () => receiver.ids.includes(test.body.eventId));
    expect((await api.call(owner.liveKey, 'GET', 'webhooks')).body.code).to.equal('SESSION_REQUIRED');
  });

  it('are kept, tested, rotated and sent again by the client of an owner who has signed in', async () => {
    const owner = await api.account();
    const { headers } = await sessionOf(api, owner.accountId);
    const session = headers.cookie.slice(headers.cookie.indexOf('=') + 1);
    const { webhooks } = createClient({ apiUrl: api.stack.apiUrl, session });
    const request = { url: receiver.url, types: ['job.failed'] };
    const idempotencyKey = 'create-a-webhook';
    const made = await webhooks.create(request, { idempotencyKey });
    expect(await webhooks.create(request, { idempotencyKey })).to.deep.equal(made);
    expect((await webhooks.create(request)).sameAs).to.equal(made.id);
    const changed = await webhooks.change(made.id, { ...request, types: [ENDED] });
    expect(changed.types).to.deep.equal([ENDED]);
    expect(await webhooks.get(made.id)).to.deep.equal(changed);
    expect((await webhooks.list()).map(({ id }) => id)).to.include(made.id);

    const rotated = await webhooks.rotateSecret(made.id, { overlapSeconds: 60 }, { idempotencyKey });
    expect(await webhooks.rotateSecret(made.id, { overlapSeconds: 60 }, { idempotencyKey })).to.deep.equal(
      rotated,
    );
    receiver.answer = 200;
    const test = await webhooks.test(made.id);
    const message = () => receiver.received.findLast(({ id }) => id === test.eventId);
    await until('the test has come', () => message() !== undefined);
    for (const { secret } of [made, rotated])
      expect(await verifyWebhook(message() ?? expect.fail(), secret)).to.include({ id: test.eventId });
    const listed = async (filter: DeliveryFilter): Promise<readonly string[]> => {
      const ids: string[] = [];
      for await (const { id } of webhooks.deliveries(made.id, filter)) ids.push(id);
      return ids;
    };
    await until('it is taken', async () => (await listed({ state: 'SUCCEEDED' })).length === 1);
    expect(await listed({ type: 'webhook.test', since: test.createdAt })).to.deep.equal([test.id]);
    expect(await listed({ until: test.createdAt })).to.deep.equal([]);
    expect((await webhooks.delivery(made.id, test.id)).request.body).to.equal(message()?.body);

    const before = receiver.received.length;
    expect((await webhooks.redeliver(made.id, test.id)).state).to.equal('PENDING');
    await until('it has come again', () => receiver.received.length > before);
    receiver.answer = 410;
    await webhooks.redeliver(made.id, test.id);
    await until('it is disabled', async () => !(await webhooks.get(made.id)).enabled);
    expect((await failureOf(webhooks.redeliver(made.id, test.id))).code).to.equal('WEBHOOK_DISABLED');
    receiver.answer = 200;
    expect((await webhooks.enable(made.id)).enabled).to.equal(true);
    expect(await webhooks.redeliverFailed(made.id)).to.deep.equal({ redelivered: 1, more: false });
    await webhooks.delete(made.id);
    await webhooks.delete(made.id);
    expect((await failureOf(webhooks.redeliver(made.id, test.id))).code).to.equal('NOT_FOUND');
  });
});
