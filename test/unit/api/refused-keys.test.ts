/** What guessing keys costs: the network that guesses is refused before its keys are looked up. */
import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import { KEY, TestApp, expectError } from './test-app.ts';
import type { Reply } from './test-app.ts';

const QUOTA = 10;

describe('refused keys', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await new TestApp({ quotas: { anonymous: QUOTA } }).start();
  });
  afterEach(() => app.stop());

  const balance = (key: string | null): Promise<Reply> => app.call('GET', '/api/v1/credits/balance', { key });
  const guess = (count: number): Promise<Reply[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => balance(`guess-${index}`)));

  it('make no more look-ups than a network may have refusals, also when all come at once', async () => {
    const replies = await guess(10 * QUOTA);
    const lookUps = app.fakes.calls.lookUps;
    expect(lookUps).to.be.within(QUOTA, QUOTA + 5);
    expect(replies.filter(({ status }) => status === 401)).to.have.length(lookUps);
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited).to.have.length(10 * QUOTA - lookUps);
    for (const reply of limited) expect(Number(reply.headers.get('retry-after'))).to.be.within(1, 60);
  });

  it('keep out a good key that would have to be looked up, and no key that is known', async () => {
    await guess(2 * QUOTA);
    expectError(await balance(KEY), 429, 'RATE_LIMITED');
    const actor = await app.fakes.services.identity.authenticate(KEY);
    app.fakes.remembered.set(KEY, actor);
    expect((await balance(KEY)).status).to.equal(200);
  });

  it('keep out no key that was good when it was looked up last, and such a key pays once it is refused', async () => {
    app.fakes.good.add(KEY).add('revoked');
    await guess(2 * QUOTA);
    expect((await balance(KEY)).status).to.equal(200);
    expectError(await balance('revoked'), 429, 'RATE_LIMITED');
  });

  it('count as sessions that have ended do, and these keep out no open one', async () => {
    const cookie = (value: string): Promise<Reply> =>
      app.call('GET', '/api/v1/credits/balance', {
        ...{ key: null, headers: { cookie: `__Host-dockyard-session=${value}` } },
      });
    const replies = await Promise.all(Array.from({ length: 10 * QUOTA }, () => cookie('ended')));
    expect(app.fakes.calls.lookUps).to.be.within(QUOTA, QUOTA + 5);
    expect(replies.filter(({ status }) => status === 401)).to.have.length(app.fakes.calls.lookUps);
    expect((await cookie('person_owner')).status).to.equal(200);
  });

  it('are none of the keys of a suspended account', async () => {
    app.fakes.failures.set('authenticate', new AppError('ACCOUNT_SUSPENDED', 'This account is suspended.'));
    for (let call = 0; call < 2 * QUOTA; call += 1) expectError(await balance(KEY), 403, 'ACCOUNT_SUSPENDED');
  });

  it('count also when they wait for the look-up of an equal one', async () => {
    const refusal = new AppError('UNAUTHORIZED', 'This key is not valid.');
    const refused = Promise.reject(refusal);
    refused.catch(() => undefined);
    app.fakes.remembered.set('guess', refused);
    const replies = await Promise.all(Array.from({ length: 2 * QUOTA }, () => balance('guess')));
    expect(app.fakes.calls.lookUps).to.equal(0);
    expect(replies.filter(({ status }) => status === 401).length).to.be.within(QUOTA, QUOTA + 5);
  });

  it('and requests without a key are limited alike', async () => {
    const replies = await Promise.all(Array.from({ length: 2 * QUOTA }, () => balance(null)));
    expect(replies.filter(({ status }) => status === 401).length).to.be.within(QUOTA, QUOTA + 5);
    expect(replies.filter(({ status }) => status === 429).length).to.be.within(QUOTA - 5, QUOTA);
  });

  it('are none of the good keys: these take nothing from their network', async () => {
    for (let call = 0; call < 2 * QUOTA; call += 1) expect((await balance(KEY)).status).to.equal(200);
    expect(app.fakes.calls.lookUps).to.equal(2 * QUOTA);
    const reply = await balance('guess');
    expect(reply.headers.get('ratelimit')).to.match(new RegExp(`r=${QUOTA - 1};`));
  });

  it('are none of the keys that the service could not look up', async () => {
    app.fakes.failures.set('authenticate', new Error('the database is gone'));
    for (let call = 0; call < 2 * QUOTA; call += 1) expectError(await balance(KEY), 500, 'INTERNAL_ERROR');
    app.fakes.failures.clear();
    expect((await balance(KEY)).status).to.equal(200);
  });
});
