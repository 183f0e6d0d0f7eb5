/** Webhooks: which events become deliveries, what a server gets, and what comes of what it answers. Real servers, a real database. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { SessionActor } from '../../src/domain/access.ts';
import type { Answers } from '../../src/domain/answers.ts';
import type { AppError } from '../../src/domain/errors.ts';
import { MOST_WEBHOOKS } from '../../src/domain/webhooks.ts';
import { operator } from '../../src/services/audit/index.ts';
import { closeAccount, reactivateAccount, suspendAccount } from '../../src/services/identity/index.ts';
import { rotateSettings, createSecretBox } from '../../src/services/settings/index.ts';
import {
  createWebhooks,
  fanOut,
  sendWebhooks,
  sweepWebhooks,
  wakeWebhooks,
} from '../../src/services/webhooks/index.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventsOf } from '../support/events-of.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';
import {
  happen,
  signedInOwner,
  verified,
  webhookDeps,
  WebhookReceiver,
} from '../support/webhook-receiver.ts';

type Created = Answers['createWebhook'];
type Delivery = Answers['listWebhookDeliveries']['deliveries'][number];

const ADDRESS = '192.0.2.7';
const [OLD, NEW] = [`old:${'0a'.repeat(32)}`, `new:${'0b'.repeat(32)}`];
const TYPES = ['topup.paid'];
const HOUR_MS = 3_600_000;

describe('webhooks', () => {
  let test: TestDatabase;
  let receiver: WebhookReceiver;
  before(async () => (test = await openTestDatabase()));
  after(() => test.close());
  beforeEach(async () => (receiver = await new WebhookReceiver().open()));
  afterEach(() => receiver.close());

  const deps = () => webhookDeps(test.db);
  const api = () => createWebhooks(deps());
  const rotationOf = (overlapSeconds: number, key: string | null = null) => ({
    ...commandOf({ overlapSeconds }, key),
    receivedAt: performance.now(),
  });
  const commandOf = <Body>(body: Body, idempotencyKey: string | null = null, fingerprint = 'f') => ({
    ...{ body, idempotencyKey, fingerprint, address: ADDRESS },
  });
  const create = async (who: SessionActor, types = TYPES, url = receiver.url): Promise<Created> =>
    api().create(who, commandOf({ url, types }));
  const deliveriesOf = async (who: SessionActor, id: string): Promise<readonly Delivery[]> =>
    (await api().deliveries(who, id, { limit: 200 })).deliveries.toReversed();
  /** Sends what is due at a time, which the database's clock need not have reached. */
  const sendAt = (id: string, at?: number) =>
    sendWebhooks(
      at === undefined ? deps() : { ...deps(), clock: async () => new Date(at).toISOString() },
      id,
    );
  const publicIds = async ({ accountId }: SessionActor, type: string): Promise<string[]> => {
    const rows = await test.db.query<{ public_id: string }[]>(
      'select public_id from events where account_id = $1 and type = $2 order by entry',
      [accountId, type],
    );
    return rows.map((row) => row.public_id);
  };

  it('get each event of their types once, signed, whatever dies in between, and none of before or of others', async () => {
    const [who, other] = [await signedInOwner(test.db), await signedInOwner(test.db)];
    await happen(test.db, who.accountId);
    const { id, secret } = await create(who);
    const { id: all } = await create(who, [...TYPES, 'webhook.created']);
    await happen(test.db, who.accountId, 7);
    await happen(test.db, other.accountId);
    // Several processes at once, and again.
    await Promise.all([fanOut(test.db), fanOut(test.db), fanOut(test.db)]);
    await fanOut(test.db);
    expect(await sendAt(id)).to.deep.equal({ nextMs: null });
    const expected = (await publicIds(who, 'topup.paid')).slice(1);
    expect(receiver.ids.toSorted()).to.deep.equal(expected.toSorted());
    expect((await deliveriesOf(who, id)).map(({ eventId }) => eventId)).to.deep.equal(expected);
    for (const message of receiver.received) {
      const event = verified(message, secret);
      expect(event).to.include({ id: message.id, type: 'topup.paid' });
      expect(message.headers['content-type']).to.equal('application/json');
    }
    expect((await deliveriesOf(who, all)).map(({ type }) => type)).to.have.members([
      ...['webhook.created', ...expected.map(() => 'topup.paid')],
    ]);
    expect(await sendAt(id)).to.deep.equal({ nextMs: null });
    expect(receiver.received).to.have.length(7);
  });

  it('tell what was sent and answered, without the words of a private network', async () => {
    const who = await signedInOwner(test.db);
    const { id } = await create(who);
    await happen(test.db, who.accountId);
    await fanOut(test.db);
    await sendAt(id);
    const [sent] = await deliveriesOf(who, id);
    expect(sent).to.include({ state: 'SUCCEEDED', attempt: 1, status: 204, code: null, nextAttemptAt: null });
    const read = await api().readDelivery(who, id, sent?.id ?? '');
    expect(read).to.deep.include({
      request: { url: receiver.url, body: receiver.received[0]?.body },
      answer: null,
    });
    const filtered = async (query: object): Promise<number> =>
      (await api().deliveries(who, id, { limit: 1, ...query })).deliveries.length;
    expect(
      await Promise.all(
        [{ state: 'SUCCEEDED' }, { type: 'topup.paid' }, { since: sent?.createdAt }].map(filtered),
      ),
    ).to.deep.equal([1, 1, 1]);
    expect(
      await Promise.all(
        [{ state: 'FAILED' }, { type: 'topup.failed' }, { until: sent?.createdAt }].map(filtered),
      ),
    ).to.deep.equal([0, 0, 0]);
  });

  it('send again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, under the same id, and then give up', async () => {
    const who = await signedInOwner(test.db);
    const { id } = await create(who);
    await happen(test.db, who.accountId);
    await fanOut(test.db);
    receiver.answer = 500;
    let at = Date.now() + 1_000;
    const waits: (number | null)[] = [];
    for (let nextMs: number | null = 0; nextMs !== null && waits.length < 20; at += nextMs ?? 0) {
      ({ nextMs } = await sendAt(id, at));
      waits.push(nextMs === null ? null : nextMs / 1000);
    }
    const hours = [2, 5, 10, 14, 20, 24].map((each) => each * 3600);
    expect(waits).to.deep.equal([5, 300, 1800, ...hours, null]);
    expect(new Set(receiver.ids)).to.have.property('size', 1);
    expect(receiver.received).to.have.length(10);
    const [failed] = await deliveriesOf(who, id);
    expect(failed).to.include({ state: 'FAILED', attempt: 10, status: 500, code: 'ANSWER_UNEXPECTED' });
    // What was given up is asked for again, once and all together.
    receiver.answer = 200;
    expect(await api().redeliverFailed(who, id, new Date(0).toISOString())).to.deep.equal({
      redelivered: 1,
      more: false,
    });
    await sendAt(id);
    expect((await deliveriesOf(who, id))[0]).to.include({ state: 'SUCCEEDED', attempt: 1 });
    await api().redeliver(who, id, failed?.id ?? '');
    await sendAt(id);
    expect(receiver.received).to.have.length(12);
    expect(new Set(receiver.ids)).to.have.property('size', 1);
  });

  it('are disabled by 410 at once and by five days of failures, are told of once, and skip what comes then', async () => {
    const who = await signedInOwner(test.db);
    const [gone, failing] = [await create(who), await create(who)];
    expect(failing.sameAs).to.equal(gone.id);
    await happen(test.db, who.accountId, 3);
    await fanOut(test.db);
    receiver.answer = 410;
    expect(await sendAt(gone.id)).to.deep.equal({ nextMs: null });
    expect(await api().read(who, gone.id)).to.include({ enabled: false, disabledReason: 'GONE' });
    receiver.answer = 503;
    const began = Date.now() + 1_000;
    await sendAt(failing.id, began);
    await sendAt(failing.id, began + 25 * HOUR_MS);
    expect(await api().read(who, failing.id)).to.include({ enabled: true });
    await happen(test.db, who.accountId, 1);
    await fanOut(test.db);
    await sendAt(failing.id, began + 5 * 24 * HOUR_MS);
    expect(await api().read(who, failing.id)).to.include({ enabled: false, disabledReason: 'FAILING' });
    const alerts = await test.db.query<{ kind: string; subject: string }[]>(
      `select kind, subject from alerts where account_id = $1 and kind like 'webhook%' order by created_at`,
      [who.accountId],
    );
    expect(alerts.map(({ kind, subject }) => [kind, subject])).to.deep.equal([
      ['webhook-disabled', gone.id],
      ['webhook-failing', failing.id],
      ['webhook-disabled', failing.id],
    ]);
    expect(
      (await eventsOf(test.db, who.accountId, 'webhook.disabled')).map(({ payload }) => payload),
    ).to.deep.equal([{ reason: 'GONE' }, { reason: 'FAILING' }]);
    expect(await codeOf(api().test(who, failing.id))).to.equal('WEBHOOK_DISABLED');
    // Nothing vanishes: once enabled, what was skipped is sent.
    await happen(test.db, who.accountId, 2);
    await fanOut(test.db);
    const sentBefore = receiver.received.length;
    expect(await sendAt(failing.id)).to.deep.equal({ nextMs: null });
    expect(receiver.received).to.have.length(sentBefore);
    await api().enable(who, failing.id, ADDRESS);
    receiver.answer = 200;
    const { redelivered } = await api().redeliverFailed(who, failing.id, new Date(0).toISOString());
    expect(redelivered).to.equal(6);
    await sendAt(failing.id);
    expect(new Set((await deliveriesOf(who, failing.id)).map(({ state }) => state))).to.deep.equal(
      new Set(['SUCCEEDED']),
    );
    expect(await api().read(who, failing.id)).to.include({ enabled: true, failingSince: null });
  });

  it('are sent to no more once they are deleted or their account is closed', async () => {
    const [who, closed] = [await signedInOwner(test.db), await signedInOwner(test.db)];
    const [gone, kept] = [await create(who), await create(closed)];
    for (const { accountId } of [who, closed]) await happen(test.db, accountId);
    await fanOut(test.db);
    const [delivery] = await deliveriesOf(who, gone.id);
    await api().remove(who, gone.id, ADDRESS);
    await api().remove(who, gone.id, ADDRESS);
    await closeAccount(test.db, { accountId: closed.accountId, reason: 'test', by: operator(null) });
    expect([await sendAt(gone.id), await sendAt(kept.id)]).to.deep.equal([
      { nextMs: null },
      { nextMs: null },
    ]);
    const woken: string[] = [];
    await wakeWebhooks(test.db, async (id) => void woken.push(id));
    expect(woken).to.not.include.members([gone.id, kept.id]);
    expect(receiver.received).to.deep.equal([]);
    expect(await codeOf(api().redeliver(who, gone.id, delivery?.id ?? ''))).to.equal('NOT_FOUND');
  });

  it('wait while their account is suspended, and go on where they were when it is active again', async () => {
    const who = await signedInOwner(test.db);
    const { id } = await create(who);
    const change = { accountId: who.accountId, reason: null, by: operator(null) };
    const wakes = async (): Promise<boolean> => {
      const woken: string[] = [];
      await wakeWebhooks(test.db, async (each) => void woken.push(each));
      return woken.includes(id);
    };
    receiver.answer = 500;
    await happen(test.db, who.accountId);
    await fanOut(test.db);
    const began = Date.now() + 1_000;
    await sendAt(id, began);
    await suspendAccount(test.db, change);
    await happen(test.db, who.accountId);
    await fanOut(test.db);
    // Days pass, and nobody sends.
    expect(await sendAt(id, began + 6 * 24 * HOUR_MS)).to.deep.equal({ nextMs: null });
    expect(await wakes()).to.equal(false);
    expect(receiver.received).to.have.length(1);
    expect((await deliveriesOf(who, id)).map(({ state, attempt }) => [state, attempt])).to.deep.equal([
      ['PENDING', 1],
      ['PENDING', 0],
    ]);
    await reactivateAccount(test.db, change);
    expect(await wakes()).to.equal(true);
    // Time in which nothing was sent is no time of failures.
    await sendAt(id, began + 6 * 24 * HOUR_MS);
    expect(await api().read(who, id)).to.include({ enabled: true });
    receiver.answer = 200;
    await sendAt(id, began + 7 * 24 * HOUR_MS);
    expect(new Set(receiver.ids)).to.have.property('size', 2);
    expect((await deliveriesOf(who, id)).map(({ state }) => state)).to.deep.equal(['SUCCEEDED', 'SUCCEEDED']);
  });

  it('are sent nothing more once their account is suspended in the middle of it', async () => {
    const who = await signedInOwner(test.db);
    const { id } = await create(who);
    await happen(test.db, who.accountId, 40);
    await fanOut(test.db);
    receiver.onReceived = async () => {
      await suspendAccount(test.db, { accountId: who.accountId, reason: null, by: operator(null) });
    };
    await sendAt(id);
    // Five are on their way at once.
    expect(receiver.received.length).to.be.within(1, 9);
  });

  it('have their workflow told of what is due, again where nobody took the word', async () => {
    const who = await signedInOwner(test.db);
    const { id } = await create(who);
    const wake = async (): Promise<boolean> => {
      const woken: string[] = [];
      await wakeWebhooks(test.db, async (each) => void woken.push(each));
      return woken.includes(id);
    };
    expect(await wake()).to.equal(false);
    await happen(test.db, who.accountId);
    await fanOut(test.db);
    const away = (): Promise<never> => Promise.reject(new Error('Temporal is away'));
    const refused = await refusalOf(wakeWebhooks(test.db, away));
    expect(refused).to.have.property('message', 'Temporal is away');
    expect([await wake(), await wake()]).to.deep.equal([true, false]);
    // The workflow was lost with the word.
    await test.db.query(`update webhooks set woken_at = now() - interval '1 minute' where id = $1`, [id]);
    expect(await wake()).to.equal(true);
    await api().test(who, id);
    expect(await wake()).to.equal(true);
    await sendAt(id);
    expect(receiver.received.map(({ body }) => body).join()).to.contain('"type":"webhook.test"');
  });

  it('verify with each secret while it signs, with one secret of two rotations at once, and with the new one alone after a rotation without overlap', async () => {
    const who = await signedInOwner(test.db);
    const { id, secret: first } = await create(who);
    const rotate = (overlapSeconds: number, key: string | null = null) =>
      api().rotateSecret(who, id, rotationOf(overlapSeconds, key));
    const [a, b] = await Promise.all([rotate(3600), rotate(3600)]);
    expect(a?.secret).to.equal(b?.secret).and.not.to.equal(first);
    const third = await rotate(3600, 'rotation-0001');
    expect(await rotate(3600, 'rotation-0001')).to.deep.equal(third);
    await happen(test.db, who.accountId);
    await fanOut(test.db);
    await sendAt(id);
    const message = receiver.received[0] ?? expect.fail('nothing came');
    for (const secret of [first, a?.secret ?? '', third.secret])
      expect(verified(message, secret).type).to.equal('topup.paid');
    const last = await rotate(0);
    // The key of the installation changes, and secrets open as before.
    const box = createSecretBox(`${NEW},${OLD}`);
    expect((await rotateSettings(test.db, box, operator(null))).unknown).to.deep.equal({});
    await sweepWebhooks(test.db);
    await api().test(who, id);
    await sendWebhooks(webhookDeps(test.db, NEW), id);
    const next = receiver.received[1] ?? expect.fail('nothing came');
    expect(verified(next, last.secret).type).to.equal('webhook.test');
    for (const ended of [first, a?.secret ?? '', third.secret])
      expect(() => verified(next, ended)).to.throw(/signature/);
    await rotateSettings(test.db, createSecretBox(`${OLD},${NEW}`), operator(null));
  });

  it('are created once for an Idempotency-Key, twenty at most, and only for addresses that may be sent to', async () => {
    const who = await signedInOwner(test.db);
    const body = { url: receiver.url, types: ['topup.paid', 'topup.paid', 'job.failed'] };
    const [made, again] = [
      await api().create(who, commandOf(body, 'creation-0001')),
      await api().create(who, commandOf(body, 'creation-0001')),
    ];
    expect(again).to.deep.equal(made);
    expect(made.types).to.deep.equal(['job.failed', 'topup.paid']);
    expect(await codeOf(api().create(who, commandOf(body, 'creation-0001', 'other')))).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await eventsOf(test.db, who.accountId, 'webhook.')).to.have.length(1);
    const strict = createWebhooks({ ...deps(), allowsLoopback: false });
    const refused: readonly (readonly [string, RegExp])[] = [
      ['http://hooks.example.org/', /must begin with https/],
      [receiver.url, /must begin with https/],
      ['ftp://hooks.example.org/', /must begin with https/],
      ['hooks.example.org', /no address/],
      ['https://user:password@hooks.example.org/', /no user and password/],
      ['https://hooks.example.org/#part', /no fragment/],
      ['https://93.184.216.34:22/', /does not connect to this port/],
      ['https://100.64.0.1/', /not of the public internet/],
      ['https://[::ffff:10.0.0.1]/', /not of the public internet/],
      ['https://169.254.169.254/latest', /not of the public internet/],
      ['https://nothing-is-here.invalid/', /No address was found|not answer in time/],
    ];
    for (const [url, words] of refused) {
      const refusal = await refusalOf(strict.create(who, commandOf({ url, types: TYPES })));
      expect(refusal, url).to.include({ code: 'DESTINATION_REFUSED' });
      expect((refusal as AppError).publicMessage, url).to.match(words);
    }
    for (let n = 1; n < MOST_WEBHOOKS; n += 1) await create(who);
    expect(await codeOf(create(who))).to.equal('WEBHOOK_LIMIT_REACHED');
    const foreign = await signedInOwner(test.db);
    expect(
      await Promise.all(
        [
          () => api().read(foreign, made.id),
          () => api().change(foreign, made.id, commandOf({ url: receiver.url, types: TYPES })),
          () => api().rotateSecret(foreign, made.id, rotationOf(0)),
          () => api().enable(foreign, made.id, ADDRESS),
          () => api().test(foreign, made.id),
          () => api().remove(foreign, made.id, ADDRESS),
          () => api().redeliverFailed(foreign, made.id, new Date(0).toISOString()),
          () => api().readDelivery(who, made.id, randomUUID()),
        ].map((call) => codeOf(call())),
      ),
    ).to.deep.equal(Array.from({ length: 8 }, () => 'NOT_FOUND'));
  });

  it('leave a server that hangs after ten seconds of tries, and the rest due', async () => {
    const who = await signedInOwner(test.db);
    const { id } = await create(who);
    await happen(test.db, who.accountId, 6);
    await fanOut(test.db);
    receiver.answer = 'never';
    const tries: (string | null)[] = [];
    const countTry = (fault: string | null): void => void tries.push(fault);
    const { nextMs } = await sendWebhooks({ ...webhookDeps(test.db, OLD, 300), countTry }, id);
    expect(tries).to.deep.equal(Array.from({ length: 6 }, () => 'TIMED_OUT'));
    expect(nextMs).to.be.within(0, 5_000);
    const deliveries = await deliveriesOf(who, id);
    expect(
      new Set(deliveries.map(({ state, code, attempt }) => [state, code, attempt].join())),
    ).to.deep.equal(new Set(['PENDING,TIMED_OUT,1']));
  });
});
