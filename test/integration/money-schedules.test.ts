/** The schedules of money on the running stack: mails of alerts leave, and allowances that are due are granted. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';

import { OperatorPlanEntity } from '../../entities/plans.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';

describe('the schedules of money', function () {
  this.timeout(120_000);
  let api: TestApi;
  let connection: Connection;
  before(async () => {
    api = await testApi();
    connection = await Connection.connect({ address: api.stack.env['DOCKYARD_TEMPORAL_ADDRESS'] ?? '' });
  });
  after(() => connection.close());

  const trigger = (scheduleId: string): Promise<void> => {
    const namespace = api.stack.env['DOCKYARD_TEMPORAL_NAMESPACE'] ?? 'default';
    return new Client({ connection, namespace }).schedule.getHandle(scheduleId).trigger();
  };
  const mailsAbout = async (accountId: string): Promise<string[]> => {
    const [owner] = await api.db.query<{ email: string }[]>('select email from users where account_id = $1', [
      accountId,
    ]);
    const folder = join(api.stack.home, 'mail');
    const names = await readdir(folder).catch(() => []);
    const mails = await Promise.all(
      names
        .filter((name) => /^alert-.*\.eml$/.test(name))
        .map((name) => readFile(join(folder, name), 'utf8')),
    );
    return mails.filter((mail) => mail.includes(owner?.email ?? ''));
  };

  it('mail an owner whose limit is reached, once, and no owner who has switched that off', async () => {
    const [told, quiet] = [await api.account(1_000), await api.account(1_000)];
    for (const account of [told, quiet]) {
      const { headers } = await sessionOf(api, account.accountId);
      const put = (path: string, body: unknown) => api.call(null, 'PUT', path, body, { headers });
      expect((await put('settings/notifications', { accountLimit: account === told })).body).to.deep.equal({
        ...{ accountLimit: account === told, keyLimit: true, lowBalance: true },
      });
      expect((await put('settings/notifications', { accountLimit: 'no' })).status).to.equal(400);
      // What the job holds is more than the limit from now on.
      expect((await api.submit(account.liveKey, noopJob(3, { seconds: 3 }))).status).to.equal(200);
      expect((await put('settings/billing', { monthLimitCents: 1 })).status).to.equal(200);
    }
    for (let round = 0; round < 2; round += 1) {
      await trigger('alerts');
      await until('the mail is there', async () => (await mailsAbout(told.accountId)).length > 0);
    }
    const mails = await mailsAbout(told.accountId);
    expect(mails).to.have.length(1);
    expect(mails[0])
      .to.contain('of its limit')
      .and.to.match(/Message-ID:\s+<alert-/);
    expect(await mailsAbout(quiet.accountId)).to.deep.equal([]);
  });

  it('grant the allowance of a plan', async () => {
    const account = await api.account();
    await api.db
      .getRepository(OperatorPlanEntity)
      .insert({ accountId: account.accountId, anchorAt: new Date(Date.now() - 3_600_000), endedAt: null });
    await trigger('allowances');
    await until('the allowance is there', async () => {
      const { body } = await api.call(account.liveKey, 'GET', 'credits/balance');
      return body['monthly_cents'] === 2_000;
    });
    await api.db.getRepository(OperatorPlanEntity).delete({ accountId: account.accountId });
  });
});
