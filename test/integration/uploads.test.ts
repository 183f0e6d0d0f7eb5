// Many calls at once, downloads, and what artifacts tell of their origin, over the whole stack.
import { once } from 'node:events';
import { connect } from 'node:net';

import { expect } from 'chai';

import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, sha256, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { bytesOf, multipartClient, PART, stored } from '../support/multipart.ts';
import type { MultipartClient } from '../support/multipart.ts';
import { until } from '../support/until.ts';

const AT_ONCE = 25;
const FREE_BYTES = 100 * 1024 ** 3;
const LOST = 'The store does not have the parts any more. Start a new upload.';

interface Upload {
  readonly uploadId: string;
  readonly key: string;
}

/** Sends half of a part and hangs up, as a client does that is killed. */
async function breakOff(url: string, bytes: Buffer): Promise<void> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${bytes.byteLength}\r\n\r\n`,
  );
  socket.end(bytes.subarray(0, bytes.byteLength / 2));
  socket.resume();
  await once(socket, 'close');
}

describe('uploads over the whole stack', function () {
  this.timeout(240_000);
  let api: TestApi;
  let owner: NewAccount;
  let uploads: MultipartClient;
  const bytes = bytesOf(PART + 10);
  before(async () => {
    api = await testApi();
  });
  beforeEach(async () => {
    owner = await api.account();
    uploads = multipartClient(api, owner.liveKey);
  });

  /** Aborts the multipart upload in the store, as a lifecycle rule of the bucket or an operator may do. */
  const lose = async ({ uploadId, key }: Upload): Promise<void> => {
    const [row] = await api.db.query<{ id: string }[]>(
      'select store_upload_id as id from uploads where id = $1',
      [uploadId],
    );
    await api.store.abortMultipart(key, row?.id ?? '');
  };

  it('give one answer to completions that come at once, and one to those that come later', async () => {
    const upload = (await uploads.init({ partSize: PART, sha256: sha256(bytes) })).body;
    const parts = await uploads.send(upload, bytes);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        uploads.complete(upload.uploadId, parts, index % 2 === 0 ? {} : { sha256: sha256(bytes) }),
      ),
    );
    answers.push(await uploads.complete(upload.uploadId, parts));
    answers.push(await uploads.complete(upload.uploadId, [{ partNumber: 1 }]));
    for (const { status, body } of answers) {
      expect(status).to.equal(200);
      expect(body).to.deep.equal(answers[0]?.body);
    }
    expect(await stored(api, owner.accountId)).to.deep.equal([upload.key]);
  });

  it('end once when a completion and an abort come together, and leave nothing else', async () => {
    for (let round = 0; round < 3; round += 1) {
      const upload = (await uploads.init({ size: 10 })).body;
      const parts = await uploads.send(upload, bytes.subarray(0, 10));
      const [done, gone] = await Promise.all([
        uploads.complete(upload.uploadId, parts, { sha256: sha256(bytes.subarray(0, 10)) }),
        uploads.abort(upload.uploadId),
      ]);
      const there = (await stored(api, owner.accountId)).filter((key) => key.includes(upload.uploadId));
      if (done.status === 200) {
        expect([gone.status, gone.body.code]).to.deep.equal([409, 'UPLOAD_ALREADY_COMPLETE']);
        expect(there).to.deep.equal([upload.key]);
      } else {
        expect([done.status, done.body.code, gone.status]).to.deep.equal([410, 'UPLOAD_ABORTED', 204]);
        expect(there).to.deep.equal([]);
      }
    }
  });

  it('give no room away twice, and give it back with every end', async () => {
    const third = Math.floor((100 * 1024 ** 3) / 3);
    const answers = await Promise.all(Array.from({ length: 12 }, () => uploads.init({ size: third })));
    const opened = answers.filter(({ status }) => status === 201);
    expect(opened).to.have.length(3);
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201, 413]));
    await Promise.all(opened.map(({ body }) => uploads.abort(body.uploadId)));
    expect((await uploads.init({ size: 3 * third })).status).to.equal(201);
  });

  it('take no half part for the one that was sent, where its ETag or the digest of the file is named', async () => {
    const whole = bytesOf(200_000, 3);
    const upload = (await uploads.init({ size: whole.byteLength })).body;
    const parts = await uploads.send(upload, whole);
    await breakOff(upload.parts[0].url, whole);
    // The gateway keeps the half part with the full size; only the ETag differs.
    await until('the half part is kept', async () => {
      const { received } = (await uploads.status(upload.uploadId)).body;
      return received[0]?.etag !== parts[0]?.etag;
    });
    const refused = await uploads.complete(upload.uploadId, parts);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'UPLOAD_INCOMPLETE']);
    expect(refused.body.error).to.include('Send the part again');
    const again = await uploads.complete(upload.uploadId, await uploads.send(upload, whole));
    expect(again.status).to.equal(200);
    expect((await api.store.hash(upload.key))?.sha256).to.equal(sha256(whole));

    const named = (await uploads.init({ size: whole.byteLength, sha256: sha256(whole) })).body;
    await breakOff(named.parts[0].url, whole);
    await until('the half part is kept', async () => (await uploads.status(named.uploadId)).body.complete);
    const mismatch = await uploads.complete(named.uploadId, [{ partNumber: 1 }]);
    expect([mismatch.status, mismatch.body.code]).to.deep.equal([422, 'CHECKSUM_MISMATCH']);
    expect(await stored(api, owner.accountId)).to.deep.equal([upload.key]);
  });

  it('complete what was begun when the quota is reached or lowered meanwhile', async () => {
    const tenBytes = bytes.subarray(0, 10);
    const plan = async (name: 'free' | 'pro'): Promise<unknown> =>
      api.db.query('update accounts set plan = $2 where id = $1', [owner.accountId, name]);
    const begin = async () => {
      const upload = (await uploads.init({ size: 10 })).body;
      return { uploadId: upload.uploadId, parts: await uploads.send(upload, tenBytes) };
    };
    await plan('pro');
    const [first, second] = [await begin(), await begin()];
    expect((await uploads.init({ size: FREE_BYTES + 1 })).status).to.equal(201);
    await plan('free');
    // The process caches for a minute what a key may do; this key is not in the cache.
    const lowered = multipartClient(api, owner.testKey);
    const refused = await lowered.init({ size: 1 });
    expect([refused.status, refused.body.code]).to.deep.equal([413, 'STORAGE_QUOTA_EXCEEDED']);
    expect((await lowered.complete(first.uploadId, first.parts)).status).to.equal(200);
    // With a digest the bytes are read first, so the room is taken for longer.
    const named = await lowered.complete(second.uploadId, second.parts, { sha256: sha256(tenBytes) });
    expect([named.status, named.body.sha256]).to.deep.equal([200, sha256(tenBytes)]);

    const full = await api.account();
    const others = multipartClient(api, full.liveKey);
    const begun = (await others.init({ size: 10 })).body;
    expect((await others.init({ size: FREE_BYTES - 10 })).status).to.equal(201);
    expect((await others.init({ size: 1 })).body.code).to.equal('STORAGE_QUOTA_EXCEEDED');
    const done = await others.complete(begun.uploadId, await others.send(begun, tenBytes));
    expect(done.status).to.equal(200);
  });

  it('that the store has lost end when somebody asks for them, and give their room back', async () => {
    const asks = {
      status: ({ uploadId }: Upload) => uploads.status(uploadId),
      complete: ({ uploadId }: Upload) => uploads.complete(uploadId, [{ partNumber: 1 }]),
    };
    const orders = [
      [asks.status, asks.complete],
      [asks.complete, asks.status],
    ];
    for (const order of orders) {
      // This upload takes the whole room, so the next upload shows that the room was given back.
      const upload: Upload = (await uploads.init({ size: FREE_BYTES })).body;
      await lose(upload);
      for (const ask of [...order, ...order]) {
        const answers = await Promise.all([ask(upload), ask(upload)]);
        for (const { status, body } of answers)
          expect([status, body.code, body.error]).to.deep.equal([410, 'UPLOAD_ABORTED', LOST]);
      }
      expect((await uploads.urls(upload.uploadId, [{ partNumber: 1 }])).status).to.equal(410);
      expect((await uploads.list()).body.uploads).to.deep.equal([]);
      expect((await uploads.abort(upload.uploadId)).status).to.equal(204);
    }
    const next = await uploads.init({ size: FREE_BYTES });
    expect(next.status).to.equal(201);
  });

  it('are answered with a digest only where it was compared with the stored bytes', async () => {
    const content = bytes.subarray(0, 10);
    for (let round = 0; round < 6; round += 1) {
      const upload = (await uploads.init({ size: content.length })).body;
      const parts = await uploads.send(upload, content);
      const plain = uploads.complete(upload.uploadId, parts);
      const named = uploads.complete(upload.uploadId, parts, { sha256: sha256(content) });
      const [first, second] = await Promise.all([plain, named]);
      expect(first.status).to.equal(200);
      if (second.status === 200) expect(second.body.sha256).to.equal(sha256(content));
      else expect([second.status, second.body.code]).to.deep.equal([409, 'UPLOAD_ALREADY_COMPLETE']);
    }
    const upload = (await uploads.init({ filename: 'a.json', size: 2 })).body;
    const parts = await uploads.send(upload, Buffer.from('{}'));
    const done = await uploads.complete(upload.uploadId, parts);
    for (const digest of [sha256('{}'), sha256('other')]) {
      const late = await uploads.complete(upload.uploadId, parts, { sha256: digest });
      expect([late.status, late.body.code]).to.deep.equal([409, 'UPLOAD_ALREADY_COMPLETE']);
      expect(late.body.error).to.include('without this digest being checked');
    }
    // Registering an artifact reads the bytes; from now on their digest is known.
    await api.call(owner.liveKey, 'POST', 'molecular/docking/artifacts', {
      storageKey: upload.key,
      format: 'json',
    });
    const same = await uploads.complete(upload.uploadId, parts, { sha256: sha256('{}') });
    expect([same.status, same.body]).to.deep.equal([200, done.body]);
    const other = await uploads.complete(upload.uploadId, parts, { sha256: sha256('other') });
    expect([other.status, other.body.code]).to.deep.equal([422, 'CHECKSUM_MISMATCH']);
  });

  it('of any name are downloaded under it, with their media type, and by range', async () => {
    const names = [
      'a/b/Ünï 🧪 "1".pdb',
      'x'.repeat(1_000),
      'tab\tnew\nline.pdb',
      '..',
      `emoji ${'🧪'.repeat(300)}`,
    ];
    for (const filename of names) {
      const content = Buffer.from(`HEADER of ${filename}`);
      const done = await uploads.store(
        { filename, contentType: 'chemical/x-pdb', size: content.length },
        content,
      );
      expect(done.status, filename).to.equal(200);
      const { body } = await api.call(owner.liveKey, 'POST', 'molecular/docking/artifacts', {
        storageKey: done.body.key,
        format: 'pdb',
      });
      expect(body.provenance).to.deep.equal({ kind: 'upload', uploadId: done.body.key.split('/')[3] });
      const id = body.artifact.artifactId;
      const minted = await api.call(owner.liveKey, 'POST', `molecular/docking/artifacts/${id}/download-url`);
      expect(minted.status).to.equal(200);
      expect(minted.body).to.include({ mediaType: 'chemical/x-pdb', sha256: sha256(content), method: 'GET' });
      const got = await fetch(minted.body.url);
      expect(Buffer.from(await got.arrayBuffer()).equals(content)).to.equal(true);
      expect(got.headers.get('content-type')).to.equal('chemical/x-pdb');
      const disposition = got.headers.get('content-disposition') ?? '';
      expect(disposition).to.match(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''/);
      const shown = decodeURIComponent(disposition.split("UTF-8''")[1] ?? '');
      expect(shown).to.equal(minted.body.filename);
      expect(filename.endsWith(shown) || filename.startsWith(shown), shown).to.equal(true);
      const part = await fetch(minted.body.url, { headers: { range: 'bytes=5-9' } });
      expect([part.status, part.headers.get('content-range')]).to.deep.equal([
        206,
        `bytes 5-9/${content.length}`,
      ]);
      expect(await part.text()).to.equal(content.subarray(5, 10).toString());
      const stranger = await api.account();
      const foreign = await api.call(
        stranger.liveKey,
        'POST',
        `molecular/docking/artifacts/${id}/download-url`,
      );
      expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'NOT_FOUND']);
    }
  });

  it('and outputs of jobs are artifacts that tell what made them', async () => {
    const job = await api.submit(owner.liveKey, noopJob(2));
    await api.reaches(owner.liveKey, job.body.jobId, 'SUCCEEDED');
    const { body } = await api.call(owner.liveKey, 'GET', `jobs/${job.body.jobId}/outputs`);
    const output = body.outputs.find(({ taskIndex }: { taskIndex: number | null }) => taskIndex === 1);
    const made = await api.call(owner.liveKey, 'POST', 'molecular/docking/artifacts', {
      storageKey: output.storageKey,
      format: 'log',
    });
    expect(made.status).to.equal(201);
    expect(made.body.provenance).to.deep.equal({ kind: 'task', jobId: job.body.jobId, taskIndex: 1 });
    const minted = await api.call(
      owner.liveKey,
      'POST',
      `molecular/docking/artifacts/${output.artifactId}/download-url`,
    );
    expect(minted.body).to.include({ sha256: output.sha256, byteSize: output.byteSize });
    expect(sha256(Buffer.from(await (await fetch(minted.body.url)).arrayBuffer()))).to.equal(output.sha256);
  });

  it('are seen in the Temporal UI by state, account and provider, without the name of a file', async () => {
    const upload = (await uploads.init({ filename: 'confidential-name.pdb', size: 10 })).body;
    const { Connection, Client } = await import('@temporalio/client');
    const connection = await Connection.connect({ address: api.stack.temporalAddress });
    try {
      const handle = new Client({ connection, namespace: api.stack.temporalNamespace }).workflow.getHandle(
        `upload/${upload.uploadId}`,
      );
      const details = await handle.query<string>('details');
      expect(details).to.include('**OPEN**').and.to.include('1 parts').and.to.include('to aws');
      const seen = await handle.describe();
      const attributes = Object.fromEntries(
        seen.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      );
      expect(attributes).to.include({ AccountId: owner.accountId, JobStatus: 'OPEN', Provider: 'aws' });
      const shown = JSON.stringify([details, attributes, await seen.staticSummary()]);
      expect(shown).not.to.include('confidential');
      await handle.cancel();
      await handle.result();
      expect((await uploads.status(upload.uploadId)).body.code).to.equal('UPLOAD_ABORTED');
    } finally {
      await connection.close();
    }
  });
});
