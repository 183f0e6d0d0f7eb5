/** Files that are stored already: which files are left out, and which files only look as if they were stored. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';

import { expect } from 'chai';

import { PART, uploadWorld } from './upload-world.ts';

const LARGE = 9 * 1024 * 1024;

describe('files that are stored already', () => {
  const world = uploadWorld();
  const { file } = world;

  const skipStored = true;
  /** What is left out does not depend on the parts, so there are few of them. */
  const options: typeof world.options = (more) => world.options({ partSize: PART * 16, ...more });
  const forget = (): Promise<void> => rm(world.stateFolder, { recursive: true, force: true });

  it('are left out though another machine has sent them, large ones too', async () => {
    const path = await file(randomBytes(LARGE));
    const { storageKey, sha256 } = await world.client.upload({ path }, options({ skipStored }));
    await forget();
    const sent = world.service.puts.length;
    const again = await world.client.upload({ path }, options({ skipStored }));
    expect(again).to.deep.include({ skipped: true, storageKey, sha256, integrity: 'object-sha256' });
    expect(world.service.puts).to.have.length(sent);
    // The file is in the memory of the machine now, so the client asks for no list.
    const before = world.service.calls.filter((call) => call === 'GET /uploads').length;
    expect((await world.client.upload({ path }, options({ skipStored }))).skipped).to.equal(true);
    expect(world.service.calls.filter((call) => call === 'GET /uploads')).to.have.length(before);
  });

  it('are sent again when the stored one of that size has other bytes', async () => {
    await world.client.upload({ path: await file(randomBytes(LARGE)) }, options({ skipStored }));
    await forget();
    const path = await file(randomBytes(LARGE));
    expect((await world.client.upload({ path }, options({ skipStored }))).skipped).to.equal(false);
  });

  it('are sent again by another machine when the service knows no digest of them', async () => {
    const path = await file(randomBytes(LARGE));
    const unknown = { skipStored, checksum: true };
    await world.client.upload({ path }, options(unknown));
    expect((await world.client.upload({ path }, options(unknown))).skipped).to.equal(true);
    await forget();
    expect((await world.client.upload({ path }, options(unknown))).skipped).to.equal(false);
  });

  for (const sizeBytes of [LARGE, 1000]) {
    it(`are sent again when a newer file has taken their place in the package (${sizeBytes} bytes)`, async () => {
      const path = await file(randomBytes(sizeBytes));
      const place = { projectId: randomUUID(), logicalPath: 'scene.bin' };
      const { storageKey } = await world.client.upload({ path, ...place }, options({ skipStored }));
      expect((await world.client.upload({ path, ...place }, options({ skipStored }))).skipped).to.equal(true);
      const other = {
        ...{ uploadId: randomUUID(), key: 'newer', filename: 'scene.bin', size: sizeBytes },
        ...{ sha256: sha256(randomBytes(10)), ...place },
      };
      world.service.completed = [other];
      const again = await world.client.upload({ path, ...place }, options({ skipStored }));
      expect(again.skipped).to.equal(false);
      expect(again.storageKey).not.to.equal(storageKey);
    });
  }

  it('are answered with the newest file of their place when that has the same bytes', async () => {
    const bytes = randomBytes(LARGE);
    const path = await file(bytes);
    const place = { projectId: randomUUID(), logicalPath: 'cafe\u0301.bin' };
    await world.client.upload({ path, ...place }, options({ skipStored }));
    world.service.completed = [
      {
        ...{ uploadId: randomUUID(), key: 'newer', filename: 'scene.bin', size: bytes.length },
        ...{ sha256: sha256(bytes), ...place, logicalPath: 'caf\u00e9.bin' },
      },
    ];
    const again = await world.client.upload({ path, ...place }, options({ skipStored }));
    expect(again).to.include({ skipped: true, storageKey: 'newer' });
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
