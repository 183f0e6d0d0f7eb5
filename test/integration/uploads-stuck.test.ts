// A store that refuses for ever does not keep an upload from its end, neither from its expiry nor from an abort.
import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { uploadWorkflowId } from '../../src/contracts/names.ts';
import type { UploadTerms } from '../../src/contracts/upload.ts';
import type { Actor } from '../../src/domain/access.ts';
import { createUploadEndings } from '../../src/services/uploads/index.ts';
import { stored } from '../support/multipart.ts';
import { digestOf } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { readingAllowanceMs } from '../../src/domain/uploads.ts';
import { UploadWorld } from '../support/upload-world.ts';

const WAIT_MS = 30_000;
const HOUR_MS = 3_600_000;
/** How long an attempt may take that begins in the last moment. */
const LATE_MS = 61_000;
/** The longest pause between two attempts. */
const PAUSE_MS = 10_000;
const ENDED = { state: 'EXPIRED', code: 'UPLOAD_EXPIRED' };

type Refused = 'createMultipart' | 'completeMultipart' | 'read';

/** A store that answers AccessDenied to one call, for ever. */
function refusing(method: Refused, seen: { calls: number }) {
  return (store: ObjectStore): ObjectStore => ({
    ...store,
    [method]: async () => {
      seen.calls += 1;
      throw new Error('AccessDenied');
    },
  });
}

describe('an upload whose store refuses for ever', function () {
  this.timeout(120_000);
  let world: UploadWorld;
  let seen: { calls: number };
  const open = async (method: Refused): Promise<void> => {
    seen = { calls: 0 };
    world = await UploadWorld.open(refusing(method, seen));
  };
  afterEach(() => world.close());

  /** Lets the time of the upload pass, and checks what is left. */
  const expires = async (terms: UploadTerms, allowedMs = 0): Promise<void> => {
    const handle = world.time.client.workflow.getHandle(uploadWorkflowId(terms.uploadId));
    expect(await handle.result()).to.include({ state: 'EXPIRED' });
    const row = await world.row(terms.uploadId);
    expect([row.state, row.end_code]).to.deep.equal(['EXPIRED', 'UPLOAD_EXPIRED']);
    expect(await world.roomOf(terms)).to.equal('DELETED');
    expect(await stored(world.store, terms.accountId)).to.deep.equal([]);
    const { closeTime } = await handle.describe();
    const lateMs = (closeTime?.getTime() ?? 0) - row.expires_at.getTime();
    // No attempt begins when the pause before it would outlast the allowed time.
    expect(lateMs - allowedMs).to.be.within(allowedMs === 0 ? -1_000 : -PAUSE_MS, LATE_MS);
  };
  const opening = async (): Promise<UploadTerms> => {
    const terms = await world.terms({ expirySeconds: HOUR_MS / 1000 });
    const answer = await world.workflows.open(terms, 1_000);
    expect(answer.kind).to.equal('undecided');
    await until('its room is taken', async () => (await world.roomOf(terms)) === 'UPLOADING');
    expect((await world.row(terms.uploadId)).state).to.equal('OPENING');
    return terms;
  };
  /** Aborts an upload as the API does. */
  const abort = ({ accountId, uploadId }: UploadTerms): Promise<void> => {
    const actor: Actor = {
      accountId,
      userId: accountId,
      kind: 'key',
      keyId: accountId,
      environment: 'live',
      scopes: [],
      plan: 'free',
    };
    const { workflows, store, database } = world;
    return createUploadEndings({
      ...{ db: database.db, store: store.store, workflows, log: { warn: () => undefined } },
      quotaBytes: { free: 1_000_000, pro: 1_000_000 },
    }).abort(actor, uploadId);
  };

  it('to read its bytes expires while they are verified', async () => {
    await open('read');
    const terms = await world.begin({
      announcedSha256: digestOf('ten bytes.'),
      expirySeconds: HOUR_MS / 1000,
    });
    const [facts, request] = await world.message(terms);
    const completing = world.workflows.complete(facts, request, WAIT_MS);
    await until('the object is read', () => seen.calls > 0);
    expect((await world.row(terms.uploadId)).state).to.equal('VERIFYING');
    // All bytes of the upload had arrived in time, so the verification may take this long.
    await expires(terms, readingAllowanceMs(10));
    expect(await completing)
      .to.have.nested.property('decision.end')
      .that.includes(ENDED);
  });

  it('to put its parts together expires, and is aborted while it is tried', async () => {
    await open('completeMultipart');
    const aborted = await world.begin();
    const [facts, request] = await world.message(aborted);
    const completing = world.workflows.complete(facts, request, WAIT_MS);
    await until('the store was asked', () => seen.calls > 1);
    await abort(aborted);
    expect(await completing)
      .to.have.nested.property('decision.end')
      .that.includes({ code: 'UPLOAD_ABORTED' });
    expect((await world.row(aborted.uploadId)).state).to.equal('ABORTED');
    expect(await world.roomOf(aborted)).to.equal('DELETED');
    expect(await stored(world.store, aborted.accountId)).to.deep.equal([]);

    const late = await world.begin({ expirySeconds: HOUR_MS / 1000 });
    const [lateFacts, lateRequest] = await world.message(late);
    const refused = world.workflows.complete(lateFacts, lateRequest, WAIT_MS);
    const before = seen.calls;
    await until('the store was asked', () => seen.calls > before);
    await expires(late);
    expect(await refused)
      .to.have.nested.property('decision.end')
      .that.includes(ENDED);
  });

  it('to begin it expires, and is aborted while it is opened', async () => {
    await open('createMultipart');
    const aborted = await opening();
    await abort(aborted);
    expect((await world.row(aborted.uploadId)).state).to.equal('ABORTED');
    expect(await world.roomOf(aborted)).to.equal('DELETED');
    await expires(await opening());
  });
});

describe('an upload that is aborted while the store puts it together', function () {
  this.timeout(120_000);
  let world: UploadWorld;
  const store = Promise.withResolvers<null>();
  let asked = false;
  let made = false;
  let removedAgain = false;
  before(async () => {
    world = await UploadWorld.open((inner) => ({
      ...inner,
      // Makes the object although its upload was given up.
      async completeMultipart(key) {
        asked = true;
        await store.promise;
        await inner.put(key, Buffer.from('ten bytes.'), 'text/plain');
        made = true;
        return { etag: null };
      },
      async remove(keys) {
        await inner.remove(keys);
        removedAgain = made;
      },
    }));
  });
  after(() => world.close());

  it('ends at once, and what the store makes late is removed', async () => {
    const terms = await world.begin();
    const [facts, request] = await world.message(terms);
    const completing = world.workflows.complete(facts, request, WAIT_MS);
    await until('the store was asked', () => asked);
    const aborted = await world.workflows.abort(facts, WAIT_MS);
    expect(aborted).to.have.nested.property('decision.end').that.includes({ code: 'UPLOAD_ABORTED' });
    expect(await completing).to.deep.equal(aborted);
    expect((await world.row(terms.uploadId)).state).to.equal('ABORTED');
    expect(await world.roomOf(terms)).to.equal('DELETED');
    expect(await stored(world.store, terms.accountId)).to.deep.equal([]);

    store.resolve(null);
    await until('what was made is removed', () => removedAgain);
    expect(await stored(world.store, terms.accountId)).to.deep.equal([]);
  });
});

describe('an upload whose workflow is lost while its bytes are verified', function () {
  this.timeout(120_000);
  let world: UploadWorld;
  let isReadable = false;
  let reads = 0;
  before(async () => {
    world = await UploadWorld.open((inner) => ({
      ...inner,
      async read(key, range) {
        reads += 1;
        if (isReadable) return inner.read(key, range);
        throw new Error('AccessDenied');
      },
    }));
  });
  after(() => world.close());

  it('is held against the digest of the completion that was accepted, whatever the next one names', async () => {
    const terms = await world.begin();
    const [facts, request] = await world.message(terms);
    const named = { ...request, sha256: digestOf('other bytes') };
    const first = world.workflows.complete(facts, named, WAIT_MS);
    await until('the object is read', () => reads > 0);
    const handle = world.time.client.workflow.getHandle(uploadWorkflowId(terms.uploadId));
    await handle.terminate('lost on purpose');
    expect((await first).kind).not.to.equal('decided');
    isReadable = true;
    const second = await world.workflows.complete(facts, request, WAIT_MS);
    expect(second).to.have.nested.property('decision.end').that.includes({ code: 'CHECKSUM_MISMATCH' });
    expect((await world.row(terms.uploadId)).state).to.equal('FAILED');
    expect(await stored(world.store, terms.accountId)).to.deep.equal([]);
  });
});
