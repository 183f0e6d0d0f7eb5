/**
 * The one table of 400, 401, 403 and 404: what every endpoint refuses before it does anything, generated from the list of
 * endpoints, so that a new endpoint is in the table the moment it is declared. Refusals of single fields are the tests of
 * their endpoint's schema, and generated requests (`contract.test.ts`) hold every answer against the document.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { API_BASE, endpoints } from '../../api/endpoints.ts';
import { TopupEntity } from '../../entities/payments.ts';
import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../src/contracts/instance.ts';
import { SCOPES } from '../../src/domain/access.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import { noopJob, NOTHING, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import { multipartClient } from '../support/multipart.ts';

type Endpoint = (typeof endpoints)[number];

/** A body that passes the schema, for the endpoints that have both a body and a place in their path. */
const BODIES: Readonly<Record<string, unknown>> = {
  cancelJob: {},
  resumeJob: {},
  createPartUrls: { parts: [{ partNumber: 1 }] },
  completeMultipartUpload: { parts: [{ partNumber: 1, etag: 'none' }] },
  rotateApiKey: { overlapSeconds: 0 },
  changeMember: { role: 'owner' },
  changeLicenseServer: {
    ...{ name: 'Render', software: 'houdini', protocol: 'tcp', host: 'licences.example.org', port: 5053 },
  },
};
const PLACES = /:(\w+)/g;
const hasPlaces = ({ path }: Endpoint): boolean => path.includes(':');
const scopeOf = ({ access }: Endpoint): (typeof SCOPES)[number] | null =>
  SCOPES.find((scope) => scope === access) ?? null;

/** These paths name nothing that belongs to an account. */
const OF_NOBODY = ['getCreditStatement', 'getPublicPricesOfVersion'];
/** Whoever calls these is not known, or not known yet. */
const FOR_ANYBODY = [
  ...['getPublicPrices', 'getPublicPricesOfVersion', 'estimatePublicly'],
  ...['signUp', 'verifyAddress', 'signIn', 'forgotPassword', 'resetPassword'],
  ...['startOidc', 'oidcCallback', 'finishOidc', 'beginCliSession', 'acceptInvitation'],
];
const isForPeople = ({ access }: Endpoint): boolean => access === 'session' || access === 'owner';

describe('every endpoint', () => {
  let api: TestApi;
  let owner: NewAccount;
  let stranger: NewAccount;
  /** What the owner has, by the name of its place in a path. */
  let owned: Readonly<Record<string, string>>;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    [owner, stranger] = await Promise.all([api.account(), api.account()]);
    const submitted = await api.submit(owner.liveKey, noopJob());
    expect(submitted.status, JSON.stringify(submitted.body)).to.equal(200);
    const { jobId } = submitted.body;
    const [upload, storageKey] = await Promise.all([
      multipartClient(api, owner.liveKey).init(),
      api.upload(owner.liveKey, 'HEADER\nEND\n', { filename: 'a.pdb' }),
      api.reaches(owner.liveKey, jobId, 'SUCCEEDED'),
    ]);
    const { artifact } = (
      await api.call(owner.liveKey, 'POST', 'molecular/docking/artifacts', { storageKey, format: 'pdb' })
    ).body;
    const source = { kind: 'artifact', artifact };
    await api.call(owner.liveKey, 'POST', 'molecular/docking/receptors/inspect', { source });
    const [inspection] = await api.db.query<{ id: string }[]>(
      'select id from inspections where account_id = $1',
      [owner.accountId],
    );
    owned = {
      ...{ jobId, index: '0', uploadId: upload.body.uploadId, artifactId: artifact.artifactId },
      inspectionId: inspection?.id ?? expect.fail('no inspection'),
      sessionId: (await sessionOf(api, owner.accountId)).sessionId,
      keyId: await testKeyOf(owner),
      ...{ month: new Date().toISOString().slice(0, 7), version: '2026-11-01' },
      ...(await invitedBy(owner)),
      topupId: await topupOf(owner),
    };
  });

  const pathOf = ({ path }: Endpoint, places: Readonly<Record<string, string>>): string =>
    API_BASE + path.replaceAll(PLACES, (_, name: string) => places[name] ?? `no ${name}`);
  const testKeyOf = async ({ accountId }: NewAccount): Promise<string> => {
    const [key] = await api.db.query<{ id: string }[]>(
      `select id from api_keys where account_id = $1 and environment = 'test'`,
      [accountId],
    );
    return key?.id ?? expect.fail('no key');
  };
  /** The first user of an account, and an invitation by that person. */
  const invitedBy = async ({ accountId }: NewAccount): Promise<Readonly<Record<string, string>>> => {
    const [user] = await api.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    const [userId, invitationId] = [user?.id ?? expect.fail('no user'), randomUUID()];
    await api.db.query(
      `insert into invitations (id, account_id, email, role, secret_sha256, invited_by, expires_at)
       values ($1::uuid, $2, 'bob@example.org', 'member', $1::uuid::text, $3, now() + interval '1 day')`,
      [invitationId, accountId, userId],
    );
    return { userId, invitationId };
  };
  /** A top-up that nobody has paid. */
  const topupOf = async ({ accountId }: NewAccount): Promise<string> => {
    const topups = api.db.getRepository(TopupEntity);
    const row = { id: randomUUID(), accountId, tierId: 'topup-10', amountPence: 1000, bonusPence: 0 };
    const pages = { successUrl: 'https://app.example.org/', cancelUrl: 'https://app.example.org/' };
    await topups.insert({ ...row, ...pages, fingerprint: 'f', expiresAt: new Date(Date.now() + 3_600_000) });
    return row.id;
  };
  /** Calls as somebody of the account whom the endpoint is for: with a session of its own, or with the live key. */
  const callAs = async (
    { accountId, liveKey }: NewAccount,
    endpoint: Endpoint,
    options: Parameters<typeof call>[2] = {},
  ): Promise<Answer> => {
    if (!isForPeople(endpoint)) return call(liveKey, endpoint, options);
    return call(null, endpoint, { ...options, headers: (await sessionOf(api, accountId)).headers });
  };
  const call = (
    key: string | null,
    endpoint: Endpoint,
    {
      places = owned,
      query = '',
      raw,
      headers = {},
    }: {
      places?: typeof owned;
      query?: string;
      raw?: string | undefined;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Answer> => {
    const body = endpoint.body === undefined ? undefined : (BODIES[endpoint.operationId] ?? {});
    return api.call(
      key,
      endpoint.method,
      pathOf(endpoint, places) + query,
      body,
      raw === undefined ? { headers } : { raw, headers },
    );
  };
  /** The closed envelope: a status, a code, a text, and nothing else. */
  const refuses = (answer: Answer, status: number, ...codes: string[]): void => {
    expect([answer.status, codes.includes(answer.body.code)], JSON.stringify(answer.body)).to.deep.equal([
      status,
      true,
    ]);
    expect(Object.keys(answer.body).sort()).to.deep.equal(['code', 'error']);
  };
  /** The token opens the compute gateway for the job's instance, and nothing of the public API. */
  const instanceToken = (): string => {
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    const secret = api.stack.env['DOCKYARD_SECRET'] ?? '';
    return signInstanceToken(secret, { jobId: owned['jobId'] ?? '', slot: 0, generation: 1, expiresAt });
  };
  const withoutScope = async (scope: string): Promise<string> => {
    const account = await api.account();
    const left = SCOPES.filter((other) => other !== scope);
    await api.db.query('update api_keys set scopes = $1 where account_id = $2', [left, account.accountId]);
    return account.liveKey;
  };

  it('asks for a key or a session, and the list has all of them', () => {
    expect(endpoints.length).to.be.at.least(20);
    const anybody = endpoints.filter(({ access }) => access === 'none');
    expect(anybody.map(({ operationId }) => operationId)).to.deep.equal(FOR_ANYBODY);
  });

  it('refuses a token that the gateway knows to be genuine', async () => {
    const gateway = api.stack.env['DOCKYARD_GATEWAY_URL'] ?? '';
    const contact = async (bearer: string): Promise<number> => {
      const headers = {
        ...{ authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
      };
      const body = JSON.stringify({ running: [] });
      return (await fetch(new URL('/v1/contact', gateway), { method: 'POST', headers, body })).status;
    };
    // The job of the token has ended.
    expect(await contact(instanceToken())).to.equal(409);
    expect(await contact(`${instanceToken()}x`)).to.equal(401);
  });

  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;

    if (endpoint.access !== 'none')
      it(`answers 401 to whoever has no key: ${name}`, async () => {
        for (const key of [null, 'svc_live_unknown', `${owner.liveKey}x`, instanceToken()]) {
          const answer = await call(key, endpoint, {
            raw: endpoint.method === 'GET' ? undefined : 'not json',
          });
          refuses(answer, 401, 'UNAUTHORIZED');
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
        }
        // What is refused there is the key, not the request. Nobody here has a licence server, because a call would look its
        // name up; `test/services/license-servers.test.ts` has some.
        const status = hasPlaces(endpoint) && !endpoint.path.includes(':licenseServerId') ? [404] : [];
        // That operation ends the key that it is called with.
        const who = endpoint.operationId === 'revokeThisApiKey' ? await api.account() : owner;
        expect((await callAs(who, endpoint)).status).to.not.be.oneOf([401, 403, 405, 500, 501, ...status]);
      });

    if (isForPeople(endpoint))
      it(`answers 403 to a key: ${name}`, async () => {
        refuses(await call(owner.liveKey, endpoint), 403, 'SESSION_REQUIRED');
      });

    // What people are answered is shown where they sign in.
    if (isForPeople(endpoint)) continue;
    const scope = scopeOf(endpoint);
    if (scope !== null)
      it(`answers 403 to a key without its scope: ${name}`, async () => {
        refuses(await call(await withoutScope(scope), endpoint), 403, 'INSUFFICIENT_SCOPE');
      });

    if (endpoint.live === true)
      it(`answers 403 to a test key, and does nothing: ${name}`, async () => {
        refuses(await call(stranger.testKey, endpoint), 403, 'TEST_KEY_LIVE_BILLING');
        expect(await api.leftovers(stranger.accountId)).to.deep.equal(NOTHING);
      });

    it(`answers 400 to what is not in its schema: ${name}`, async () => {
      refuses(await callAs(owner, endpoint, { query: '?nonsense=1' }), 400, 'VALIDATION_ERROR');
      if (endpoint.body === undefined) return;
      for (const raw of ['{', '[]', '"text"', '{"nonsense":1}', '{"a":1,"a":2}'])
        refuses(await callAs(owner, endpoint, { raw }), 400, 'VALIDATION_ERROR');
    });

    if (hasPlaces(endpoint))
      it(`answers 404 to ids of nothing, in other forms, and of another account: ${name}`, async () => {
        if (!OF_NOBODY.includes(endpoint.operationId))
          refuses(await callAs(stranger, endpoint), 404, 'NOT_FOUND');
        const names = [...endpoint.path.matchAll(PLACES)].map(([, place = '']) => place);
        for (const id of [randomUUID(), 'nonsense', '%00', '-1', '99999999999'])
          for (const place of names)
            refuses(await callAs(owner, endpoint, { places: { ...owned, [place]: id } }), 404, 'NOT_FOUND');
      });
  }
});
