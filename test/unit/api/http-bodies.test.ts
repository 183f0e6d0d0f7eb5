import http from 'node:http';

import { expect } from 'chai';

import { JOB_ID } from './fake-services.ts';
import { library } from './samples.ts';
import type { Reply } from './test-app.ts';
import { DOCKING, KEY, TestApp, expectError } from './test-app.ts';

describe('http bodies', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await new TestApp().start();
  });

  afterEach(async () => {
    await app.stop();
  });

  describe('bodies', () => {
    const submitRaw = async (
      raw: string | Uint8Array<ArrayBuffer>,
      headers: Record<string, string> = {},
    ): Promise<Reply> => app.call('POST', '/api/v1/jobs/submit', { raw, headers });

    it('takes JSON in UTF-8 only', async () => {
      const text = JSON.stringify(DOCKING);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'application/jsonx',
        'multipart/form-data; boundary=x',
      ]) {
        expectError(await submitRaw(text, { 'Content-Type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
      expectError(await submitRaw(text, { 'Content-Encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      expectError(await app.call('POST', '/api/v1/jobs/submit'), 415, 'UNSUPPORTED_MEDIA_TYPE');
      for (const type of [
        'application/json',
        'Application/JSON; charset=UTF-8',
        'application/json;charset="utf-8"',
      ]) {
        expect((await submitRaw(text, { 'Content-Type': type })).status, type).to.equal(200);
      }
    });

    it('refuses what is not JSON and says where', async () => {
      const reply = await submitRaw('{"jobType": "render",}');
      expectError(reply, 400, 'VALIDATION_ERROR');
      expect(reply.body.error).to.match(/position \d+/);
      for (const raw of ['', '[]', '"x"', 'null', Buffer.from([0x7b, 0xff, 0x7d])])
        expectError(await submitRaw(raw), 400, 'VALIDATION_ERROR');
    });

    it('refuses prototype keys at any depth and in both parsers', async () => {
      for (const raw of [
        '{"__proto__":{}}',
        '{"jobType":"render","metadata":{"a":[{"__proto__":{"x":1}}]}}',
        '{"jobType":"render","metadata":{"constructor":{"prototype":{}}}}',
        `{"jobType":"render","metadata":{"pad":"${'x'.repeat(300_000)}","\\u005f_proto__":1}}`,
      ]) {
        const reply = await submitRaw(raw);
        expectError(reply, 400, 'VALIDATION_ERROR');
        expect(reply.body.error).to.contain('is a forbidden key');
      }
      expect(app.fakes.calls.submit).to.have.length(0);
    });

    it('refuses a name that an object has twice, however it is written, and says where, in both parsers', async () => {
      const pad = `"pad":"${'x'.repeat(300_000)}",`;
      for (const [raw, path] of [
        ['{"jobType":"render","jobType":"render"}', 'jobType'],
        ['{"metadata":{"a":[1,{"b":{"c":"\\"","d":[],"c":1}}]}}', 'metadata.a[1].b.c'],
        ['{"metadata":{"a":1,"\\u0061":1}}', 'metadata.a'],
        [`{"metadata":{${pad}"a":[[],[{"b":1},{"b":1,"b":2}]]}}`, 'metadata.a[1][1].b'],
      ] as const) {
        const reply = await submitRaw(raw);
        expectError(reply, 400, 'VALIDATION_ERROR');
        expect(reply.body.error).to.include(`"${path}" is there twice`);
      }
      const same = '{"jobType":"render","metadata":{"a":{"x":1},"b":[{"x":1},{"x":1}],"c":"\\"x\\":1"}}';
      expect((await submitRaw(same)).status, 'equal names in different objects').to.equal(200);
    });

    it('refuses text that the database cannot hold, and bodies nested too deep', async () => {
      expect((await submitRaw('{"jobName":"a\\u0000b"}')).body.error).to.contain('"jobName"');
      expect((await submitRaw('{"metadata":{"a":["\\ud800"]}}')).body.error).to.contain('"metadata.a[0]"');
      expect((await submitRaw('{"metadata":{"a":1e999}}')).body.error).to.contain('"metadata.a"');
      expectError(
        await submitRaw(`{"metadata":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`),
        400,
        'VALIDATION_ERROR',
      );
    });

    it('refuses a small text of very many values before it is parsed', async () => {
      const raw = `{"jobName":"a\\",[","metadata":{"a":[${'{},'.repeat(1_000_000)}{}]}}`;
      const reply = await submitRaw(raw);
      expectError(reply, 400, 'VALIDATION_ERROR');
      expect(reply.body.error).to.contain('more than 1000000 values');
      expect(
        (await submitRaw(`{"jobType":"render","metadata":{"a":"${'[,'.repeat(1_000_000)}"}}`)).status,
      ).to.equal(200);
    });

    it('refuses a body over the limit of its endpoint with 413, however it is sent', async () => {
      const tooLong = { filename: 'x'.repeat(1024 * 1024), contentType: 'a/b', size: 1 };
      expectError(
        await app.call('POST', '/api/v1/jobs/upload-url', { body: tooLong }),
        413,
        'PAYLOAD_TOO_LARGE',
      );
      expectError(
        await app.submit({ ...DOCKING, jobName: 'x'.repeat(33 * 1024 * 1024) }),
        413,
        'PAYLOAD_TOO_LARGE',
      );
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const request = http.request(
          `${app.base}/api/v1/jobs/upload-url`,
          { method: 'POST', headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' } },
          (reply) => {
            reply.resume();
            resolve(reply.statusCode);
          },
        );
        request.on('error', reject);
        for (let chunk = 0; chunk < 20; chunk += 1) request.write(Buffer.alloc(100_000, 120));
        request.end();
      });
      expect(status).to.equal(413);
    });

    it('takes 10,000 ligands in a worker thread, with the same result as in the request', async () => {
      const body = { ...DOCKING, simulationParams: { ligandLibrary: library(10_000) } };
      expect((await app.submit(body)).status).to.equal(200);
      const { body: received, fingerprint } = app.fakes.calls.submit[0] ?? { body: null, fingerprint: '' };
      expect(received?.simulationParams?.ligandLibrary).to.have.length(10_000);
      expect(received?.simulationParams?.ligandLibrary?.[9999]).to.deep.equal({
        ...library(10_000)[9999],
        preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
      });
      expect(fingerprint).to.match(/^[0-9a-f]{64}$/);
      const refused = await app.submit({
        ...body,
        simulationParams: { ligandLibrary: [...library(9999), { ...library(1)[0], ligandId: 'l5' }] },
      });
      expectError(refused, 400, 'VALIDATION_ERROR');
      expect(refused.body.error).to.contain('ligandLibrary[9999]');
    });

    it('names the first failures of a large body that is wrong all over, and goes on serving', async () => {
      const wrongLigands = { ...DOCKING, simulationParams: { ligandLibrary: Array(35_000).fill({ a: 1 }) } };
      const refused = await app.submit(wrongLigands);
      expectError(refused, 400, 'VALIDATION_ERROR');
      for (const path of ['ligandLibrary[0].ligandId', 'ligandLibrary[0].a'])
        expect(refused.body.error).to.contain(path);
      expect(refused.body.error.length).to.be.below(10_000);

      const unknown = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`field${index}`, 1]));
      for (const body of [
        { ...DOCKING, ...unknown },
        { ...DOCKING, attachments: Array(150_000).fill(1) },
      ]) {
        const reply = await app.submit(body);
        expectError(reply, 400, 'VALIDATION_ERROR');
        expect(reply.body.error).to.match(/field0|attachments\[0\]/);
      }
    });

    it('refuses an object of more members than any has before a thread or the schema looks at them', async () => {
      const members = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, '']));
      for (const body of [members(10_001), { ...DOCKING, metadata: { a: [members(10_001)] } }]) {
        const reply = await app.submit(body);
        expectError(reply, 400, 'VALIDATION_ERROR');
        expect(reply.body.error).to.equal('An object of the request body has more than 10000 members');
      }
      expect((await app.submit({ jobType: 'render', metadata: members(10_000) })).status).to.equal(200);
    });

    it('takes 1,000 parameters and no more', async () => {
      const parameters = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 'x']));
      expect((await app.submit({ jobType: 'render', parameters: parameters(1_000) })).status).to.equal(200);
      const refused = await app.submit({ jobType: 'render', parameters: parameters(1_001) });
      expectError(refused, 400, 'VALIDATION_ERROR');
      expect(refused.body.error).to.match(/"parameters" must have less than or equal to 1000 keys/);
    });

    it('keeps room for the bodies of others while one account sends many', async () => {
      const crowded = await new TestApp({ bodyParser: { maxThreads: 1, maxQueue: 4 } }).start();
      try {
        const body = { ...DOCKING, jobName: 'a job', metadata: { pad: 'x'.repeat(100_000) } };
        const crowd = Promise.all(Array.from({ length: 6 }, () => crowded.submit(body)));
        expect((await crowded.submit(body, {}, 'svc_live_other')).status).to.equal(200);
        const refused = (await crowd).filter(({ status }) => status !== 200);
        expect(refused.length).to.be.within(1, 5);
        for (const reply of refused) {
          expectError(reply, 503, 'SERVICE_UNAVAILABLE');
          expect(reply.headers.get('retry-after')).to.equal('2');
        }
      } finally {
        await crowded.stop();
      }
    });

    it('names wrong ligands far into a library by their places', async () => {
      const ligands: unknown[] = library(3000);
      ligands[1500] = { ...library(1)[0], ligandId: '' };
      ligands[2999] = { ...library(1)[0], ligandId: 'last', source: { kind: 'smiles' } };
      const refused = await app.submit({ ...DOCKING, simulationParams: { ligandLibrary: ligands } });
      expectError(refused, 400, 'VALIDATION_ERROR');
      expect(refused.body.error).to.contain('"simulationParams.ligandLibrary[1500].ligandId"');
      expect(refused.body.error).to.contain('"simulationParams.ligandLibrary[2999].source');
      expect(refused.body.error).to.not.contain('ligandLibrary[0]');
    });

    it('reads no body where none is declared and takes an empty one where it is optional', async () => {
      expect((await app.call('POST', `/api/v1/jobs/${JOB_ID}/cancel`)).status).to.equal(202);
      expect(
        (await app.call('POST', `/api/v1/jobs/${JOB_ID}/cancel`, { body: { reason: 'x' } })).status,
      ).to.equal(202);
      expectError(
        await app.call('POST', `/api/v1/jobs/${JOB_ID}/cancel`, { body: { reason: '' } }),
        400,
        'VALIDATION_ERROR',
      );
      expect(app.fakes.calls.cancels).to.deep.equal([{}, { reason: 'x' }]);
    });
  });
});
