// How the set-up gets a tool, against a vendor on this machine. Each set-up is a process of its own.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { isAlive } from '../../../src/stack/processes.ts';
import { projectRoot } from '../../../src/stack/tools.ts';
import { ToolWorld, type SetUp, type SetUpOptions } from '../../support/tool-world.ts';
import { until } from '../../support/until.ts';

describe('the set-up of a tool', () => {
  let world: ToolWorld;
  beforeEach(async () => (world = await ToolWorld.open()));
  afterEach(() => world.close());

  /** A set-up that must succeed; answers where it found the tool. */
  async function got(options?: SetUpOptions): Promise<string> {
    const setUp = world.setUp(options);
    expect(await setUp.end(), setUp.stderr).to.equal(0);
    return setUp.stdout.trim();
  }

  /** A set-up that must say what is missing. */
  async function missing(options?: SetUpOptions): Promise<SetUp> {
    const setUp = world.setUp(options);
    expect(await setUp.end(), setUp.stderr).to.equal(3);
    expect(setUp.stderr).to.contain('missing: Fake tool 1.2.3');
    expect(setUp.stderr).to.contain('get it with: `go install example.org/fake/cmd/fake@v1.2.3`');
    return setUp;
  }

  it('takes it from PATH before the cache, from there before the vendor, and from the vendor before Go', async () => {
    world.installGo();
    expect(await got()).to.equal(`download ${world.cached}`);
    expect(await got()).to.equal(`cache ${world.cached}`);
    world.program(join(world.bin, 'fake'));
    expect(await got()).to.equal(`path ${join(world.bin, 'fake')}`);
    expect(world.requests).to.have.length(1);
  });

  it('builds it with Go when the vendor has none', async () => {
    world.installGo();
    world.answer = (response) => response.writeHead(404).end();
    const setUp = world.setUp();
    expect(await setUp.end(), setUp.stderr).to.equal(0);
    expect(setUp.stdout.trim()).to.equal(`go ${world.cached}`);
    expect(setUp.stderr).to.match(/downloading: no: HTTP 404 from 127\.0\.0\.1:\d+/);
    expect(setUp.stderr).to.contain('building from source with Go 1.25.3');
  });

  it('passes over one on PATH that is too old, and asks again one that did not run', async () => {
    world.program(join(world.bin, 'fake'), '1.2.2');
    expect(await got()).to.equal(`download ${world.cached}`);
    // A program that cannot run now may run later, although its file does not change.
    const file = join(world.bin, 'fake');
    const broken = join(world.folder, 'broken');
    writeFileSync(broken, '');
    writeFileSync(file, `#!/bin/sh\n[ -e '${broken}' ] && exit 1\necho 'fake version 1.2.3 --serve'\n`);
    expect(await got()).to.equal(`cache ${world.cached}`);
    rmSync(broken);
    expect(await got()).to.equal(`path ${file}`);
  });

  it('tells what it does, with sizes and times', async () => {
    const setUp = world.setUp();
    await setUp.end();
    expect(setUp.stderr).to.contain('set-up: Fake tool 1.2.3, downloading …\n');
    expect(setUp.stderr).to.match(/set-up: Fake tool 1\.2\.3, downloading: 1 kB at \S+\/fake, \d\.\d s\n/);
  });

  it('shows how far a download is, of how much and how quick', async () => {
    const setUp = world.showProgress();
    expect(await setUp.end(), setUp.stderr).to.equal(0);
    const size = Math.round(world.archive.length / 1000);
    expect(setUp.stderr).to.match(
      new RegExp(`set-up: Fake tool: \\d+ kB of ${size} kB at [\\d.]+ [kM]B/s, \\d`),
    );
    expect(setUp.stderr).to.contain(`set-up: Fake tool: ${size} kB, `);
  });

  it('refuses an archive with another SHA-256, says so, and keeps nothing of it', async () => {
    const setUp = await missing({ sha256: 'ab'.repeat(32) });
    expect(setUp.stderr).to.match(/its SHA-256 is [0-9a-f]{64}, not the pinned (ab){32}/);
    expect(world.entries()).to.deep.equal([]);
  });

  it('refuses a module with another checksum', async () => {
    world.installGo();
    world.answer = (response) => response.writeHead(404).end();
    const setUp = await missing({ goSum: 'h1:other' });
    expect(setUp.stderr).to.contain('has the checksum h1:pinned, not the pinned h1:other');
    expect(world.entries()).to.deep.equal([]);
  });

  it('refuses to be led away from HTTPS', async () => {
    world.answer = (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    expect((await missing()).stderr).to.contain('redirected away from HTTPS');
  });

  it('refuses a download that ends early, and an archive without the program', async () => {
    world.answer = (response) => {
      response.writeHead(200, { 'content-length': world.archive.length });
      response.write(world.archive.subarray(0, 1000), () => response.destroy());
    };
    await missing();
    world.archive = spawnSync('tar', ['-czf', '-', '-C', world.folder, 'bin']).stdout;
    world.answer = (response) => world.sendArchive(response);
    expect((await missing()).stderr).to.contain('the archive holds no fake');
    expect(world.entries()).to.deep.equal([]);
  });

  it('goes on after it was killed in the middle of the download', async () => {
    world.answer = (response) => {
      response.writeHead(200, { 'content-length': world.archive.length });
      response.write(world.archive.subarray(0, 100_000));
    };
    const killed = world.setUp();
    await until('part of the archive is there', () => world.requests.length > 0 && hasArchive());
    await killed.kill();
    world.answer = (response) => world.sendArchive(response);
    expect(await got()).to.equal(`download ${world.cached}`);
    expect(world.entries()).to.deep.equal(['1.2.3']);
  });

  function hasArchive(): boolean {
    try {
      return world.files().includes('archive.tar.gz');
    } catch {
      return false;
    }
  }

  it('goes on after it was killed between unpacking and the proof', async () => {
    world.hang(true);
    const killed = world.setUp();
    await until('it is unpacked', () => hasArchive() && world.files().includes('fake'));
    await killed.kill();
    world.hang(false);
    expect(await got()).to.equal(`download ${world.cached}`);
    expect(world.entries()).to.deep.equal(['1.2.3']);
  });

  it('ends with all it started when it is interrupted, and leaves nothing half made', async () => {
    const compiler = join(world.folder, 'compiler');
    world.installGo(compiler);
    world.answer = (response) => response.writeHead(404).end();
    const setUp = world.setUp();
    await until('Go compiles', () => existsSync(compiler) && readFileSync(compiler, 'utf8').endsWith('\n'));
    setUp.interrupt();
    expect(await setUp.end()).to.equal(130);
    const pid = Number(readFileSync(compiler, 'utf8'));
    await until('the compiler is gone', () => !isAlive(pid));
    expect(world.entries()).to.deep.equal([]);
  });

  it('does the work once when two run at the same time', async () => {
    const held = Promise.withResolvers<undefined>();
    world.answer = (response) => void held.promise.then(() => world.sendArchive(response));
    const first = world.setUp();
    await until('the first is at work', () => world.requests.length === 1);
    const second = world.setUp();
    await second.says('Fake tool: another set-up is at work on it; waiting for it');
    held.resolve(undefined);
    expect([await first.end(), await second.end()]).to.deep.equal([0, 0]);
    expect([first.stdout, second.stdout]).to.deep.equal([
      `download ${world.cached}\n`,
      `cache ${world.cached}\n`,
    ]);
    expect(world.requests).to.have.length(1);
    expect(world.entries()).to.deep.equal(['1.2.3']);
  });

  it('re-uses in a second checkout what a first one fetched', async () => {
    await got();
    const checkout = join(world.folder, 'second');
    for (const name of ['scripts', 'src/client'])
      cpSync(join(projectRoot, name), join(checkout, name), { recursive: true });
    expect(await got({ checkout })).to.equal(`cache ${world.cached}`);
    expect(world.requests).to.have.length(1);
  });

  function leaveLock(owner: string, ageSeconds = 0): string {
    const lock = join(world.cache, '1.2.3.lock');
    mkdirSync(world.cache, { recursive: true });
    writeFileSync(lock, owner);
    const at = Date.now() / 1000 - ageSeconds;
    utimesSync(lock, at, at);
    return lock;
  }

  it('takes over a lock whose owner is dead, or has not touched it for a minute', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    leaveLock(JSON.stringify({ pid, host: hostname() }));
    expect(await got()).to.equal(`download ${world.cached}`);
    expect(world.entries()).to.deep.equal(['1.2.3']);
    for (const owner of [JSON.stringify({ pid: process.pid, host: hostname() }), '']) {
      leaveLock(owner, 61);
      rmSync(world.cached);
      expect(await got()).to.equal(`download ${world.cached}`);
    }
  });

  it('imports nothing but Node built-ins and its own files, so that it runs before anything is installed', () => {
    for (const file of globSync(join(projectRoot, '{scripts/{,lib/},src/client/}*.mjs'))) {
      const imports = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*?from '([^']+)';$/gms)];
      const foreign = imports
        .map(([, name = '']) => name)
        .filter((name) => !/^(node:|\.\.?\/.*\.mjs$)/.test(name));
      expect(foreign, file).to.deep.equal([]);
    }
  });

  it('leaves alone a lock that somebody else has taken over', async () => {
    const held = Promise.withResolvers<undefined>();
    world.answer = (response) => void held.promise.then(() => world.sendArchive(response));
    const setUp = world.setUp();
    await until('it is at work', () => world.requests.length === 1);
    const other = JSON.stringify({ pid: process.pid, host: hostname() });
    const lock = leaveLock(other);
    held.resolve(undefined);
    expect(await setUp.end(), setUp.stderr).to.equal(0);
    expect(readFileSync(lock, 'utf8')).to.equal(other);
  });
});
