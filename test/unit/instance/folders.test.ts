import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { watchDisk } from '../../../src/instance/disk-watch.ts';
import { folderUse } from '../../../src/instance/folders.ts';
import type { FolderUse } from '../../../src/instance/folders.ts';
import { until } from '../../support/until.ts';

describe('what a tool has put into its folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-folders-'));
    mkdirSync(join(folder, 'deep'));
    for (let index = 0; index < 50; index += 1)
      writeFileSync(join(folder, 'deep', String(index)), 'ten bytes.');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const all = { bytes: 10_000, entries: 1000 };

  it('is measured with its folders, without what links lead to', async () => {
    expect(await folderUse(folder, all)).to.deep.equal({ bytes: 500, entries: 51 });
    symlinkSync('/', join(folder, 'root'));
    expect(await folderUse(folder, all)).to.deep.equal({ bytes: 501, entries: 52 });
    expect(await folderUse(join(folder, 'nothing'), all)).to.deep.equal({ bytes: 0, entries: 0 });
  });

  it('is looked at no further than enough, also within one folder', async () => {
    expect(await folderUse(folder, { ...all, bytes: 95 })).to.deep.equal({ bytes: 100, entries: 11 });
    expect(await folderUse(folder, { ...all, entries: 10 })).to.include({ entries: 11 });
  });

  it('is told once when it is too much, of bytes or of files', async () => {
    const told: FolderUse[] = [];
    const ends = [
      watchDisk(folder, all, (used) => told.push(used)),
      watchDisk(folder, { ...all, bytes: 95 }, (used) => told.push(used)),
      watchDisk(folder, { ...all, entries: 10 }, (used) => told.push(used)),
    ];
    watchDisk(folder, { ...all, entries: 10 }, (used) => told.push(used))();
    await until('both are told', () => told.length === 2);
    writeFileSync(join(folder, 'large'), Buffer.alloc(10_001));
    await until('the first one is told', () => told.length === 3);
    for (const end of ends) end();
  });
});
