/** Announced files: their room, the key with which they were announced, and files of projects that no request names. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { KeyActor } from '../../src/domain/access.ts';
import type { UploadUrlRequest } from '../../src/domain/requests.ts';
import { checkInputs } from '../../src/services/jobs/inputs.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { createUploadUrl, listUploads, sweepUploads } from '../../src/services/uploads/index.ts';
import { quotaOf } from '../../src/services/uploads/quota.ts';
import { AttemptsError } from '../../src/services/stored-objects/sweep-attempts.ts';
import { newOwner } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { withLong } from '../support/long.ts';
import { digestOf, send, STORE_KINDS } from '../support/stores.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

const BYTES = 'ATOM\n';
const FILE: UploadUrlRequest = { filename: 'a.pdb', contentType: 'text/plain', size: BYTES.length };
const ROOM = 1_000;

describe('announced files', () => {
  let database: TestDatabase;
  let actor: KeyActor;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());
  beforeEach(async () => {
    actor = await newOwner(database.db);
  });

  const endReservation = (storageKey: string, hoursAgo: number): Promise<unknown> =>
    database.db.query(
      'update stored_objects set expires_at = now() - make_interval(hours => $2) where storage_key = $1',
      [storageKey, hoursAgo],
    );
  const stateOf = async (key: string): Promise<string | undefined> => {
    const [row] = await database.db.query<{ state: string }[]>(
      'select state from stored_objects where storage_key = $1',
      [key],
    );
    return row?.state;
  };
  const through = (store: ObjectStore) => ({
    ...{ db: database.db, store, digests: createDigestReader(store), isOpen: async () => false },
    quotaBytes: { free: ROOM, pro: 2 * ROOM },
  });

  describe('take room', () => {
    let store: ObjectStore;
    before(async () => {
      const [s3] = STORE_KINDS;
      if (s3 === undefined) throw new Error('no kind of store');
      ({ store } = await s3.open());
    });
    const announce = (size: number, key: string | null = null, who: Partial<KeyActor> = {}) =>
      createUploadUrl(through(store), { ...actor, ...who }, { ...FILE, size }, key);

    it('of what the plan gives', async () => {
      const quotas = { free: 1, pro: 7 };
      expect([quotaOf('free', quotas), quotaOf('pro', quotas)]).to.deep.equal([1, 7]);
      expect(await codeOf(announce(ROOM + 1))).to.equal('STORAGE_QUOTA_EXCEEDED');
      expect(await codeOf(announce(2 * ROOM, null, { plan: 'pro' }))).to.equal('accepted');
    });

    it('until the sweep has removed them, because their bytes may be there', async () => {
      const { s3Key } = await announce(ROOM);
      await endReservation(s3Key, 1);
      expect(await codeOf(announce(1))).to.equal('STORAGE_QUOTA_EXCEEDED');
      await endReservation(s3Key, 3);
      expect(await codeOf(announce(1))).to.equal('STORAGE_QUOTA_EXCEEDED');
      await sweepUploads(through(store));
      expect(await codeOf(announce(1))).to.equal('accepted');
    });

    it('once for one idempotency key, whatever became of the first call', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => announce(ROOM, 'key-of-one-file')));
      expect(new Set(answers.map(({ s3Key }) => s3Key)).size).to.equal(1);
      const rows = await database.db.query<unknown[]>('select 1 from stored_objects where account_id = $1', [
        actor.accountId,
      ]);
      expect(rows).to.have.length(1);
      expect(await codeOf(announce(ROOM - 1, 'key-of-one-file'))).to.equal('IDEMPOTENCY_KEY_REUSED');
      const renamed = createUploadUrl(
        through(store),
        actor,
        { ...FILE, size: ROOM, filename: 'b' },
        'key-of-one-file',
      );
      expect(await codeOf(renamed)).to.equal('IDEMPOTENCY_KEY_REUSED');
      const other = await newAccount(database.db, 0);
      const theirs = await announce(ROOM, 'key-of-one-file', other);
      expect(theirs.s3Key).to.include(other.accountId);
    });

    it('under a key that has served: a file that is there is not written again, one that ended is told', async () => {
      const there = await announce(BYTES.length, 'key-of-a-file-that-is-there');
      await send({ url: there.uploadUrl, headers: there.headers ?? {} }, BYTES);
      await checkInputs(through(store), actor.accountId, [
        { path: 'sceneFile', storageKey: there.s3Key, reference: null },
      ]);
      expect(await codeOf(announce(BYTES.length, 'key-of-a-file-that-is-there'))).to.equal(
        'UPLOAD_ALREADY_COMPLETE',
      );
      const ended = await announce(1, 'key-of-a-file-that-ended');
      for (const hoursAgo of [1, 3]) {
        await endReservation(ended.s3Key, hoursAgo);
        await sweepUploads(through(store));
        expect(await codeOf(announce(1, 'key-of-a-file-that-ended'))).to.equal('UPLOAD_EXPIRED');
      }
    });
  });

  // Both kinds keep one contract (`test/integration/storage-multipart.test.ts`), so one of them shows the rest.
  for (const kind of withLong(STORE_KINDS.slice(0, 1), STORE_KINDS.slice(1))) {
    describe(`of a project, on ${kind.name}`, () => {
      let store: ObjectStore;
      let projectId: string;
      before(async () => {
        ({ store } = await kind.open());
      });
      beforeEach(() => {
        projectId = randomUUID();
      });

      const announce = (logicalPath: string, more: Partial<UploadUrlRequest> = {}) =>
        createUploadUrl(through(store), actor, { ...FILE, projectId, logicalPath, ...more });
      const upload = async (logicalPath: string, more: Partial<UploadUrlRequest> = {}): Promise<string> => {
        const { s3Key, uploadUrl, headers } = await announce(logicalPath, more);
        expect(await send({ url: uploadUrl, headers: headers ?? {} }, BYTES)).to.be.oneOf([200, 201]);
        return s3Key;
      };
      const list = async (more: object = {}, heads: string[] = []) => {
        const head: ObjectStore['head'] = (key) => {
          heads.push(key);
          return store.head(key);
        };
        const deps = through({ ...store, head });
        const query = { state: 'completed', limit: 100, projectId, ...more } as const;
        return (await listUploads(deps, actor, query)).uploads;
      };

      it('are listed once they are there, and then not looked for again', async () => {
        const [one, two, missing] = await Promise.all([
          upload('a', { sha256: digestOf(BYTES) }),
          upload('b'),
          announce('c').then(({ s3Key }) => s3Key),
        ]);
        const listed = await list();
        expect(listed.map(({ key }) => key)).to.have.members([one, two]);
        expect(listed.every(({ state, size }) => state === 'COMPLETED' && size === BYTES.length)).to.equal(
          true,
        );
        const heads: string[] = [];
        expect(await list({}, heads)).to.deep.equal(listed);
        expect(heads).to.deep.equal([missing]);
        expect(await list({ projectId: randomUUID() }, heads)).to.deep.equal([]);
        expect(heads).to.have.length(1);
      });

      it('stay when the sweep finds them, and go when it does not', async () => {
        const [there, missing] = [
          await upload('a', { sha256: digestOf(BYTES) }),
          (await announce('b')).s3Key,
        ];
        const other = await upload('c');
        await store.put(other, Buffer.from('of another size'), 'text/plain');
        for (const key of [there, missing, other]) await endReservation(key, 3);
        await sweepUploads(through(store));
        expect(await Promise.all([there, missing, other].map(stateOf))).to.deep.equal([
          'VERIFIED',
          'DELETED',
          'DELETED',
        ]);
        expect(await store.head(other)).to.equal(null);
        expect((await list()).map(({ key }) => key)).to.deep.equal([there]);
      });

      it('can be named until the sweep has decided', async () => {
        const key = await upload('a');
        await endReservation(key, 1);
        const named = [{ path: 'sceneFile', storageKey: key, reference: null }];
        expect(await codeOf(checkInputs(through(store), actor.accountId, named))).to.equal('accepted');
      });

      it('are left while the store does not tell whether they are there', async () => {
        const [there, silent] = [await upload('a'), await upload('b')];
        for (const key of [there, silent]) await endReservation(key, 3);
        const head: ObjectStore['head'] = async (key) => {
          if (key === silent) throw new Error('silent');
          return store.head(key);
        };
        expect(await refusalOf(sweepUploads(through({ ...store, head })))).to.be.instanceOf(AttemptsError);
        expect(await Promise.all([there, silent].map(stateOf))).to.deep.equal(['VERIFIED', 'ANNOUNCED']);
      });

      it('that arrived last stand for their path, whenever they were looked for', async () => {
        const first = await upload('a');
        const second = await upload('a');
        const named = [{ path: 'sceneFile', storageKey: second, reference: null }];
        await checkInputs(through(store), actor.accountId, named);
        expect((await list()).map(({ key }) => key)).to.deep.equal([second]);
        expect(await stateOf(first)).to.equal('VERIFIED');
        const [third, fourth] = [await upload('b'), await upload('b')];
        expect((await list()).map(({ key }) => key)).to.deep.equal([fourth, second]);
        expect(await stateOf(third)).to.equal('VERIFIED');
      });

      it('are noted by lists and requests that look at them at the same time, each in its order', async () => {
        const keys = await Promise.all(Array.from({ length: 40 }, (_, index) => upload(`files/${index}`)));
        const named = keys.map((storageKey) => ({ path: 'attachments', storageKey, reference: null }));
        const work = Array.from({ length: 6 }, (_, index) => [
          list(),
          checkInputs(through(store), actor.accountId, index % 2 === 0 ? named : named.toReversed()),
        ]);
        const codes = await Promise.all(work.flat().map(codeOf));
        expect(new Set(codes)).to.deep.equal(new Set(['accepted']));
        expect(await list()).to.have.length(keys.length);
      });

      it('are looked for a limited number at a time, and those that never come hide none', async () => {
        await database.db.query(
          `insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size, project_id,
             logical_path, created_at, expires_at)
           select 'accounts/' || $1::uuid || '/none/' || n, $1, gen_random_uuid(), 'a', 'text/plain', 1, $2, n::text,
             now() - n * interval '1 minute', now() + interval '1 hour' from generate_series(1, 300) n`,
          [actor.accountId, projectId],
        );
        const heads: string[] = [];
        await list({}, heads);
        expect(heads).to.have.length(256);
        await list({}, heads);
        expect(new Set(heads).size).to.be.above(256);
        heads.length = 0;
        await list({ sha256: '0'.repeat(64) }, heads);
        expect(heads, 'any may have this digest').to.have.length(256);
        await database.db.query(
          `update stored_objects set announced_sha256 = repeat('1', 64) where account_id = $1`,
          [actor.accountId],
        );
        heads.length = 0;
        await list({ sha256: '0'.repeat(64) }, heads);
        expect(heads).to.deep.equal([]);
      });
    });
  }
});
