/**
 * Uploads of which the client missed something: a lost answer, a lost upload, a completion that another client made.
 */
import { createHash, randomBytes } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { CLIENT_CODES, ClientError } from '../../../src/client/index.ts';
import { openJournal } from '../../../src/client/upload/journal.ts';
import { failureOf } from '../../support/refusals.ts';
import { PART, uploadWorld } from './upload-world.ts';

describe('uploads of which something was not heard', () => {
  const world = uploadWorld();
  const { file, options, stored, journals } = world;

  const states = (): string[] => [...world.service.uploads.values()].map(({ state }) => state);
  const loseStart = async (path: string): Promise<void> => {
    world.service.lose = (call) => call === 'POST /uploads';
    expect((await failureOf(world.client.upload({ path }, options()))).code).to.equal('CONNECTION_LOST');
    world.service.lose = () => false;
    expect(states()).to.deep.equal(['OPEN']);
  };
  /** Ends an upload at its third part; its journal is left. */
  const breakOff = async (path: string, more: Parameters<typeof options>[0] = {}): Promise<void> => {
    world.service.fault = (part) => (part === 3 ? { status: 404, code: 'Nope' } : null);
    await failureOf(world.client.upload({ path }, options({ concurrency: 1, ...more })));
    world.service.fault = () => null;
  };
  /** Completes the upload as another client would. */
  const completeElsewhere = (bytes: Buffer, sha256: string | null): void => {
    const [upload] = world.service.uploads.values();
    if (upload === undefined) throw new Error('There is no upload.');
    for (let part = 1; part <= upload.partCount; part += 1) {
      const held = bytes.subarray((part - 1) * PART, part * PART);
      if (!upload.parts.has(part)) upload.parts.set(part, { bytes: held, etag: `"${part}"` });
    }
    Object.assign(upload, { state: 'COMPLETED', object: bytes, sha256 });
  };

  it('are done when a small file arrived, its answer was lost, and the service has verified it meanwhile', async () => {
    const path = await file(randomBytes(100));
    let minted = 0;
    world.service.fault = () => ({ status: 500 });
    world.service.refuse = (call) =>
      call === 'POST /jobs/upload-url' && (minted += 1) > 1
        ? { status: 409, code: 'UPLOAD_ALREADY_COMPLETE' }
        : null;
    const { storageKey } = await world.client.upload({ path }, options());
    expect(storageKey).to.match(/^accounts\/a\/uploads\//);
    expect(minted).to.equal(2);
    // Without an earlier attempt only the digest tells where the file is stored.
    expect((await failureOf(world.client.upload({ path }, options()))).code).to.equal(
      'UPLOAD_ALREADY_COMPLETE',
    );
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    world.service.completed = [
      { filename: 'scene.bin', size: 100, sha256, projectId: null, logicalPath: null, key: 'k' },
    ];
    expect(await world.client.upload({ path }, options())).to.include({ storageKey: 'k', skipped: true });
  });

  it('are aborted on demand when the answer of their start was lost', async () => {
    const path = await file(randomBytes(PART * 3));
    await loseStart(path);
    await world.client.abortUpload({ path }, { stateFolder: world.stateFolder });
    expect(states()).to.deep.equal(['ABORTED']);
    expect(await journals()).to.deep.equal([]);
  });

  it('are not forgotten when the service cannot be asked about them', async () => {
    const path = await file(randomBytes(PART * 3));
    await loseStart(path);
    for (const refusal of [
      { status: 503, code: 'SERVICE_UNAVAILABLE' },
      { status: 401, code: 'UNAUTHORIZED' },
    ]) {
      world.service.refuse = () => refusal;
      expect(
        await failureOf(world.client.abortUpload({ path }, { stateFolder: world.stateFolder })),
      ).to.include(refusal);
      expect(await journals()).to.have.length(1);
    }
  });

  it('are aborted when the file has changed since', async () => {
    const path = await file(randomBytes(PART * 3));
    await loseStart(path);
    const bytes = randomBytes(PART * 3);
    await writeFile(path, bytes);
    await world.client.upload({ path }, options());
    expect(states()).to.deep.equal(['ABORTED', 'COMPLETED']);
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('start anew when the upload of a lost answer has ended since', async () => {
    const path = await file(randomBytes(PART * 3));
    await loseStart(path);
    for (const upload of world.service.uploads.values()) upload.state = 'ABORTED';
    await world.client.upload({ path }, options());
    expect(states()).to.deep.equal(['ABORTED', 'COMPLETED']);
  });

  for (const isJournaled of [true, false]) {
    it(`start once more when the store has lost them${isJournaled ? '' : ', without a journal too'}`, async () => {
      const bytes = randomBytes(PART * 6);
      const path = await file(bytes);
      world.service.fault = (part) => {
        const [first, ...more] = world.service.uploads.values();
        if (part === 4 && first !== undefined && more.length === 0) first.state = 'ABORTED';
        return null;
      };
      const wish = { idempotencyKey: 'a-key-of-the-caller', concurrency: 1 };
      await world.client.upload(
        { path },
        options({ ...wish, ...(isJournaled ? {} : { stateFolder: null }) }),
      );
      expect(states()).to.deep.equal(['ABORTED', 'COMPLETED']);
      expect(stored()?.equals(bytes)).to.equal(true);
      expect(await journals()).to.deep.equal([]);
    });
  }

  it('start once more, and not for ever, when the store loses every one', async () => {
    const path = await file(randomBytes(PART * 3));
    world.service.fault = () => {
      for (const upload of world.service.uploads.values()) upload.state = 'ABORTED';
      return null;
    };
    expect(await failureOf(world.client.upload({ path }, options()))).to.include({ status: 404 });
    expect(states()).to.deep.equal(['ABORTED', 'ABORTED']);
  });

  it('end with the answer that was not heard, when the completed bytes are known to be those of the file', async () => {
    const bytes = randomBytes(PART * 5);
    const path = await file(bytes);
    await breakOff(path);
    completeElsewhere(bytes, sha256(bytes));
    const sent = world.service.puts.length;
    const result = await world.client.upload({ path }, options());
    expect(result).to.include({ sha256: sha256(bytes), resumedBytes: bytes.length });
    expect(world.service.puts).to.have.length(sent);
    expect(states()).to.deep.equal(['COMPLETED']);
    expect(await journals()).to.deep.equal([]);
  });

  for (const [what, digestOf] of [
    ['other bytes', () => sha256(randomBytes(10))],
    ['bytes that nobody knows', () => null],
  ] as const) {
    it(`are sent again when what was completed has ${what}`, async () => {
      const bytes = randomBytes(PART * 5);
      const path = await file(bytes);
      await breakOff(path, { verifyWhole: false });
      completeElsewhere(randomBytes(PART * 5), digestOf());
      await world.client.upload({ path }, options({ verifyWhole: false }));
      expect(states()).to.deep.equal(['COMPLETED', 'COMPLETED']);
      expect(stored()?.equals(bytes)).to.equal(true);
      expect(await journals()).to.deep.equal([]);
    });
  }

  it('end well when they are completed elsewhere while parts are sent here', async () => {
    const bytes = randomBytes(PART * 6);
    const path = await file(bytes);
    world.service.expiresIn = 0;
    world.service.fault = (part) => {
      if (part === 3) completeElsewhere(bytes, sha256(bytes));
      return part === 3 ? { status: 403, code: 'AccessDenied' } : null;
    };
    await world.client.upload({ path }, options({ concurrency: 1 }));
    expect(states()).to.deep.equal(['COMPLETED']);
    expect(await journals()).to.deep.equal([]);
  });

  it('go on where the store gives parts no names, with the parts that it has confirmed', async () => {
    world.service.provider = 'azure';
    const bytes = randomBytes(PART * 6);
    const path = await file(bytes);
    await breakOff(path);
    expect(world.service.puts).to.deep.equal(['1', '2']);
    const result = await world.client.upload({ path }, options());
    expect(result.resumedBytes).to.equal(PART * 2);
    expect(world.service.puts).to.deep.equal(['1', '2', '3', '4', '5', '6']);
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('send a part again there of which nobody knows whether it arrived', async () => {
    world.service.provider = 'azure';
    const bytes = randomBytes(PART * 4);
    const path = await file(bytes);
    await breakOff(path);
    const [upload] = world.service.uploads.values();
    // The store keeps half of the part, with the full size.
    upload?.parts.set(3, { bytes: Buffer.alloc(PART), etag: '' });
    await world.client.upload({ path }, options());
    expect(world.service.puts.slice(2).toSorted()).to.deep.equal(['3', '4']);
    expect(stored()?.equals(bytes)).to.equal(true);
  });

  it('are on the disk, with their key and their id, before the first part is sent', async () => {
    const path = await file(randomBytes(PART * 3));
    const handle = await open(path);
    const prototype = Object.getPrototypeOf(handle) as { sync: (this: typeof handle) => Promise<void> };
    await handle.close();
    const { sync } = prototype;
    const events: string[] = [];
    prototype.sync = async function () {
      events.push((await this.stat()).isDirectory() ? 'folder' : 'file');
      return sync.call(this);
    };
    world.service.refuse = (call) => {
      if (call === 'POST /uploads') events.push('start');
      return null;
    };
    world.service.fault = () => {
      events.push('part');
      return null;
    };
    try {
      await world.client.upload({ path }, options());
    } finally {
      prototype.sync = sync;
    }
    expect(events).to.deep.equal(['file', 'folder', 'start', 'file', 'part', 'part', 'part']);
  });

  it('are taken over from a process that is gone by one of many, and never by two', async () => {
    const gone = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() });
    for (let round = 0; round < 25; round += 1) {
      const name = `race-${round}`;
      const journal = await openJournal(world.stateFolder, name);
      await journal.close();
      await writeFile(join(world.stateFolder, `${name}.lock`), gone);
      // The clients start one after the other, so that some judge the lock while others take it over.
      const starters = Array.from({ length: 24 }, async (_, turn) => {
        for (let ticks = 0; ticks < turn; ticks += 1) await new Promise(setImmediate);
        return openJournal(world.stateFolder, name);
      });
      const ends = await Promise.allSettled(starters);
      const holders = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      const codes = ends.flatMap((end) =>
        end.status === 'rejected' && end.reason instanceof ClientError ? [end.reason.code] : [],
      );
      expect(holders, `round ${round}`).to.have.length(1);
      expect(new Set(codes)).to.deep.equal(new Set([CLIENT_CODES.uploadInProgress]));
      expect(await readFile(join(world.stateFolder, `${name}.lock`), 'utf8')).to.include(`${process.pid}`);
      for (const holder of holders) await holder.close();
    }
    expect(await journals()).to.deep.equal([]);
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
