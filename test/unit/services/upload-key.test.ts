import { expect } from 'chai';

import {
  downloadName,
  keptFilename,
  keptLogicalPath,
  uploadFilename,
  uploadKey,
} from '../../../src/services/upload-key.ts';

describe('storage key of an upload', () => {
  const name = (filename: string): string => uploadFilename({ filename });

  it('takes the last segment of any name, made harmless', () => {
    expect(name('receptor.pdb')).to.equal('receptor.pdb');
    expect(name('C:\\work\\receptor.pdb')).to.equal('receptor.pdb');
    expect(name('../../etc/passwd')).to.equal('passwd');
    expect(name('folder/')).to.equal('folder');
    expect(name('///')).to.equal('_');
    expect(name('..')).to.equal('__');
    expect(name('a\u0000b\r\nc')).to.equal('a_b__c');
    expect(name('e\u0301')).to.equal('\u00e9');
    expect(name('\ud800x')).to.equal('\ufffdx');
  });

  it('cuts at 200 bytes, between characters', () => {
    expect(Buffer.byteLength(name('x'.repeat(1_000)))).to.equal(200);
    expect(Buffer.byteLength(name('é'.repeat(1_000)))).to.equal(200);
    expect(name('🧪'.repeat(100))).to.equal('🧪'.repeat(50));
  });

  it('keeps the path of a project file, and cuts one that no key can hold', () => {
    const body = {
      filename: 'a',
      projectId: 'p',
      logicalPath: 'scenes/a b.txt',
    };
    expect(uploadKey('acc', 'up', body)).to.equal('accounts/acc/projects/p/up/scenes/a b.txt');
    expect(uploadKey('acc', 'up', { ...body, projectId: 'P' })).to.equal(uploadKey('acc', 'up', body));
    expect(uploadKey('acc', 'up', { filename: 'x/y' })).to.equal('accounts/acc/uploads/up/y');
    const cut = (logicalPath: string): string =>
      uploadKey('acc', 'up', { ...body, logicalPath }).slice('accounts/acc/projects/p/up/'.length);
    expect(cut('x'.repeat(201))).to.equal('x'.repeat(200));
    expect(cut(`${'🧪'.repeat(60)}/a`)).to.equal(`${'🧪'.repeat(50)}/a`);
    expect(cut(`${'x'.repeat(99)}/`.repeat(7) + 'last')).to.equal(
      `${'x'.repeat(99)}/`.repeat(7).slice(0, -1),
    );
    expect(cut(`${'x'.repeat(99)}/`.repeat(6) + `${'y'.repeat(97)}/..z`)).to.match(/\/y{97}$/);
    expect(Buffer.byteLength(cut('é/'.repeat(500) + 'é'))).to.be.at.most(700);
  });

  it('keeps the name for downloads as it was sent, but for what no database or header takes', () => {
    expect(keptFilename({ filename: 'a/b\u0000c\n\ud800' })).to.equal('a/b_c\n\ufffd');
    expect(downloadName('C:\\work\\Ünï🧪.pdb')).to.equal('Ünï🧪.pdb');
    expect(Buffer.byteLength(downloadName('🧪'.repeat(1_000)))).to.equal(252);
  });

  it('has the same logical path whatever way its characters were composed', () => {
    const logicalPath = 'scenes/e\u0301\ud800\u0007.pdb';
    expect(keptLogicalPath({ logicalPath })).to.equal('scenes/\u00e9\ufffd_.pdb');
    expect(uploadKey('acc', 'up', { filename: 'x', projectId: 'p', logicalPath })).to.equal(
      'accounts/acc/projects/p/up/scenes/\u00e9\ufffd_.pdb',
    );
    expect(keptLogicalPath({})).to.equal(null);
  });
});
