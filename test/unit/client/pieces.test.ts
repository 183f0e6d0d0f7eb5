/** The pieces of the upload engine that are worth a look of their own. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { ClientError, uploadStateFolder } from '../../../src/client/index.ts';
import { createMeter } from '../../../src/client/upload/meter.ts';
import type { UploadProgress } from '../../../src/client/upload/meter.ts';
import { createMinter } from '../../../src/client/upload/minter.ts';
import { planPackage } from '../../../src/client/upload/package.ts';
import { createUploadBar, progressText } from '../../../src/cli/upload-bar.ts';
import type { MultipartPartUrlsRequest } from '../../../src/client/index.ts';

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

  it('refuses a place of more than 1,024 characters and takes one of 1,000', async () => {
    const deep = Array.from({ length: 4 }, (_, index) => String(index).repeat(240));
    await write(...deep, 'x'.repeat(36));
    expect((await planPackage(folder)).files[0]?.logicalPath).to.have.length(1000);
    await write(...deep, 'x'.repeat(61));
    expect((await refusal()).code).to.equal('PACKAGE_INVALID');
  });
});

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
    for (let done = 0; done <= 100; done += 1)
      bar.show({
        ...{
          phase: 'sending',
          totalBytes: 100,
          doneBytes: done,
          sentBytes: done,
          totalParts: 1,
          doneParts: 0,
        },
        ...{ concurrency: 1, bytesPerSecond: 10, secondsLeft: 1 },
      });
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
