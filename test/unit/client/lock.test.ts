/** The one lock between processes: never two holders, and nothing to clean up after a process that was killed. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { holderOf, isAlive, processIdentity, tryLock } from '../../../src/client/lock.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const SHARED = { isShared: true };

describe('a lock between processes', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockyard-lock-'));
    file = join(folder, 'x.lock');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const leave = async (facts: unknown, ageSeconds = 0): Promise<void> => {
    await writeFile(file, typeof facts === 'string' ? facts : JSON.stringify(facts));
    const at = Date.now() / 1000 - ageSeconds;
    await utimes(file, at, at);
  };
  /** Takes the lock, and gives it back. */
  const isTaken = (): boolean => {
    const { lock } = tryLock(file, SHARED);
    lock?.release();
    return lock !== null;
  };

  it('is held by one of many processes at a time, though most of them leave it void and all are killed with it', async function () {
    this.timeout(240_000);
    const [processes, turns] = [6, 20];
    const diary = join(folder, 'diary');
    await writeFile(diary, '');
    const contender = join(root, 'test', 'fixtures', 'lock-contender.mjs');
    const args = [contender, join(root, 'src', 'client', 'lock.mjs'), file, diary, String(turns)];
    const ends = Array.from({ length: processes }, () => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
      return new Promise<string | null>((done) => child.once('exit', (_code, signal) => done(signal)));
    });
    expect(await Promise.all(ends)).to.deep.equal(Array(processes).fill('SIGKILL'));
    const lines = (await readFile(diary, 'utf8')).trim().split('\n');
    expect(lines).to.have.length(2 * processes * turns);
    for (let at = 0; at < lines.length; at += 2) {
      const [, pid = ''] = /^begins (\d+)$/.exec(lines[at] ?? '') ?? [];
      expect(lines[at + 1], `line ${at + 2}`).to.be.oneOf([`ends ${pid}`, `dies ${pid}`]);
    }
    // The last one was killed with the lock, and nothing else is left of all of them.
    expect((await readdir(folder)).toSorted()).to.deep.equal(['diary', 'x.lock']);
    expect(holderOf(file)).to.include({ isVoid: true });
    expect(isTaken()).to.equal(true);
  });

  it('names the process that has it, and is gone when that gives it back', async () => {
    const { lock } = tryLock(file, SHARED);
    expect(tryLock(file, SHARED).holder).to.include({ pid: process.pid, isVoid: false, isTakingOver: false });
    lock?.note({ reason: 'stopping' });
    expect(tryLock(file, SHARED).holder?.facts).to.include({ reason: 'stopping', pid: process.pid });
    lock?.release();
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is void when its process is gone, also when the id was given to another process', async () => {
    const here = { pid: process.pid, host: hostname() };
    await leave({ ...here, pid: 2 ** 22 + 1 });
    expect(isTaken()).to.equal(true);
    await leave({ ...here, identity: 'another life' });
    expect(isTaken()).to.equal(true);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is not void while its process lives, however long it was not touched', async () => {
    await leave({ pid: process.pid, identity: processIdentity(process.pid), host: hostname() }, 3_600);
    expect(isTaken()).to.equal(false);
  });

  it('of another machine is void a minute after it was touched', async () => {
    const far = { pid: process.pid, identity: processIdentity(process.pid), host: `not-${hostname()}` };
    await leave(far, 50);
    expect(isTaken()).to.equal(false);
    await leave(far, 61);
    expect(isTaken()).to.equal(true);
  });

  it('that nobody can read is void as soon as it cannot be half written any more', async () => {
    for (const text of ['', '{"pid":', 'null', '{"pid":"1"}']) {
      await leave(text);
      expect(isTaken(), text).to.equal(false);
      await leave(text, 6);
      expect(isTaken(), text).to.equal(true);
    }
  });

  it('is left alone by a process that has lost it', async () => {
    const { lock } = tryLock(file, SHARED);
    await leave('of another');
    lock?.note({ reason: 'stopping' });
    lock?.release();
    expect(await readFile(file, 'utf8')).to.equal('of another');
  });

  it('is not to be had in a folder where nothing can be written, and says why', async () => {
    expect(() => tryLock(join(folder, 'nowhere', 'x.lock'), SHARED)).to.throw('ENOENT');
    // No rights keep the superuser out, but nobody can write below /proc.
    const closed = process.getuid?.() === 0 ? '/proc' : folder;
    if (closed === folder) await chmod(folder, 0o500);
    expect(() => tryLock(join(closed, 'x.lock'), SHARED)).to.throw(/EACCES|EPERM|ENOENT|EROFS/);
    await chmod(folder, 0o700);
  });

  it('works where a file system has no links', async () => {
    const { linkSync } = fs;
    fs.linkSync = () => {
      throw Object.assign(new Error('not here'), { code: 'EPERM' });
    };
    try {
      const { lock } = tryLock(file, SHARED);
      expect(tryLock(file, SHARED).holder).to.include({ pid: process.pid });
      lock?.release();
      await leave({ pid: 2 ** 22 + 1, host: hostname() });
      expect(isTaken()).to.equal(true);
      expect(await readdir(folder)).to.deep.equal([]);
    } finally {
      fs.linkSync = linkSync;
    }
  });

  it('knows a process from the next one with its id, and takes none for alive that has ended', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    const identity = processIdentity(child.pid ?? 0);
    await new Promise((done) => child.once('exit', done));
    expect(identity).not.to.equal(processIdentity(process.pid));
    expect([isAlive(child.pid ?? 0), isAlive(process.pid)]).to.deep.equal([false, true]);
  });
});
