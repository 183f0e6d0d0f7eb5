/** The upload engine against a real HTTP server with the contract's rules, and with faults. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { createClient } from '../../../src/client/index.ts';
import type { UploadProgress } from '../../../src/client/index.ts';
import { failureOf } from '../../support/refusals.ts';
import { PART, uploadWorld } from './upload-world.ts';
import type { UploadWorld } from './upload-world.ts';

describe('uploads of the client', () => {
  const world = uploadWorld();
  const { file, options, stored, journals } = world;

  for (const checksum of [false, true]) {
    it(`stores a file of many parts, byte for byte${checksum ? ', each checked by the store' : ''}`, async () => {
      const bytes = randomBytes(PART * 20 + 17);
      const path = await file(bytes);
      const result = await world.client.upload({ path }, options({ checksum }));
      expect(stored()?.equals(bytes)).to.equal(true);
      expect(result).to.deep.include({
        byteSize: bytes.length,
        sha256: sha256(bytes),
        integrity: checksum ? 'parts-sha256' : 'size',
        resumedBytes: 0,
        skipped: false,
      });
      expect(world.service.puts).to.have.length(21);
      expect(await journals()).to.deep.equal([]);
    });
  }

  for (const [partMib, parts] of [
    [25, 1],
    [11, 5],
  ] as const) {
    it(`stores parts of ${partMib} MiB, too large for its buffers, over broken connections and refusals too`, async () => {
      const partSize = partMib * 1024 * 1024;
      const bytes = randomBytes(partSize * parts + 1_000_003);
      world.service.fault = (part, attempt) => {
        if (attempt > 1) return null;
        return part === 1 ? 'cut' : part === 2 ? { status: 503, code: 'SlowDown' } : null;
      };
      const result = await world.client.upload(
        { path: await file(bytes) },
        options({ partSize, checksum: true }),
      );
      expect(stored()?.equals(bytes)).to.equal(true);
      expect(result.sha256).to.equal(sha256(bytes));
    });
  }

  it('asks for addresses in batches, and for none that the start has given', async () => {
    const path = await file(randomBytes(PART * 30));
    await world.client.upload({ path }, options());
    expect(world.service.calls.filter((call) => call.endsWith('/parts'))).to.have.length(0);
    world.service.reset();
    world.service.delayMs = 20;
    await world.client.upload({ path }, options({ checksum: true }));
    expect(world.service.calls.filter((call) => call.endsWith('/parts')).length).to.be.within(1, 15);
  });

  it('sends no more parts at once than it was allowed', async () => {
    world.service.fault = async () => {
      await new Promise((done) => setTimeout(done, 5));
      return null;
    };
    const path = await file(randomBytes(PART * 24));
    await world.client.upload({ path }, options({ concurrency: 3 }));
    expect(world.service.mostAtOnce).to.be.within(2, 3);
  });

  it('goes on over broken connections, busy stores, ended addresses and damaged parts', async () => {
    const faults = new Map<number, ReturnType<UploadWorld['service']['fault']>>([
      [1, 'cut'],
      [3, { status: 503, code: 'SlowDown' }],
      [5, { status: 403, code: 'AccessDenied' }],
      [7, { status: 400, code: 'BadDigest' }],
      [9, { status: 500 }],
    ]);
    world.service.fault = (part, attempt) => (attempt === 1 ? (faults.get(part ?? 0) ?? null) : null);
    const bytes = randomBytes(PART * 12);
    const path = await file(bytes);
    await world.client.upload({ path }, options({ checksum: true }));
    expect(stored()?.equals(bytes)).to.equal(true);
    expect(world.service.puts).to.have.length(12);
  });

  it('does not use an address after its life', async () => {
    world.service.expiresIn = 0;
    const path = await file(randomBytes(PART * 4));
    await world.client.upload({ path }, options());
    expect(world.service.calls.filter((call) => call.endsWith('/parts')).length).to.be.at.least(1);
  });

  it('ends at once when one part is refused, though the addresses of others are not to be had', async () => {
    const path = await file(randomBytes(PART * 8));
    const patient = createClient({
      apiUrl: world.service.url,
      apiKey: 'k',
      retry: { attempts: 50, firstPauseMs: 60_000 },
    });
    let asked = 0;
    world.service.refuse = (call) =>
      call.endsWith('/parts') && (asked += 1) > 1 ? { status: 503, code: 'SERVICE_UNAVAILABLE' } : null;
    world.service.fault = async () => {
      await new Promise((done) => setTimeout(done, 50));
      return { status: 404, code: 'Nope' };
    };
    const startedAt = performance.now();
    expect(await failureOf(patient.upload({ path }, options({ checksum: true })))).to.include({
      status: 404,
    });
    expect(performance.now() - startedAt, 'no pause was waited for').to.be.below(25_000);
  });

  it('refuses a file that is written to meanwhile, and aborts', async () => {
    const path = await file(randomBytes(PART * 8));
    world.service.fault = async (part) => {
      if (part === 2) await writeFile(path, randomBytes(PART * 8));
      return null;
    };
    const error = await failureOf(world.client.upload({ path }, options({ concurrency: 1 })));
    expect(error.code).to.equal('FILE_CHANGED');
    expect([...world.service.uploads.values()].map(({ state }) => state)).to.deep.equal(['ABORTED']);
    expect(await journals()).to.deep.equal([]);
  });

  it('refuses a file that becomes shorter meanwhile', async () => {
    const path = await file(randomBytes(PART * 40));
    world.service.fault = async (part) => {
      if (part === 1) await writeFile(path, 'short');
      return null;
    };
    expect((await failureOf(world.client.upload({ path }, options({ concurrency: 1 })))).code).to.equal(
      'FILE_CHANGED',
    );
  });

  it('tells the digest mismatch that the service found, and does not resume from wrong bytes', async () => {
    const path = await file(randomBytes(PART * 3));
    world.service.refuse = (call) =>
      call.endsWith('/complete') ? { status: 422, code: 'CHECKSUM_MISMATCH' } : null;
    expect((await failureOf(world.client.upload({ path }, options()))).code).to.equal('CHECKSUM_MISMATCH');
    expect(await journals()).to.deep.equal([]);
  });

  it('sends no etags where the store gives none', async () => {
    world.service.provider = 'azure';
    const bytes = randomBytes(PART * 3);
    const path = await file(bytes);
    await world.client.upload({ path }, options({ checksum: true }));
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('tells how far it is, never backwards past what a failed attempt took back, and up to the end', async () => {
    const seen: UploadProgress[] = [];
    world.service.fault = (part, attempt) => (part === 2 && attempt === 1 ? { status: 503 } : null);
    const bytes = randomBytes(PART * 6);
    await world.client.upload(
      { path: await file(bytes) },
      options({ onProgress: (one) => void seen.push(one) }),
    );
    const last = seen.at(-1);
    expect(last).to.include({
      phase: 'done',
      doneBytes: bytes.length,
      totalBytes: bytes.length,
      doneParts: 6,
    });
    expect(seen.every(({ doneBytes }) => doneBytes <= bytes.length)).to.equal(true);
  });

  it('refuses what is no file, what is empty and what is not there', async () => {
    await mkdir(join(world.folder, 'sub'));
    const cases = [
      [join(world.folder, 'sub'), 'FILE_UNREADABLE'],
      [join(world.folder, 'nothing'), 'FILE_UNREADABLE'],
      [await file(Buffer.alloc(0), 'empty'), 'FILE_EMPTY'],
    ] as const;
    for (const [path, code] of cases)
      expect((await failureOf(world.client.upload({ path }, options()))).code).to.equal(code);
    expect(world.service.calls).to.deep.equal([]);
  });

  it('sends names of 1,000 characters and emoji as they are', async () => {
    const filename = `${'🧬'.repeat(498)}.pdb`;
    await world.client.upload({ path: await file(randomBytes(10)), filename }, options());
    await world.client.upload({ path: await file(randomBytes(PART * 2)), filename }, options());
    expect([...world.service.uploads.values()][0]?.init.filename).to.equal(filename);
    expect([...world.service.files.keys()][0]).to.include(filename);
  });

  it('does not send a file again that it has stored, unless it changed or is gone', async () => {
    const bytes = randomBytes(PART * 3);
    const path = await file(bytes);
    const skipStored = true;
    const first = await world.client.upload({ path }, options({ skipStored }));
    const second = await world.client.upload({ path }, options({ skipStored }));
    expect(second).to.include({ skipped: true, storageKey: first.storageKey, sha256: first.sha256 });
    expect(world.service.puts).to.have.length(3);
    world.service.uploads.clear();
    expect((await world.client.upload({ path }, options({ skipStored }))).skipped).to.equal(false);
    await writeFile(path, randomBytes(PART * 3));
    expect((await world.client.upload({ path }, options({ skipStored }))).skipped).to.equal(false);
  });

  it('sends a small file again with another key, which may be of another account', async () => {
    const path = await file(randomBytes(100));
    const skipStored = true;
    await world.client.upload({ path }, options({ skipStored }));
    expect((await world.client.upload({ path }, options({ skipStored }))).skipped).to.equal(true);
    const other = createClient({ apiUrl: world.service.url, apiKey: 'svc_live_y' });
    expect((await other.upload({ path }, options({ skipStored }))).skipped).to.equal(false);
    expect(world.service.puts).to.have.length(2);
  });

  it('does not send a small file whose digest the service knows under that name', async () => {
    const bytes = randomBytes(100);
    const path = await file(bytes);
    world.service.completed = [
      { ...item('other.bin', bytes), key: 'k1' },
      { ...item('scene.bin', bytes), key: 'k2' },
    ];
    const result = await world.client.upload({ path }, options({ skipStored: true }));
    expect(result).to.include({ skipped: true, storageKey: 'k2' });
    expect(world.service.puts).to.deep.equal([]);
  });

  it('stores a folder as one package, small and large files, and sends only what is new the next time', async () => {
    const scene = join(world.folder, 'scene');
    await mkdir(join(scene, 'textures'), { recursive: true });
    const large = randomBytes(9 * 1024 * 1024);
    await writeFile(join(scene, 'scene.blend'), large);
    for (let index = 0; index < 12; index += 1)
      await writeFile(join(scene, 'textures', `${index}.png`), randomBytes(50));
    await writeFile(join(scene, 'empty'), '');
    const seen: UploadProgress[] = [];
    const wish = { stateFolder: world.stateFolder, onProgress: (one: UploadProgress) => void seen.push(one) };
    const { projectId, files, leftOut } = await world.client.uploadFolder({ path: scene }, wish);
    expect(files).to.have.length(13);
    expect(leftOut).to.deep.equal([{ path: 'empty', reason: 'an empty file' }]);
    expect(stored()?.equals(large)).to.equal(true);
    expect([...world.service.uploads.values()][0]?.init).to.include({
      projectId,
      logicalPath: 'scene.blend',
    });
    expect(seen.at(-1)).to.include({ phase: 'done', totalParts: 13, doneParts: 13 });
    expect(seen.at(-1)?.doneBytes).to.equal(seen.at(-1)?.totalBytes);
    const before = world.service.puts.length;
    await writeFile(join(scene, 'textures', '3.png'), 'another');
    const again = await world.client.uploadFolder({ path: scene, projectId }, wish);
    expect(again.files.filter(({ skipped }) => !skipped).map((one) => one.logicalPath)).to.deep.equal([
      'textures/3.png',
    ]);
    expect(world.service.puts.length).to.equal(before + 1);
  });
});

function item(filename: string, bytes: Buffer): Record<string, unknown> {
  return { filename, size: bytes.length, sha256: sha256(bytes), projectId: null, logicalPath: null };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
