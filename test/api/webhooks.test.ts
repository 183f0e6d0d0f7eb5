/** Webhooks over HTTP on a whole stack: what a server is sent is what a poller and a stream are told. */
import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import type { AccountEvent } from '../../src/client/types.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
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
});
