/** The catalogue of databases: what is added is what was read, and what a job has pinned stays until the job has ended. */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { AuditEntryEntity } from '../../entities/audit.ts';
import type { AppError } from '../../src/domain/errors.ts';
import { operator } from '../../src/services/audit/index.ts';
import { addDatabase, verifyDatabases } from '../../src/services/databases/add.ts';
import { createDatabaseCatalogue, removeDatabase } from '../../src/services/databases/catalogue.ts';
import { storeFile } from '../../src/services/databases/store-file.ts';
import { sweepDatabases } from '../../src/services/databases/sweep.ts';
import { suiteHome } from '../support/home.ts';
import { refusalOf } from '../support/refusals.ts';
import { runningJob } from '../support/running-job.ts';

const SILENT = { step: () => undefined, bytes: () => undefined };
const PROTEINS = '>a one\nPQITLW\nQRPLV\n>b\nMKVLLAG*\n';

describe('a database of the catalogue', () => {
  const home = suiteHome();
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-catalogue-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const write = (content: string, name = 'source.fasta'): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const add = (name: string, content = PROTEINS, more: object = {}) =>
    addDatabase(
      home,
      {
        ...({ name, type: 'prot', version: '1', date: '2026-11-22', replace: false } as const),
        path: write(content),
        ...more,
      },
      SILENT,
    );
  const refusal = async (work: Promise<unknown>) => (await refusalOf(work)) as AppError;
  const find = (name: string) => createDatabaseCatalogue(home.db).find(name);
  const pin = async (key: string): Promise<string> => {
    const { jobId } = await runningJob(home);
    await home.db.query(
      `insert into job_inputs (job_id, storage_key, byte_size, sha256) values ($1, $2, 1, $3)`,
      [jobId, key, 'a'.repeat(64)],
    );
    return jobId;
  };
  const anHourLater = () =>
    home.db.query(`update databases set removed_at = removed_at - interval '61 minutes'`);
  const isThere = async (key: string): Promise<boolean> => (await home.store.head(key)) !== null;

  it('has the letters, sequences and checksum of its file, whose bytes are proved again', async () => {
    const added = await add('counted');
    expect(added).to.include({ sequences: 2, letters: 19, type: 'prot' });
    expect(added).to.deep.equal(await find('counted'));
    const [file] = added.files;
    expect(file?.sha256).to.equal(added.checksum);
    expect(await verifyDatabases(home, 'counted', SILENT)).to.deep.equal([
      { name: 'counted', ok: true, faults: [] },
    ]);
    await home.store.put(file?.storageKey ?? '', Buffer.from('>x\nM\n'), 'text/plain');
    expect(await verifyDatabases(home, 'counted', SILENT)).to.deep.equal([
      { name: 'counted', ok: false, faults: ['counted.fasta has other bytes'] },
    ]);
  });

  it('is refused when it is of another type, no FASTA, empty, away or there already', async () => {
    const refused = async (work: Promise<unknown>): Promise<string> => (await refusal(work)).message;
    expect(await refused(add('dna', '>n\nGAATTCCCGCTACAGGGG\n'))).to.match(
      /looks like .* type nucl, not prot/,
    );
    expect(await refused(add('text', 'MKV\n'))).to.match(/is no FASTA/);
    expect(await refused(add('empty', '\n'))).to.match(/has no sequence/);
    expect(await refused(add('away', '', { path: join(folder, 'away') }))).to.match(/There is no file/);
    expect(await refused(add('folder', '', { path: folder }))).to.match(/no volumes of type prot/);
    await add('twice');
    expect(await refused(add('twice'))).to.match(/already.*--replace/);
    expect(await find('dna')).to.equal(null);
  });

  it('that is replaced or removed is found no more, and stays as it was for the job that has pinned it', async () => {
    const first = await add('moving');
    const key = first.files[0]?.storageKey ?? '';
    const jobId = await pin(key);
    const second = await add('moving', '>c\nMKVLLAG\n', { replace: true, version: '2' });
    expect((await find('moving'))?.checksum).to.equal(second.checksum);
    expect(await removeDatabase(home.db, 'moving')).to.deep.equal({ openJobs: 0 });
    expect(await find('moving')).to.equal(null);
    expect((await refusal(removeDatabase(home.db, 'moving'))).code).to.equal('NOT_FOUND');

    await sweepDatabases(home);
    expect(await isThere(second.files[0]?.storageKey ?? ''), 'within the hour').to.equal(true);
    await anHourLater();
    await sweepDatabases(home);
    expect(await isThere(second.files[0]?.storageKey ?? '')).to.equal(false);
    expect(await isThere(key), 'pinned by an open job').to.equal(true);
    await home.db.query(`update jobs set finished_at = now(), status = 'FAILED' where id = $1`, [jobId]);
    await sweepDatabases(home);
    expect(await isThere(key)).to.equal(false);
  });

  it('is told of by the audit log, with who has added, replaced or removed it', async () => {
    const by = operator('ops');
    const entries = () =>
      home.db
        .getRepository(AuditEntryEntity)
        .find({ where: { subject: 'told' }, order: { createdAt: 'asc' } });
    const first = await add('told', PROTEINS, { by });
    const second = await add('told', '>c\nMKVLLAG\n', { replace: true, version: '2', by });
    await removeDatabase(home.db, 'told', by);
    await refusal(removeDatabase(home.db, 'told', by));
    await refusal(add('told', 'MKV\n', { by }));
    const about = { accountId: null, authorKind: 'operator', authorId: 'ops' };
    const [added, replaced, removed, ...more] = await entries();
    expect(more).to.deep.equal([]);
    const one = { version: '1', checksum: first.checksum };
    const two = { version: '2', checksum: second.checksum };
    const kind = { type: 'prot', date: '2026-11-22' };
    expect(added).to.deep.include({
      ...about,
      action: 'database.added',
      before: null,
      after: { ...kind, ...one },
    });
    expect(replaced).to.deep.include({
      ...about,
      action: 'database.added',
      before: one,
      after: { ...kind, ...two },
    });
    expect(removed).to.deep.include({ ...about, action: 'database.removed', before: two, after: null });
  });

  it('tells how many open jobs read it when it is removed', async () => {
    const { files } = await add('read');
    await pin(files[0]?.storageKey ?? '');
    expect(await removeDatabase(home.db, 'read')).to.deep.equal({ openJobs: 1 });
  });

  it('is stored in parts when it is large, and not at all when it changes meanwhile', async () => {
    const path = write('x'.repeat(65 * 1024 * 1024), 'large');
    const file = { fileName: 'large', path, byteSize: 65 * 1024 * 1024, sha256: 'b'.repeat(64) };
    const changed = await refusal(storeFile(home.store, 'databases/test/large', file, () => undefined));
    expect(changed.message).to.match(/has changed while it was read/);
    expect(await isThere('databases/test/large')).to.equal(false);
    const sha256 = hash('sha256', Buffer.alloc(file.byteSize, 'x'));
    await storeFile(home.store, 'databases/test/large', { ...file, sha256 }, () => undefined);
    expect(await home.store.hash('databases/test/large')).to.deep.equal({ byteSize: file.byteSize, sha256 });
  });
});
