// An upload may stay open for a week; on a server whose clock jumps over timers the week passes in a moment.
import { Readable } from 'node:stream';

import { expect } from 'chai';

import { uploadWorkflowId } from '../../src/contracts/names.ts';
import type { UploadResult } from '../../src/contracts/upload.ts';
import { stored } from '../support/multipart.ts';
import { digestOf } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { UploadWorld } from '../support/upload-world.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('an upload that nobody completes', function () {
  this.timeout(300_000);
  let world: UploadWorld;
  before(async () => {
    world = await UploadWorld.open();
  });
  after(() => world.close());

  it('ends by itself after seven days, not before, and leaves nothing', async () => {
    const { time, store } = world;
    const terms = await world.begin();
    const { uploadId, accountId } = terms;
    await time.sleep(6.9 * DAY_MS);
    expect((await world.row(uploadId)).state).to.equal('OPEN');
    expect(await stored(store, accountId)).to.have.length(1);

    const handle = time.client.workflow.getHandle(uploadWorkflowId(uploadId));
    expect((await handle.result()) as UploadResult).to.deep.equal({ decision: 'opened', state: 'EXPIRED' });
    expect((await world.row(uploadId)).state).to.equal('EXPIRED');
    expect(await stored(store, accountId)).to.deep.equal([]);
    const { startTime, closeTime } = await handle.describe();
    const passedMs = (closeTime?.getTime() ?? 0) - startTime.getTime();
    expect(passedMs / DAY_MS).to.be.within(6.99, 7.01);
    expect(await world.roomOf(terms)).to.equal('DELETED');
  });
});

describe('an upload whose bytes are being read', function () {
  this.timeout(300_000);
  let world: UploadWorld;
  let reading = 0;
  before(async () => {
    world = await UploadWorld.open((inner) => ({
      ...inner,
      // A store that answers but sends no bytes.
      async read(key, range) {
        const found = await inner.read(key, range);
        found?.stream.destroy();
        reading += 1;
        return found === null ? null : { ...found, stream: new Readable({ read: () => undefined }) };
      },
    }));
  });
  after(() => world.close());

  it('is aborted without waiting for the reading, and leaves nothing', async () => {
    const { workflows, store } = world;
    const terms = await world.begin({ announcedSha256: digestOf('ten bytes.') });
    const { uploadId, accountId } = terms;
    const [facts, request] = await world.message(terms);
    const completing = workflows.complete(facts, request, 20_000);
    await until('the object is read', () => reading > 0);
    expect((await world.row(uploadId)).state).to.equal('VERIFYING');
    const aborted = await workflows.abort(facts, 20_000);
    expect(JSON.stringify(aborted)).to.include('"code":"UPLOAD_ABORTED"');
    expect(await completing).to.deep.equal(aborted);
    expect(await stored(store, accountId)).to.deep.equal([]);
  });
});
