/** Files in the browser: sent in parts, taken up again after a reload, removed. */
import { expect } from 'chai';

import { sha256 } from '../support/api.ts';
import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

const MIB = 1024 * 1024;
const NAME = '<img src=x onerror=alert(1)>.pdb';

describe('files on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  before(async () => {
    web = await sharedWeb();
  });
  beforeEach(async () => {
    visitor = await web.visitor();
  });
  afterEach(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  // oxlint-disable-next-line typescript/no-explicit-any
  const read = async (path: string): Promise<any> =>
    (await visitor.context.request.get(`/api/v1${path}`)).json();

  it('goes on after a reload with the same file, and sends only what is missing', async () => {
    const page = await visitor.signedIn('/files');
    // Each part differs from the others, so that none can stand for another.
    const buffer = Buffer.alloc(22 * MIB);
    for (let at = 0; at < buffer.byteLength; at += MIB) buffer.writeUInt32LE(at, at);
    const file = { name: NAME, mimeType: 'chemical/x-pdb', buffer };
    const network = await visitor.context.newCDPSession(page);
    const slowly = (bytesPerSecond: number): Promise<unknown> =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond },
      });
    await slowly(2 * MIB);
    await page.locator('input[type=file][multiple]').setInputFiles(file);
    const open = async (): Promise<string | null> =>
      (await read('/uploads?state=open')).uploads[0]?.uploadId ?? null;
    await until('the upload has begun', async () => (await open()) !== null, 60_000);
    const uploadId = await open();
    const received = async (): Promise<number> => (await read(`/uploads/${uploadId}`)).received.length;
    await until('a part is stored', async () => (await received()) > 0, 60_000);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    const { partCount } = await read(`/uploads/${uploadId}`);
    const before = await received();
    expect(before).to.be.lessThan(partCount);
    await slowly(-1);
    let sent = 0;
    const store = new URL(web.api.stack.storageUrl).origin;
    page.on('request', (request) => {
      if (request.method() === 'PUT' && new URL(request.url()).origin === store) sent += 1;
    });
    const again = page.locator(`input[type=file][aria-label^="Choose the file ${NAME}"]`);
    await again.setInputFiles({ ...file, buffer: Buffer.from('another file') });
    await page.getByText('it is another file').waitFor();
    await again.setInputFiles(file);
    await page.getByText('1 of 1 done').waitFor({ timeout: 60_000 });
    expect(sent).to.equal(partCount - before);
    const stored = (await read('/uploads?state=completed')).uploads[0];
    const content = await web.api.store.read(stored.key);
    const chunks: Uint8Array[] = (await content?.stream.toArray()) ?? [];
    expect(sha256(Buffer.concat(chunks))).to.equal(sha256(buffer));
    await page.getByRole('button', { name: `Remove ${NAME}` }).click();
    await page.getByRole('button', { name: 'Remove file' }).click();
    await page.getByText('No file is stored').waitFor();
    expect((await read('/uploads/usage')).usedBytes).to.equal(0);
  });

  it('refuses an empty file by name, while the others go on', async () => {
    const page = await visitor.signedIn('/files');
    await page.locator('input[type=file][multiple]').setInputFiles([
      { name: 'empty.pdb', mimeType: '', buffer: Buffer.alloc(0) },
      { name: 'whole.pdb', mimeType: '', buffer: Buffer.from('ATOM') },
    ]);
    const sending = page.getByRole('listitem');
    await sending.filter({ hasText: 'empty.pdb' }).getByText('The file is empty').waitFor();
    await sending.filter({ hasText: 'whole.pdb' }).getByText('stored').waitFor({ timeout: 60_000 });
  });
});
