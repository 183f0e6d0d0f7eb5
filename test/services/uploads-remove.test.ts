/** Stored files that their customer deletes: the room comes back at once, and what something needs stays. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Actor } from '../../src/domain/access.ts';
import { registerArtifact } from '../../src/services/artifacts.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { checkInputs } from '../../src/services/jobs/inputs.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { createUploadUrl } from '../../src/services/uploads/index.ts';
import { removeFile, uploadUsage } from '../../src/services/uploads/remove-file.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import type { Owner } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

const CONTENT = Buffer.from('ATOM\n');
const QUOTA = { free: 12, pro: 1_000 };

describe('a stored file', () => {
  const home = suiteHome();
  let owner: Owner;
  let actor: Actor;
  beforeEach(async () => {
    owner = await newAccount(home.db, 1_000);
    actor = ownerOf(owner.accountId, owner.userId);
  });

  const deps = () => ({
    ...{ db: home.db, store: home.store, quotaBytes: QUOTA },
    digests: createDigestReader(home.store),
  });
  interface Stored {
    readonly key: string;
    readonly uploadId: string;
  }
  /** A file that has arrived and was named once. */
  const stored = async (): Promise<Stored> => {
    const file = { filename: 'a.pdb', contentType: 'text/plain', size: CONTENT.byteLength };
    const { s3Key: key } = await createUploadUrl(deps(), actor, file);
    await home.store.put(key, CONTENT, 'text/plain');
    await checkInputs(deps(), actor.accountId, [{ path: 'sceneFile', storageKey: key, reference: null }]);
    const [row] = await home.db.query<{ upload_id: string }[]>(
      'select upload_id from stored_objects where storage_key = $1',
      [key],
    );
    return { key, uploadId: row?.upload_id ?? '' };
  };
  const remove = ({ uploadId }: Stored, by = actor): Promise<void> => removeFile(deps(), by, uploadId);
  const usage = () => uploadUsage(deps(), actor);
  const refusedFor = async (file: Stored, what: string): Promise<void> => {
    const message = `a.pdb is needed by ${what}.`;
    expect(await refusalOf(remove(file))).to.include({ code: 'FILE_IN_USE', message });
    expect((await home.store.head(file.key))?.byteSize).to.equal(CONTENT.byteLength);
  };

  it('is deleted, its room is given back, and a repeat and a crash before the end change nothing', async () => {
    const [file, other] = [await stored(), await stored()];
    const reservation = { filename: 'b', contentType: 'text/plain', size: 2 };
    await createUploadUrl(deps(), actor, reservation);
    expect(await usage()).to.deep.equal({ usedBytes: 10, reservedBytes: 2, quotaBytes: 12, files: 2 });
    expect(await codeOf(createUploadUrl(deps(), actor, reservation))).to.equal('STORAGE_QUOTA_EXCEEDED');
    // The bytes are gone already, as after a crash between the store and the row.
    await home.store.remove([file.key]);
    await remove(file);
    await remove(file);
    expect(await usage()).to.deep.equal({ usedBytes: 5, reservedBytes: 2, quotaBytes: 12, files: 1 });
    await createUploadUrl(deps(), actor, reservation);
    expect(await home.store.head(other.key), 'the other one').to.not.equal(null);
    const named = checkInputs(deps(), actor.accountId, [
      { path: 'sceneFile', storageKey: file.key, reference: null },
    ]);
    expect(await codeOf(named)).to.equal('INPUT_NOT_FOUND');
  });

  it('of another account is not found, and one that is not stored yet is not deleted', async () => {
    const file = await stored();
    const stranger = await newAccount(home.db, 0);
    expect(await codeOf(remove(file, ownerOf(stranger.accountId, stranger.userId)))).to.equal('NOT_FOUND');
    expect(await codeOf(removeFile(deps(), actor, randomUUID()))).to.equal('NOT_FOUND');
    await home.db.query(`update stored_objects set state = 'UPLOADING' where storage_key = $1`, [file.key]);
    expect(await codeOf(remove(file))).to.equal('UPLOAD_INCOMPLETE');
    expect(await home.store.head(file.key)).to.not.equal(null);
  });

  it('stays while an open job needs it, and goes when the job has ended', async () => {
    const file = await stored();
    const { jobId, ...admission } = admissionOf(owner, {
      inputs: [{ storageKey: file.key, byteSize: CONTENT.byteLength, sha256: null }],
    });
    await admitJob(home.db, { ...admission, jobId }, randomUUID());
    await refusedFor(file, `job ${jobId}`);
    await home.database.tamper(`update jobs set status = 'CANCELLED', finished_at = now() where id = $1`, [
      jobId,
    ]);
    await remove(file);
    expect(await home.store.head(file.key)).to.equal(null);
  });

  it('stays while an experiment, a batch or a kept revision names it; what only registered it goes with it', async () => {
    const file = await stored();
    const registered = await registerArtifact(deps(), actor, { storageKey: file.key, format: 'pdb' });
    const { artifact } = registered.response;
    const { accountId, userId } = owner;
    const insert = async (table: string, row: Readonly<Record<string, unknown>>): Promise<void> => {
      const names = Object.keys(row);
      await home.db.query(
        `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      );
    };
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const [experiment = '', batch = '', project = ''] = ids;
    const whose = { account_id: accountId, user_id: userId, name: 'n', parameters: '{}' };
    await insert('docking_experiments', {
      ...{ ...whose, id: experiment, ligand_identity: '{}' },
      receptor_identity: JSON.stringify({ source: { kind: 'artifact', artifact } }),
    });
    await refusedFor(file, `experiment ${experiment}`);
    await home.database.tamper('delete from docking_experiments where id = $1', [experiment]);
    await insert('docking_batches', {
      ...{ ...whose, id: batch, engine: 'noop', receptor_artifact_id: artifact.artifactId },
      ...{ library_sha256: 's', ligand_count: 1, shard_size: 1 },
    });
    await refusedFor(file, `batch ${batch}`);
    await home.database.tamper(
      'update docking_batches set receptor_artifact_id = null, library_sha256 = $2 where id = $1',
      [...[batch, artifact.sha256]],
    );
    await refusedFor(file, `batch ${batch}`);
    await home.database.tamper('delete from docking_batches where id = $1', [batch]);
    const content = { account_id: accountId, content_sha256: 's' };
    await insert('molecular_contents', { account_id: accountId, sha256: 's', bytes: Buffer.from('{}') });
    await insert('molecular_projects', {
      ...{ id: project, account_id: accountId, name: 'n', description: '', current_version: 1 },
    });
    await insert('molecular_revisions', {
      ...{ ...content, project_id: project, version: 1, byte_size: 2, message: '' },
    });
    await insert('molecular_sources', { ...content, address: 'a', artifact_id: artifact.artifactId });
    await refusedFor(file, `revision 1 of project ${project}`);
    await home.database.tamper('delete from molecular_sources where account_id = $1', [accountId]);
    await remove(file);
    const left = await home.db.query('select 1 from artifacts where id = $1', [artifact.artifactId]);
    expect(left).to.deep.equal([]);
  });
});
