/** What a job reads of the project package of its scene file becomes its attachments, as the package is at the submit. */
import { expect } from 'chai';

import type { JobStart } from '../../src/adapters/temporal/client.ts';
import type { JobAdmission } from '../../src/contracts/job.ts';
import type { Actor } from '../../src/domain/access.ts';
import { createDatabaseCatalogue } from '../../src/services/databases/catalogue.ts';
import { packageFiles } from '../../src/services/jobs/package-files.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { createSubmit } from '../../src/services/jobs/submit.ts';
import { createConfirmations } from '../../src/services/ligands/confirmation.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createDigestReader } from '../../src/services/stored-digests.ts';
import { createUploadUrl } from '../../src/services/uploads/index.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';

const SETTINGS = {
  ...{ provider: 'local', instanceSlots: 2, instanceVcpus: 2, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 1, taskTimeoutSeconds: 60 },
  ...{ admissionWaitSeconds: 20, admitBySeconds: 60, maxHistoryEvents: 8000, commitDelayMs: 50 },
  ...{ computeHeartbeatSeconds: 15, computePickupSeconds: 15, capacityPollSeconds: 10 },
};
const RATES = {
  current: () => Promise.resolve({ rateMicro: 790_000, origin: 'book', ageSeconds: 0 } as const),
};
const PROJECT = '0a6f6a52-5d34-4a37-9b7d-3a1f8f0d6c11';
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
    packageFiles(home, by.accountId, { sceneFile, path });
  const submit = async (body: object): Promise<JobAdmission> => {
    const admissions: JobAdmission[] = [];
    const submitJob = createSubmit({
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store) },
      ...{ tools: createToolRegistry({ testTools: false }), quotes: createQuotes(loadPriceBook(), RATES) },
      offers: { require: async () => undefined },
      catalogue: createDatabaseCatalogue(home.db),
      workflows: {
        async startJob({ admission }: JobStart) {
          admissions.push(admission);
          return { kind: 'decided', decision: await admitJob(home.db, admission, 'run') } as const;
        },
      },
      ...{ settings: SETTINGS, confirmations: createConfirmations('0'.repeat(64)) },
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
    expect(await find(scene, 'data/db')).to.have.members([newer, ...volumes]);
    for (const path of ['db.fasta', 'data', 'data/d', '../data/db.fasta', 'data/%', ''])
      expect(await find(scene, path), path).to.deep.equal([]);
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
