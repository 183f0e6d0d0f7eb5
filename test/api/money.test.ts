/** Prices for everybody, statements and cost limits, over HTTP. */
import { expect } from 'chai';

import { encodeCursor, scopeOf } from '../../src/services/cursor.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';

const MONTH = new Date().toISOString().slice(0, 7);

describe('public prices over HTTP', function () {
  this.timeout(120_000);
  let api: TestApi;
  before(async () => {
    api = await testApi();
  });
  const estimate = (body: unknown, raw?: string): Promise<Answer> =>
    api.call(null, 'POST', 'public/estimate', body, raw === undefined ? {} : { raw });

  it('need no key, and are not sent again to who has them', async () => {
    const present = await api.call(null, 'GET', 'public/prices');
    expect(present.status).to.equal(200);
    const tag = present.headers.get('etag') ?? '';
    expect(tag).to.match(/^"[0-9a-f]{32}"$/);
    const path = `public/prices/${String(present.body.version)}`;
    for (const again of ['public/prices', path]) {
      const { status, body } = await api.call(null, 'GET', again, undefined, {
        headers: { 'if-none-match': tag },
      });
      expect([status, body]).to.deep.equal([304, '']);
    }
    expect((await api.call(null, 'GET', path)).body).to.deep.equal(present.body);
    const unknown = await api.call(null, 'GET', 'public/prices/1999');
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'NOT_FOUND']);
  });

  it('are estimated by the defaults from {}, and by what is sent', async () => {
    const nothing = await estimate({});
    expect(nothing.status, JSON.stringify(nothing.body)).to.equal(200);
    expect(nothing.body).to.include({ estimatedCost: 0, currency: 'USD', creditCurrency: 'GBP' });
    const some = await estimate({ mode: 'still', imageCount: 6, hardware: 'c7i.xlarge' });
    expect(some.body.breakdown.compute).to.equal(0.1785);
    expect(some.headers.get('ratelimit-policy')).to.match(/^"public";/);
    // The contract has a number there; a part of an image is drawn as a whole one.
    const part = await estimate({ mode: 'still', imageCount: 5.5, hardware: 'c7i.xlarge' });
    expect([part.body.breakdown, part.body.meta.totalFrames]).to.deep.equal([some.body.breakdown, 6]);
  });

  it('refuse what is not known with what is, and what is too large or no figure', async () => {
    const unknown = await estimate({ hardware: 'mainframe' });
    expect([unknown.status, unknown.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    expect(unknown.body.error).to.contain('g4dn.xlarge');
    for (const bad of [
      { fps: -1 },
      { imageCount: -0.5 },
      { durationMinutes: 1e9 },
      { mode: 'film' },
      { surprise: 1 },
    ])
      expect((await estimate(bad)).status, JSON.stringify(bad)).to.equal(400);
    expect((await estimate(undefined, JSON.stringify({ software: 'x'.repeat(17 * 1024) }))).status).to.equal(
      413,
    );
  });
});

describe('top-ups over HTTP', function () {
  this.timeout(120_000);

  it('refuse a cursor that anybody can make, as every list does', async () => {
    const api = await testApi();
    const { accountId, liveKey } = await api.account(0);
    const scope = scopeOf('topups', { accountId }, {});
    for (const place of [
      ['x', 'y'],
      ['2026-01-01T00:00:00Z', 'no uuid'],
      ['', ''],
      ['-Infinity', '-1'],
      ['2026-01-01T00:00:00.000000Z', 'x'],
    ]) {
      const path = `credits/topups?cursor=${encodeCursor(scope, place)}`;
      const { status, body } = await api.call(liveKey, 'GET', path);
      expect([status, body.code], place.join()).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
  });
});

describe('statements over HTTP', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  before(async () => {
    api = await testApi();
    owner = await api.account(1234);
  });
  const get = (path: string, accept?: string): Promise<Answer> =>
    api.call(owner.testKey, 'GET', path, undefined, accept === undefined ? {} : { headers: { accept } });

  it('are listed, and come as JSON or as CSV, as the query says and else the header Accept', async () => {
    const list = await get('credits/statements');
    expect(list.body.statements[0]).to.deep.include({ month: MONTH, final: false });
    expect(list.body.statements[0].closing.wallet_cents).to.equal(1234);
    const path = `credits/statements/${MONTH}`;
    const json = await get(path);
    expect(json.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(json.body.lines.map((line: { wallet_cents: number }) => line.wallet_cents)).to.deep.equal([1234]);
    for (const csv of [
      await get(`${path}?format=csv`),
      await get(path, 'text/csv'),
      await get(`${path}?format=csv`, 'application/json'),
    ]) {
      expect(csv.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      expect(csv.headers.get('content-disposition')).to.equal(
        `attachment; filename="statement-${MONTH}.csv"`,
      );
      expect(csv.body.split('\r\n')).to.have.length(5);
    }
    expect((await get(`${path}?format=json`, 'text/csv')).body).to.deep.equal(json.body);
  });

  it('of no month, of a month without a statement and in another form are refused', async () => {
    for (const month of ['2026-13', '0000-01', '1999-01', 'now'])
      expect((await get(`credits/statements/${month}`)).status, month).to.equal(404);
    expect((await get(`credits/statements/${MONTH}?format=pdf`)).status).to.equal(400);
  });
});

describe('cost limits over HTTP', function () {
  this.timeout(120_000);

  it('are for owners who have signed in, and refuse what is no amount, without a change', async () => {
    const api = await testApi();
    const owner = await api.account(1000);
    const { headers } = await sessionOf(api, owner.accountId);
    const put = (body: unknown): Promise<Answer> =>
      api.call(null, 'PUT', 'settings/billing', body, { headers });
    const nothing = {
      ...{ creditCurrency: 'GBP', jobLimitCents: null, monthLimitCents: null, lowBalanceCents: null },
      memberKeysLimitCents: null,
      ...{ autoTopUp: null, keyLimits: [] },
    };
    for (const pence of [-1, 0.5, 100_000_001, '7'])
      for (const field of ['jobLimitCents', 'monthLimitCents', 'lowBalanceCents', 'memberKeysLimitCents'])
        expect((await put({ [field]: pence })).status, `${field} ${pence}`).to.equal(400);
    const wish = { tierId: 'topup-10', belowCents: 100, monthLimitCents: 2_000 };
    for (const wrong of [
      ...['topup-10', {}, [], { ...wish, state: 'on' }, { ...wish, tierId: '' }, { ...wish, tierId: 7 }],
      ...[-1, 0.5, 100_000_001, null].map((belowCents) => ({ ...wish, belowCents })),
      ...[-1, 0.5, 100_000_001, null].map((monthLimitCents) => ({ ...wish, monthLimitCents })),
    ])
      expect((await put({ autoTopUp: wrong })).status, JSON.stringify(wrong)).to.equal(400);
    const unpaid = await put({ jobLimitCents: 5, autoTopUp: wish });
    expect([unpaid.status, unpaid.body.code]).to.deep.equal([402, 'NO_PAYMENT_METHOD']);
    expect((await put({ autoTopUp: null })).body).to.deep.include(nothing);
    const read = await api.call(null, 'GET', 'settings/billing', undefined, { headers });
    expect(read.status).to.equal(200);
    expect(read.body).to.deep.include({ ...nothing, plan: 'free', allowanceEndsAt: null });
    expect(read.body.spending).to.deep.include({ spentCents: 0, restCents: null, keys: [] });
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await put({ jobLimitCents: 1 });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ ...nothing, jobLimitCents: 1 });
    }
    // A key may have a limit of its own beyond those that are set here, and is told as it is.
    const rich = { name: 'rich', scopes: ['credits:read'], monthlyLimitCents: 100_000_001 };
    const made = await api.call(null, 'POST', 'keys', rich, { headers });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const told = await api.call(null, 'GET', 'settings/billing', undefined, { headers });
    expect([told.status, told.body.keyLimits]).to.deep.equal([
      200,
      [{ keyId: made.body.id, monthLimitCents: 100_000_001 }],
    ]);
    const refused = await api.submit(owner.liveKey, noopJob(3));
    expect([refused.status, refused.body.code]).to.deep.equal([422, 'COST_LIMIT_EXCEEDED']);
    // A job that no credits cover is refused for the card while auto top-up is paused.
    const poor = await api.account(0);
    await api.db.query(
      `insert into auto_topups (account_id, tier_id, below_pence, month_limit_pence) values ($1, 'topup-10', 1, 1000)`,
      [poor.accountId],
    );
    const codes: unknown[] = [];
    for (const paused of [null, 'CARD_DECLINED']) {
      await api.db.query('update auto_topups set paused = $2 where account_id = $1', [
        poor.accountId,
        paused,
      ]);
      const { status, body } = await api.submit(poor.liveKey, noopJob(3));
      codes.push([status, body.code]);
    }
    expect(codes).to.deep.equal([
      [402, 'INSUFFICIENT_CREDITS'],
      [402, 'NO_PAYMENT_METHOD'],
    ]);
    for (const method of ['GET', 'PUT']) {
      const { status, body } = await api.call(
        owner.liveKey,
        method,
        'settings/billing',
        method === 'PUT' ? {} : undefined,
      );
      expect([status, body.code]).to.deep.equal([403, 'SESSION_REQUIRED']);
    }
  });
});
