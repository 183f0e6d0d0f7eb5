import { expect } from 'chai';

import { endpoints } from '../../../api/endpoints.ts';
import { idempotencyHeader } from '../../../api/http/documented-headers.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { JOB_ID } from './fake-services.ts';
import type { Reply } from './test-app.ts';
import { DOCKING, TestApp, expectError } from './test-app.ts';

/** A body that each write accepts. */
const BODIES: Readonly<Record<string, object>> = {
  estimateJob: { jobType: 'render' },
  createUploadUrl: { filename: 'x', contentType: 'a/b', size: 1 },
  createPartUrls: { parts: [{ partNumber: 1 }] },
  completeMultipartUpload: { parts: [{ partNumber: 1, etag: '"x"' }] },
  cancelJob: {},
  resumeJob: {},
  registerDockingArtifact: { storageKey: 'k', format: 'pdb' },
  createDockingArtifactDownloadUrl: {},
  resolveLigand: { query: 'benzene' },
  createDockingExperiment: {
    name: 'e',
    receptor: { source: { kind: 'pdb', pdbId: '1A28' } },
    ligand: { ligandId: 'l', label: 'L', source: { kind: 'ccd', componentId: 'STR' }, preparation: {} },
    parameters: { box: { derivation: { kind: 'ligand', componentId: 'STR' } }, protocol: {} },
  },
  cancelDockingRun: {},
  cancelDockingBatch: {},
  retryFailedDocking: {},
  exportDockingBatch: { format: 'csv' },
  exportDockingRun: { format: 'csv' },
  inspectReceptor: { source: { kind: 'pdb', pdbId: '1abc' } },
  convertFile: { input: { storageKey: 'accounts/a/uploads/u/a.pdb' }, to: 'mmcif' },
  testLicenseServer: {},
  testWebhook: {},
  redeliverWebhookDelivery: {},
  redeliverFailedWebhookDeliveries: {},
  inviteMember: { email: 'bob@example.org', role: 'member' },
  changeMember: { role: 'member' },
  subscribe: {},
  openBillingPortal: {},
};

/** An owner in a browser on a page of the service. */
const PERSON = { cookie: '__Host-dockyard-session=person_owner', 'sec-fetch-site': 'same-origin' };

describe('http idempotency', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await new TestApp().start();
  });

  afterEach(async () => {
    await app.stop();
  });

  describe('idempotency of submit', () => {
    const key = 'key-000001';

    it('takes the key from header or body, quoted or bare, and hands over one', async () => {
      await app.submit(DOCKING, { 'Idempotency-Key': key });
      await app.submit(DOCKING, { 'Idempotency-Key': `"${key}"` });
      await app.submit({ ...DOCKING, idempotencyKey: key });
      await app.submit(
        { ...DOCKING, dockingRequest: { requestId: 'r', runId: 'r', idempotencyKey: key } },
        { 'Idempotency-Key': key },
      );
      await app.submit(DOCKING);
      expect(app.fakes.calls.submit.map((command) => command.idempotencyKey)).to.deep.equal([
        key,
        key,
        key,
        key,
        null,
      ]);
    });

    it('refuses a key that is sent empty, on every operation that takes one', async () => {
      for (const header of ['', '  ', '""']) {
        expectError(await app.submit(DOCKING, { 'Idempotency-Key': header }), 400, 'VALIDATION_ERROR');
        const cancelled = await app.call('POST', `/api/v1/jobs/${JOB_ID}/cancel`, {
          headers: { 'Idempotency-Key': header },
        });
        expectError(cancelled, 400, 'VALIDATION_ERROR');
      }
      expect(app.fakes.calls.submit).to.deep.equal([]);
    });

    it('refuses keys that differ', async () => {
      expectError(
        await app.submit({ ...DOCKING, idempotencyKey: 'key-000002' }, { 'Idempotency-Key': key }),
        400,
        'IDEMPOTENCY_KEY_MISMATCH',
      );
      const link = { requestId: 'r', runId: 'r', idempotencyKey: 'key-000002' };
      expectError(
        await app.submit({ ...DOCKING, idempotencyKey: key, dockingRequest: link }),
        400,
        'IDEMPOTENCY_KEY_MISMATCH',
      );
      expect(app.fakes.calls.submit).to.have.length(0);
    });

    it('fingerprints the body as sent, whatever its order and wherever the key is', async () => {
      await app.submit({ ...DOCKING, jobName: 'a' }, { 'Idempotency-Key': key });
      await app.submit({
        jobName: 'a',
        idempotencyKey: key,
        simulator: 'autodock-vina',
        jobType: 'simulation',
      });
      await app.submit({ ...DOCKING, jobName: 'b' }, { 'Idempotency-Key': key });
      const [first, second, third] = app.fakes.calls.submit.map((command) => command.fingerprint);
      expect(first).to.equal(second);
      expect(first).to.not.equal(third);
    });
  });

  describe('every declared write', () => {
    // Keys belong to an account, and whoever signs up or in has none yet: there, codes are used once and tries are counted.
    const writes = endpoints.filter(
      ({ method, access }) => (method === 'POST' || method === 'PUT') && access !== 'none',
    );

    it('honours an Idempotency-Key, and says so in the document', () => {
      const without = writes.filter(({ idempotency }) => idempotency === 'none');
      expect(without.map(({ operationId }) => operationId)).to.deep.equal([]);
      for (const { operationId, headers } of writes)
        expect(headers, operationId).to.include(idempotencyHeader);
      expect(writes.length).to.be.greaterThan(9);
    });

    it('does its work once for equal requests in turn, or tells how its own effect is found again', async () => {
      for (const endpoint of writes.filter(({ idempotency }) => idempotency !== 'service')) {
        const { operationId, path, method, access, idempotency } = endpoint;
        const isForPeople = access === 'session' || access === 'owner';
        const caller = isForPeople ? PERSON : {};
        const body = BODIES[operationId] ?? expect.fail(`${operationId} has no body in this test`);
        const address = `/api/v1${path.replaceAll(/:[A-Za-z]+/g, JOB_ID)}`;
        const send = (more: object = {}): Promise<Reply> =>
          app.call(method, address, {
            ...(isForPeople ? { key: null } : {}),
            body: { ...body, ...more },
            headers: { ...caller, 'Idempotency-Key': `key-of-${operationId}` },
          });
        const [first, second] = [await send(), await send()];
        expect(first.status, `${operationId} ${first.text} ${JSON.stringify(app.logged.at(-1))}`).to.be.below(
          300,
        );
        // What is answered anew is no replay.
        const replayed = idempotency === 'anew' ? null : 'true';
        expect(second.headers.get('idempotency-replayed'), operationId).to.equal(replayed);
        expect(second.status, operationId).to.be.below(300);
        expect(second.headers.get('location')).to.equal(
          second.status === first.status ? first.headers.get('location') : null,
        );
        expect(JSON.stringify(app.fakes.calls.kept), `${operationId} keeps no address`).to.not.contain(
          'http',
        );
      }
    });
  });

  describe('idempotency of other writes', () => {
    const headers = { 'Idempotency-Key': 'key-000001' };
    const cancel = async (body?: unknown): Promise<Reply> =>
      app.call('POST', `/api/v1/jobs/${JOB_ID}/cancel`, { headers, body });

    it('answers a repeat with the stored answer', async () => {
      const first = await cancel();
      const second = await cancel();
      expect(second.body).to.deep.equal(first.body);
      expect([first.status, second.status]).to.deep.equal([202, 202]);
      expect(second.headers.get('idempotency-replayed')).to.equal('true');
      expect(app.fakes.calls.cancels).to.have.length(1);
    });

    it('claims the key for path and body', async () => {
      await cancel();
      await cancel({ reason: 'x' });
      const [first, second] = app.fakes.calls.claims;
      expect(first?.operation).to.equal('cancelJob');
      expect(first?.fingerprint).to.not.equal(second?.fingerprint);
    });

    it('stores no refusal and no failure: the same key is accepted once the reason is gone', async () => {
      const refusals = [
        [new AppError('NOT_FOUND', 'No such job.'), 404],
        [new AppError('STORAGE_QUOTA_EXCEEDED', 'No room.'), 413],
        [new AppError('INSUFFICIENT_CREDITS', 'Top up.'), 402],
        [new AppError('SERVICE_UNAVAILABLE', 'Later.', { retryAfterSeconds: 3 }), 503],
        [new Error('a fault'), 500],
      ] as const;
      for (const [index, [refusal, refusedAs]] of refusals.entries()) {
        const once = { headers: { 'Idempotency-Key': `key-of-refusal-${index}` } };
        const path = `/api/v1/jobs/${JOB_ID}/cancel`;
        app.fakes.failures.set('cancel', refusal);
        for (let turn = 0; turn < 2; turn += 1) {
          const refused = await app.call('POST', path, once);
          expect([refused.status, refused.headers.get('idempotency-replayed')]).to.deep.equal([
            refusedAs,
            null,
          ]);
          if (refusedAs === 503) expect(refused.headers.get('retry-after')).to.equal('3');
        }
        app.fakes.failures.clear();
        expect((await app.call('POST', path, once)).status).to.equal(202);
        const repeat = await app.call('POST', path, once);
        expect([repeat.status, repeat.headers.get('idempotency-replayed')]).to.deep.equal([202, 'true']);
      }
    });

    it('never stores a signed address and mints a new one for a repeat', async () => {
      const body = { filename: 'x', contentType: 'a/b', size: 1 };
      const first = await app.call('POST', '/api/v1/jobs/upload-url', { body, headers });
      const second = await app.call('POST', '/api/v1/jobs/upload-url', { body, headers });
      expect(JSON.stringify(app.fakes.calls.kept)).to.not.contain('http');
      expect(second.body.s3Key).to.equal(first.body.s3Key);
      expect(second.body.uploadUrl).to.equal('http://store/renewed');
      expect(second.headers.get('idempotency-replayed')).to.equal('true');
    });

    it('lets an answer stand that could not be stored', async () => {
      app.fakes.failures.set('complete', new Error('database gone'));
      expect((await cancel()).status).to.equal(202);
    });

    it('refuses malformed keys', async () => {
      for (const bad of ['short', 'x'.repeat(256), '"unended-quote']) {
        expectError(
          await app.call('POST', `/api/v1/jobs/${JOB_ID}/cancel`, { headers: { 'Idempotency-Key': bad } }),
          400,
          'VALIDATION_ERROR',
        );
      }
    });
  });
});
