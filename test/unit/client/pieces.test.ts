/** Parts of the upload engine that have rules of their own. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect } from 'chai';
import fc from 'fast-check';

import { ClientError, uploadStateFolder } from '../../../src/client/index.ts';
import { createMeter } from '../../../src/client/upload/meter.ts';
import type { UploadProgress } from '../../../src/client/upload/meter.ts';
import { createMinter } from '../../../src/client/upload/minter.ts';
import { pathProblem, planPackage } from '../../../src/client/upload/package.ts';
import { createUploadBar, progressText } from '../../../src/cli/upload-bar.ts';
import type { MultipartPartUrlsRequest } from '../../../src/client/index.ts';
import { fileFields } from '../../../api/uploads/file-fields.ts';

describe('a folder as a package', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockyard-package-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (...segments: string[]): Promise<void> => {
    await mkdir(join(folder, ...segments.slice(0, -1)), { recursive: true });
    await writeFile(join(folder, ...segments), 'x');
  };
  const refusal = async (): Promise<ClientError> => {
    const found = await planPackage(folder).catch((error: unknown) => error);
    if (found instanceof ClientError) return found;
    throw new Error('It was accepted.');
  };

  it('gives every file its place, links inside the folder and odd names too', async () => {
    await write('scene.blend');
    await write('textures', 'wood 🪵.png');
    await write('textures', '日本語', '.hidden');
    await symlink('scene.blend', join(folder, 'again.blend'));
    await symlink('textures', join(folder, 'maps'));
    const { files, leftOut } = await planPackage(folder);
    expect(files.map(({ logicalPath }) => logicalPath)).to.have.members([
      ...['again.blend', 'maps/wood 🪵.png', 'maps/日本語/.hidden', 'scene.blend'],
      ...['textures/wood 🪵.png', 'textures/日本語/.hidden'],
    ]);
    expect(leftOut).to.deep.equal([]);
  });

  it('leaves out what has nothing to send, and says so', async () => {
    await write('a');
    await writeFile(join(folder, 'empty'), '');
    await symlink('/etc/hostname', join(folder, 'outside'));
    await symlink('nowhere', join(folder, 'broken'));
    await symlink('.', join(folder, 'loop'));
    const { files, leftOut } = await planPackage(folder);
    expect(files.map(({ logicalPath }) => logicalPath)).to.deep.equal(['a']);
    expect(Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]))).to.deep.equal({
      empty: 'an empty file',
      outside: 'a link that leads out of the folder',
      broken: 'a link that leads nowhere',
      loop: 'a link to a folder that it is in',
    });
  });

  it('refuses names that cannot be places, all of them named', async () => {
    await write('fine');
    await write('back\\slash');
    await write('line\nbreak');
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), 'x');
    const { code, message } = await refusal();
    expect(code).to.equal('PACKAGE_INVALID');
    expect(message).to.include('backslash').and.to.include('control character').and.to.include('UTF-8');
  });

  it('refuses two names that the service takes for one', async () => {
    await write('caf\u00e9');
    await write('cafe\u0301');
    expect((await refusal()).message).to.include('another file has the same name');
  });

  it('refuses what the service refuses for its length, before anything is sent', async () => {
    const path = (...names: string[]): string => names.join('/');
    const cases = [
      path('a'.repeat(201)),
      path('é'.repeat(101)),
      path('日'.repeat(67)),
      path(...Array.from({ length: 5 }, () => 'b'.repeat(200)), 'c'.repeat(19)),
      path(...Array.from({ length: 5 }, () => 'b'.repeat(200)), 'c'.repeat(20)),
      // Each is one character that consists of two UTF-16 units.
      path(...Array.from({ length: 20 }, () => '🧬'.repeat(50)), 'y'.repeat(4)),
      path(...Array.from({ length: 20 }, () => '🧬'.repeat(50)), 'y'.repeat(5)),
    ];
    for (const logicalPath of cases) {
      expect(pathProblem(logicalPath) === null, logicalPath).to.equal(isTaken(logicalPath));
      await rm(folder, { recursive: true, force: true });
      await write(...logicalPath.split('/'));
      const plan = await planPackage(folder).catch((error: unknown) => error);
      if (isTaken(logicalPath)) expect(plan).to.have.nested.property('files[0].logicalPath', logicalPath);
      else expect(plan).to.have.property('code', 'PACKAGE_INVALID');
    }
  });

  it('refuses the paths that the service refuses and no others', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 150, maxLength: 230 }).filter(isName);
    fc.assert(
      fc.property(fc.array(name, { minLength: 3, maxLength: 8 }), (names) => {
        const logicalPath = names.join('/');
        expect(pathProblem(logicalPath) === null).to.equal(isTaken(logicalPath));
      }),
    );
  });
});

function isName(text: string): boolean {
  return !/[\\/\p{Cc}]/u.test(text);
}

/** Whether the service accepts a logical path. */
function isTaken(logicalPath: string): boolean {
  return fileFields.logicalPath.validate(logicalPath).error === undefined;
}

describe('addresses of parts', () => {
  it('are asked for ahead when no digest is signed, and only for parts that are wanted', async () => {
    const asked: number[][] = [];
    const ask = async ({ parts }: MultipartPartUrlsRequest): Promise<ReturnType<typeof answerTo>> => {
      asked.push(parts.map(({ partNumber }) => partNumber));
      return answerTo(parts);
    };
    const minter = createMinter(ask, null, { partCount: 8, isWanted: (part) => part % 2 === 0 });
    expect((await minter.target(2, null, false)).url).to.equal('https://store/2');
    expect((await minter.target(6, null, false)).url).to.equal('https://store/6');
    expect(asked).to.deep.equal([[2, 4, 6, 8]]);
    await minter.target(6, null, true);
    expect(asked[1]).to.deep.equal([6]);
  });

  it('are asked for with the digest of each part, nothing ahead, and not reused after a failure', async () => {
    const asked: unknown[] = [];
    const ask = async ({ parts }: MultipartPartUrlsRequest): Promise<ReturnType<typeof answerTo>> => {
      asked.push(parts);
      return answerTo(parts);
    };
    const minter = createMinter(ask, null, { partCount: 8, isWanted: () => true });
    await Promise.all([minter.target(1, 'aaa=', false), minter.target(2, 'bbb=', false)]);
    await minter.target(1, 'aaa=', false);
    expect(asked).to.deep.equal([
      [
        { partNumber: 1, checksumSha256: 'aaa=' },
        { partNumber: 2, checksumSha256: 'bbb=' },
      ],
      [{ partNumber: 1, checksumSha256: 'aaa=' }],
    ]);
  });

  it('fail for all that asked when the service refuses', async () => {
    const ask = (): Promise<never> => Promise.reject(new Error('gone'));
    const minter = createMinter(ask, null, { partCount: 8, isWanted: () => true });
    const both = await Promise.allSettled([minter.target(1, null, false), minter.target(2, null, false)]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});

describe('progress of an upload', () => {
  it('tells rate and time left over the last ten seconds', () => {
    let now = 0;
    const seen: UploadProgress[] = [];
    const meter = createMeter(
      { totalBytes: 100e6, totalParts: 10, concurrency: () => 4, onProgress: (one) => void seen.push(one) },
      () => now,
    );
    for (let second = 1; second <= 20; second += 1) {
      now = second * 1000;
      meter.sent(second <= 10 ? 1e6 : 4e6);
    }
    const last = seen.at(-1);
    expect(last?.bytesPerSecond).to.be.closeTo(4e6, 0.3e6);
    expect(last?.secondsLeft).to.be.closeTo(12.5, 1);
  });

  it('keeps nothing when nobody reads it', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let now = 0;
    const meter = createMeter(
      { totalBytes: 1e12, totalParts: 1, concurrency: () => 1, onProgress: undefined },
      () => (now += 1_000),
    );
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let told = 0; told < 200_000; told += 1) meter.sent(1);
    collect();
    expect(process.memoryUsage().heapUsed - before).to.be.below(2e6);
    meter.enter('done');
  });

  it('is one line on a terminal, drawn over until the end, and never wider than that', () => {
    const drawn: string[] = [];
    const bar = createUploadBar(
      { isTTY: true, columns: 60, write: (text) => void drawn.push(text) },
      'scene\u001b[2J.blend',
    );
    for (const done of [0, 50, 100]) bar.show(progressOf(done));
    expect(drawn).to.have.length(3);
    for (const line of drawn) {
      const [, shown = ''] = /^\r\u001B\[2K([^\u001B\r\n]*)$/.exec(line) ?? [];
      expect(shown.length).to.be.within(20, 59);
      expect(shown).to.include('.blend');
    }
    expect(drawn.map((line) => line.split('█').length - 1)).to.deep.equal([0, 12, 24]);
    bar.end('stored');
    expect(drawn.slice(3).join('')).to.match(/^\r\u001B\[2K[^\r]*\.blend {2}stored\n$/);
  });

  it('leaves the line on the terminal where the end is told elsewhere', () => {
    const drawn: string[] = [];
    const bar = createUploadBar({ isTTY: true, columns: 80, write: (text) => void drawn.push(text) }, 'a');
    bar.show(progressOf(50));
    bar.end(null);
    expect(drawn.at(-1)).to.equal('\n');
  });

  it('reads well', () => {
    const progress: UploadProgress = {
      ...{
        phase: 'sending',
        totalBytes: 1_073_741_824,
        doneBytes: 429_496_729,
        sentBytes: 1,
        totalParts: 128,
      },
      ...{ doneParts: 51, concurrency: 8, bytesPerSecond: 112_000_000, secondsLeft: 5.7 },
    };
    expect(progressText(progress)).to.equal('39 %  429 MB of 1.1 GB  112 MB/s  6 s left');
  });

  it('is a line for each tenth where there is no terminal, and cannot be steered by a name', () => {
    const lines: string[] = [];
    const bar = createUploadBar(
      { isTTY: false, columns: 80, write: (text) => void lines.push(text) },
      'evil\u001b[2Jname',
    );
    for (let done = 0; done <= 100; done += 1) bar.show(progressOf(done));
    bar.end('stored');
    expect(lines).to.have.length(10);
    expect(lines.join('')).not.to.include('\u001b');
  });
});

describe('the state folder', () => {
  it('is that of XDG_STATE_HOME, by default below the home', () => {
    expect(uploadStateFolder({ XDG_STATE_HOME: '/x' })).to.equal('/x/dockyard/uploads');
    expect(uploadStateFolder({})).to.match(/\/\.local\/state\/dockyard\/uploads$/);
  });
});

/** The progress of an upload of which `done` hundredths are done. */
function progressOf(done: number): UploadProgress {
  return {
    ...{ phase: 'sending', totalBytes: 100, doneBytes: done, sentBytes: done, totalParts: 1, doneParts: 0 },
    ...{ concurrency: 1, bytesPerSecond: 10, secondsLeft: 1 },
  };
}

function answerTo(parts: MultipartPartUrlsRequest['parts']): {
  uploadId: string;
  parts: { partNumber: number; url: string; headers: Record<string, string> }[];
  partSize: number;
  partCount: number;
  expiresIn: number;
  provider: 'aws';
} {
  const urls = parts.map(({ partNumber }) => ({
    partNumber,
    url: `https://store/${partNumber}`,
    headers: {},
  }));
  return { uploadId: 'u', parts: urls, partSize: 1, partCount: 8, expiresIn: 3600, provider: 'aws' };
}
