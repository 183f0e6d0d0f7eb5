// What the API answers when the workflow does not answer: the API waits a while, tells the client to repeat, and trusts
// what is recorded.
import { expect } from 'chai';

import type { UploadAnswer, UploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import type { UploadOutcome, UploadTerms } from '../../src/contracts/upload.ts';
import type { Actor } from '../../src/domain/access.ts';
import type { AppError } from '../../src/domain/errors.ts';
import { assembleUpload } from '../../src/services/uploads/assemble.ts';
import { closeUpload, releaseUpload } from '../../src/services/uploads/end.ts';
import { createUploadEndings, initUpload } from '../../src/services/uploads/index.ts';
import type { MultipartDependencies } from '../../src/services/uploads/index.ts';
import { openUpload } from '../../src/services/uploads/open.ts';
import { readUpload } from '../../src/services/uploads/rows.ts';
import { newOwner } from '../support/actors.ts';
import { eventsOf } from '../support/events-of.ts';
import { suiteHome } from '../support/home.ts';
import { send } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { termsOf } from '../support/upload-terms.ts';

const PARTS = { parts: [{ partNumber: 1 }] };
const silent: UploadAnswer<never> = { kind: 'undecided', cause: new Error('in time') };
const busy: UploadAnswer<never> = { kind: 'busy', cause: new Error('ended') };

describe('an upload whose workflow does not answer', () => {
  const home = suiteHome();
  let actor: Actor;
  before(async () => {
    actor = await newOwner(home.db);
  });

  const deps = (workflows: Partial<UploadWorkflows>): MultipartDependencies => ({
    db: home.db,
    store: home.store,
    workflows: {
      open: async () => silent,
      complete: async () => silent,
      abort: async () => silent,
      isOpen: async () => false,
      close: async () => undefined,
      ...workflows,
    },
    quotaBytes: { free: 1_000_000, pro: 1_000_000 },
    log: { warn: () => undefined },
    openWaitSeconds: 0.1,
    completeWaitSeconds: 2,
  });
  const sent = async (): Promise<UploadTerms> => {
    const terms = termsOf(actor.accountId);
    await openUpload(home, terms, 'run');
    const row = await readUpload(home.db, terms.uploadId);
    const signed = await home.store.signPart(terms.storageKey, row?.store_upload_id ?? '', 1, {
      expiresInSeconds: 60,
    });
    expect(await send(signed, 'ten bytes.')).to.equal(200);
    return terms;
  };
  const refusal = (work: Promise<unknown>): Promise<AppError> =>
    work.then(
      () => expect.fail('it was accepted'),
      (error: unknown) => error as AppError,
    );

  it('is answered 503 with the time to repeat, and stays as it is', async () => {
    const { uploadId } = await sent();
    const endings = createUploadEndings(deps({}));
    for (const call of [endings.complete(actor, uploadId, PARTS), endings.abort(actor, uploadId)]) {
      expect(await refusal(call)).to.include({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    }
    expect((await readUpload(home.db, uploadId))?.state).to.equal('OPEN');
    const body = { filename: 'a', contentType: 'text/plain', size: 1 };
    const init = initUpload(deps({}), actor, { body, fingerprint: 'f', idempotencyKey: null });
    expect(await refusal(init)).to.include({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  });

  it('is answered by what it recorded, when its answer is lost', async () => {
    const work = { db: home.db, store: home.store };
    const done = await sent();
    const endings = createUploadEndings(
      deps({
        async complete(_facts, request) {
          await assembleUpload(work, { uploadId: done.uploadId, request });
          await releaseUpload(work, { uploadId: done.uploadId, sha256: null });
          return busy;
        },
      }),
    );
    const answer = await endings.complete(actor, done.uploadId, PARTS);
    expect(answer).to.include({ key: done.storageKey, size: 10, verified: true, integrity: 'size' });
    expect(await createUploadEndings(deps({})).complete(actor, done.uploadId, PARTS)).to.deep.equal(answer);

    const gone = await sent();
    const closing = { state: 'ABORTED', code: 'UPLOAD_ABORTED', message: 'gone' } as const;
    const aborting = createUploadEndings(
      deps({
        async abort() {
          await closeUpload(work, { uploadId: gone.uploadId, ...closing });
          return busy;
        },
      }),
    );
    await aborting.abort(actor, gone.uploadId);
    const late = await sent();
    const expiry = { ...closing, state: 'EXPIRED', code: 'UPLOAD_EXPIRED' } as const;
    for (const _attempt of [1, 2]) await closeUpload(work, { uploadId: late.uploadId, ...expiry });
    expect(await eventsOf(home.db, actor.accountId, 'upload.')).to.deep.equal([
      { type: 'upload.completed', subject: done.uploadId, payload: {} },
      { type: 'upload.expired', subject: late.uploadId, payload: { code: 'UPLOAD_EXPIRED' } },
    ]);
    expect((await refusal(aborting.complete(actor, gone.uploadId, PARTS))).code).to.equal('UPLOAD_ABORTED');
  });

  it('is asked again while it takes no messages, once for all equal calls of a process', async () => {
    const { uploadId } = await sent();
    let asked = 0;
    let listed = 0;
    // A call joins the others once the parts are listed for it, so nobody is answered before all calls are there.
    const store: typeof home.store = Object.assign(Object.create(home.store), {
      listParts: (...call: Parameters<typeof home.store.listParts>) =>
        home.store.listParts(...call).finally(() => (listed += 1)),
    });
    const refused: UploadAnswer<UploadOutcome> = {
      kind: 'decided',
      decision: { kind: 'refused', code: 'UPLOAD_INCOMPLETE', message: 'not yet' },
    };
    const endings = createUploadEndings({
      ...deps({
        async complete() {
          asked += 1;
          await until('all calls are there', () => listed === 20);
          return asked < 3 ? busy : refused;
        },
      }),
      store,
      completeWaitSeconds: 60,
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refusal(endings.complete(actor, uploadId, PARTS))),
    );
    for (const error of answers) expect(error).to.include({ code: 'UPLOAD_INCOMPLETE' });
    expect(asked).to.equal(3);
  });

  it('is over for the customer when its time is, though nothing has ended it yet', async () => {
    const { uploadId } = await sent();
    await home.db.query(`update uploads set expires_at = now() - interval '1 second' where id = $1`, [
      uploadId,
    ]);
    const late = createUploadEndings(deps({})).complete(actor, uploadId, PARTS);
    expect(await refusal(late)).to.include({ code: 'UPLOAD_EXPIRED', status: 410 });
  });
});
