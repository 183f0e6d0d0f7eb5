/** Uploads that end early: what is kept of them, and how the next attempt continues. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { failureOf } from '../../support/refusals.ts';
import { PART, uploadWorld } from './upload-world.ts';

describe('uploads that end early', () => {
  const world = uploadWorld();
  const { file, options, stored, journals } = world;

  it('gives up on a store that refuses for good, keeps what is stored, and goes on from there', async () => {
    world.service.fault = (part) => (part === 6 ? { status: 503 } : null);
    const bytes = randomBytes(PART * 10);
    const path = await file(bytes);
    const error = await failureOf(world.client.upload({ path }, options({ concurrency: 2 })));
    expect(error).to.include({ status: 503, code: 'TRANSFER_REFUSED' });
    const before = [...world.service.puts];
    expect(before.length).to.be.at.least(5);
    expect(await journals()).to.have.length(1);
    world.service.fault = () => null;
    const result = await world.client.upload({ path }, options());
    const again = world.service.puts.slice(before.length);
    expect(again.filter((part) => before.includes(part))).to.deep.equal([]);
    expect(result.resumedBytes).to.equal(before.length * PART);
    expect(stored()?.equals(bytes)).to.equal(true);
    expect(world.service.uploads.size).to.equal(1);
  });

  it('starts once when the answer of the start is lost', async () => {
    let refusals = 0;
    world.service.refuse = (call) =>
      call === 'POST /uploads' && (refusals += 1) <= 5 ? { status: 503, code: 'SERVICE_UNAVAILABLE' } : null;
    const path = await file(randomBytes(PART * 3));
    expect(await failureOf(world.client.upload({ path }, options()))).to.include({ status: 503 });
    const [journal = ''] = await journals();
    const key = JSON.parse((await readFile(join(world.stateFolder, journal), 'utf8')).split('\n')[0] ?? '')
      .order.idempotencyKey;
    await world.client.upload({ path }, options());
    expect(key).to.match(/^[0-9a-f-]{36}$/);
    expect(world.service.uploads.size).to.equal(1);
  });

  it('starts with a key of its own after a refusal, which the service remembers under the old one', async () => {
    const path = await file(randomBytes(PART * 3));
    const refusal = { status: 413, code: 'STORAGE_QUOTA_EXCEEDED' };
    world.service.refuse = (call) => (call === 'POST /uploads' ? refusal : null);
    expect(await failureOf(world.client.upload({ path }, options()))).to.include(refusal);
    expect(await journals()).to.deep.equal([]);
  });

  it('says which folder cannot keep what an upload needs to go on', async () => {
    const path = await file(randomBytes(PART * 3));
    const error = await failureOf(
      world.client.upload({ path }, options({ stateFolder: join(path, 'state') })),
    );
    expect(error.code).to.equal('STATE_UNUSABLE');
    expect(error.message).to.include(join(path, 'state'));
  });

  it('keeps nothing of an upload that nobody can resume', async () => {
    world.service.fault = (part) => (part === 2 ? { status: 404, code: 'NoSuchKey' } : null);
    const path = await file(randomBytes(PART * 3));
    await failureOf(world.client.upload({ path }, options({ stateFolder: null })));
    expect([...world.service.uploads.values()].map(({ state }) => state)).to.deep.equal(['ABORTED']);
  });

  it('aborts the unfinished upload of a file that was changed since, and starts anew', async () => {
    world.service.fault = (part) => (part === 3 ? { status: 404, code: 'Nope' } : null);
    const path = await file(randomBytes(PART * 4));
    await failureOf(world.client.upload({ path }, options()));
    world.service.fault = () => null;
    const bytes = randomBytes(PART * 4);
    await writeFile(path, bytes);
    await world.client.upload({ path }, options());
    expect([...world.service.uploads.values()].map(({ state }) => state)).to.deep.equal([
      'ABORTED',
      'COMPLETED',
    ]);
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('sends a part again whose bytes are not those that were sent, though the file looks the same', async () => {
    world.service.fault = (part) => (part === 3 ? { status: 404, code: 'Nope' } : null);
    const bytes = randomBytes(PART * 4);
    const path = await file(bytes);
    await failureOf(world.client.upload({ path }, options({ concurrency: 1 })));
    const [journal = ''] = await journals();
    const text = await readFile(join(world.stateFolder, journal), 'utf8');
    await writeFile(
      join(world.stateFolder, journal),
      text.replace(/("part":1,"sha256":")[0-9a-f]{64}/, `$1${'0'.repeat(64)}`),
    );
    world.service.fault = () => null;
    await world.client.upload({ path }, options());
    expect(world.service.puts.filter((part) => part === '1')).to.have.length(2);
    expect(world.service.puts.filter((part) => part === '2')).to.have.length(1);
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('sends a part again that was cut off on its way, though the store has it in full size', async () => {
    const bytes = randomBytes(PART * 4);
    const path = await file(bytes);
    const abort = new AbortController();
    world.service.fault = (part) => {
      if (part !== 3) return null;
      const [upload] = world.service.uploads.values();
      upload?.parts.set(3, { bytes: Buffer.alloc(PART), etag: '"0f343b0931126a20f133d67c2b018a3b"' });
      abort.abort(new Error('killed'));
      return 'cut';
    };
    await world.client
      .upload({ path }, options({ concurrency: 1, signal: abort.signal }))
      .catch(() => undefined);
    world.service.fault = () => null;
    await world.client.upload({ path }, options());
    expect(stored()?.equals(bytes)).to.equal(true);
    expect(world.service.puts.filter((part) => part === '1' || part === '2')).to.have.length(2);
  });

  it('does not send a part again whose answer was lost, when the name in the store is its MD5', async () => {
    const bytes = randomBytes(PART * 4);
    const path = await file(bytes);
    const abort = new AbortController();
    world.service.fault = (part) => {
      if (part !== 3) return null;
      const [upload] = world.service.uploads.values();
      const arrived = bytes.subarray(PART * 2, PART * 3);
      const md5 = createHash('md5').update(arrived).digest('hex');
      upload?.parts.set(3, { bytes: arrived, etag: `"${md5}"` });
      abort.abort(new Error('killed'));
      return 'cut';
    };
    await world.client
      .upload({ path }, options({ concurrency: 1, signal: abort.signal }))
      .catch(() => undefined);
    world.service.fault = () => null;
    const result = await world.client.upload({ path }, options());
    expect(result.resumedBytes).to.equal(PART * 3);
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('starts anew when the service has ended the upload, and survives a torn journal', async () => {
    world.service.fault = (part) => (part === 3 ? { status: 404, code: 'Nope' } : null);
    const bytes = randomBytes(PART * 4);
    const path = await file(bytes);
    await failureOf(world.client.upload({ path }, options()));
    const [journal = ''] = await journals();
    const text = await readFile(join(world.stateFolder, journal), 'utf8');
    await writeFile(join(world.stateFolder, journal), text.slice(0, -20));
    for (const upload of world.service.uploads.values()) upload.state = 'ABORTED';
    world.service.fault = () => null;
    await world.client.upload({ path }, options());
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('keeps its journal to its user, without a key', async () => {
    world.service.fault = (part) => (part === 2 ? { status: 404, code: 'Nope' } : null);
    const path = await file(randomBytes(PART * 3));
    await failureOf(world.client.upload({ path }, options()));
    const [journal = ''] = await journals();
    const facts = await stat(join(world.stateFolder, journal));
    expect(facts.mode & 0o777).to.equal(0o600);
    expect((await stat(world.stateFolder)).mode & 0o777).to.equal(0o700);
    expect(await readFile(join(world.stateFolder, journal), 'utf8')).not.to.include('svc_live');
  });

  it('refuses a second upload of the same file at the same time', async () => {
    const path = await file(randomBytes(PART * 4));
    const codes: string[] = [];
    world.service.fault = async (part) => {
      if (part === 1) codes.push((await failureOf(world.client.upload({ path }, options()))).code);
      return null;
    };
    await world.client.upload({ path }, options());
    expect(codes).to.deep.equal(['UPLOAD_IN_PROGRESS']);
  });

  it('takes no notice of the lock of a process that is gone', async () => {
    world.service.fault = (part) => (part === 2 ? { status: 404, code: 'Nope' } : null);
    const path = await file(randomBytes(PART * 3));
    await failureOf(world.client.upload({ path }, options()));
    const [journal = ''] = await journals();
    const holder = JSON.stringify({ pid: 2 ** 22 + 1, host: (await import('node:os')).hostname() });
    await writeFile(join(world.stateFolder, journal.replace('.jsonl', '.lock')), holder);
    world.service.fault = () => null;
    await world.client.upload({ path }, options());
    expect(world.service.uploads.size).to.equal(1);
  });

  it('aborts on demand, and says when there is nothing to abort', async () => {
    world.service.fault = (part) => (part === 2 ? { status: 404, code: 'Nope' } : null);
    const path = await file(randomBytes(PART * 3));
    await failureOf(world.client.upload({ path }, options()));
    await world.client.abortUpload({ path }, { stateFolder: world.stateFolder });
    expect([...world.service.uploads.values()].map(({ state }) => state)).to.deep.equal(['ABORTED']);
    expect(
      (await failureOf(world.client.abortUpload({ path }, { stateFolder: world.stateFolder }))).code,
    ).to.equal('NO_OPEN_UPLOAD');
  });

  it('stops when the caller does, and goes on later', async () => {
    const abort = new AbortController();
    world.service.fault = (part) => {
      if (part === 4) abort.abort(new Error('enough'));
      return null;
    };
    const bytes = randomBytes(PART * 12);
    const path = await file(bytes);
    const reason = await world.client
      .upload({ path }, options({ signal: abort.signal, concurrency: 2 }))
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(reason).to.have.property('message', 'enough');
    const result = await world.client.upload({ path }, options());
    expect(result.resumedBytes).to.be.at.least(PART);
    expect(stored()?.equals(bytes)).to.equal(true);
  });
});
