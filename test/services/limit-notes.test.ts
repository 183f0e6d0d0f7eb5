/** What readiness says where several processes count limits apart from each other. */
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import { openLimitStore } from '../../src/bin/process/limit-store.ts';
import { createHealthCheck } from '../../src/services/health.ts';
import { countAuthenticating, createIdentity } from '../../src/services/identity/index.ts';
import type { Identity } from '../../src/services/identity/index.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const WELL = async (): Promise<void> => undefined;
const PROBES = { postgres: WELL, temporal: WELL, storage: WELL, gateway: WELL };

describe('readiness without a shared store of limits', () => {
  let test: TestDatabase;
  const identities: Identity[] = [];
  before(async () => {
    test = await openTestDatabase();
  });
  after(async () => {
    for (const identity of identities) identity.close();
    await test.close();
  });
  const processes = (): Promise<number> => countAuthenticating(test.db);
  const limits = openLimitStore({ redisUrl: '' }, pino({ level: 'silent' }), new Registry());
  const report = () => createHealthCheck(PROBES, () => limits.notes(processes))();

  it('says nothing of one process of the API, and that limits are apart where two run', async () => {
    identities.push(createIdentity(test.db));
    await until('one process runs', async () => (await processes()) === 1);
    expect((await report()).notes).to.deep.equal([]);
    identities.push(createIdentity(test.db));
    await until('two processes run', async () => (await processes()) === 2);
    const { ok, notes } = await report();
    expect(ok, 'the process serves all the same').to.equal(true);
    expect(notes).to.have.length(1);
    expect(notes[0]).to.include('2 processes').and.include('DOCKYARD_REDIS_URL');
  });

  it('is ready when it cannot be told how many run', async () => {
    const check = createHealthCheck(PROBES, () => Promise.reject(new Error('no answer')));
    expect(await check())
      .to.include({ ok: true })
      .and.deep.include({ notes: [] });
  });
});
