import { createHash } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { inspectOutputs } from '../../../src/instance/outputs.ts';
import { OutputError } from '../../../src/instance/repeat.ts';
import { isOutputName } from '../../../src/contracts/instance.ts';

const reported = (path: string) => ({ path, kind: 'result', mediaType: 'text/plain', format: null });

describe('outputs of a tool', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'dockyard-outputs-')));
    mkdirSync(join(folder, 'task/out/deep'), { recursive: true });
    writeFileSync(join(folder, 'secret.txt'), 'secret');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const inspect = (...paths: string[]) => inspectOutputs(join(folder, 'task'), paths.map(reported));
  const refused = async (...paths: string[]): Promise<void> => {
    expect(await inspect(...paths).catch((error: unknown) => error)).to.be.instanceOf(OutputError);
  };

  it('are hashed as they are, small ones and large ones', async () => {
    for (const [name, bytes] of [
      ['a.txt', Buffer.from('a')],
      ['deep/b.bin', Buffer.alloc(3 * 2 ** 20, 'b')],
    ] as const) {
      writeFileSync(join(folder, 'task/out', name), bytes);
      const [found] = await inspect(name);
      expect(found?.staged).to.include({
        name,
        byteSize: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
    }
  });

  it('that are missing, named twice, folders or outside are refused', async () => {
    writeFileSync(join(folder, 'task/out/a.txt'), 'a');
    for (const paths of [
      ['b.txt'],
      ['a.txt', 'a.txt'],
      ['deep'],
      ['../../secret.txt'],
      ['/etc/hostname'],
      ['deep/../a.txt'],
    ]) {
      await refused(...paths);
    }
  });

  it('that are links of any kind are refused', async () => {
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'task/out/soft.txt'));
    linkSync(join(folder, 'secret.txt'), join(folder, 'task/out/hard.txt'));
    symlinkSync(folder, join(folder, 'task/out/folder'));
    for (const path of ['soft.txt', 'hard.txt', 'folder/secret.txt']) await refused(path);
  });

  it('in a folder that the tool replaced by a link are refused', async () => {
    renameSync(join(folder, 'task/out'), join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere/a.txt'), 'a');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'task/out'));
    await refused('a.txt');
  });
});

describe('names of outputs', () => {
  it('are relative paths of plain segments', () => {
    for (const name of [
      'a',
      'poses.sdf',
      'ligands/L 1/dock.log',
      'frame_0001.exr',
      'é.txt',
      '.hidden',
      'a..b',
    ]) {
      expect(isOutputName(name), name).to.equal(true);
    }
    for (const name of [
      '',
      '.',
      '..',
      '/a',
      'a/',
      'a//b',
      'a/./b',
      'a/../b',
      'a\\b',
      'a\nb',
      'a\0',
      ' a',
      'a ',
      'a'.repeat(201),
      'a'.repeat(151),
      'é'.repeat(76),
      '%2e',
      'a?b',
      '*',
    ]) {
      expect(isOutputName(name), JSON.stringify(name)).to.equal(false);
    }
  });
});
