/**
 * The one table of 429: every endpoint refuses its caller's request that is one too many, before anything else is looked at. Each
 * endpoint has a caller of its own, because endpoints of one kind share a limit. How limits are counted is
 * `test/unit/api/rate-limiter.test.ts`.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { API_BASE, endpoints } from '../../api/endpoints.ts';
import { wholePath } from '../../api/http/endpoint.ts';
import { createDatabase } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { limitedApi } from '../support/limited-api.ts';
import { sessionOf } from '../support/session-of.ts';

type Endpoint = (typeof endpoints)[number];

describe('every endpoint, to a request too many', function () {
  this.timeout(120_000);
  let stack: Stack;
  let db: Database;
  before(async () => {
    stack = await limitedApi();
    db = await createDatabase(stack.env['DOCKYARD_DATABASE_URL'] ?? '', { poolSize: 1 });
  });
  after(() => db.destroy());

  /** A new caller whom the endpoint is for; nobody is known to an endpoint for anybody. */
  const callerFor = async ({ access }: Endpoint): Promise<Readonly<Record<string, string>>> => {
    if (access === 'none') return {};
    const { accountId, liveKey } = await createAccount(db, {
      email: `${randomUUID()}@example.com`,
      creditsPence: 0,
    });
    if (access === 'session' || access === 'owner')
      return (await sessionOf({ db, stack }, accountId)).headers;
    return { authorization: `Bearer ${liveKey}` };
  };
  /** Nothing happens: no endpoint has this field in its query. */
  const call = (endpoint: Endpoint, headers: Readonly<Record<string, string>>): Promise<Response> => {
    const path = wholePath(API_BASE, endpoint).replaceAll(/:\w+/g, () => randomUUID());
    return fetch(`${stack.apiUrl}${path}?nonsense=1`, { method: endpoint.method, headers });
  };

  // Unknown callers share the limit of the network, which is asked for each new key, too; so endpoints for anybody come last.
  const inOrder = endpoints.toSorted(
    (one, other) => Number(one.access === 'none') - Number(other.access === 'none'),
  );
  for (const endpoint of inOrder)
    it(`${endpoint.method} ${endpoint.path}`, async () => {
      const headers = await callerFor(endpoint);
      const first = await call(endpoint, headers);
      if (endpoint.access !== 'none')
        expect(first.status, await first.clone().text()).to.be.oneOf([400, 404]);
      const refused = await call(endpoint, headers);
      const body: unknown = await refused.json();
      expect([refused.status, Reflect.get(Object(body), 'code')]).to.deep.equal([429, 'RATE_LIMITED']);
      expect(Object.keys(Object(body)).toSorted()).to.deep.equal(['code', 'error']);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
      expect(refused.headers.get('ratelimit')).to.match(/^"[a-z-]+";r=0;t=\d+$/);
    });
});
