// Answers about uploads that the store has lost, that ended meanwhile, or whose bytes were never compared with a
// digest.
import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { UploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import type { CompletionRequest, UploadTerms } from '../../src/contracts/upload.ts';
import type { Actor } from '../../src/domain/access.ts';
import type { AppError } from '../../src/domain/errors.ts';
import { assembleUpload } from '../../src/services/uploads/assemble.ts';
import { closeUpload, releaseUpload } from '../../src/services/uploads/end.ts';
import { createUploadEndings, uploadStatus } from '../../src/services/uploads/index.ts';
import type { UploadEndings } from '../../src/services/uploads/complete.ts';
import { openUpload } from '../../src/services/uploads/open.ts';
import { countParts, partsDigest } from '../../src/services/uploads/parts.ts';
import { readUpload } from '../../src/services/uploads/rows.ts';
import type { UploadRow } from '../../src/services/uploads/rows.ts';
import { newOwner } from '../support/actors.ts';
import { stored } from '../support/multipart.ts';
import { suiteHome } from '../support/home.ts';
import { digestOf, send } from '../support/stores.ts';
import { termsOf } from '../support/upload-terms.ts';

const BYTES = 'ten bytes.';
const PARTS = [{ partNumber: 1 }];
const LOST = 'The store does not have the parts any more. Start a new upload.';
const ABORT = { state: 'ABORTED', code: 'UPLOAD_ABORTED', message: 'gone' } as const;

describe('what is answered of an upload', () => {
  const home = suiteHome();
  let actor: Actor;
  before(async () => {
    actor = await newOwner(home.db);
  });

  const work = (through: Partial<ObjectStore> = {}) => ({
    db: home.db,
    store: { ...home.store, ...through },
  });
  const endings = (workflows: Partial<UploadWorkflows> = {}): UploadEndings => {
    const silent = async () => ({ kind: 'undecided', cause: new Error('in time') }) as const;
    return createUploadEndings({
      ...work(),
      workflows: {
        ...{ open: silent, complete: silent, abort: silent },
        isOpen: async () => false,
        close: async () => undefined,
        ...workflows,
      },
      quotaBytes: { free: 1_000_000, pro: 1_000_000 },
      log: { warn: () => undefined },
      completeWaitSeconds: 0.2,
    });
  };
  const rowOf = async ({ uploadId }: UploadTerms): Promise<UploadRow> => {
    const row = await readUpload(home.db, uploadId);
    if (row === null) throw new Error('no row');
    return row;
  };
  const sent = async (): Promise<UploadTerms> => {
    const terms = termsOf(actor.accountId);
    await openUpload(work(), terms, 'run');
    const { store_upload_id: id } = await rowOf(terms);
    const signed = await home.store.signPart(terms.storageKey, id ?? '', 1, { expiresInSeconds: 60 });
    expect(await send(signed, BYTES)).to.equal(200);
    return terms;
  };
  const requestOf = async (
    terms: UploadTerms,
    sha256: string | null = null,
  ): Promise<{ uploadId: string; request: CompletionRequest }> => {
    const row = await rowOf(terms);
    const { received } = countParts(
      row,
      (await home.store.listParts(row.storage_key, row.store_upload_id ?? '')) ?? [],
    );
    return { uploadId: terms.uploadId, request: { partsSha256: partsDigest(received), sha256 } };
  };
  const refusal = (called: Promise<unknown>): Promise<AppError> =>
    called.then(
      () => expect.fail('it was accepted'),
      (error: unknown) => error as AppError,
    );

  it('that the store has lost is its end, also while its workflow does not answer', async () => {
    const terms = await sent();
    await home.store.abortMultipart(terms.storageKey, (await rowOf(terms)).store_upload_id ?? '');
    const { endLost } = endings();
    const status = await refusal(uploadStatus({ ...work(), endLost }, actor, terms.uploadId));
    expect(status).to.include({ code: 'UPLOAD_ABORTED', message: LOST });
    const complete = await refusal(endings().complete(actor, terms.uploadId, { parts: PARTS }));
    expect(complete).to.include({ code: 'SERVICE_UNAVAILABLE' });
    expect((await rowOf(terms)).state).to.equal('OPEN');
  });

  it('that the store knows after all is what the store has', async () => {
    const terms = await sent();
    let looks = 0;
    const forgetful: Partial<ObjectStore> = {
      listParts: async (key, id) => ((looks += 1) === 1 ? null : home.store.listParts(key, id)),
    };
    const { endLost } = endings({
      async complete(_facts, request) {
        const assembly = await assembleUpload(work(), { uploadId: terms.uploadId, request });
        if (assembly.kind !== 'refused') throw new Error(`it was ${assembly.kind}`);
        return { kind: 'decided', decision: { ...assembly, kind: 'refused' } };
      },
    });
    const status = await uploadStatus({ ...work(forgetful), endLost }, actor, terms.uploadId);
    expect(status).to.deep.include({ state: 'OPEN', complete: true, missing: [] });
  });

  it('is the end that came while its parts were put together: nothing is made of them', async () => {
    const terms = await sent();
    const asked = await requestOf(terms);
    const closing = { uploadId: terms.uploadId, ...ABORT };
    let completed = 0;
    const ending: Partial<ObjectStore> = {
      async listParts(key, id) {
        const parts = await home.store.listParts(key, id);
        await closeUpload(work(), closing);
        return parts;
      },
      async completeMultipart(...args) {
        completed += 1;
        return home.store.completeMultipart(...args);
      },
    };
    const assembly = await assembleUpload(work(ending), asked);
    expect(assembly).to.deep.include({ kind: 'ended' });
    expect(assembly).to.have.nested.property('end.state', 'ABORTED');
    expect(completed).to.equal(0);
    expect((await stored(home, actor.accountId)).filter((key) => key.includes(terms.uploadId))).to.be.empty;
  });

  it('that another attempt put together meanwhile is not that its parts are lost', async () => {
    const terms = await sent();
    const asked = await requestOf(terms);
    const overtaken: Partial<ObjectStore> = {
      async listParts(key, id) {
        await assembleUpload(work(), asked);
        return home.store.listParts(key, id);
      },
    };
    expect(await assembleUpload(work(overtaken), asked)).to.deep.equal({ kind: 'assembled', sha256: null });
  });

  it('that was given up before it was recorded is how it was given up', async () => {
    const { uploadId } = termsOf(actor.accountId);
    expect(await closeUpload(work(), { uploadId, ...ABORT })).to.deep.equal(ABORT);
    expect(await readUpload(home.db, uploadId)).to.equal(null);
  });

  it('keeps the digest of the completion that was accepted, and is not released without it', async () => {
    const terms = await sent();
    const digest = digestOf(BYTES);
    const plain = await requestOf(terms);
    const named = { ...plain, request: { ...plain.request, sha256: digest } };
    const other = { ...plain, request: { ...plain.request, sha256: digestOf('other') } };
    const assembled = { kind: 'assembled', sha256: digest };
    expect(await assembleUpload(work(), named)).to.deep.equal(assembled);
    expect((await rowOf(terms)).announced_sha256).to.equal(digest);
    expect(await assembleUpload(work(), plain)).to.deep.equal(assembled);
    expect(await assembleUpload(work(), other)).to.include({ kind: 'refused', code: 'CHECKSUM_MISMATCH' });
    const { uploadId } = terms;
    for (const sha256 of [null, digestOf('other')])
      expect(String(await refusal(releaseUpload(work(), { uploadId, sha256 })))).to.include('digest');
    expect((await rowOf(terms)).state).to.equal('VERIFYING');
    const end = await releaseUpload(work(), { uploadId, sha256: digest });
    expect(end).to.deep.include({ state: 'COMPLETED' }).and.to.have.nested.property('file.sha256', digest);
  });

  it('remembers no digest of a completion that was refused', async () => {
    const terms = await sent();
    const asked = { uploadId: terms.uploadId, request: { partsSha256: 'x', sha256: digestOf('other') } };
    expect(await assembleUpload(work(), asked)).to.include({ kind: 'refused' });
    expect((await rowOf(terms)).announced_sha256).to.equal(null);
  });

  it('without a compared digest is none to a call that names one, at the same time or later', async () => {
    const terms = await sent();
    const { uploadId } = terms;
    // Another completion, without a digest, is decided first.
    const overtaken = endings({
      async complete(_facts, request) {
        await assembleUpload(work(), { uploadId, request: { ...request, sha256: null } });
        const end = await releaseUpload(work(), { uploadId, sha256: null });
        return { kind: 'decided', decision: { kind: 'ended', end } };
      },
    });
    const complete = (through: UploadEndings, content: string) =>
      through.complete(actor, uploadId, { parts: PARTS, sha256: digestOf(content) });
    for (const through of [overtaken, endings()])
      expect(await refusal(complete(through, BYTES))).to.include({
        code: 'UPLOAD_ALREADY_COMPLETE',
        status: 409,
      });
    await home.db.query('update stored_objects set sha256 = $2 where storage_key = $1', [
      terms.storageKey,
      digestOf(BYTES),
    ]);
    const plain = await endings().complete(actor, uploadId, { parts: PARTS });
    expect(await complete(endings(), BYTES)).to.deep.equal(plain);
    expect((await refusal(complete(endings(), 'other'))).code).to.equal('CHECKSUM_MISMATCH');
  });
});
