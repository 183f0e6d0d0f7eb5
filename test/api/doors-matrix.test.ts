/**
 * The one table of 401 and 403: every endpoint against every kind of caller, with the status and the code of each answer. Who
 * may call an endpoint is written down here a second time, by areas of paths and exceptions from them, so that a declaration that
 * changes, and an endpoint that is not like its area, fail. Whoever is let in is refused by the schema, because nothing must happen here: every call has a field in its query that
 * no endpoint has. The 400 and the 404 of those who are let in are the table of `refused-at-the-door.test.ts`.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { API_BASE, endpoints } from '../../api/endpoints.ts';
import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../src/contracts/instance.ts';
import { SCOPES } from '../../src/domain/access.ts';
import type { Scope } from '../../src/domain/access.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { drawKey } from '../../src/services/identity/key-format.ts';
import { NOTHING, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import type { OwnSession } from '../support/session-of.ts';
import { wholePath } from '../../api/http/endpoint.ts';

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

/** Doors by the beginning of a path: of what reads, and of what writes. The longest beginning counts. */
const AREAS: Readonly<Record<string, readonly [read: Door, write: Door]>> = {
  '/jobs': ['jobs:read', 'jobs:write, live'],
  '/molecular/docking': ['jobs:read', 'jobs:write, live'],
  '/molecular': ['projects:read', 'projects:write'],
  '/convert': ['convert', 'convert'],
  '/api/molecular/projects': ['projects:read', 'projects:write'],
  '/uploads': ['caller', 'caller'],
  '/events': ['caller', 'caller'],
  '/simulators': ['caller', 'caller'],
  '/credits': ['credits:read', 'credits:read, live'],
  '/public': ['anybody', 'anybody'],
  '/auth/sessions': ['person', 'person'],
  '/auth/totp': ['person', 'person, recent'],
  '/keys': ['person, recent', 'person, recent'],
  '/members': ['owner, recent', 'owner, recent'],
  '/invitations': ['owner, recent', 'owner, recent'],
  '/settings': ['owner, recent', 'owner, recent'],
  '/webhooks': ['owner, recent', 'owner, recent'],
  '/audit': ['owner', 'owner'],
  '/account': ['person', 'owner, recent'],
};

/** Operations whose door is another one than that of their area. */
const EXCEPTIONS: Partial<Record<Door, readonly string[]>> = {
  anybody: [
    ...['signUp', 'verifyAddress', 'signIn', 'forgotPassword', 'resetPassword', 'acceptInvitation'],
    ...['startOidc', 'oidcCallback', 'finishOidc', 'beginCliSession', 'listReceiptKeys'],
  ],
  caller: ['estimateJob'],
  key: ['revokeThisApiKey'],
  'jobs:read': [
    ...['resolveLigand', 'createDockingArtifactDownloadUrl', 'inspectReceptor'],
    ...['exportDockingBatch', 'exportDockingRun'],
  ],
  // The scope of what is exported is asked for besides, once the request is read.
  convert: [
    ...['exportProjectRevision', 'exportDockingBatchScene', 'exportDockingRunScene'],
    ...['exportDockingResultScene', 'exportDockingPoseScene'],
  ],
  'jobs:write': [
    'createUploadUrl',
    'deleteUploadedFile',
    'registerDockingArtifact',
    'createDockingExperiment',
  ],
  person: ['signOut'],
  'person, recent': ['approveCli', 'listMembers', 'removeMember'],
};

/** The doors that the tables give an endpoint: that of its area, or those of the exceptions that name it. */
function doorsOf({ operationId, method, path }: Endpoint): readonly (Door | undefined)[] {
  const named = (Object.entries(EXCEPTIONS) as [Door, readonly string[]][])
    .filter(([, operations]) => operations.includes(operationId))
    .map(([door]) => door);
  const [area] = Object.keys(AREAS)
    .filter((beginning) => `${path}/`.startsWith(`${beginning}/`))
    .toSorted((one, other) => other.length - one.length);
  const own = AREAS[area ?? '']?.[method === 'GET' ? 0 : 1];
  return named.length === 0 ? [own] : named;
}

const IN = '400 VALIDATION_ERROR';
/** With the challenge that the answer has. */
const NOBODY = '401 UNAUTHORIZED Bearer';
const PLACES = /:(\w+)/g;
/** What a caller is answered at a door. */
type Expected = (door: Door, endpoint: Endpoint) => string;
interface Caller {
  readonly headers: Headers;
  /** Sent in the place of an empty object: a caller whom nobody knows is refused before anything else is read. */
  readonly raw?: string;
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
    const far = await changed(ofKeys(`allowed_cidrs = array['192.0.2.0/24', '2001:db8::/32']::cidr[]`));
    const near = await changed(ofKeys(`allowed_cidrs = array['127.0.0.0/8', '::1/128']::cidr[]`));
    const typo = `${owner.liveKey.slice(0, -1)}${owner.liveKey.endsWith('a') ? 'b' : 'a'}`;
    const refused: readonly (readonly [string, Headers])[] = [
      ['nothing', {}],
      ['a malformed key', bearer('svc_live_short')],
      ['no key where one should be', { authorization: 'Bearer' }],
      ['another kind of credentials', { authorization: 'Basic dTpw' }],
      ['a key with a wrong checksum', bearer(typo)],
      ['an unknown key', bearer(drawKey('live').key)],
      ['an expired key', bearer(expired.liveKey)],
      ['a revoked key', bearer(revoked.liveKey)],
      ['a key of a closed account', bearer(closed.liveKey)],
      ['a token of an instance', bearer(instanceToken())],
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
      ...refused.map(
        ([name, headers]) => [name, { headers, raw: 'not json', expected: refusedAs(NOBODY) }] as const,
      ),
      [
        'a key of another network',
        { headers: bearer(far.liveKey), expected: refusedAs('403 ADDRESS_NOT_ALLOWED') },
      ],
      ['a key of this network', { headers: bearer(near.liveKey), expected: keyWith(SCOPES) }],
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
  /** The token opens the compute gateway for an instance of a job, and nothing of the public API. */
  const instanceToken = (): string => {
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    const secret = api.stack.env['DOCKYARD_SECRET'] ?? '';
    return signInstanceToken(secret, { jobId: randomUUID(), slot: 0, generation: 1, expiresAt });
  };
  const call = (endpoint: Endpoint, { headers, raw = '{}' }: Caller): Promise<Answer> => {
    const { method, body } = endpoint;
    const own = { index: '0', month: '2026-01', version: '1', pdbId: '1abc' } as Readonly<
      Record<string, string>
    >;
    const at = wholePath(API_BASE, endpoint).replaceAll(
      PLACES,
      (_, name: string) => own[name] ?? randomUUID(),
    );
    const options = body === undefined ? { headers } : { headers, raw };
    return api.call(null, method, `${at}?nonsense=1`, undefined, options);
  };
  /** The status, the code and the challenge of a refusal, whose body has a code, a text, and nothing else. */
  const told = ({ status, body, headers }: Answer): string => {
    expect(Object.keys(body).sort()).to.deep.equal(['code', 'error']);
    // Whatever the answer, it tells what is left of a limit.
    expect(headers.get('ratelimit')).to.match(/^"[a-z-]+";r=\d+;t=\d+$/);
    expect(headers.get('ratelimit-policy')).to.match(/^"[a-z-]+";q=\d+;w=60$/);
    const challenge = headers.get('www-authenticate');
    return `${status} ${body.code}${challenge === null ? '' : ` ${challenge}`}`;
  };
  it('has one door for each endpoint, and no exception that is none', () => {
    const known = endpoints.map(({ operationId }) => operationId);
    expect(known).to.include.members(Object.values(EXCEPTIONS).flat());
    for (const endpoint of endpoints) expect(doorsOf(endpoint), endpoint.operationId).to.have.length(1);
  });

  for (const endpoint of endpoints)
    it(`${endpoint.method} ${endpoint.path}`, async () => {
      const [door] = doorsOf(endpoint);
      if (door === undefined)
        expect.fail(`${endpoint.path} is of no area, and no exception names the operation`);
      const answers = await Promise.all(
        [...callers].map(async ([name, caller]) => [name, told(await call(endpoint, caller))] as const),
      );
      const expected = [...callers].map(([name, caller]) => [name, caller.expected(door, endpoint)] as const);
      expect(Object.fromEntries(answers)).to.deep.equal(Object.fromEntries(expected));
    });

  it('leaves nothing behind, whoever has called', async () => {
    expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
  });

  it('has a token that the gateway knows to be genuine', async () => {
    const gateway = api.stack.env['DOCKYARD_GATEWAY_URL'] ?? '';
    const contact = async (token: string): Promise<number> => {
      const headers = {
        ...{ ...bearer(token), 'content-type': 'application/json' },
        [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
      };
      const body = JSON.stringify({ running: [] });
      return (await fetch(new URL('/v1/contact', gateway), { method: 'POST', headers, body })).status;
    };
    // The instance of the token is none of this stack.
    expect(await contact(instanceToken())).to.equal(409);
    expect(await contact(`${instanceToken()}x`)).to.equal(401);
  });
});
