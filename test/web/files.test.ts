/** Files in the browser: sent in parts, taken up again after a reload and an outage, told apart from others, removed. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { sha256 } from '../support/api.ts';
import { IS_LONG, withLong } from '../support/long.ts';
import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';
import { openStoreWay } from './store-way.ts';
import type { StoreWay } from './store-way.ts';

const MIB = 1024 * 1024;
const NAME = '<img src=x onerror=alert(1)>.pdb';
/** How long the store is away: in short runs until the page says that it waits. */
const AWAY_MS = IS_LONG ? 10_000 : 0;

describe('files on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  let way: StoreWay;
  let folder: string;
  before(async () => {
    web = await sharedWeb();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-web-files-'));
    way = await openStoreWay();
    visitor = await web.visitor(way.url);
  });
  afterEach(async () => {
    await visitor.close();
    await way.close();
    rmSync(folder, { recursive: true, force: true });
    expect(visitor.faults).to.deep.equal([]);
  });

  // oxlint-disable-next-line typescript/no-explicit-any
  const read = async (path: string): Promise<any> =>
    (await visitor.context.request.get(`/api/v1${path}`)).json();
  const write = (path: string, content: string | Uint8Array): string => {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    return file;
  };

  for (const mib of withLong([40], [200]))
    it(`sends no part of ${mib} MiB twice, whether the page is loaded again or the store is away, and no part of another file`, async () => {
      const page = await visitor.signedIn('/files');
      const content = randomBytes(mib * MIB);
      const file = write(NAME, content);
      way.carryUpTo(0);
      await page.locator('input[type=file][multiple]').setInputFiles(file);
      await until('the upload has begun', async () => (await read('/uploads?state=open')).uploads.length > 0);
      const { uploadId, partCount, partSize } = (await read('/uploads?state=open')).uploads[0];
      const upTo = async (share: number): Promise<number[]> => {
        const most = Math.ceil(share * partCount);
        way.carryUpTo(most);
        const numbers = async (): Promise<number[]> =>
          (await read(`/uploads/${uploadId}`)).received.map(
            (part: { partNumber: number }) => part.partNumber,
          );
        await until('the parts are stored', async () => (await numbers()).length >= most);
        return numbers();
      };
      const confirmed = await upTo(0.4);
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();

      const again = page.locator(`input[type=file][aria-label^="Choose the file ${NAME}"]`);
      await again.setInputFiles({ name: NAME, mimeType: '', buffer: Buffer.from('another file') });
      await page.getByText('it is another file').waitFor();
      way.begun.length = 0;
      way.stored.length = 0;
      const changed = Buffer.from(content);
      const inPart = (Math.max(...confirmed) - 1) * partSize;
      changed.writeUInt8(changed.readUInt8(inPart) ^ 1, inPart);
      await again.setInputFiles(write(`changed/${NAME}`, changed));
      await page.getByText('What was sent before is not of this file').waitFor();
      expect(way.begun).to.deep.equal([]);
      await page.getByRole('button', { name: `Take ${NAME} off the list` }).click();

      await again.setInputFiles(file);
      await upTo(0.6);
      await web.api.stack.stopChild('storage', 'SIGKILL');
      const awayAt = performance.now();
      way.carryUpTo(Infinity);
      await page.getByText('waits for the connection').waitFor();
      await until('the store was away', () => performance.now() - awayAt >= AWAY_MS);
      await web.api.stack.startChild('storage');
      await page.getByText('1 of 1 done').waitFor();

      expect(way.begun.filter((part) => confirmed.includes(part))).to.deep.equal([]);
      expect(new Set([...way.stored, ...confirmed]).size).to.equal(partCount);
      // Six are under way at once: those alone may have been stored without a word when the store was killed.
      const wanted = partCount - confirmed.length;
      expect(way.stored.length).to.be.within(wanted, wanted + 6);
      const stored = (await read('/uploads?state=completed')).uploads[0];
      expect(stored.uploadId).to.equal(uploadId);
      expect((await web.api.store.hash(stored.key))?.sha256).to.equal(sha256(content));
      await page.getByRole('button', { name: `Remove ${NAME}` }).click();
      await page.getByRole('button', { name: 'Remove file' }).click();
      await page.getByText('No file is stored').waitFor();
      expect((await read('/uploads/usage')).usedBytes).to.equal(0);
    });

  for (const count of withLong([20], [200]))
    it(`sends a folder of ${count} files as one package with their paths`, async () => {
      const page = await visitor.signedIn('/files');
      const paths = Array.from({ length: count }, (_, n) => `poses/${n % 3}/${n}.pdb`).sort();
      for (const path of paths) write(`package/${path}`, path);
      await page.locator('input[webkitdirectory]').setInputFiles(join(folder, 'package'));
      await page.getByText(`${count} of ${count} done`).waitFor();
      const stored: { logicalPath: string; projectId: string; size: number }[] = [];
      for (let cursor = ''; ;) {
        const { uploads, nextCursor } = await read(`/uploads?state=completed&limit=100${cursor}`);
        stored.push(...uploads);
        if (nextCursor === null) break;
        cursor = `&cursor=${nextCursor}`;
      }
      expect(stored.map(({ logicalPath }) => logicalPath).sort()).to.deep.equal(paths);
      expect(new Set(stored.map(({ projectId }) => projectId)).size).to.equal(1);
      for (const { size, logicalPath } of stored) expect(size).to.equal(logicalPath.length);
    });

  it('refuses what is empty, too large, gone or changed since by name, while the others go on', async () => {
    const page = await visitor.signedIn('/files');
    const path = (name: string): string => write(`refused/${name}`, name);
    const huge = path('huge.dcd');
    truncateSync(huge, 2 ** 40);
    const large = [1, 2, 3].map((n) => write(`refused/large-${n}.pdb`, 'ATOM  '.repeat(2 ** 20)));
    const [changed, gone] = [path('changed.pdb'), path('gone.pdb')];
    // Two are sent at a time: the first ones wait until the last ones are others.
    way.carryUpTo(0);
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles([write('refused/empty.pdb', ''), huge, ...large, path('whole.pdb'), changed, gone]);
    write('refused/changed.pdb', 'changed since');
    utimesSync(changed, new Date(), new Date(Date.now() + 10_000));
    rmSync(gone);
    way.carryUpTo(Infinity);
    const sending = page.getByRole('listitem');
    const says = (name: string, words: string | RegExp): Promise<void> =>
      sending.filter({ hasText: name }).getByText(words).first().waitFor();
    await says('empty.pdb', 'The file is empty');
    await says('huge.dcd', /more do not fit/);
    for (const name of ['changed.pdb', 'gone.pdb']) await says(name, 'The file cannot be read');
    for (const name of ['whole.pdb', 'large-3.pdb']) await says(name, 'stored');
  });
});
