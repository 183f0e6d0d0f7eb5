/**
 * A customer's upload over a bad network, by `dockyard upload` as a process of its own: killed at bad moments, cut off,
 * damaged, and with servers that go away. In the end the store has the file, and no part that the store had confirmed
 * was sent again.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { IS_FULL, measured, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { inLongRuns, withLong } from '../support/long.ts';
import { until } from '../support/until.ts';
import { startUploadProxy } from '../support/upload-proxy.ts';
import type { Mischief, Passage, UploadProxy } from '../support/upload-proxy.ts';

interface Ending {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ending>;
}

const root = join(import.meta.dirname, '..', '..');
const PART = 8 * 1024 * 1024;
/** 200 MB with the times of production; a few parts otherwise. */
const BYTES = timed({ scaled: 5 * PART + 11, full: 200_000_000 });
const PARTS = Math.ceil(BYTES / PART);

const longIt = inLongRuns(it);

describe('an upload over a bad network', function () {
  this.timeout(timed({ scaled: 90_000, full: 300_000 }));
  let world: FaultWorld;
  let customer: Customer;
  let proxy: UploadProxy;
  let folder = '';

  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });
  beforeEach(async () => {
    customer = await world.customer();
    proxy = await startUploadProxy(world.stack.apiUrl);
    folder = await mkdtemp(join(tmpdir(), 'dockyard-upload-fault-'));
  });
  afterEach(async () => {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (...args: string[]): Child => {
    const child = spawn(
      process.execPath,
      [join(root, 'src/bin/dockyard.ts'), 'upload', 'file.bin', '--json', ...args],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          DOCKYARD_API_URL: proxy.url,
          DOCKYARD_API_KEY: customer.key,
          ...KEPT_MODULES,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const code = new Promise<number | null>((done) => child.once('exit', done));
    const ended = Promise.all([text(child.stdout), text(child.stderr), code]).then(
      ([out, err, ending]): Ending => ({ code: ending, out, err }),
    );
    return { process: child, ended };
  };
  const write = async (): Promise<Buffer> => {
    const bytes = randomBytes(BYTES);
    await writeFile(join(folder, 'file.bin'), bytes);
    return bytes;
  };
  const isStored = async ({ code, out, err }: Ending, bytes: Buffer): Promise<void> => {
    expect(code, err).to.equal(0);
    const [uploaded] = JSON.parse(out).uploads;
    expect(uploaded.sha256).to.equal(sha256(bytes));
    const stored = await world.store.hash(uploaded.storageKey);
    expect(stored).to.deep.equal({ byteSize: BYTES, sha256: sha256(bytes) });
  };
  const openUploads = async (): Promise<number> => {
    let count = 0;
    for await (const _one of customer.client.listUploads({ state: 'open' })) count += 1;
    return count;
  };

  /**
   * Runs until the proxy sees the moment, kills the process there, and answers which parts the store had confirmed by
   * then.
   */
  const killAt = async (
    moment: (passage: Passage) => boolean,
    ...args: string[]
  ): Promise<readonly number[]> => {
    let isReached = false;
    const child = start('--concurrency', '3', ...args);
    proxy.mischief = (passage) => {
      if (!isReached && moment(passage)) {
        isReached = true;
        child.process.kill('SIGKILL');
      }
      return isReached ? 'cut' : 'pass';
    };
    await child.ended;
    expect(isReached, 'the moment came').to.equal(true);
    proxy.mischief = () => 'pass';
    return [...proxy.stored];
  };

  const moments: readonly (readonly [string, (passage: Passage) => boolean])[] = [
    ['before its start is known', ({ method, path }) => method === 'POST' && path === '/api/v1/uploads'],
    ['at its first part', ({ part }) => part !== null],
    ['in the middle', ({ part }) => part !== null && proxy.stored.length >= Math.floor(PARTS / 2)],
    ['at its last part', ({ part }) => part === PARTS],
    ['before its completion', ({ path }) => path.endsWith('/complete')],
  ];
  for (const [when, moment] of IS_FULL ? moments : moments.slice(2, 3)) {
    for (const mode of IS_FULL ? [[], ['--checksum']] : [['--checksum']]) {
      it(`goes on after kill -9 ${when}${mode.length === 0 ? '' : ', with checked parts'}, and sends no confirmed part again`, async () => {
        const bytes = await write();
        const confirmed = await killAt(moment, ...mode);
        proxy.stored.length = 0;
        const startedAt = performance.now();
        await isStored(await start(...mode).ended, bytes);
        const again = proxy.stored.filter((part) => confirmed.includes(part));
        expect(again, 'confirmed parts that were sent again').to.deep.equal([]);
        expect([...confirmed, ...proxy.stored].sort((one, other) => one - other)).to.deep.equal(
          Array.from({ length: PARTS }, (_, index) => index + 1),
        );
        expect(await openUploads()).to.equal(0);
        const seconds = (performance.now() - startedAt) / 1000;
        measured(`kill -9 ${when}`, { parts: PARTS, confirmed: confirmed.length, seconds });
      });
    }
  }

  longIt('goes on after a kill while its completion is answered, with the answer that was lost', async () => {
    const bytes = await write();
    const child = start();
    proxy.mischief = ({ path }) => {
      if (!path.endsWith('/complete')) return 'pass';
      // The service completes the upload, and no client hears of it.
      setTimeout(() => child.process.kill('SIGKILL'), 300);
      return 'swallow';
    };
    await child.ended;
    proxy.mischief = () => 'pass';
    proxy.stored.length = 0;
    await isStored(await start().ended, bytes);
    expect(proxy.stored).to.deep.equal([]);
    expect(proxy.calls.filter((call) => call === 'POST /uploads')).to.have.length(1);
  });

  longIt('ends on demand an upload whose start it never heard of', async () => {
    await write();
    const child = start();
    proxy.mischief = ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/v1/uploads') return 'pass';
      proxy.mischief = () => 'pass';
      return 'swallow';
    };
    await until('the service has started it', async () => (await openUploads()) === 1, 30_000);
    child.process.kill('SIGKILL');
    await child.ended;
    const { code, err } = await start('--abort').ended;
    expect(code, err).to.equal(0);
    expect(await openUploads()).to.equal(0);
  });

  longIt('starts once more when the store loses the upload under its hands', async () => {
    const bytes = await write();
    let isLost = false;
    proxy.mischief = async ({ part }): Promise<Mischief> => {
      if (part !== 3 || isLost) return 'pass';
      isLost = true;
      for await (const page of world.store.listMultiparts(`accounts/${customer.accountId}/`))
        for (const { key, storeUploadId } of page) await world.store.abortMultipart(key, storeUploadId);
      return 'pass';
    };
    await isStored(await start('--concurrency', '1').ended, bytes);
    expect(isLost).to.equal(true);
    expect(proxy.calls.filter((call) => call === 'POST /uploads')).to.have.length(2);
    expect(await openUploads()).to.equal(0);
  });

  it('survives cut connections, ended addresses and damaged parts, and stores the right bytes', async () => {
    const bytes = await write();
    const fates = new Map<number, 'cut' | 'expire' | 'damage' | 'swallow'>([
      [1, 'cut'],
      [2, 'expire'],
      [3, 'damage'],
    ]);
    proxy.mischief = ({ part }) => {
      const fate = part === null ? undefined : fates.get(part);
      if (part !== null) fates.delete(part);
      return fate ?? 'pass';
    };
    await isStored(await start('--checksum').ended, bytes);
    expect(fates.size).to.equal(0);
  });

  if (!IS_FULL) return;

  it('finds damage on the way by the digest of the whole file, where parts are not checked', async () => {
    await write();
    proxy.mischief = ({ part }) => (part === 2 ? 'damage' : 'pass');
    const { code, err } = await start().ended;
    expect(code).to.equal(2);
    expect(JSON.parse(err).code).to.equal('CHECKSUM_MISMATCH');
    expect(await openUploads()).to.equal(0);
  });

  it('tells an unreachable service, keeps what was sent, and goes on when it is back', async () => {
    const bytes = await write();
    const child = start('--concurrency', '2');
    await until('two parts are stored', async () => proxy.stored.length >= 2, 30_000);
    // The client would retry for minutes; the test does not wait for so long.
    proxy.mischief = () => 'cut';
    child.process.kill('SIGINT');
    expect((await child.ended).code).to.equal(130);
    const confirmed = [...proxy.stored];
    proxy.mischief = () => 'pass';
    await isStored(await start().ended, bytes);
    const sentTwice = proxy.stored.slice(confirmed.length).filter((part) => confirmed.includes(part));
    expect(sentTwice).to.deep.equal([]);
  });

  for (const name of withLong(['storage'], ['api', 'control'])) {
    it(`goes on by itself when ${name} is killed in the middle`, async () => {
      const bytes = await write();
      const child = start('--checksum', '--concurrency', '2');
      await until('two parts are stored', async () => proxy.stored.length >= 2, 30_000);
      await world.killAndRestart(name);
      await isStored(await child.ended, bytes);
    });
  }
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
