import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, sha256, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { base64Sha256, bytesOf, multipartClient, PART, stored } from '../support/multipart.ts';
import type { MultipartClient } from '../support/multipart.ts';

describe('multipart uploads', function () {
  this.timeout(240_000);
  let api: TestApi;
  let owner: NewAccount;
  let uploads: MultipartClient;
  const bytes = bytesOf(PART + 10);
  before(async () => {
    api = await testApi();
    owner = await api.account();
    uploads = multipartClient(api, owner.liveKey);
  });

  it('store a file in parts, and its key can be submitted', async () => {
    const { status, headers, body } = await uploads.init();
    expect(status).to.equal(201);
    expect(headers.get('location')).to.equal(`/api/v1/uploads/${body.uploadId}`);
    expect(body).to.include({ partSize: 8 * 1024 * 1024, partCount: 1, expiresIn: 3600, provider: 'aws' });
    expect(body.checksumAlgorithm).to.equal(null);
    expect(body.key).to.equal(`accounts/${owner.accountId}/uploads/${body.uploadId}/scene.glb`);
    const early = await api.submit(owner.liveKey, { ...noopJob(), sceneFile: body.key });
    expect(early.body.code).to.equal('UPLOAD_INCOMPLETE');

    expect(body.headers).to.deep.equal({});
    const put = await fetch(body.parts[0].url, { method: 'PUT', body: bytes });
    expect(put.status).to.equal(200);
    const seen = await uploads.status(body.uploadId);
    expect(seen.body).to.deep.include({ missing: [], complete: true, state: 'OPEN', size: PART + 10 });
    expect(seen.body.received).to.deep.equal([
      { partNumber: 1, etag: put.headers.get('etag'), size: PART + 10 },
    ]);

    const done = await uploads.complete(body.uploadId, [{ partNumber: 1, etag: put.headers.get('etag') }]);
    expect(done.status).to.equal(200);
    expect(done.body).to.include({ key: body.key, size: PART + 10, verified: true, integrity: 'size' });
    expect(done.body).not.to.have.property('sha256');
    expect((await api.store.hash(body.key))?.sha256).to.equal(sha256(bytes));
    const later = await uploads.status(body.uploadId);
    expect(later.body).to.deep.include({ state: 'COMPLETED', missing: [], received: seen.body.received });
    expect((await api.submit(owner.liveKey, { ...noopJob(), sceneFile: body.key })).status).to.equal(200);
  });

  it('cut a file by the part size that is asked for, held within the limits', async () => {
    const plans = await Promise.all(
      [
        { size: 2 * PART, partSize: 1 },
        { size: 2 * PART + 1, partSize: PART },
        { size: 60_000_000_000, partSize: PART },
      ].map((body) => uploads.init(body)),
    );
    expect(plans.map(({ body }) => [body.partSize, body.partCount])).to.deep.equal([
      [PART, 2],
      [PART, 3],
      [6 * 1024 * 1024, 9_537],
    ]);
    expect(plans.map(({ body }) => body.parts.length)).to.deep.equal([2, 3, 1_000]);
    for (const { body } of plans) expect((await uploads.abort(body.uploadId)).status).to.equal(204);
  });

  it('let the store check the digest of each part, and of the whole file', async () => {
    const body = { partSize: PART, checksumAlgorithm: 'sha256', sha256: sha256(bytes).toUpperCase() };
    const upload = (await uploads.init(body)).body;
    expect(upload).to.deep.include({ checksumAlgorithm: 'sha256', parts: [], partCount: 2, headers: {} });
    const minted = await uploads.urls(upload.uploadId, [
      { partNumber: 1, checksumSha256: base64Sha256(bytes.subarray(0, PART)) },
    ]);
    expect(Object.keys(minted.body.parts[0].headers)).to.deep.equal(['x-amz-checksum-sha256']);
    const { url, headers } = minted.body.parts[0];
    // A store may refuse before it has read the body, and then close the connection before the client has read the
    // answer.
    const put = (body: Buffer, sentHeaders: Record<string, string>): Promise<number | null> =>
      fetch(url, { method: 'PUT', body, headers: sentHeaders }).then(
        ({ status }) => status,
        () => null,
      );
    expect(await put(bytesOf(PART, 99), headers)).to.be.oneOf([400, null]);
    expect(await put(bytes.subarray(0, PART), {})).to.be.oneOf([403, null]);
    expect((await uploads.status(upload.uploadId)).body.received).to.deep.equal([]);

    const sent = await uploads.send(upload, bytes);
    const seen = await uploads.status(upload.uploadId);
    expect(seen.body.received[0].checksumSha256).to.equal(base64Sha256(bytes.subarray(0, PART)));
    const without = sent.map(({ partNumber, etag }) => ({ partNumber, etag }));
    expect((await uploads.complete(upload.uploadId, without)).body.code).to.equal('PART_CHECKSUM_REQUIRED');
    const done = await uploads.complete(upload.uploadId, sent);
    expect(done.body).to.include({ integrity: 'parts-sha256', sha256: sha256(bytes), verified: true });
    const again = await uploads.complete(upload.uploadId, sent, { sha256: sha256('other') });
    expect(again.body.code).to.equal('CHECKSUM_MISMATCH');
    expect((await api.store.head(upload.key))?.byteSize).to.equal(bytes.byteLength);
  });

  it('refuse what disagrees with the mode of the upload', async () => {
    const plain = (await uploads.init()).body;
    const strict = (await uploads.init({ checksumAlgorithm: 'sha256' })).body;
    const digest = base64Sha256(bytes);
    const refusals = await Promise.all([
      uploads.urls(strict.uploadId, [{ partNumber: 1 }]),
      uploads.urls(plain.uploadId, [{ partNumber: 1, checksumSha256: digest }]),
      uploads.urls(plain.uploadId, [{ partNumber: 2 }]),
      uploads.urls(plain.uploadId, [{ partNumber: 1 }, { partNumber: 1 }]),
      uploads.urls(plain.uploadId, []),
      uploads.urls(
        plain.uploadId,
        Array.from({ length: 1_001 }, (_, index) => ({ partNumber: index + 1 })),
      ),
      uploads.urls(strict.uploadId, [{ partNumber: 1, checksumSha256: 'A'.repeat(44) }]),
      uploads.complete(plain.uploadId, []),
      uploads.complete(plain.uploadId, [{ partNumber: 1 }, { partNumber: 1 }]),
      uploads.complete(plain.uploadId, [{ partNumber: 1 }, { partNumber: 2 }]),
      uploads.complete(plain.uploadId, [{ partNumber: 0 }]),
    ]);
    expect(refusals.map(({ body }) => body.code)).to.deep.equal([
      'PART_CHECKSUM_REQUIRED',
      'PART_CHECKSUM_FORBIDDEN',
      ...Array.from({ length: 9 }, () => 'VALIDATION_ERROR'),
    ]);
    for (const { status } of refusals) expect(status).to.equal(400);
    for (const { uploadId } of [plain, strict]) await uploads.abort(uploadId);
  });

  it('that were completed without a digest agree with none that the stored bytes do not have', async () => {
    const upload = (await uploads.init({ filename: 'a.json', size: 2 })).body;
    const parts = await uploads.send(upload, Buffer.from('{}'));
    const done = await uploads.complete(upload.uploadId, parts);
    const registered = await api.call(owner.liveKey, 'POST', 'molecular/docking/artifacts', {
      storageKey: upload.key,
      format: 'json',
    });
    expect(registered.status).to.equal(201);
    const other = await uploads.complete(upload.uploadId, parts, { sha256: sha256('other') });
    expect([other.status, other.body.code]).to.deep.equal([422, 'CHECKSUM_MISMATCH']);
    const same = await uploads.complete(upload.uploadId, parts, { sha256: sha256('{}') });
    expect(same.body).to.deep.equal(done.body);
  });

  it('are not completed before all parts are there and named as they are stored', async () => {
    const upload = (await uploads.init({ partSize: PART })).body;
    const none = await uploads.complete(upload.uploadId, [{ partNumber: 1 }, { partNumber: 2 }]);
    expect(none).to.deep.include({ status: 409 });
    expect(none.body).to.include({ code: 'UPLOAD_INCOMPLETE' });
    expect(none.body.error).to.include('1, 2');
    const [first] = await uploads.send(upload, bytes, [1]);
    expect((await uploads.complete(upload.uploadId, [first ?? {}])).body.code).to.equal('UPLOAD_INCOMPLETE');
    const wrong = (await uploads.urls(upload.uploadId, [{ partNumber: 2 }])).body.parts[0].url;
    expect((await fetch(wrong, { method: 'PUT', body: 'short' })).status).to.equal(403);
    const [second] = await uploads.send(upload, bytes, [2]);
    const unnamed = await uploads.complete(upload.uploadId, [first ?? {}]);
    expect(unnamed.body.error).to.include('does not name 2');
    const other = await uploads.complete(upload.uploadId, [first ?? {}, { partNumber: 2, etag: '"other"' }]);
    expect(other.body).to.include({ code: 'UPLOAD_INCOMPLETE' });
    expect(other.body.error).to.include('Part 2');
    const bare = [first, second].map((part) => ({ ...part, etag: part?.etag.replaceAll('"', '') }));
    expect((await uploads.complete(upload.uploadId, bare)).status).to.equal(200);
  });

  it('are completed once under a key, which stands for one body and remembers no passing refusal', async () => {
    const upload = (await uploads.init({ partSize: PART })).body;
    const options = { headers: { 'idempotency-key': `complete-${upload.uploadId}` } };
    const [first] = await uploads.send(upload, bytes, [1]);
    const parts = [first ?? {}, { partNumber: 2 }];
    const early = await uploads.complete(upload.uploadId, parts, {}, options);
    expect([early.status, early.body.code]).to.deep.equal([409, 'UPLOAD_INCOMPLETE']);
    await uploads.send(upload, bytes, [2]);
    const done = await uploads.complete(upload.uploadId, parts, {}, options);
    expect([done.status, done.headers.get('idempotency-replayed')]).to.deep.equal([200, null]);
    const again = await uploads.complete(upload.uploadId, parts, {}, options);
    expect(again.body).to.deep.equal(done.body);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    const other = await uploads.complete(upload.uploadId, parts, { sha256: sha256(bytes) }, options);
    expect([other.status, other.body.code]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('remove an object whose digest is not the announced one', async () => {
    const announced = (await uploads.init({ sha256: sha256('other') })).body;
    const parts = await uploads.send(announced, bytes);
    const differs = await uploads.complete(announced.uploadId, parts, { sha256: sha256(bytes) });
    expect(differs.body.code).to.equal('CHECKSUM_MISMATCH');
    expect((await uploads.status(announced.uploadId)).body.state).to.equal('OPEN');
    for (let turn = 0; turn < 2; turn += 1) {
      const wrong = await uploads.complete(announced.uploadId, parts);
      expect([wrong.status, wrong.body.code]).to.deep.equal([422, 'CHECKSUM_MISMATCH']);
    }
    expect(await api.store.head(announced.key)).to.equal(null);
    expect((await uploads.status(announced.uploadId)).body.code).to.equal('UPLOAD_ABORTED');
    const named = await api.submit(owner.liveKey, { ...noopJob(), sceneFile: announced.key });
    expect(named.body.code).to.equal('INPUT_NOT_FOUND');
    const late = await uploads.store({}, bytes, { sha256: sha256('other') });
    expect(late.body.code).to.equal('CHECKSUM_MISMATCH');
  });

  it('are aborted with everything they left, as often as asked', async () => {
    const fresh = await api.account();
    const mine = multipartClient(api, fresh.testKey);
    const upload = (await mine.init({ partSize: PART })).body;
    const sent = await mine.send(upload, bytes);
    expect(await stored(api, fresh.accountId)).to.have.length(1);
    expect((await mine.abort(upload.uploadId)).status).to.equal(204);
    expect((await mine.abort(upload.uploadId)).status).to.equal(204);
    expect(await stored(api, fresh.accountId)).to.deep.equal([]);
    const afterwards = await Promise.all([
      mine.status(upload.uploadId),
      mine.urls(upload.uploadId, [{ partNumber: 1 }]),
      mine.complete(upload.uploadId, sent),
    ]);
    expect(afterwards.map(({ status, body }) => [status, body.code])).to.deep.equal(
      Array.from({ length: 3 }, () => [410, 'UPLOAD_ABORTED']),
    );
    expect((await mine.list()).body).to.deep.equal({ uploads: [], nextCursor: null });
  });

  it('that are complete take no more parts and cannot be aborted', async () => {
    const done = await uploads.store({}, bytes);
    const uploadId = done.body.key.split('/')[3];
    const afterwards = await Promise.all([
      uploads.urls(uploadId, [{ partNumber: 1 }]),
      uploads.abort(uploadId),
    ]);
    for (const { status, body } of afterwards)
      expect([status, body.code]).to.deep.equal([409, 'UPLOAD_ALREADY_COMPLETE']);
  });

  it('are one upload for one idempotency key', async () => {
    const options = { headers: { 'idempotency-key': `key-${randomUUID()}` } };
    const first = await uploads.init({}, options);
    const again = await uploads.init({}, options);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(again.body.uploadId).to.equal(first.body.uploadId);
    expect(again.body.parts).to.have.length(1);
    expect((await uploads.init({ size: 1 }, options)).body.code).to.equal('IDEMPOTENCY_KEY_REUSED');
    const at = { headers: { 'idempotency-key': `key-${randomUUID()}` } };
    // A machine under load may answer 503, which asks for the same request with the same key.
    const begin = async (): Promise<Answer> => {
      const answer = await uploads.init({}, at);
      return answer.status === 503 ? begin() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 30 }, begin));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]));
    const ids = new Set(answers.map(({ body }) => body.uploadId));
    expect(ids.size).to.equal(1);
    for (const uploadId of ids) expect((await uploads.abort(uploadId)).status).to.equal(204);
    const late = await uploads.init({}, at);
    expect(late.body.code).to.equal('UPLOAD_ABORTED');
    expect(late.body.error).to.include('fresh Idempotency-Key');
    const tiny = { headers: { 'idempotency-key': `key-${randomUUID()}` } };
    const whole = (await uploads.init({ size: 1 }, tiny)).body;
    await uploads.complete(whole.uploadId, await uploads.send(whole, Buffer.from('x')));
    const over = await uploads.init({ size: 1 }, tiny);
    expect([over.status, over.body.code]).to.deep.equal([409, 'UPLOAD_ALREADY_COMPLETE']);
    expect(over.body.error).to.include(whole.uploadId);
    await uploads.abort(first.body.uploadId);
  });

  it('are listed while they are open, then as files, the newest of a path', async () => {
    const fresh = await api.account();
    const mine = multipartClient(api, fresh.liveKey);
    const projectId = randomUUID();
    const place = { projectId, logicalPath: 'scenes/a.glb', size: 3 };
    const old = await mine.store({ ...place, sha256: sha256('old') }, Buffer.from('old'));
    const open = (await mine.init({ ...place, sha256: sha256('new') })).body;
    expect((await mine.list()).body.uploads).to.deep.include.members([
      { ...(await mine.list()).body.uploads[0], uploadId: open.uploadId, state: 'OPEN' },
    ]);
    const files = async (query = ''): Promise<string[]> =>
      (await mine.list(`?state=completed${query}`)).body.uploads.map(({ key }: { key: string }) => key);
    expect(await files()).to.deep.equal([old.body.key]);
    const done = await mine.complete(open.uploadId, await mine.send(open, Buffer.from('new')));
    expect(done.status).to.equal(200);
    expect(await files()).to.deep.equal([done.body.key]);
    await mine.store({ filename: 'b', size: 1 }, Buffer.from('b'));
    expect(await files()).to.have.length(2);
    expect(await files(`&projectId=${projectId}`)).to.deep.equal([done.body.key]);
    expect(await files(`&sha256=${sha256('new').toUpperCase()}`)).to.deep.equal([done.body.key]);
    expect(await files(`&sha256=${sha256('old')}`)).to.deep.equal([]);
    const page = await mine.list('?state=completed&limit=1');
    const next = await mine.list(`?state=completed&limit=1&cursor=${page.body.nextCursor}`);
    expect(next.body.uploads).to.have.length(1);
    expect(next.body.nextCursor).to.equal(null);
    expect(next.body.uploads[0].key).to.equal(done.body.key);
    for (const cursor of ['x', Buffer.from('["1","2"]').toString('base64url')])
      expect((await mine.list(`?cursor=${cursor}`)).status).to.equal(400);
  });

  it('refuse more than the account may store, and give room back', async () => {
    const fresh = await api.account();
    const mine = multipartClient(api, fresh.liveKey);
    const half = 50 * 1024 ** 3;
    const first = (await mine.init({ size: half })).body;
    const second = await mine.init({ size: half });
    const third = await mine.init({ size: 1 });
    expect([third.status, third.body.code]).to.deep.equal([413, 'STORAGE_QUOTA_EXCEEDED']);
    const file = { filename: 'a', contentType: 'text/plain', size: 1 };
    const keyed = { headers: { 'idempotency-key': 'refused-for-want-of-room' } };
    const announce = () => api.call(fresh.liveKey, 'POST', 'jobs/upload-url', file, keyed);
    expect((await announce()).body.code).to.equal('STORAGE_QUOTA_EXCEEDED');
    await mine.abort(first.uploadId);
    // The key that was refused for want of room is accepted once there is room, and then stands for that file.
    const announced = await announce();
    expect([announced.status, announced.headers.get('idempotency-replayed')]).to.deep.equal([200, null]);
    const repeated = await announce();
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).to.deep.equal([200, 'true']);
    expect(repeated.body.s3Key).to.equal(announced.body.s3Key);
    expect((await mine.init({ size: 1 })).status).to.equal(201);
    expect(second.status).to.equal(201);
  });
});
