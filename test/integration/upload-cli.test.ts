/** `dockyard upload` as a process of its own over a running stack. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { until } from '../support/until.ts';

interface Ending {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const root = join(import.meta.dirname, '..', '..');
const MIB = 1024 * 1024;

describe('dockyard upload', function () {
  this.timeout(240_000);
  let api: TestApi;
  let key = '';
  let folder = '';

  before(async () => {
    api = await testApi();
    ({ liveKey: key } = await api.account());
    folder = await mkdtemp(join(tmpdir(), 'dockyard-upload-cli-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const start = (args: readonly string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [join(root, 'src/bin/dockyard.ts'), 'upload', ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        XDG_STATE_HOME: join(folder, 'state'),
        DOCKYARD_API_URL: api.stack.apiUrl,
        DOCKYARD_API_KEY: key,
        ...KEPT_MODULES,
        ...env,
      },
    });
  const ended = async (child: ChildProcess): Promise<Ending> => {
    const [out, err, code] = await Promise.all([
      child.stdout === null ? '' : text(child.stdout),
      child.stderr === null ? '' : text(child.stderr),
      new Promise<number | null>((done) => child.once('exit', done)),
    ]);
    return { code, out, err };
  };
  const upload = (...args: string[]): Promise<Ending> => ended(start(args));
  const file = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return name;
  };
  const digestOf = async (storageKey: string): Promise<string | undefined> =>
    (await api.store.hash(storageKey))?.sha256;

  it('stores small and large files, prints their keys and nothing else, and sends nothing twice', async () => {
    const [small, large] = [randomBytes(1000), randomBytes(20 * MIB + 7)];
    const names = [await file('small.pdb', small), await file('large.bin', large)];
    const first = await upload(...names);
    expect({ code: first.code, keys: first.out.trim().split('\n').length }, first.err).to.deep.equal({
      code: 0,
      keys: 2,
    });
    const [smallKey = '', largeKey = ''] = first.out.trim().split('\n');
    expect(await digestOf(smallKey)).to.equal(sha256(small));
    expect(await digestOf(largeKey)).to.equal(sha256(large));
    expect(first.err).to.match(/large\.bin {2}stored\n$/);
    const second = await upload(...names, '--json');
    expect(second.code, second.err).to.equal(0);
    const { uploads } = JSON.parse(second.out);
    expect(uploads.map((one: { skipped: boolean }) => one.skipped)).to.deep.equal([true, true]);
    expect(uploads[1]).to.include({ storageKey: largeKey, sha256: sha256(large), byteSize: large.length });
  });

  it('has every part checked by the store on demand', async () => {
    const bytes = randomBytes(17 * MIB);
    const { code, out, err } = await upload(await file('checked.bin', bytes), '--checksum', '--json');
    expect(code, err).to.equal(0);
    const [stored] = JSON.parse(out).uploads;
    expect(stored).to.include({ integrity: 'parts-sha256', sha256: sha256(bytes) });
    expect(await digestOf(stored.storageKey)).to.equal(sha256(bytes));
  });

  it('makes a folder a project package', async () => {
    await mkdir(join(folder, 'scene', 'textures'), { recursive: true });
    await file('scene/scene.blend', randomBytes(9 * MIB));
    await file('scene/textures/wood 🪵.png', randomBytes(10));
    const { code, out, err } = await upload('scene', '--json');
    expect(code, err).to.equal(0);
    const { projectId, uploads } = JSON.parse(out);
    const keys = uploads.map(({ storageKey }: { storageKey: string }) => storageKey);
    expect(uploads.map((one: { logicalPath: string }) => one.logicalPath)).to.have.members([
      'scene.blend',
      'textures/wood 🪵.png',
    ]);
    for (const storageKey of keys) expect(storageKey).to.include(`/projects/${projectId}/`);
    const again = await upload('scene', '--project', projectId, '--json');
    expect(JSON.parse(again.out).uploads.every((one: { skipped: boolean }) => one.skipped)).to.equal(true);
  });

  it('keeps an interrupted upload, goes on from there with the command that it names, and ends one on demand', async () => {
    const bytes = randomBytes(64 * MIB);
    const name = await file('interrupted.bin', bytes);
    const interrupt = async (): Promise<Ending> => {
      const child = start([name, '--concurrency', '1', '--checksum']);
      const ending = ended(child);
      await until('some parts are noted', async () => (await partsNoted()) >= 3);
      child.kill('SIGINT');
      return ending;
    };
    const first = await interrupt();
    expect(first.code).to.equal(130);
    expect(first.out).to.equal('');
    const [, named = ''] = /dockyard upload ([^,]+), or end it with --abort/.exec(first.err) ?? [];
    expect(named).to.equal(`${name} --checksum`);
    const second = await upload(...named.split(' '), '--json');
    expect(second.code, second.err).to.equal(0);
    const [stored] = JSON.parse(second.out).uploads;
    expect(stored.resumedBytes).to.be.at.least(8 * MIB);
    expect(await digestOf(stored.storageKey)).to.equal(sha256(bytes));

    await writeFile(join(folder, name), randomBytes(64 * MIB));
    expect((await interrupt()).code).to.equal(130);
    expect(await openUploads()).to.have.length(1);
    const aborted = await upload(name, '--abort');
    expect({ code: aborted.code, err: aborted.err }).to.deep.equal({ code: 0, err: '' });
    expect(await openUploads()).to.have.length(0);
    expect((await upload(name, '--abort')).code).to.equal(2);
  });

  it('says what is wrong, and how it ends tells whose fault it is', async () => {
    const name = await file('fine.bin', randomBytes(10));
    await file('empty.bin', Buffer.alloc(0));
    const cases = [
      [['nothing.bin'], 2, /nothing\.bin cannot be read/],
      [['empty.bin'], 2, /empty/],
      [[name, '--part-size', '1MiB'], 2, /from 5MiB/],
      [[name, 'scene'], 2, /package of its own/],
    ] as const;
    for (const [args, code, message] of cases) {
      const ending = await upload(...args);
      expect(ending.code, args.join(' ')).to.equal(code);
      expect(ending.err).to.match(message);
    }
    const wrongKey = await ended(start([name, '--json'], { DOCKYARD_API_KEY: 'svc_live_wrong' }));
    expect(wrongKey.code).to.equal(2);
    expect(JSON.parse(wrongKey.err).code).to.equal('UNAUTHORIZED');
    const nobody = await ended(start([name], { DOCKYARD_API_URL: 'http://127.0.0.1:1' }));
    expect(nobody.code).to.equal(6);
    expect(nobody.err).to.match(/cannot be reached/);
  });

  async function partsNoted(): Promise<number> {
    const uploads = await openUploads();
    const [open] = uploads;
    if (open === undefined) return 0;
    const { body } = await api.call(key, 'GET', `uploads/${open.uploadId}`);
    return body.received.length;
  }

  async function openUploads(): Promise<{ readonly uploadId: string }[]> {
    const { body } = await api.call(key, 'GET', 'uploads?state=open');
    return body.uploads;
  }

  it('leaves nothing behind in its state folder but what it remembers', async () => {
    const names = await readdir(join(folder, 'state', 'dockyard', 'uploads'));
    expect(names.filter((name) => !name.endsWith('.done.json'))).to.deep.equal([]);
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
