/** Files that are stored already: which are left out, and which only look as if they were. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';

import { expect } from 'chai';

import { PART, uploadWorld } from './upload-world.ts';
import type { UploadWorld } from './upload-world.ts';

const LARGE = 9 * 1024 * 1024;

describe('files that are stored already', () => {
  let service: UploadWorld['service'];
  let client: UploadWorld['client'];
  let stateFolder: string;
  let file: UploadWorld['file'];
  let options: UploadWorld['options'];
  uploadWorld((world) => ({ service, client, stateFolder, file, options } = world));

  const skipStored = true;
  const forget = (): Promise<void> => rm(stateFolder, { recursive: true, force: true });

  it('are left out though another machine has sent them, large ones too', async () => {
    const path = await file(randomBytes(LARGE));
    const { storageKey, sha256 } = await client.upload({ path }, options({ skipStored }));
    await forget();
    const sent = service.puts.length;
    const again = await client.upload({ path }, options({ skipStored }));
    expect(again).to.deep.include({ skipped: true, storageKey, sha256, integrity: 'object-sha256' });
    expect(service.puts).to.have.length(sent);
    // It is remembered now: nothing is listed for it.
    const before = service.calls.filter((call) => call === 'GET /uploads').length;
    expect((await client.upload({ path }, options({ skipStored }))).skipped).to.equal(true);
    expect(service.calls.filter((call) => call === 'GET /uploads')).to.have.length(before);
  });

  it('are sent again when the stored one of that size has other bytes', async () => {
    await client.upload({ path: await file(randomBytes(LARGE)) }, options({ skipStored }));
    await forget();
    const path = await file(randomBytes(LARGE));
    expect((await client.upload({ path }, options({ skipStored }))).skipped).to.equal(false);
  });

  it('are sent again by another machine when the service knows no digest of them', async () => {
    const path = await file(randomBytes(LARGE));
    const unknown = { skipStored, checksum: true, partSize: PART * 16 };
    await client.upload({ path }, options(unknown));
    expect((await client.upload({ path }, options(unknown))).skipped).to.equal(true);
    await forget();
    expect((await client.upload({ path }, options(unknown))).skipped).to.equal(false);
  });

  for (const sizeBytes of [LARGE, 1000]) {
    it(`are sent again when a newer file has taken their place in the package (${sizeBytes} bytes)`, async () => {
      const path = await file(randomBytes(sizeBytes));
      const place = { projectId: randomUUID(), logicalPath: 'scene.bin' };
      const { storageKey } = await client.upload({ path, ...place }, options({ skipStored }));
      expect((await client.upload({ path, ...place }, options({ skipStored }))).skipped).to.equal(true);
      const other = {
        ...{ uploadId: randomUUID(), key: 'newer', filename: 'scene.bin', size: sizeBytes },
        ...{ sha256: sha256(randomBytes(10)), ...place },
      };
      service.completed = [other];
      const again = await client.upload({ path, ...place }, options({ skipStored }));
      expect(again.skipped).to.equal(false);
      expect(again.storageKey).not.to.equal(storageKey);
    });
  }

  it('are answered with the newest file of their place when that has the same bytes', async () => {
    const bytes = randomBytes(LARGE);
    const path = await file(bytes);
    const place = { projectId: randomUUID(), logicalPath: 'cafe\u0301.bin' };
    await client.upload({ path, ...place }, options({ skipStored }));
    service.completed = [
      {
        ...{ uploadId: randomUUID(), key: 'newer', filename: 'scene.bin', size: bytes.length },
        ...{ sha256: sha256(bytes), ...place, logicalPath: 'caf\u00e9.bin' },
      },
    ];
    const again = await client.upload({ path, ...place }, options({ skipStored }));
    expect(again).to.include({ skipped: true, storageKey: 'newer' });
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
