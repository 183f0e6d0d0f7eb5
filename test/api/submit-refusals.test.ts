/** Bad input at submit: the answer is clear, and nothing is left behind. */
import { expect } from 'chai';

import { revokeKey } from '../../src/services/identity/index.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { NOTHING, noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { until } from '../support/until.ts';

describe('POST /jobs/submit: refusals', () => {
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    owner = await api.account();
  });
  after(async () => {
    expect(await api.leftovers(owner.accountId), 'after every refusal').to.deep.equal(NOTHING);
  });

  const refused = (answer: Answer, status: number, code: string, ...mentions: string[]): void => {
    expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
    expect(Object.keys(answer.body)).to.have.members(['error', 'code']);
    expect(answer.body.code).to.equal(code);
    for (const text of mentions) expect(answer.body.error).to.include(text);
    expect(answer.headers.get('x-request-id')).to.be.a('string');
  };
  const submit = (body: unknown): Promise<Answer> => api.submit(owner.liveKey, body);

  describe('what the schema tells', () => {
    const cases: [string, Record<string, unknown>, string][] = [
      ['an unknown field', { ...noopJob(), colour: 'red' }, 'colour'],
      ['a wrong type', { ...noopJob(), taskCount: '40' }, 'taskCount'],
      ['a value out of bounds', { ...noopJob(), taskCount: 0 }, 'taskCount'],
      ['a wrong enum', { ...noopJob(), recovery: { mode: 'sometimes' } }, 'recovery.mode'],
      ['an unknown job type', { jobType: 'baking' }, 'jobType'],
      ['a simulation without simulator', { jobType: 'simulation' }, 'simulator'],
      [
        'an unknown simulation parameter',
        { ...noopJob(), simulationParams: { speed: 3 } },
        'simulationParams.speed',
      ],
      [
        'a parameter out of bounds',
        { ...noopJob(), simulationParams: { exhaustiveness: 129 } },
        'simulationParams.exhaustiveness',
      ],
      ['a wrong parameter of the tool', noopJob(1, { seconds: -1 }), 'metadata.noop.seconds'],
    ];
    for (const [name, body, path] of cases) {
      it(`400 for ${name}, naming the path`, async () =>
        refused(await submit(body), 400, 'VALIDATION_ERROR', path));
    }

    it('names every failing path, not the first', async () => {
      refused(
        await submit({ ...noopJob(0), colour: 'red', jobName: 7 }),
        400,
        'VALIDATION_ERROR',
        'taskCount',
        'colour',
        'jobName',
      );
    });

    it('400 for malformed JSON, an empty body and __proto__', async () => {
      for (const raw of [
        '{"jobType":',
        '',
        '[]',
        '"text"',
        '{"jobType":"simulation","simulator":"noop","__proto__":{"a":1}}',
      ]) {
        refused(
          await api.call(owner.liveKey, 'POST', 'jobs/submit', undefined, { raw }),
          400,
          'VALIDATION_ERROR',
        );
      }
    });

    it('415 for another media type', async () => {
      const answer = await api.call(owner.liveKey, 'POST', 'jobs/submit', undefined, {
        raw: JSON.stringify(noopJob()),
        headers: { 'content-type': 'text/plain' },
      });
      refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    });

    it('413 for a body over 32 MiB', async () => {
      const raw = JSON.stringify({ ...noopJob(), jobName: 'x'.repeat(33 * 1024 * 1024) });
      refused(
        await api.call(owner.liveKey, 'POST', 'jobs/submit', undefined, { raw }),
        413,
        'PAYLOAD_TOO_LARGE',
      );
    });
  });

  describe('what cannot be run', () => {
    it('422 for simulators that are unknown, ambiguous or not landed, at estimate too', async () => {
      for (const simulator of ['gromacs', 'blast', 'esmfold', 'AlphaFold']) {
        refused(await submit({ jobType: 'simulation', simulator }), 422, 'UNSUPPORTED_SIMULATOR');
        const estimate = await api.call(owner.testKey, 'POST', 'jobs/estimate', {
          jobType: 'simulation',
          simulator,
        });
        refused(estimate, 422, 'UNSUPPORTED_SIMULATOR');
      }
    });

    it('422 for job types whose tool has not landed, and for pipelines', async () => {
      const named = { jobType: 'render', sceneFile: 'x', metadata: { software: 'maya' } };
      refused(await submit(named), 422, 'JOB_TYPE_UNAVAILABLE');
      refused(await submit({ jobType: 'molecular' }), 422, 'JOB_TYPE_UNAVAILABLE');
      refused(await submit({ jobType: 'pipeline' }), 422, 'PIPELINE_DISABLED');
    });
  });

  describe('who calls', () => {
    it('401 without a key, with a malformed, a mistyped and an unknown one', async () => {
      const mistyped = `${owner.liveKey.slice(0, -1)}${owner.liveKey.endsWith('a') ? 'b' : 'a'}`;
      for (const key of [null, 'x', 'svc_live_x', mistyped, owner.liveKey.toUpperCase()]) {
        refused(await api.call(key, 'POST', 'jobs/submit', noopJob()), 401, 'UNAUTHORIZED');
      }
    });

    it('403 for a test key, before anything else is looked at', async () => {
      refused(await api.submit(owner.testKey, noopJob()), 403, 'TEST_KEY_LIVE_BILLING');
    });

    it('403 for a key without the scope', async () => {
      const other = await api.account();
      await api.db.query(
        `update api_keys set scopes = '{jobs:read}' where account_id = $1 and environment = 'live'`,
        [other.accountId],
      );
      refused(await api.submit(other.liveKey, noopJob()), 403, 'INSUFFICIENT_SCOPE', 'jobs:write');
      expect(await api.leftovers(other.accountId)).to.deep.equal(NOTHING);
    });

    it('401 within seconds of a revocation', async () => {
      const other = await api.account();
      expect((await api.call(other.liveKey, 'GET', 'jobs')).status).to.equal(200);
      const [key] = await api.db.query<{ id: string }[]>(
        `select id from api_keys where account_id = $1 and environment = 'live'`,
        [other.accountId],
      );
      await revokeKey(api.db, key?.id ?? '');
      await until(
        'the key is refused',
        async () => (await api.submit(other.liveKey, noopJob(0))).status === 401,
        6_000,
      );
      refused(await api.submit(other.liveKey, noopJob()), 401, 'UNAUTHORIZED');
      expect(await api.leftovers(other.accountId)).to.deep.equal(NOTHING);
    });
  });

  describe('keys of idempotency', () => {
    it('400 when header and body differ, or the key is too short', async () => {
      refused(
        await api.submit(
          owner.liveKey,
          { ...noopJob(), idempotencyKey: 'key-in-the-body' },
          'key-in-the-header',
        ),
        400,
        'IDEMPOTENCY_KEY_MISMATCH',
      );
      refused(await api.submit(owner.liveKey, noopJob(), 'short'), 400, 'VALIDATION_ERROR');
    });
  });

  describe('accounts', () => {
    it('403 when the account is suspended or closed while the request is under way, leaving no large request', async () => {
      const large = { ...noopJob(40), parameters: { note: 'x'.repeat(200_000) } };
      for (const [state, code] of [
        ['SUSPENDED', 'ACCOUNT_SUSPENDED'],
        ['CLOSED', 'ACCOUNT_CLOSED'],
      ] as const) {
        const account = await api.account();
        expect((await api.call(account.liveKey, 'GET', 'credits/balance')).status).to.equal(200);
        // The key is known to the API, which hears nothing of this change: so the request comes as far as its admission.
        await api.db.transaction(async (tx) => {
          await tx.query(`set local session_replication_role = 'replica'`);
          await tx.query('update accounts set state = $2 where id = $1', [account.accountId, state]);
        });
        refused(await api.submit(account.liveKey, noopJob(), 'meanwhile-small'), 403, code);
        refused(await api.submit(account.liveKey, large, 'meanwhile-large'), 403, code);
        await until(
          'nothing is left',
          async () => JSON.stringify(await api.leftovers(account.accountId)) === JSON.stringify(NOTHING),
        );
        // The same key is accepted when the account is active again.
        await api.db.query(`update accounts set state = 'ACTIVE' where id = $1`, [account.accountId]);
        expect((await api.submit(account.liveKey, noopJob(), 'meanwhile-small')).status).to.equal(200);
      }
    });
  });

  describe('credits', () => {
    it('402 without credits, naming what is needed and what is there, and leaving no large request', async () => {
      const poor = await api.account(0);
      refused(
        await api.submit(poor.liveKey, noopJob(40), 'poor-and-small'),
        402,
        'INSUFFICIENT_CREDITS',
        '£0.42',
        '£0.00',
      );
      const large = { ...noopJob(40), parameters: { note: 'x'.repeat(200_000) } };
      refused(await api.submit(poor.liveKey, large, 'poor-and-large'), 402, 'INSUFFICIENT_CREDITS');
      expect(await api.leftovers(poor.accountId)).to.deep.equal(NOTHING);
    });
  });
});
