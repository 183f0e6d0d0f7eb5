import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import { JOB_ID } from './fake-services.ts';
import { expectError, TestApp } from './test-app.ts';

const INSPECT = '/api/v1/molecular/docking/receptors/inspect';
const INSPECTION = `/api/v1/molecular/docking/receptors/inspections/${JOB_ID}`;
const ENTRY = { source: { kind: 'pdb', pdbId: '1A28' } };

describe('inspections over HTTP', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await new TestApp().start();
  });
  afterEach(async () => {
    await app.stop();
  });

  it('say where the answer will be and when to ask, and answer there', async () => {
    const running = await app.call('POST', INSPECT, { body: ENTRY });
    expect([running.status, running.body.status, running.body.report]).to.deep.equal([202, 'RUNNING', null]);
    expect(running.headers.get('location')).to.equal(INSPECTION);
    expect(running.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    expect(running.headers.get('ratelimit-policy')).to.equal('"inspect";q=60;w=60');
    const done = await app.call('GET', INSPECTION);
    expect([done.status, done.body.status, done.body.report]).to.deep.equal([200, 'SUCCEEDED', {}]);
    expect(done.headers.get('location')).to.equal(null);
  });

  it('take a test key, because nothing is charged', async () => {
    expect((await app.call('POST', INSPECT, { body: ENTRY, key: 'svc_test_all' })).status).to.equal(202);
  });

  it('refuse what names no receptor, and tell when to come again when too many run', async () => {
    const artifact = {
      ...{ schema: 'svc.docking.artifact/v1', artifactId: 'a', storageKey: 'k', sha256: 'a'.repeat(64) },
      ...{ byteSize: 1, mediaType: 'chemical/x-pdb', format: 'pdb' },
    };
    const stored = (more: object) => ({ source: { kind: 'artifact', artifact: { ...artifact, ...more } } });
    expect((await app.call('POST', INSPECT, { body: stored({}) })).status).to.equal(202);
    for (const body of [
      {},
      { source: { kind: 'pdb' } },
      { source: { kind: 'pdb', pdbId: 'ABCD' } },
      { source: { kind: 'scene' } },
      { source: { ...ENTRY.source, artifact } },
      stored({ format: 'sdf' }),
      { ...ENTRY, model: 0 },
      { ...ENTRY, chains: [] },
      { ...ENTRY, protonationPh: 15 },
      { ...ENTRY, more: 1 },
    ])
      expectError(await app.call('POST', INSPECT, { body }), 400, 'VALIDATION_ERROR');
    app.fakes.failures.set('inspect', new AppError('INSPECTION_LIMIT', 'Later.', { retryAfterSeconds: 5 }));
    const refused = await app.call('POST', INSPECT, { body: ENTRY });
    expectError(refused, 429, 'INSPECTION_LIMIT');
    expect(refused.headers.get('retry-after')).to.equal('5');
  });
});
