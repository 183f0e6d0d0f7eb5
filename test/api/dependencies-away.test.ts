/** What passes is told as 503: each server that the API depends on is killed, and hundreds of requests come at once. */
import { expect } from 'chai';

import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { inLongRuns, IS_LONG } from '../support/long.ts';
import { until } from '../support/until.ts';

const longIt = inLongRuns(it);
const RECOVERY_MS = 60_000;
const AT_ONCE = IS_LONG ? 300 : 100;

type Call = readonly [method: string, path: string, body?: unknown];

describe('requests while a dependency is away', function () {
  this.timeout(180_000);
  let api: TestApi;
  let owner: NewAccount;
  let jobId: string;
  let storageKey: string;
  let uploadId: string;
  before(async () => {
    api = await testApi();
    owner = await api.account(10_000);
    ({ jobId } = (await api.submit(owner.liveKey, noopJob(1, { seconds: 3600 }))).body);
    const file = { filename: 'a.pdb', contentType: 'chemical/x-pdb', size: 7 };
    ({ s3Key: storageKey } = (await api.call(owner.liveKey, 'POST', 'jobs/upload-url', file)).body);
    ({ uploadId } = (await api.call(owner.liveKey, 'POST', 'uploads', file)).body);
    expect([storageKey, uploadId]).to.not.include(undefined);
  });
  after(() => api.call(owner.liveKey, 'POST', `jobs/${jobId}/cancel`, {}));

  const make = ([method, path, body]: Call): Promise<Answer> => api.call(owner.liveKey, method, path, body);
  /** Every answer is that the service cannot answer now, and when to ask again. */
  const expectAway = (answers: readonly Answer[], what: string): void => {
    for (const { status, body, headers } of answers) {
      expect([status, body.code], `${what}: ${JSON.stringify(body)}`).to.deep.equal([
        503,
        'SERVICE_UNAVAILABLE',
      ]);
      expect(Number(headers.get('retry-after')), what).to.be.above(0);
    }
  };
  const isReady = async (): Promise<boolean> => (await fetch(`${api.stack.apiUrl}/readyz`)).status === 200;

  const READS: readonly Call[] = [
    ['GET', 'jobs'],
    ['GET', 'credits/balance'],
    ['GET', 'credits/transactions'],
    ['GET', 'molecular/docking/experiments'],
    ['GET', 'uploads'],
  ];

  for (const [name, calls] of [
    [
      'postgres',
      (): readonly Call[] => [...READS, ['GET', `jobs/${jobId}/status`], ['POST', 'jobs/submit', noopJob()]],
    ],
    [
      'temporal',
      (): readonly Call[] => [
        ['POST', 'jobs/submit', noopJob()],
        ['POST', `jobs/${jobId}/cancel`, {}],
        ['POST', 'uploads', { filename: 'b.pdb', contentType: 'chemical/x-pdb', size: 7 }],
      ],
    ],
    [
      'storage',
      (): readonly Call[] => [
        ['GET', `uploads/${uploadId}`],
        ['POST', 'molecular/docking/artifacts', { storageKey, format: 'pdb' }],
      ],
    ],
  ] as const) {
    it(`are answered 503 without ${name}, ${AT_ONCE} at once, and are served when it is back`, async () => {
      await until('all is well', isReady, RECOVERY_MS);
      const list = calls();
      await api.stack.stopChild(name, 'SIGKILL');
      try {
        // Temporal makes a call wait for its time, so not all of the requests can be of its calls.
        const times = name === 'temporal' ? list.length : AT_ONCE;
        const some = await Promise.all(
          Array.from({ length: times }, (_, at) => make(list[at % list.length] ?? expect.fail('no call'))),
        );
        expectAway(some, name);
      } finally {
        await api.stack.startChild(name);
      }
      await until('it is back', isReady, RECOVERY_MS);
      for (const call of READS) expect((await make(call)).status, call.join(' ')).to.equal(200);
    });
  }

  longIt('are answered 503 while the store hangs, and are served when it goes on', async () => {
    await until('all is well', isReady, RECOVERY_MS);
    const pid = api.stack.pid('storage') ?? expect.fail('no store');
    process.kill(pid, 'SIGSTOP');
    try {
      const input = { storageKey };
      const hung: readonly Call[] = [
        ['POST', 'convert', { input, to: 'mmcif' }],
        ['POST', 'molecular/docking/artifacts', { storageKey, format: 'pdb' }],
      ];
      expectAway(await Promise.all(hung.map(make)), 'a store that hangs');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until('it is back', isReady, RECOVERY_MS);
  });

  it(`of another account are answered while one key makes ${AT_ONCE} at once`, async () => {
    await until('all is well', isReady, RECOVERY_MS);
    const other = await api.account(100);
    const flood = Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => make(READS[at % READS.length] ?? expect.fail())),
    );
    const others = await Promise.all(
      Array.from({ length: 20 }, () => api.call(other.liveKey, 'GET', 'credits/balance')),
    );
    expect(others.map(({ status }) => status)).to.deep.equal(others.map(() => 200));
    for (const { status } of await flood) expect(status).to.be.oneOf([200, 503]);
  });
});
