import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { Actor } from '../../src/domain/access.ts';
import { registerArtifact } from '../../src/services/artifacts.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import { checkInputs } from '../../src/services/jobs/inputs.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { createUploadUrl, renewUploadUrl, sweepUploads } from '../../src/services/uploads/index.ts';
import { AttemptsError } from '../../src/services/stored-objects/sweep-attempts.ts';
import { ownerOf } from '../support/actors.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

const FILE = { filename: 'a.pdb', contentType: 'text/plain', size: 5 };

describe('uploads that nothing names', () => {
  const home = suiteHome();
  let actor: Actor;
  before(async () => {
    const { accountId } = await createAccount(home.db, { email: 'a@example.com', creditsPence: 0 });
    actor = ownerOf(accountId);
  });

  const deps = (through: Partial<ObjectStore> = {}) => {
    const used: ObjectStore = { ...home.store, ...through };
    const quotaBytes = { free: 1_000_000, pro: 2_000_000 };
    const digests = createDigestReader(used);
    return { db: home.db, store: used, digests, quotaBytes, isOpen: async () => false };
  };
  /** Announces a file whose reservation ended `endedHoursAgo` hours ago. */
  const upload = async (endedHoursAgo: number): Promise<string> => {
    const { s3Key } = await createUploadUrl(deps(), actor, FILE);
    await home.store.put(s3Key, Buffer.from('ATOM\n'), 'text/plain');
    await home.db.query(
      `update stored_objects set expires_at = now() - make_interval(hours => $2) where storage_key = $1`,
      [s3Key, endedHoursAgo],
    );
    return s3Key;
  };
  const stateOf = async (key: string): Promise<string | undefined> => {
    const [row] = await home.db.query<{ state: string }[]>(
      'select state from stored_objects where storage_key = $1',
      [key],
    );
    return row?.state;
  };
  const name = (storageKey: string, through: Partial<ObjectStore> = {}) =>
    checkInputs(deps(through), actor.accountId, [{ path: 'sceneFile', storageKey, reference: null }]);
  it('are removed once no URL can store them any more; others stay', async () => {
    const [forgotten, recent, open, named] = await Promise.all([
      upload(3),
      upload(1),
      upload(-24),
      upload(-24),
    ]);
    await name(named);
    await home.db.query(
      `update stored_objects set expires_at = now() - interval '9 hours' where storage_key = $1`,
      [named],
    );
    await sweepUploads(deps());
    expect(await Promise.all([forgotten, recent, open, named].map(stateOf))).to.deep.equal([
      'DELETED',
      'ANNOUNCED',
      'ANNOUNCED',
      'VERIFIED',
    ]);
    expect(await home.store.head(forgotten)).to.equal(null);
    for (const key of [recent, open, named]) expect(await home.store.head(key)).to.include({ byteSize: 5 });
    expect(await codeOf(name(named))).to.equal('accepted');
  });

  it('are removed however many there are', async () => {
    const keys = await Promise.all(Array.from({ length: 205 }, () => upload(3)));
    await sweepUploads(deps());
    expect(new Set(await Promise.all(keys.map(stateOf)))).to.deep.equal(new Set(['DELETED']));
  });

  it('cannot be named, registered or uploaded once their time is over', async () => {
    const ended = await upload(1);
    const swept = await upload(3);
    await sweepUploads(deps());
    for (const key of [ended, swept]) {
      expect(await codeOf(name(key))).to.equal('INPUT_NOT_FOUND');
      expect(await codeOf(registerArtifact(deps(), actor, { storageKey: key, format: 'pdb' }))).to.equal(
        'INPUT_NOT_FOUND',
      );
      expect(await codeOf(renewUploadUrl(deps(), actor, key, FILE))).to.equal('UPLOAD_EXPIRED');
    }
  });

  it('are refused to a request that names them while they are swept', async () => {
    for (const use of [
      (key: string, through: Partial<ObjectStore>) => name(key, through),
      (storageKey: string, through: Partial<ObjectStore>) =>
        registerArtifact(deps(through), actor, { storageKey, format: 'pdb' }),
    ]) {
      const key = await upload(-1);
      const sweepsMeanwhile: Partial<ObjectStore> = {
        async head(asked) {
          const found = await home.store.head(asked);
          await home.db.query(
            `update stored_objects set expires_at = now() - interval '3 hours' where storage_key = $1`,
            [key],
          );
          await sweepUploads(deps());
          return found;
        },
      };
      // The use reads the bytes for their digest first, and finds that they are gone.
      expect(await codeOf(use(key, sweepsMeanwhile))).to.equal('INPUT_NOT_FOUND');
      expect(await stateOf(key)).to.equal('DELETED');
    }
  });

  it('are kept when a request verified them before their removal began', async () => {
    const key = await upload(-1);
    await name(key);
    await home.db.query(
      `update stored_objects set expires_at = now() - interval '3 hours' where storage_key = $1`,
      [key],
    );
    await Promise.all([sweepUploads(deps()), sweepUploads(deps())]);
    expect(await stateOf(key)).to.equal('VERIFIED');
    expect(await home.store.head(key)).to.include({ byteSize: 5 });
  });

  it('are removed beside and behind any number that cannot be', async () => {
    const [stuck, free] = [
      await Promise.all(Array.from({ length: 101 }, () => upload(4))),
      await Promise.all(Array.from({ length: 2 }, () => upload(3))),
    ];
    const failing: Partial<ObjectStore> = {
      remove: async (asked) => {
        if (asked.some((key) => stuck.includes(key))) throw new Error('stuck');
        await home.store.remove(asked);
      },
    };
    const told = await refusalOf(sweepUploads(deps(failing)));
    expect(told).to.have.property('failures').with.length(stuck.length);
    const statesOf = async (keys: readonly string[]) => new Set(await Promise.all(keys.map(stateOf)));
    expect(await statesOf(stuck)).to.deep.equal(new Set(['ANNOUNCED']));
    expect(await statesOf(free)).to.deep.equal(new Set(['DELETED']));
    await sweepUploads(deps());
    expect(await statesOf(stuck)).to.deep.equal(new Set(['DELETED']));
  });

  it('are waited for as long as an address lives that is signed for them again, and longer', async () => {
    const secondsLeft = async (key: string): Promise<number> => {
      const [row] = await home.db.query<{ seconds: number }[]>(
        `select extract(epoch from expires_at - now())::float8 as seconds from stored_objects where storage_key = $1`,
        [key],
      );
      return row?.seconds ?? 0;
    };
    const [closing, fresh] = [await upload(0), await upload(-24)];
    await home.db.query(
      `update stored_objects set expires_at = now() + interval '1 minute' where storage_key = $1`,
      [closing],
    );
    for (const key of [closing, fresh]) await renewUploadUrl(deps(), actor, key, FILE);
    expect(await secondsLeft(closing)).to.be.within(7_100, 7_200);
    expect(await secondsLeft(fresh)).to.be.above(86_000);
    const over = await upload(1);
    expect(await codeOf(renewUploadUrl(deps(), actor, over, FILE))).to.equal('UPLOAD_EXPIRED');
    const unknown = renewUploadUrl(deps(), actor, `${fresh}x`, FILE);
    expect(await codeOf(unknown)).to.equal('NOT_FOUND');
  });

  it('stay ANNOUNCED when the store fails, so that the next round tries again', async () => {
    const key = await upload(3);
    const failing: Partial<ObjectStore> = { remove: () => Promise.reject(new Error('down')) };
    expect(await refusalOf(sweepUploads(deps(failing)))).to.be.instanceOf(AttemptsError);
    expect(await stateOf(key)).to.equal('ANNOUNCED');
    await sweepUploads(deps());
    expect(await stateOf(key)).to.equal('DELETED');
  });
});
