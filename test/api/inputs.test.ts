/** Uploads, storage keys at submit, artifacts. */
import { expect } from 'chai';

import { NOTHING, noopJob, sha256, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';

describe('uploads and inputs', () => {
  let api: TestApi;
  let owner: NewAccount;
  let stranger: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    [owner, stranger] = await Promise.all([api.account(), api.account()]);
  });

  describe('POST /jobs/upload-url', () => {
    it('gives a URL that stores exactly the announced bytes; test keys may ask', async () => {
      const content = 'ATOM\n';
      const answer = await api.call(owner.testKey, 'POST', 'jobs/upload-url', {
        filename: 'my/ünïcode name?.pdb',
        contentType: 'chemical/x-pdb',
        size: Buffer.byteLength(content),
        sha256: sha256(content).toUpperCase(),
      });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(answer.body).to.include({ method: 'PUT', provider: 'aws-s3', expiresIn: 3600 });
      expect(answer.body.s3Key).to.match(
        new RegExp(`^accounts/${owner.accountId}/uploads/[0-9a-f-]{36}/ünïcode name\\?\\.pdb$`),
      );
      const put = (body: string): Promise<Response> =>
        fetch(answer.body.uploadUrl, { method: 'PUT', body, headers: answer.body.headers });
      expect((await put('WRONG')).status).to.equal(400);
      expect((await put(content)).status).to.equal(200);
      expect(await api.store.head(answer.body.s3Key)).to.include({ byteSize: 5, sha256: sha256(content) });
    });

    it('keeps the files of a project under its id and path', async () => {
      const projectId = '7f0a4a4e-3f9d-4f5e-9f3c-0d5a3c1b2a11';
      const answer = await api.call(owner.liveKey, 'POST', 'jobs/upload-url', {
        filename: 'a.txt',
        contentType: 'text/plain',
        size: 1,
        projectId,
        logicalPath: 'scenes/a.txt',
      });
      expect(answer.status).to.equal(200);
      expect(answer.body.s3Key).to.match(
        new RegExp(`^accounts/${owner.accountId}/projects/${projectId}/[0-9a-f-]{36}/scenes/a\\.txt$`),
      );
    });

    it('refuses paths that climb, one of the pair alone, files over 5 GiB and over the quota', async () => {
      const ask = (body: Record<string, unknown>) =>
        api.call(owner.liveKey, 'POST', 'jobs/upload-url', {
          filename: 'a',
          contentType: 'text/plain',
          size: 1,
          ...body,
        });
      const projectId = '7f0a4a4e-3f9d-4f5e-9f3c-0d5a3c1b2a11';
      for (const logicalPath of ['/a', 'a/../b', 'a//b', './a', 'a\\b', 'a/\0']) {
        expect((await ask({ projectId, logicalPath })).body.code, logicalPath).to.equal('VALIDATION_ERROR');
      }
      expect((await ask({ projectId })).body.code).to.equal('VALIDATION_ERROR');
      expect((await ask({ size: 0 })).body.code).to.equal('VALIDATION_ERROR');
      expect((await ask({ contentType: 'text/plain\r\nx: y' })).body.code).to.equal('VALIDATION_ERROR');
      expect((await ask({ size: 5 * 1024 ** 3 + 1 })).body).to.include({ code: 'PAYLOAD_TOO_LARGE' });
      const full = await api.account();
      const fill = { filename: 'a', contentType: 'text/plain', size: 5 * 1024 ** 3 };
      const answers = await Promise.all(
        Array.from({ length: 22 }, () => api.call(full.liveKey, 'POST', 'jobs/upload-url', fill)),
      );
      expect(answers.filter((answer) => answer.status === 200)).to.have.length(20);
      expect(answers.filter((answer) => answer.body.code === 'STORAGE_QUOTA_EXCEEDED')).to.have.length(2);
    });

    it('answers a repeat with the same key by the same file and a fresh URL', async () => {
      const ask = () =>
        api.call(
          owner.liveKey,
          'POST',
          'jobs/upload-url',
          { filename: 'a', contentType: 'text/plain', size: 3 },
          { headers: { 'idempotency-key': 'upload-once' } },
        );
      const [first, second] = [await ask(), await ask()];
      expect(second.headers.get('idempotency-replayed')).to.equal('true');
      expect(second.body.s3Key).to.equal(first.body.s3Key);
      expect(
        (await fetch(second.body.uploadUrl, { method: 'PUT', body: 'abc', headers: second.body.headers }))
          .status,
      ).to.equal(200);
    });

    it('is one file for one key also when the answer was never recorded', async () => {
      const fresh = await api.account();
      const ask = () =>
        api.call(
          fresh.liveKey,
          'POST',
          'jobs/upload-url',
          { filename: 'a', contentType: 'text/plain', size: 3 },
          { headers: { 'idempotency-key': 'upload-broken-off' } },
        );
      const first = await ask();
      // The row of a process that died after the upload was recorded and before its answer was.
      await api.db.query('delete from idempotency_keys where account_id = $1', [fresh.accountId]);
      const second = await ask();
      expect([second.status, second.headers.get('idempotency-replayed')]).to.deep.equal([200, null]);
      expect(second.body.s3Key).to.equal(first.body.s3Key);
      const rows = await api.db.query<unknown[]>('select 1 from stored_objects where account_id = $1', [
        fresh.accountId,
      ]);
      expect(rows).to.have.length(1);
    });

    it('keeps a path of 1,024 characters of four bytes each, and finds the newest file of it', async () => {
      const fresh = await api.account();
      const projectId = '7f0a4a4e-3f9d-4f5e-9f3c-0d5a3c1b2a11';
      // The path does not compress: an index entry could hold a long path that repeats itself.
      const any = (seed: number): string => String.fromCodePoint(0x10000 + ((seed * 7919) % 60_000));
      const logicalPath = `${Array.from({ length: 1022 }, (_, index) => any(index)).join('')}/a`;
      expect(Buffer.byteLength(logicalPath)).to.equal(4090);
      const keys: string[] = [];
      for (const content of ['abc', 'def']) {
        const file = { filename: 'a', contentType: 'text/plain', size: 3, projectId, logicalPath };
        const { status, body } = await api.call(fresh.liveKey, 'POST', 'jobs/upload-url', file);
        expect(status, JSON.stringify(body)).to.equal(200);
        const put = await fetch(body.uploadUrl, { method: 'PUT', body: content, headers: body.headers });
        expect(put.status).to.equal(200);
        const listed = await api.call(fresh.liveKey, 'GET', `uploads?state=completed&projectId=${projectId}`);
        expect(listed.body.uploads).to.have.length(1);
        expect(listed.body.uploads[0]).to.include({ key: body.s3Key, logicalPath });
        keys.push(body.s3Key);
      }
      expect(new Set(keys).size).to.equal(2);
    });

    it('gives no address for a file that is verified', async () => {
      const fresh = await api.account();
      const projectId = '7f0a4a4e-3f9d-4f5e-9f3c-0d5a3c1b2a11';
      const file = { filename: 'a', contentType: 'text/plain', size: 3, projectId, logicalPath: 'a' };
      const ask = () =>
        api.call(fresh.liveKey, 'POST', 'jobs/upload-url', file, {
          headers: { 'idempotency-key': 'upload-there' },
        });
      const { body } = await ask();
      await fetch(body.uploadUrl, { method: 'PUT', body: 'abc', headers: body.headers });
      const listed = await api.call(fresh.liveKey, 'GET', `uploads?state=completed&projectId=${projectId}`);
      expect(listed.body.uploads).to.have.length(1);
      expect(listed.body.uploads[0]).to.include({ key: body.s3Key, logicalPath: 'a', size: 3 });
      const again = await ask();
      expect([again.status, again.body.code]).to.deep.equal([409, 'UPLOAD_ALREADY_COMPLETE']);
      expect(again.body.error).to.include(body.s3Key);
    });

    it('gives an address for a verified file that takes only the bytes that are there', async () => {
      const fresh = await api.account();
      const file = { filename: 'a.json', contentType: 'application/json', size: 2, sha256: sha256('{}') };
      const ask = () =>
        api.call(fresh.liveKey, 'POST', 'jobs/upload-url', file, {
          headers: { 'idempotency-key': 'upload-same' },
        });
      const send = async (body: string) => {
        const { uploadUrl, headers } = (await ask()).body;
        return (await fetch(uploadUrl, { method: 'PUT', body, headers })).status;
      };
      expect(await send('{}')).to.equal(200);
      const request = { storageKey: (await ask()).body.s3Key, format: 'json' };
      const registered = await api.call(fresh.liveKey, 'POST', 'molecular/docking/artifacts', request);
      expect(registered.status).to.equal(201);
      expect([await send('[]'), await send('{}')]).to.deep.equal([400, 200]);
      const again = await api.call(fresh.liveKey, 'POST', 'molecular/docking/artifacts', request);
      expect(again.body.artifact).to.deep.equal(registered.body.artifact);
    });
  });

  describe('storage keys at submit', () => {
    const submit = (more: Record<string, unknown>) => api.submit(owner.liveKey, { ...noopJob(), ...more });
    const hasNothing = async (): Promise<void> => {
      expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
    };

    it('404 for unknown and foreign keys, naming the path', async () => {
      const foreign = await api.upload(stranger.liveKey, 'foreign');
      for (const more of [
        { sceneFile: 'accounts/x/uploads/y/z' },
        { sceneFile: foreign },
        { attachments: [foreign] },
      ]) {
        const answer = await submit(more);
        expect(answer.status).to.equal(404);
        expect(answer.body).to.include({ code: 'INPUT_NOT_FOUND' });
        expect(answer.body.error).to.include(Object.keys(more)[0]);
      }
      await hasNothing();
    });

    it('409 until the file is uploaded', async () => {
      const pending = await api.upload(owner.liveKey, 'later', { put: false });
      expect((await submit({ sceneFile: pending })).body).to.include({ code: 'UPLOAD_INCOMPLETE' });
      await hasNothing();
    });

    it('422 for another size or digest than announced', async () => {
      const key = await api.upload(owner.liveKey, 'as announced', { digest: false });
      await api.store.put(key, Buffer.from('longer than announced'), 'text/plain');
      expect((await submit({ sceneFile: key })).body).to.include({ code: 'SIZE_MISMATCH' });
      await api.db.query(
        'update stored_objects set announced_sha256 = $2, byte_size = 7 where storage_key = $1',
        [key, sha256('other')],
      );
      const source = await api.upload(owner.liveKey, 'another');
      await api.store.copy(source, key, 'text/plain');
      expect((await submit({ sceneFile: key })).body).to.include({ code: 'CHECKSUM_MISMATCH' });
      await hasNothing();
    });
  });

  describe('artifacts', () => {
    const register = (key: string, storageKey: string, format = 'pdb') =>
      api.call(key, 'POST', 'molecular/docking/artifacts', { storageKey, format, label: 'mine' });

    it('registers once per file and format, with a digest of the bytes', async () => {
      const storageKey = await api.upload(owner.liveKey, 'no digest announced', { digest: false });
      const first = await register(owner.liveKey, storageKey);
      expect(first.status, JSON.stringify(first.body)).to.equal(201);
      expect(first.body.artifact).to.deep.include({
        schema: 'svc.docking.artifact/v1',
        storageKey,
        sha256: sha256('no digest announced'),
        byteSize: 19,
        mediaType: 'chemical/x-pdb',
        format: 'pdb',
      });
      expect(first.body.verified).to.equal(true);
      const second = await register(owner.liveKey, storageKey);
      expect(second.status).to.equal(200);
      expect(second.body).to.deep.equal(first.body);
      const got = await api.call(
        owner.liveKey,
        'GET',
        `molecular/docking/artifacts/${first.body.artifact.artifactId}`,
      );
      expect(got.body.artifact).to.deep.equal(first.body.artifact);
      expect(
        (
          await api.call(
            stranger.liveKey,
            'GET',
            `molecular/docking/artifacts/${first.body.artifact.artifactId}`,
          )
        ).status,
      ).to.equal(404);
    });

    it('refuses unknown, foreign and missing files', async () => {
      const foreign = await api.upload(stranger.liveKey, 'x');
      expect((await register(owner.liveKey, foreign)).body).to.include({ code: 'INPUT_NOT_FOUND' });
      const pending = await api.upload(owner.liveKey, 'x', { put: false });
      expect((await register(owner.liveKey, pending)).body).to.include({ code: 'UPLOAD_INCOMPLETE' });
    });

    it('422 for a file that was changed after it was registered, wherever its digest would be told', async () => {
      const announced = await api.call(owner.liveKey, 'POST', 'jobs/upload-url', {
        filename: 'a.pdb',
        contentType: 'chemical/x-pdb',
        size: 6,
      });
      const { s3Key, uploadUrl, headers } = announced.body;
      const put = (body: string) => fetch(uploadUrl, { method: 'PUT', body, headers });
      await put('ATOM 1');
      const { artifact } = (await register(owner.liveKey, s3Key)).body;
      expect((await put('ATOM 2')).status).to.equal(200);
      const answers = await Promise.all([
        register(owner.liveKey, s3Key, 'mmcif'),
        register(owner.liveKey, s3Key),
        api.call(owner.liveKey, 'POST', `molecular/docking/artifacts/${artifact.artifactId}/download-url`),
        api.submit(owner.liveKey, { ...noopJob(), simulationParams: { receptorArtifact: artifact } }),
      ]);
      for (const { status, body } of answers) {
        expect([status, body.code]).to.deep.equal([422, 'CHECKSUM_MISMATCH']);
        expect(body.error).to.include('was changed after it was verified');
      }
      expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
    });

    it('422 at submit for a reference that disagrees, naming the field', async () => {
      const storageKey = await api.upload(owner.liveKey, 'HEADER');
      const { artifact } = (await register(owner.liveKey, storageKey)).body;
      const submit = (more: Record<string, unknown>) =>
        api.submit(owner.liveKey, {
          ...noopJob(100_000),
          simulationParams: { receptorArtifact: { ...artifact, ...more } },
        });
      for (const [field, value] of [
        ['sha256', 'a'.repeat(64)],
        ['byteSize', 7],
        ['format', 'mmcif'],
        ['artifactId', 'someone-elses'],
      ] as const) {
        const answer = await submit({ [field]: value });
        expect(answer.body, field).to.include({ code: 'ARTIFACT_MISMATCH' });
        expect(answer.body.error).to.include(`simulationParams.receptorArtifact.${field}`);
      }
      const unknown = await submit({ storageKey: 'accounts/x/uploads/y/z' });
      expect(unknown.body).to.include({ code: 'INPUT_NOT_FOUND' });
      expect((await submit({ mediaType: 'text/x-other' })).body, 'mediaType is not compared').to.include({
        code: 'INSUFFICIENT_CREDITS',
      });
      expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
    });
  });
});
