/** What a job reads of the project package of its scene file becomes its attachments, as the package is at the submit. */
import { expect } from 'chai';

import type { JobStart } from '../../src/adapters/temporal/client.ts';
import type { JobAdmission } from '../../src/contracts/job.ts';
import type { Actor } from '../../src/domain/access.ts';
import { createDatabaseCatalogue } from '../../src/services/databases/catalogue.ts';
import { packageFiles, wholePackage } from '../../src/services/jobs/package-files.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { createSubmit } from '../../src/services/jobs/submit.ts';
import { createConfirmations } from '../../src/services/ligands/confirmation.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuoteTokens } from '../../src/services/prices/quote-tokens.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { createUploadUrl } from '../../src/services/uploads/index.ts';
import { packageWishOf } from '../../src/tools/blast/inputs.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';

const SETTINGS = {
  ...{ provider: 'local', instanceSlots: 2, instanceVcpus: 2, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 1, taskTimeoutSeconds: 60 },
  ...{ admissionWaitSeconds: 20, admitBySeconds: 60, maxHistoryEvents: 8000, commitDelayMs: 50 },
  ...{ computeHeartbeatSeconds: 15, computePickupSeconds: 15, capacityPollSeconds: 10, noRoomSeconds: 60 },
};
const RATES = {
  current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
};
const PROJECT = '0a6f6a52-5d34-4a37-9b7d-3a1f8f0d6c11';
const wishOf = (sceneFile: string, blastDatabasePath: string) => {
  const wish = packageWishOf({ simulationParams: { blastDatabasePath } });
  return { ...(wish ?? expect.fail('nothing is wished')), sceneFile };
};
const FASTA = '>one\nMKVLLAGPQITLWQRPLV\n';

describe('files of a project package', () => {
  const home = suiteHome();
  let actor: Actor;
  before(async () => {
    const { accountId, userId } = await newAccount(home.db, 1000);
    actor = ownerOf(accountId, userId);
  });

  const put = async (
    logicalPath: string,
    { text = FASTA, projectId = PROJECT, by = actor }: { text?: string; projectId?: string; by?: Actor } = {},
  ): Promise<string> => {
    const quotaBytes = { free: 1_000_000, pro: 2_000_000 };
    const digests = createDigestReader(home.store);
    const deps = { db: home.db, store: home.store, digests, quotaBytes, isOpen: async () => false };
    const file = {
      filename: logicalPath,
      contentType: 'text/plain',
      size: text.length,
      projectId,
      logicalPath,
    };
    const { s3Key } = await createUploadUrl(deps, by, file);
    await home.store.put(s3Key, Buffer.from(text), 'text/plain');
    return s3Key;
  };
  const find = (sceneFile: string, path: string, by = actor) =>
    packageFiles(home, by.accountId, wishOf(sceneFile, path));
  const submit = async (body: object): Promise<JobAdmission> => {
    const admissions: JobAdmission[] = [];
    const submitJob = createSubmit({
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store) },
      ...{ tools: createToolRegistry({ testTools: '' }), quotes: createQuotes(loadPriceBook(), RATES) },
      offers: { require: async () => undefined, of: async () => expect.fail('not asked') },
      catalogue: createDatabaseCatalogue(home.db),
      workflows: {
        async startJob({ admission }: JobStart) {
          admissions.push(admission);
          return { kind: 'decided', decision: await admitJob(home.db, admission, 'run') } as const;
        },
      },
      ...{ settings: SETTINGS, confirmations: createConfirmations('0'.repeat(64)) },
      quoteTokens: createQuoteTokens('0'.repeat(64)),
      log: { warn: () => undefined, info: () => undefined },
    });
    await submitJob(actor, {
      body: { ...({ jobType: 'simulation', simulator: 'blastp' } as const), ...body },
      ...{ fingerprint: 'f'.repeat(64), idempotencyKey: null },
    });
    const [admission] = admissions;
    return admission ?? expect.fail('nothing was admitted');
  };

  it('are found by their whole path, with the endings of volumes, the newest of each path', async () => {
    const scene = await put('queries.fasta');
    const older = await put('data/db.fasta');
    expect(await find(scene, 'data/db.fasta')).to.deep.equal([older]);
    const newer = await put('data/db.fasta', { text: `${FASTA}>two\nMKV\n` });
    expect(await find(scene, 'data/db.fasta')).to.deep.equal([newer]);
    const volumes = [await put('data/db.phr'), await put('data/db.pin'), await put('data/db.psq')];
    expect(await find(scene, 'data/db')).to.have.members(volumes);
    for (const path of ['db.fasta', 'data', 'data/d', '../data/db.fasta', 'data/%', ''])
      expect(await find(scene, path), path).to.deep.equal([]);
  });

  it('are all of a package where a job reads the whole, the newest of each path, without the scene and what others have', async () => {
    const projectId = '7c9d1f9e-0f5b-4b9e-8f10-6f2f3f7f7a01';
    const scene = await put('scenes/a.blend', { projectId });
    await put('textures/wood.png', { projectId });
    const textures = [
      await put('textures/wood.png', { projectId, text: 'newer' }),
      await put('library/b.blend', { projectId }),
    ];
    await put('textures/other.png');
    const whole = (mostFiles: number, by = actor) =>
      wholePackage(home, by.accountId, { sceneFile: scene, mostFiles });
    expect(await whole(3)).to.have.members(textures);
    expect(await codeOf(whole(2))).to.equal('VALIDATION_ERROR');
    const { accountId, userId } = await newAccount(home.db, 1000);
    expect(await whole(3, ownerOf(accountId, userId))).to.deep.equal([]);
    expect(
      await wholePackage(home, actor.accountId, { sceneFile: 'accounts/x', mostFiles: 3 }),
    ).to.deep.equal([]);
  });

  it('are no neighbours of volumes, and no volumes where a file has the path itself', async () => {
    const scene = await put('queries.fasta');
    const volumes = [await put('near/db.00.phr'), await put('near/db.pal')];
    for (const name of ['db.mov', 'db.2024.csv', 'db.fasta', 'dbx.phr', 'db.00.phr.gz'])
      await put(`near/${name}`);
    expect(await find(scene, 'near/db')).to.have.members(volumes);
    const whole = await put('near/db');
    expect(await find(scene, 'near/db')).to.deep.equal([whole]);
  });

  it('are found although the store does not answer for another file of the name', async () => {
    const scene = await put('queries.fasta');
    const [broken, volume] = [await put('ill/db.phr'), await put('ill/db.pin')];
    const head = (key: string) => (key === broken ? Promise.reject(new Error('ill')) : home.store.head(key));
    const deps = {
      db: home.db,
      store: new Proxy(home.store, {
        get: (store, name) => (name === 'head' ? head : Reflect.get(store, name)),
      }),
    };
    expect(await packageFiles(deps, actor.accountId, wishOf(scene, 'ill/db'))).to.deep.equal([volume]);
  });

  it('are not taken in part where they are too many', async () => {
    const scene = await put('queries.fasta');
    for (let index = 100; index < 357; index += 1) await put(`many/db.${index}.phr`);
    let heads = 0;
    const head = (key: string) => {
      heads += 1;
      return home.store.head(key);
    };
    const deps = {
      db: home.db,
      store: new Proxy(home.store, {
        get: (store, name) => (name === 'head' ? head : Reflect.get(store, name)),
      }),
    };
    expect(await codeOf(packageFiles(deps, actor.accountId, wishOf(scene, 'many/db')))).to.equal(
      'DATABASE_FILE_MISSING',
    );
    expect(heads).to.equal(256);
  });

  it('are looked at in the store only when the request is right in itself', async () => {
    const sceneFile = await put('queries.fasta');
    const key = await put('wrong/db.fasta');
    const wrong = { blastDatabasePath: 'wrong/db.fasta', blastDatabaseType: 'nucl' };
    expect(await codeOf(submit({ sceneFile, simulationParams: wrong }))).to.equal('DATABASE_TYPE_MISMATCH');
    const rows = await home.db.query('select state from stored_objects where storage_key = $1', [key]);
    expect(rows).to.deep.equal([{ state: 'ANNOUNCED' }]);
  });

  it('are not volumes of two uploads', async () => {
    const scene = await put('queries.fasta');
    for (const name of ['phr', 'pin', 'pog']) await put(`two/db.${name}`);
    expect(await find(scene, 'two/db')).to.have.length(3);
    await put('two/db.phr', { text: `${FASTA}>two\nMKV\n` });
    expect(await codeOf(find(scene, 'two/db'))).to.equal('DATABASE_FILE_MISSING');
    for (const name of ['pin', 'pog']) await put(`two/db.${name}`, { text: `${FASTA}>two\nMKV\n` });
    expect(await find(scene, 'two/db')).to.have.length(3);
  });

  it('become attachments whatever form their path was sent in', async () => {
    const sceneFile = await put('queries.fasta');
    for (const path of ['forms/e\u0301.fasta', 'forms/a\tb.fasta', `forms/${'x'.repeat(220)}.fasta`]) {
      const database = await put(path);
      const { request } = await submit({ sceneFile, simulationParams: { blastDatabasePath: path } });
      expect(request?.attachments).to.deep.equal([database]);
    }
    const volume = await put('forms/o\u0308.phr');
    const { request } = await submit({ sceneFile, simulationParams: { blastDatabasePath: 'forms/o\u0308' } });
    expect(request?.attachments).to.deep.equal([volume]);
  });

  it('are those of the account and of the package of the scene file alone', async () => {
    const scene = await put('queries.fasta');
    const mine = await put('own/db.fasta');
    const { accountId, userId } = await newAccount(home.db, 0);
    const stranger = ownerOf(accountId, userId);
    const theirs = await put('own/db.fasta', { by: stranger });
    const other = await put('other.fasta', { projectId: '1b6f6a52-5d34-4a37-9b7d-3a1f8f0d6c11' });
    expect(await find(scene, 'own/db.fasta')).to.deep.equal([mine]);
    expect(await find(scene, 'own/db.fasta', stranger), 'a scene file of another account').to.deep.equal([]);
    expect(await find(theirs, 'own/db.fasta', stranger)).to.deep.equal([theirs]);
    expect(await find(other, 'own/db.fasta')).to.deep.equal([]);
  });

  it('that were announced and have not arrived are not found', async () => {
    const scene = await put('queries.fasta');
    const key = await put('late/db.fasta');
    await home.store.remove([key]);
    expect(await find(scene, 'late/db.fasta')).to.deep.equal([]);
  });

  it('become attachments of the job that names them, unless an attachment has the name', async () => {
    const sceneFile = await put('queries.fasta');
    const database = await put('sets/proteins.fasta');
    const asked = { sceneFile, simulationParams: { blastDatabasePath: '/sets/proteins.fasta' } };
    const { request, inputs } = await submit(asked);
    expect(request?.attachments).to.deep.equal([database]);
    expect(inputs.map(({ storageKey }) => storageKey)).to.deep.equal([sceneFile, database]);
    const attached = await put('elsewhere/sets/proteins.fasta');
    const own = await submit({ ...asked, attachments: [attached] });
    expect(own.request?.attachments).to.deep.equal([attached]);
    expect(await codeOf(submit({ ...asked, simulationParams: { blastDatabasePath: 'no.fasta' } }))).to.equal(
      'DATABASE_FILE_MISSING',
    );
  });
});
