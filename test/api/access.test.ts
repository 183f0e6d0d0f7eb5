/** Who is let in: the token of an instance opens the compute gateway and no endpoint of the public API. */
import { expect } from 'chai';

import { API_BASE, endpoints } from '../../api/endpoints.ts';
import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../src/contracts/instance.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';

describe('the token of an instance', () => {
  let api: TestApi;
  let owner: NewAccount;
  let jobId: string;
  let token: string;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    owner = await api.account();
    const submitted = await api.submit(owner.liveKey, noopJob());
    expect(submitted.status, JSON.stringify(submitted.body)).to.equal(200);
    ({ jobId } = submitted.body);
    await api.reaches(owner.liveKey, jobId, 'SUCCEEDED');
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    const secret = api.stack.env['DOCKYARD_SECRET'] ?? '';
    token = signInstanceToken(secret, { jobId, slot: 0, generation: 1, expiresAt });
  });

  /** The address of the endpoint for this job, or for an object that does not exist. */
  const pathOf = (path: string): string =>
    API_BASE +
    path
      .replaceAll('{jobId}', jobId)
      .replace(/\{index\}/, '0')
      .replaceAll(/\{\w+\}/g, jobId);
  const call = (key: string | null, { method, path }: (typeof endpoints)[number]): Promise<Answer> =>
    api.call(key, method, pathOf(path), method === 'GET' || method === 'DELETE' ? undefined : {});

  it('is genuine: the gateway knows it', async () => {
    const gateway = api.stack.env['DOCKYARD_GATEWAY_URL'] ?? '';
    const contact = (bearer: string): Promise<Response> =>
      fetch(new URL('/v1/contact', gateway), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bearer}`,
          [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ running: [] }),
      });
    // The job of the token has ended.
    expect((await contact(token)).status).to.equal(409);
    expect((await contact(`${token}x`)).status).to.equal(401);
  });

  it('is sent to a list in which every endpoint asks for a key', () => {
    expect(endpoints.length).to.be.at.least(20);
    expect(endpoints.filter(({ access }) => access === 'none')).to.deep.equal([]);
  });

  for (const endpoint of endpoints)
    it(`is refused by ${endpoint.method} ${endpoint.path}`, async () => {
      const refused = await call(token, endpoint);
      expect(refused.status).to.equal(401);
      expect(refused.body).to.include({ code: 'UNAUTHORIZED' });
      // The token is refused there, not the request: the same request with a key passes authentication.
      expect((await call(owner.liveKey, endpoint)).status).to.not.be.oneOf([401, 405, 501]);
    });
});
