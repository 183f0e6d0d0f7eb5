import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import { createIdempotency, sweepIdempotency } from '../../src/services/idempotency.ts';
import type { Idempotency, IdempotencyOutcome } from '../../src/services/idempotency.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

describe('idempotency of writes', () => {
  let test: TestDatabase;
  let idempotency: Idempotency;
  before(async () => {
    test = await openTestDatabase();
    idempotency = createIdempotency(test.db);
  });
  after(() => test.close());

  const actor = async (): Promise<Actor> => {
    const accountId = randomUUID();
    await test.db.query('insert into accounts (id) values ($1)', [accountId]);
    return {
      accountId,
      userId: randomUUID(),
      kind: 'key',
      keyId: randomUUID(),
      environment: 'live',
      scopes: [],
      plan: 'free',
    };
  };
  const request = (more: { operation?: string; key?: string; fingerprint?: string } = {}) => ({
    operation: 'createThing',
    key: 'key-of-eight',
    fingerprint: 'a',
    ...more,
  });
  const referenceOf = (outcome: IdempotencyOutcome): string => {
    if (outcome.outcome !== 'started') throw new Error('not started');
    return outcome.reference;
  };
  const refusal = async (call: Promise<unknown>): Promise<AppError> => {
    try {
      await call;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error('was not refused');
  };
  /** Makes the claim look as if its process had been gone for a minute. */
  const expireLock = (who: Actor): Promise<unknown> =>
    test.db.query(
      `update idempotency_keys set locked_until = locked_until - interval '61 seconds' where account_id = $1`,
      [who.accountId],
    );

  it('answers a repeat what the first answered, status and body', async () => {
    const who = await actor();
    const body = { id: 7, nested: { list: [1, 'zwei', null] } };
    await idempotency.complete(referenceOf(await idempotency.begin(who, request())), { status: 201, body });
    for (let repeat = 0; repeat < 3; repeat += 1)
      expect(await idempotency.begin(who, request())).to.deep.equal({ outcome: 'replay', status: 201, body });
  });

  it('keeps no refusal, whoever asks for that', async () => {
    const who = await actor();
    const reference = referenceOf(await idempotency.begin(who, request()));
    const body = { error: 'no', code: 'NOT_FOUND' };
    const error: unknown = await idempotency
      .complete(reference, { status: 404, body })
      .catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain('idempotency_keys_success');
    await idempotency.abandon(reference);
    expect((await idempotency.begin(who, request())).outcome).to.equal('started');
  });

  it('refuses another request under the same key, running or answered', async () => {
    const who = await actor();
    const first = referenceOf(await idempotency.begin(who, request()));
    expect((await refusal(idempotency.begin(who, request({ fingerprint: 'b' })))).code).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    await expireLock(who);
    expect((await refusal(idempotency.begin(who, request({ fingerprint: 'b' })))).code).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    await idempotency.complete(first, { status: 200, body: {} });
    expect((await refusal(idempotency.begin(who, request({ fingerprint: 'b' })))).code).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('tells a repeat to come back while the first runs', async () => {
    const who = await actor();
    await idempotency.begin(who, request());
    const error = await refusal(idempotency.begin(who, request()));
    expect(error.code).to.equal('IDEMPOTENCY_IN_PROGRESS');
    expect(error.retryAfterSeconds).to.be.within(1, 60);
  });

  it('lets exactly one of many equal requests run', async () => {
    const who = await actor();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => idempotency.begin(who, request())),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).to.have.length(1);
  });

  it('keeps keys of other accounts and operations apart', async () => {
    const [one, other] = [await actor(), await actor()];
    await idempotency.begin(one, request());
    expect((await idempotency.begin(other, request({ fingerprint: 'b' }))).outcome).to.equal('started');
    expect(
      (await idempotency.begin(one, request({ operation: 'other', fingerprint: 'b' }))).outcome,
    ).to.equal('started');
  });

  it('keeps keys of live and test callers apart, and takes a person for a live one', async () => {
    const live = await actor();
    const test: Actor = { ...live, kind: 'key', keyId: randomUUID(), environment: 'test', scopes: [] };
    const { accountId, userId, plan } = live;
    const person: Actor = {
      accountId,
      userId,
      plan,
      kind: 'session',
      sessionId: randomUUID(),
      role: 'owner',
      isRecent: true,
    };
    await idempotency.begin(live, request());
    const other = await idempotency.begin(test, request({ fingerprint: 'b' }));
    await idempotency.complete(referenceOf(other), { status: 200, body: 'of the test key' });
    expect((await refusal(idempotency.begin(person, request()))).code).to.equal('IDEMPOTENCY_IN_PROGRESS');
    expect(await idempotency.begin(test, request({ fingerprint: 'b' }))).to.include({
      body: 'of the test key',
    });
  });

  it('tells who takes a key over when the first attempt began, and nobody else', async () => {
    const who = await actor();
    const since = (outcome: IdempotencyOutcome): string | null =>
      outcome.outcome === 'started' ? outcome.resumedSince : expect.fail('not started');
    const [clock] = await test.db.query<{ now: string }[]>(
      `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
    );
    expect(since(await idempotency.begin(who, request()))).to.equal(null);
    await expireLock(who);
    const taken = since(await idempotency.begin(who, request())) ?? '';
    expect(taken >= (clock?.now ?? 'z'), `${taken} after ${String(clock?.now)}`).to.equal(true);
    await expireLock(who);
    expect(since(await idempotency.begin(who, request())), 'the first attempt counts').to.equal(taken);
    await test.db.query(`update idempotency_keys set expires_at = now() where account_id = $1`, [
      who.accountId,
    ]);
    expect(since(await idempotency.begin(who, request()))).to.equal(null);
  });

  it('frees the key of a request that was refused or failed, also for another request', async () => {
    const who = await actor();
    await idempotency.abandon(referenceOf(await idempotency.begin(who, request())));
    expect((await idempotency.begin(who, request({ fingerprint: 'b' }))).outcome).to.equal('started');
  });

  it('is taken over a minute after its process died, and the one that took over has the say', async () => {
    const who = await actor();
    const dead = referenceOf(await idempotency.begin(who, request()));
    await expireLock(who);
    const next = referenceOf(await idempotency.begin(who, request()));
    expect((await refusal(idempotency.begin(who, request()))).code).to.equal('IDEMPOTENCY_IN_PROGRESS');
    // The first process was only slow: neither its end nor its answer disturbs the second process.
    await idempotency.abandon(dead);
    await idempotency.complete(dead, { status: 200, body: 'late' });
    expect((await refusal(idempotency.begin(who, request()))).code).to.equal('IDEMPOTENCY_IN_PROGRESS');
    await idempotency.complete(next, { status: 200, body: 'second' });
    await idempotency.complete(dead, { status: 200, body: 'late' });
    await idempotency.abandon(next);
    expect(await idempotency.begin(who, request())).to.deep.equal({
      outcome: 'replay',
      status: 200,
      body: 'second',
    });
  });

  it('forgets an answer after seven days, not before', async () => {
    const who = await actor();
    await idempotency.complete(referenceOf(await idempotency.begin(who, request())), {
      status: 200,
      body: {},
    });
    const age = (interval: string): Promise<unknown> =>
      test.db.query(
        `update idempotency_keys set expires_at = expires_at - interval '${interval}' where account_id = $1`,
        [who.accountId],
      );
    await age('6 days 23 hours');
    await sweepIdempotency(test.db);
    expect((await idempotency.begin(who, request())).outcome).to.equal('replay');
    await age('1 hour');
    expect((await idempotency.begin(who, request({ fingerprint: 'b' }))).outcome).to.equal('started');
    await age('8 days');
    await sweepIdempotency(test.db);
    expect(
      await test.db.query('select 1 from idempotency_keys where account_id = $1', [who.accountId]),
    ).to.deep.equal([]);
  });
});
