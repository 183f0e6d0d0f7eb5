/** Quotes over HTTP: an estimate is a promise for fifteen minutes, to one account, for the job that was estimated. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { loadConfig } from '../../src/config.ts';
import type { Quote } from '../../src/domain/pricing.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { createQuoteTokens } from '../../src/services/prices/quote-tokens.ts';
import type { QuotedOffer } from '../../src/services/prices/quote-tokens.ts';
import { FURTHER_SECRET, NOTHING, noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';

const LIFE_MS = 15 * 60_000;
const ASKED = { jobType: 'simulation', simulator: 'noop', taskCount: 3 };

describe('a quote', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  let secret: string;
  before(async () => {
    api = await testApi();
    ({ secret } = loadConfig('cli', api.stack.env));
  });
  beforeEach(async () => {
    owner = await api.account(1000);
  });

  const estimate = (key = owner.testKey, headers: Record<string, string> = {}): Promise<Answer> =>
    api.call(key, 'POST', 'jobs/estimate', ASKED, { headers });
  const submit = (quoteId: unknown, change: object = {}, key?: string): Promise<Answer> =>
    api.submit(owner.liveKey, { ...noopJob(3), ...change, quoteId }, key);
  /** The offer of a quote, as if its book and its rate were those of another time. */
  const dearer = ({ priced, quote }: QuotedOffer): QuotedOffer => ({
    priced,
    quote: { ...quote, priceBookVersion: 'of-old', fxRateMicro: 600_000, heldPence: quote.heldPence * 7 },
  });

  it('of an estimate with a test key holds at the submit with a live key, and says what it promises', async () => {
    const asked = Date.now();
    const { status, body } = await estimate();
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.ceilingCents).to.equal(body.heldCents).and.to.equal(5);
    expect(Date.parse(body.quoteExpiresAt)).to.be.within(asked + LIFE_MS - 1000, Date.now() + LIFE_MS);
    const accepted = await submit(body.quoteId, { jobName: 'a name is no part of the price' });
    expect([accepted.status, accepted.body.heldCents]).to.deep.equal([200, 5]);
  });

  it('keeps price and rate in the job, and is not kept with the request', async () => {
    const tokens = createQuoteTokens(secret);
    const offer = dearer(tokens.read(owner, (await estimate()).body.quoteId));
    const { body } = await submit(tokens.sign(owner, offer).quoteId);
    expect(body.heldCents, JSON.stringify(body)).to.equal(35);
    const [stored] = await api.db.query<{ quote: Quote; fx_rate_micro: number; request: object }[]>(
      'select e.quote, e.fx_rate_micro, j.request from job_executions e join jobs j on j.id = e.job_id where j.id = $1',
      [body.jobId],
    );
    expect(stored?.quote).to.deep.equal(offer.quote);
    expect(stored?.fx_rate_micro).to.equal(600_000);
    expect(stored?.request).to.not.have.property('quoteId');
    expect(await api.leftovers(owner.accountId)).to.include({ jobs: 1, heldPence: 35 });
  });

  it('for another job, too late, foreign, changed or signed by another is refused, and nothing is held', async () => {
    const { quoteId } = (await estimate()).body;
    const offer = createQuoteTokens(secret).read(owner, quoteId);
    const stranger = await api.account();
    const late = createQuoteTokens(secret, () => Date.now() - LIFE_MS - 1000).sign(owner, offer);
    const changed = `${quoteId.slice(0, 60)}${quoteId[60] === 'A' ? 'B' : 'A'}${quoteId.slice(61)}`;
    const refused: readonly [Answer, string][] = [
      [await submit(quoteId, { taskCount: 4 }), 'QUOTE_MISMATCH'],
      [
        await submit(quoteId, { recovery: { mode: 'resumable' }, metadata: { noop: { pence: [2] } } }),
        'QUOTE_MISMATCH',
      ],
      [await submit(late.quoteId), 'QUOTE_EXPIRED'],
      [await submit((await estimate(stranger.testKey)).body.quoteId), 'QUOTE_INVALID'],
      [await submit(changed), 'QUOTE_INVALID'],
      [await submit(createQuoteTokens('ee'.repeat(32)).sign(owner, offer).quoteId), 'QUOTE_INVALID'],
      [await submit('x'.repeat(400)), 'QUOTE_INVALID'],
    ];
    for (const [{ status, body }, code] of refused) expect([status, body.code]).to.deep.equal([422, code]);
    for (const wrong of ['short', 7, null, 'x'.repeat(16_385)])
      expect((await submit(wrong)).status, String(wrong).slice(0, 9)).to.equal(400);
    expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
  });

  it('that a further secret has signed is taken, while the secret is changed', async () => {
    const tokens = createQuoteTokens(FURTHER_SECRET);
    const offer = createQuoteTokens(secret).read(owner, (await estimate()).body.quoteId);
    const { status, body } = await submit(tokens.sign(owner, offer).quoteId);
    expect([status, body.heldCents]).to.deep.equal([200, 5]);
  });

  it('is no part of what an idempotency key stands for: a repeat with another, a late one or none is a replay', async () => {
    const key = randomUUID();
    const first = await submit((await estimate()).body.quoteId, {}, key);
    expect(first.status).to.equal(200);
    const offer = createQuoteTokens(secret).read(owner, (await estimate()).body.quoteId);
    const late = createQuoteTokens(secret, () => Date.now() - LIFE_MS - 1000).sign(owner, offer);
    for (const quoteId of [(await estimate()).body.quoteId, late.quoteId, undefined]) {
      const { body } = await submit(quoteId, {}, key);
      expect(body).to.include({ jobId: first.body.jobId, idempotentReplay: true });
    }
    expect((await submit(undefined, { taskCount: 4 }, key)).body.code).to.equal('IDEMPOTENCY_KEY_REUSED');
    expect(await api.leftovers(owner.accountId)).to.include({ jobs: 1, holds: 1 });
  });

  it('is not stored: an estimate under a key is priced anew, and its answer is kept nowhere', async () => {
    const key = randomUUID();
    const [first, second] = [
      await estimate(owner.liveKey, { 'idempotency-key': key }),
      await estimate(owner.liveKey, { 'idempotency-key': key }),
    ];
    expect([first.status, second.status]).to.deep.equal([200, 200]);
    expect(second.headers.get('idempotency-replayed'), 'a price computed anew is no replay').to.equal(null);
    const rows = await api.db.query('select response_body from idempotency_keys where key = $1', [key]);
    expect(rows).to.deep.equal([{ response_body: null }]);
    const other = await api.call(
      owner.liveKey,
      'POST',
      'jobs/estimate',
      { ...ASKED, taskCount: 4 },
      { headers: { 'idempotency-key': key } },
    );
    expect([other.status, other.body.code]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
  });
});
