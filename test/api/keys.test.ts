/** Keys over HTTP: who holds a key may end it, and a test key settles no money. */
import { expect } from 'chai';

import type { TestApi } from '../support/api.ts';
import { noopJob, testApi } from '../support/api.ts';
import { until } from '../support/until.ts';

describe('keys over HTTP', function () {
  this.timeout(120_000);
  let api: TestApi;
  before(async () => {
    api = await testApi();
  });

  it('are ended at once by whoever holds them', async () => {
    const { accountId, testKey, liveKey } = await api.account();
    const ended = await api.call(testKey, 'POST', 'keys/revoke-this');
    expect(ended.status, JSON.stringify(ended.body)).to.equal(200);
    expect(ended.body).to.have.all.keys('id', 'status', 'revokedAt');
    expect((await api.call(testKey, 'GET', 'credits/balance')).status).to.equal(401);
    expect((await api.call(testKey, 'POST', 'keys/revoke-this')).status).to.equal(401);
    expect((await api.call(liveKey, 'GET', 'credits/balance')).status).to.equal(200);
    const [entry] = await api.db.query<Record<string, unknown>[]>(
      `select author_kind, author_id, address from audit_log where account_id = $1 and action = 'key.revoked'`,
      [accountId],
    );
    expect(entry).to.deep.equal({ author_kind: 'key', author_id: ended.body.id, address: '127.0.0.1' });
  });

  it('that are bound to networks are refused from elsewhere, and taken from there', async () => {
    const { accountId, liveKey } = await api.account();
    const bind = async (...cidrs: string[]): Promise<void> => {
      await api.db.query('update api_keys set allowed_cidrs = $2 where account_id = $1', [accountId, cidrs]);
    };
    const balance = async (): Promise<unknown> => {
      const { status, body } = await api.call(liveKey, 'GET', 'credits/balance');
      return status === 200 ? status : body.code;
    };
    await bind('192.0.2.0/24');
    expect(await balance()).to.equal('ADDRESS_NOT_ALLOWED');
    await bind('192.0.2.0/24', '127.0.0.0/8');
    await until('the change is known', async () => (await balance()) === 200, 3_000);
  });

  it('for tests cancel no job, because a cancel settles money', async () => {
    const { liveKey, testKey } = await api.account();
    const { body } = await api.submit(liveKey, noopJob(1, { seconds: 60 }));
    const refused = await api.call(testKey, 'POST', `jobs/${body.jobId}/cancel`);
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'TEST_KEY_LIVE_BILLING']);
    expect((await api.call(liveKey, 'POST', `jobs/${body.jobId}/cancel`)).status).to.equal(202);
  });
});
