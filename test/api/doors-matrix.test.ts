/**
 * The whole table of doors: every endpoint against every kind of caller, with the status and the code of each answer. Who may
 * call an endpoint is written down here a second time, so that a declaration that changes, and an endpoint without a line, fail. Whoever is let in is
 * refused by the schema, because nothing must happen here: every call has a field in its query that no endpoint has.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { API_BASE, endpoints } from '../../api/endpoints.ts';
import { SCOPES } from '../../src/domain/access.ts';
import type { Scope } from '../../src/domain/access.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { drawKey } from '../../src/services/identity/key-format.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import type { OwnSession } from '../support/session-of.ts';

type Endpoint = (typeof endpoints)[number];
type Headers = Readonly<Record<string, string>>;
/** Whom a door is for; `live` refuses test keys, `recent` old sign-ins. */
type Door =
  | 'anybody'
  | 'caller'
  | 'key'
  | Scope
  | `${Scope}, live`
  | 'person'
  | `${'person' | 'owner'}, recent`
  | 'owner';

const DOORS: Partial<Record<Door, readonly string[]>> = {
  anybody: [
    ...['signUp', 'verifyAddress', 'signIn', 'forgotPassword', 'resetPassword', 'acceptInvitation'],
    ...['startOidc', 'oidcCallback', 'finishOidc', 'beginCliSession'],
    ...['getPublicPrices', 'getPublicPricesOfVersion', 'estimatePublicly'],
  ],
  caller: [
    ...['estimateJob', 'listSimulators', 'initMultipartUpload', 'listUploads', 'getMultipartUpload'],
    ...['createPartUrls', 'completeMultipartUpload', 'abortMultipartUpload'],
  ],
  key: ['revokeThisApiKey'],
  'jobs:read': [
    ...['listJobs', 'getJobStatus', 'getJobBill', 'listTasks', 'listOutputs', 'readTaskLog', 'resolveLigand'],
    ...['getDockingArtifact', 'createDockingArtifactDownloadUrl', 'inspectReceptor', 'getReceptorInspection'],
  ],
  'jobs:write': ['createUploadUrl', 'registerDockingArtifact'],
  'jobs:write, live': ['submitJob', 'cancelJob', 'resumeJob'],
  'credits:read': [
    ...['getCreditBalance', 'listCreditTransactions', 'listCreditStatements', 'getCreditStatement'],
    ...['listCreditTiers', 'listTopups', 'getTopup'],
  ],
  'credits:read, live': ['startTopup'],
  person: ['signOut', 'listSessions', 'endSession', 'endSessions', 'getSecondFactor'],
  'person, recent': [
    ...['beginSecondFactor', 'confirmSecondFactor', 'disableSecondFactor', 'listMembers', 'removeMember'],
    ...['approveCli'],
    ...['listApiKeys', 'createApiKey', 'revokeApiKey', 'rotateApiKey'],
  ],
  owner: ['listAuditLog'],
  'owner, recent': [
    ...['inviteMember', 'listInvitations', 'endInvitation', 'changeMember'],
    ...['listLicenseServers', 'addLicenseServer', 'getLicenseServer', 'changeLicenseServer'],
    ...['removeLicenseServer', 'testLicenseServer', 'getBillingSettings', 'setBillingSettings'],
    ...['getNotificationSettings', 'setNotificationSettings', 'subscribe', 'openBillingPortal'],
  ],
};

const IN = '400 VALIDATION_ERROR';
const NOBODY = '401 UNAUTHORIZED';
const PLACES = /:(\w+)/g;
/** The operations on what people have, with the ids of another account's. */
const BODIES: Readonly<Record<string, unknown>> = {
  rotateApiKey: { overlapSeconds: 0 },
  changeMember: { role: 'owner' },
  changeLicenseServer: {
    ...{ name: 'Render', software: 'houdini', protocol: 'tcp', host: 'licences.example.org', port: 5053 },
  },
};

/** What a caller is answered at a door. */
type Expected = (door: Door, endpoint: Endpoint) => string;
interface Caller {
  readonly headers: Headers;
  readonly expected: Expected;
}

const isForPeople = (door: Door): boolean => /^(person|owner)/.test(door);
const refusedAs =
  (refusal: string): Expected =>
  (door) =>
    door === 'anybody' ? IN : refusal;
const keyWith =
  (scopes: readonly Scope[], isLive = true): Expected =>
  (door) => {
    if (isForPeople(door)) return '403 SESSION_REQUIRED';
    const scope = SCOPES.find((one) => door.split(',')[0] === one);
    if (scope !== undefined && !scopes.includes(scope)) return '403 INSUFFICIENT_SCOPE';
    return door.endsWith(', live') && !isLive ? '403 TEST_KEY_LIVE_BILLING' : IN;
  };
const personWho =
  ({
    isOwner = true,
    isRecent = true,
  }: { readonly isOwner?: boolean; readonly isRecent?: boolean } = {}): Expected =>
  (door) => {
    if (door === 'key') return '403 KEY_REQUIRED';
    if (door.startsWith('owner') && !isOwner) return '403 OWNER_REQUIRED';
    return door.endsWith(', recent') && !isRecent ? '403 SIGN_IN_AGAIN' : IN;
  };
const fromAnotherSite: Expected = (door, { method }) => {
  if (method !== 'GET') return '403 CROSS_SITE_REQUEST';
  return personWho()(door, endpoints[0] ?? expect.fail('no endpoint'));
};

describe('every door, to every caller', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  let callers: ReadonlyMap<string, Caller>;
  before(async () => {
    api = await testApi();
    owner = await api.account();
    callers = new Map([...(await keyCallers()), ...(await personCallers())]);
  });

  const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });
  const changed = async (sql: string): Promise<NewAccount> => {
    const account = await api.account();
    await api.db.query(sql, [account.accountId]);
    return account;
  };
  const keyCallers = async (): Promise<readonly (readonly [string, Caller])[]> => {
    const ofKeys = (set: string): string => `update api_keys set ${set} where account_id = $1`;
    const expired = await changed(ofKeys(`expires_at = now() - interval '1 second'`));
    const revoked = await changed(ofKeys('revoked_at = now()'));
    const suspended = await changed(`update accounts set state = 'SUSPENDED' where id = $1`);
    const closed = await changed(`update accounts set state = 'CLOSED' where id = $1`);
    const typo = `${owner.liveKey.slice(0, -1)}${owner.liveKey.endsWith('a') ? 'b' : 'a'}`;
    const refused: readonly (readonly [string, Headers])[] = [
      ['nothing', {}],
      ['a malformed key', bearer('svc_live_short')],
      ['another kind of credentials', { authorization: 'Basic dTpw' }],
      ['a key with a wrong checksum', bearer(typo)],
      ['an unknown key', bearer(drawKey('live').key)],
      ['an expired key', bearer(expired.liveKey)],
      ['a revoked key', bearer(revoked.liveKey)],
      ['a key of a closed account', bearer(closed.liveKey)],
    ];
    const single = await Promise.all(
      SCOPES.map(async (scope) => {
        const { liveKey } = await changed(ofKeys(`scopes = array['${scope}']`));
        return [
          `a live key for ${scope} alone`,
          { headers: bearer(liveKey), expected: keyWith([scope]) },
        ] as const;
      }),
    );
    return [
      ...refused.map(([name, headers]) => [name, { headers, expected: refusedAs(NOBODY) }] as const),
      [
        'a key of a suspended account',
        { headers: bearer(suspended.liveKey), expected: refusedAs('403 ACCOUNT_SUSPENDED') },
      ],
      ['a test key', { headers: bearer(owner.testKey), expected: keyWith(SCOPES, false) }],
      ['a live key', { headers: bearer(owner.liveKey), expected: keyWith(SCOPES) }],
      ...single,
    ];
  };
  const personCallers = async (): Promise<readonly (readonly [string, Caller])[]> => {
    const member = await changed(`update users set role = 'member' where account_id = $1`);
    const [mine, old, ended, ofMember] = await Promise.all([
      ...[sessionOf(api, owner.accountId), sessionOf(api, owner.accountId), sessionOf(api, owner.accountId)],
      sessionOf(api, member.accountId),
    ]);
    const age = `update sessions set created_at = now() - interval '13 hours' where id = $1`;
    await api.db.query(age, [old?.sessionId]);
    await api.db.query('update sessions set ended_at = now() where id = $1', [ended?.sessionId]);
    const headersOf = (
      session: OwnSession | undefined,
    ): { readonly cookie: string; readonly origin: string } => session?.headers ?? expect.fail('no session');
    const { cookie } = headersOf(mine);
    const elsewhere = { cookie, origin: 'https://evil.example' };
    return [
      ['an owner', { headers: headersOf(mine), expected: personWho() }],
      ['a member', { headers: headersOf(ofMember), expected: personWho({ isOwner: false }) }],
      [
        'an owner who signed in 13 hours ago',
        { headers: headersOf(old), expected: personWho({ isRecent: false }) },
      ],
      ['a session that has ended', { headers: headersOf(ended), expected: refusedAs(NOBODY) }],
      [
        'a forged session',
        { headers: { ...headersOf(mine), cookie: `${cookie}x` }, expected: refusedAs(NOBODY) },
      ],
      ['a page of another site', { headers: elsewhere, expected: fromAnotherSite }],
    ];
  };
  const call = (
    { method, path, body }: Endpoint,
    headers: Headers,
    {
      query = '?nonsense=1',
      places = {},
      sent = {},
    }: {
      readonly query?: string;
      readonly places?: Readonly<Record<string, string>>;
      readonly sent?: unknown;
    } = {},
  ): Promise<Answer> => {
    const own = { index: '0', month: '2026-01', ...places } as Readonly<Record<string, string>>;
    const at = API_BASE + path.replaceAll(PLACES, (_, name: string) => own[name] ?? randomUUID());
    return api.call(null, method, at + query, body === undefined ? undefined : sent, { headers });
  };
  const doorOf = (operationId: string): readonly Door[] =>
    (Object.entries(DOORS) as [Door, readonly string[]][])
      .filter(([, operations]) => operations.includes(operationId))
      .map(([door]) => door);

  it('has a line in the table, once, and no line is of an endpoint that has gone', () => {
    const listed = Object.values(DOORS).flat();
    expect(listed.toSorted()).to.deep.equal(endpoints.map(({ operationId }) => operationId).toSorted());
  });

  for (const endpoint of endpoints)
    it(`${endpoint.method} ${endpoint.path}`, async () => {
      const [door] = doorOf(endpoint.operationId);
      if (door === undefined) expect.fail(`${endpoint.operationId} has no line in this table`);
      const answers = await Promise.all(
        [...callers].map(async ([name, { headers }]) => {
          const { status, body } = await call(endpoint, headers);
          return [name, `${status} ${body.code}`] as const;
        }),
      );
      const expected = [...callers].map(([name, caller]) => [name, caller.expected(door, endpoint)] as const);
      expect(Object.fromEntries(answers)).to.deep.equal(Object.fromEntries(expected));
    });

  it('answers 404 to an owner of another account, wherever a path names what people have', async () => {
    const { accountId } = owner;
    const stranger = (await sessionOf(api, (await api.account()).accountId)).headers;
    const [{ id: userId } = { id: '' }] = await api.db.query<{ id: string }[]>(
      'select id from users where account_id = $1',
      [accountId],
    );
    const [{ id: keyId } = { id: '' }] = await api.db.query<{ id: string }[]>(
      'select id from api_keys where account_id = $1',
      [accountId],
    );
    const [invitationId, licenseServerId] = [randomUUID(), randomUUID()];
    await api.db.query(
      `insert into invitations (id, account_id, email, role, secret_sha256, invited_by, expires_at)
       values ($1::uuid, $2, 'bob@example.org', 'member', $1::uuid::text, $3, now() + interval '1 day')`,
      [invitationId, accountId, userId],
    );
    await api.db.query(
      `insert into license_servers (id, account_id, name, software, protocol, host, port, request_mac, created_by)
       values ($1, $2, 'Render', 'houdini', 'tcp', 'licences.example.org', 5053, 'mac', $3)`,
      [licenseServerId, accountId, userId],
    );
    const { sessionId } = await sessionOf(api, accountId);
    const places = { userId, keyId, invitationId, licenseServerId, sessionId };
    const named = endpoints.filter(
      ({ path, operationId }) => path.includes(':') && doorOf(operationId).some(isForPeople),
    );
    expect(named).to.have.length.at.least(9);
    for (const endpoint of named) {
      const sent = BODIES[endpoint.operationId] ?? {};
      const { status, body } = await call(endpoint, stranger, { query: '', places, sent });
      expect([endpoint.operationId, status, body.code]).to.deep.equal([
        endpoint.operationId,
        404,
        'NOT_FOUND',
      ]);
    }
  });
});
