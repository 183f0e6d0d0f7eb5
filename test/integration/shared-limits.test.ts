/** Two processes of the API with one store of limits, which is killed, held and slowed down under them. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import pLimit from 'p-limit';

import { createDatabase } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { loadState } from '../../src/stack/state.ts';
import { openTestRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { endTestStack, startTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** A tenth of the usual rate, so that a second of refilling is one request. */
const QUOTA = 60;
const AT_ONCE = 6;

describe('two processes of the API', function () {
  this.timeout(120_000);
  let redis: TestRedis;
  let stack: Stack;
  let db: Database;
  let urls: readonly string[];

  before(async () => {
    redis = await openTestRedis();
    stack = await startTestStack({
      // Readiness asks the gateway, too.
      roles: ['gateway', 'api'],
      counts: { api: 2 },
      settings: { DOCKYARD_REDIS_URL: redis.slowUrl, DOCKYARD_RATE_LIMIT_SCALE: '0.1' },
    });
    db = await createDatabase(stack.env['DOCKYARD_DATABASE_URL'] ?? '', { poolSize: 2 });
    urls = ['api', 'api-2'].map((name) => `http://127.0.0.1:${loadState(stack.home).ports[name] ?? 0}`);
  });
  after(() => redis.close());
  after(async () => {
    await db.destroy();
    await endTestStack(stack);
  });

  /** A key that both processes know: at a tenth of the rate few keys can be looked up at once. */
  const newKey = async (): Promise<string> => {
    const { liveKey } = await createAccount(db, { email: `${randomUUID()}@example.com`, creditsPence: 0 });
    for (const url of urls)
      await fetch(`${url}/api/v1/credits/balance`, { headers: { authorization: `Bearer ${liveKey}` } });
    return liveKey;
  };
  /** Calls both processes in turn, and counts the answers by status. */
  const call = async (
    key: string,
    count: number,
  ): Promise<{ passed: number; refused: number; seconds: number }> => {
    const startedAt = performance.now();
    // The answers of the store come through this process, which must not be too busy to pass them on in time.
    const inTurn = pLimit(AT_ONCE);
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        inTurn(async () => {
          const answer = await fetch(`${urls[index % urls.length]}/api/v1/credits/balance`, {
            headers: { authorization: `Bearer ${key}` },
          });
          expect(answer.status, await answer.text()).to.be.oneOf([200, 429]);
          expect(answer.headers.get('ratelimit-policy')).to.equal(`"read";q=${QUOTA};w=60`);
          expect(answer.headers.get('ratelimit')).to.match(/^"read";r=\d+;t=\d+$/);
          return answer.status;
        }),
      ),
    );
    const passed = answers.filter((status) => status === 200).length;
    return { passed, refused: count - passed, seconds: (performance.now() - startedAt) / 1000 };
  };
  const notes = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${urls[0]}/readyz`);
    return ((await answer.json()) as { notes: string[] }).notes;
  };
  const isShared = async (): Promise<boolean> => {
    const key = await newKey();
    await call(key, 4);
    // The first process knows of the calls of the second one.
    const left = await fetch(`${urls[0]}/api/v1/credits/balance`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return /r=5[0-5];/.test(left.headers.get('ratelimit') ?? '');
  };

  it('count one quota together', async () => {
    const { passed, seconds } = await call(await newKey(), 2 * QUOTA);
    expect(passed).to.be.within(QUOTA - 2, QUOTA + seconds + 1);
    expect(await notes()).to.deep.equal([]);
  });

  const WAYS: Readonly<Record<string, { readonly harm: () => unknown; readonly mend: () => unknown }>> = {
    killed: { harm: () => redis.kill(), mend: () => redis.start() },
    held: { harm: () => redis.pause(), mend: () => redis.resume() },
    slow: { harm: () => redis.delay(120), mend: () => redis.delay(0) },
  };
  for (const [way, { harm, mend }] of Object.entries(WAYS)) {
    it(`answer all the same while the store is ${way}, each with its own count, and share again afterwards`, async () => {
      const key = await newKey();
      await call(key, 4);
      await harm();
      try {
        const { passed, seconds } = await call(key, 4 * QUOTA);
        // Each process lets one quota through at most.
        expect(passed).to.be.within(QUOTA - 6, 2 * (QUOTA + seconds + 1));
        await until('readiness tells of it', async () =>
          (await notes()).some((note) => note.includes('not shared')),
        );
      } finally {
        await mend();
      }
      await until('limits are shared again', isShared);
      const { passed, seconds } = await call(await newKey(), 2 * QUOTA);
      expect(passed).to.be.within(QUOTA - 2, QUOTA + seconds + 1);
      await until('readiness says so', async () => (await notes()).length === 0);
    });
  }
});
