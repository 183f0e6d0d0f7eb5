/** People on a whole stack: mail in its folder, the cookie of a real sign-in, and what a session may do with jobs and keys. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'correct horse battery';

describe('people on a stack', function () {
  this.timeout(120_000);
  let api: TestApi;
  let origin: string;
  before(async () => {
    api = await testApi();
    ({ origin } = new URL(api.stack.env['DOCKYARD_PUBLIC_URL'] ?? ''));
  });

  /** The code of the one mail to an address. */
  const codeTo = async (email: string): Promise<string> => {
    const folder = join(api.stack.home, 'mail');
    let code = '';
    await until(`a mail to ${email}`, async () => {
      for (const name of await readdir(folder).catch(() => [])) {
        const text = await readFile(join(folder, name), 'utf8');
        if (text.includes(`To: ${email}`))
          [, code = ''] = /^ {4}(\S{43})$/m.exec(text.replaceAll('\r\n', '\n')) ?? [];
      }
      return code !== '';
    });
    return code;
  };

  it('sign up with the mail of the folder that the log names, and call with the cookie', async () => {
    const email = `${randomUUID()}@example.org`;
    const body = { email, password: PASSWORD };
    expect((await api.call(null, 'POST', 'auth/sign-up', body)).status).to.equal(202);
    const code = await codeTo(email);
    expect(await readFile(join(api.stack.home, 'logs', 'api.log'), 'utf8')).to.contain(
      JSON.stringify(join(api.stack.home, 'mail')),
    );
    expect((await api.call(null, 'POST', 'auth/verify', { code, password: PASSWORD })).status).to.equal(200);
    const signedIn = await api.call(null, 'POST', 'auth/sign-in', body, { headers: { origin } });
    expect(signedIn.status, JSON.stringify(signedIn.body)).to.equal(200);
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
    const own = (method: string, path: string, sent?: unknown): Promise<Answer> =>
      api.call(null, method, path, sent, { headers: { cookie, origin } });
    expect((await own('GET', 'credits/balance')).body).to.include({ available_cents: 100 });

    const made = await own('POST', 'keys', { name: 'CI', scopes: ['credits:read'] });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { id, key } = made.body;
    expect((await api.call(key, 'GET', 'credits/balance')).status).to.equal(200);
    expect((await own('DELETE', `keys/${id}`)).status).to.equal(200);
    expect((await api.call(key, 'GET', 'credits/balance')).status, 'at once').to.equal(401);
    const { entries } = (await own('GET', 'audit')).body;
    expect(entries.map(({ action }: { action: string }) => action)).to.deep.equal([
      ...['key.revoked', 'key.created', 'session.started', 'account.opened'],
    ]);
    expect((await own('POST', 'auth/sign-out')).status).to.equal(200);
    expect((await own('GET', 'credits/balance')).status).to.equal(401);
  });

  it('submit and cancel jobs from a page of the service, and from no other', async () => {
    const { accountId } = await api.account();
    const { sessionId, headers } = await sessionOf(api, accountId);
    const submitted = await api.call(null, 'POST', 'jobs/submit', noopJob(1, { seconds: 60 }), { headers });
    expect(submitted.status, JSON.stringify(submitted.body)).to.equal(200);
    const { jobId } = submitted.body;
    const [caller] = await api.db.query<Record<string, unknown>[]>(
      'select caller_kind, caller_id from jobs where id = $1',
      [jobId],
    );
    expect(caller).to.deep.equal({ caller_kind: 'session', caller_id: sessionId });
    const { cookie } = headers;
    const cancel = (more: Readonly<Record<string, string>>): Promise<Answer> =>
      api.call(null, 'POST', `jobs/${jobId}/cancel`, undefined, { headers: { cookie, ...more } });
    for (const more of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const refused = await cancel(more);
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'CROSS_SITE_REQUEST']);
    }
    expect((await cancel({ 'sec-fetch-site': 'same-origin' })).status).to.equal(202);
  });
});
