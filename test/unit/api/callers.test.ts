/**
 * How callers are named, counted and told of in the document. Who may call which endpoint is the table of
 * `test/api/doors-matrix.test.ts`.
 */
import { expect } from 'chai';
import Joi from 'joi';

import { errorCodesOf } from '../../../api/openapi-errors.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import type { Access, Endpoint } from '../../../api/http/endpoint.ts';
import { defineEndpoint, json } from '../../../api/http/endpoint.ts';
import { TestApp } from './test-app.ts';
import type { Reply } from './test-app.ts';

/** So few in a minute that none comes back during a test. */
const READS = 4;
const TAG = { name: 'Test', description: 'For tests.' };

/** An endpoint that tells nothing but that it was reached. */
const reachable = (operationId: string, access: Access): Endpoint =>
  defineEndpoint({
    ...{ method: 'GET', path: `/${operationId}`, operationId, tag: TAG, summary: 'Be reached' },
    ...{ description: 'Answers.', access, limit: 'read', idempotency: 'none' },
    answers: { 200: { description: 'It was reached.', schema: Joi.object({ ok: Joi.boolean() }) } },
    errors: [],
    handle: async () => json(200, { ok: true }),
  });

const FOR_ANYONE = reachable('forAnyone', 'none');
const FOR_CALLERS = reachable('forCallers', 'any');
const FOR_READERS = reachable('forReaders', 'credits:read');
const FOR_KEYS = reachable('forKeys', 'key');
const FOR_PEOPLE = reachable('forPeople', 'session');
const FOR_OWNERS = reachable('forOwners', 'owner');
const ENDPOINTS = [FOR_ANYONE, FOR_CALLERS, FOR_READERS, FOR_KEYS, FOR_PEOPLE, FOR_OWNERS];

describe('callers', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await new TestApp({ endpoints: ENDPOINTS, quotas: { read: READS } }).start();
  });
  afterEach(() => app.stop());

  const reach = ({ path }: Endpoint, caller: string): Promise<Reply> => {
    const isPerson = caller.startsWith('person_');
    const headers = isPerson ? { cookie: `a=b; __Host-dockyard-session=${caller}` } : {};
    return app.call('GET', `/api/v1${path}`, { key: isPerson ? null : caller, headers });
  };

  it('are named in the log, a person as well as a key', async () => {
    await reach(FOR_CALLERS, 'svc_live_all');
    await reach(FOR_CALLERS, 'person_owner');
    const lines = app.logged.filter(({ operation }) => operation === 'forCallers');
    expect(lines.map(({ caller }) => caller)).to.deep.equal([
      { kind: 'key', id: 'live' },
      { kind: 'session', id: 'session of the owner' },
    ]);
  });

  it('have limits of their own, a person as well as a key', async () => {
    const remaining = async (key: string): Promise<string | undefined> =>
      /r=(\d+)/.exec((await reach(FOR_CALLERS, key)).headers.get('ratelimit') ?? '')?.[1];
    expect(await remaining('person_owner')).to.equal('3');
    expect(await remaining('person_owner')).to.equal('2');
    expect(await remaining('person_member')).to.equal('3');
    expect(await remaining('svc_live_all')).to.equal('3');
  });

  it('find in the document whom an endpoint is for, and how it refuses others', () => {
    expect(errorCodesOf(FOR_PEOPLE)).to.include('SESSION_REQUIRED').and.not.include('INSUFFICIENT_SCOPE');
    expect(errorCodesOf(FOR_OWNERS)).to.include.members(['SESSION_REQUIRED', 'OWNER_REQUIRED']);
    expect(errorCodesOf(FOR_KEYS)).to.include.members(['KEY_REQUIRED', 'ADDRESS_NOT_ALLOWED']);
    expect(errorCodesOf(FOR_READERS)).to.include('INSUFFICIENT_SCOPE').and.not.include('SESSION_REQUIRED');
    const text = JSON.stringify(buildOpenApi(ENDPOINTS));
    expect(text).to.contain('Only for owners of the account who have signed in');
    expect(text).to.contain('Only for people who have signed in');
  });
});
