/** Ligand libraries: indexed once, in rows and with one unpacked copy, and refused without a trace. */
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { ArtifactEntity } from '../../entities/storage.ts';
import type { Actor } from '../../src/domain/access.ts';
import type { LigandIdentity, SubmitJobRequest } from '../../src/domain/requests.ts';
import { sweepRequests } from '../../src/services/execution/sweep/sweep.ts';
import { createLibraries, libraryUseOf } from '../../src/services/libraries/libraries.ts';
import { sweepLibraries } from '../../src/services/libraries/sweep.ts';
import type { Libraries, LibraryOfRequest } from '../../src/services/libraries/libraries.ts';
import { withoutRecords, withRecords } from '../../src/services/libraries/records.ts';
import { createConfirmations } from '../../src/services/ligands/confirmation.ts';
import { sha256 } from '../../src/tools/canonical.ts';
import { ownerOf } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { packedBomb } from '../support/docking-ligands.ts';
import { DIALECTS } from '../support/ligand-dialects.ts';
import { suiteHome } from '../support/home.ts';
import { refusalOf } from '../support/refusals.ts';
import { digestOf } from '../support/stores.ts';

const PREPARATION = { protonationPh: 7.4, addHydrogens: true, generate3d: true } as const;
const TABLE = 'Compound;SMILES;MW\nethanol;CCO;46\nspirit;CCO;46\nbroken;not a SMILES;1\nmethane;C;16\n';

describe('a ligand library of an account', () => {
  const home = suiteHome();
  let actor: Actor;
  let libraries: Libraries;
  let reads: string[] = [];

  before(async () => {
    const { accountId, userId } = await newAccount(home.db, 1000);
    actor = ownerOf(accountId, userId);
    const store: typeof home.store = Object.assign(Object.create(home.store), {
      read: (...asked: Parameters<typeof home.store.read>) => {
        reads.push(asked[0]);
        return home.store.read(...asked);
      },
    });
    libraries = createLibraries({ db: home.db, store, confirmations: createConfirmations('ab'.repeat(32)) });
  });
  beforeEach(() => (reads = []));

  const register = async (
    content: string | Uint8Array,
    format: string,
    accountId: string = actor.accountId,
  ): Promise<string> => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const [id, storageKey] = [uuidv7(), `accounts/${accountId}/uploads/${uuidv7()}`];
    await home.store.put(storageKey, bytes, 'text/plain');
    await home.db.getRepository(ArtifactEntity).insert({
      ...{ id, accountId, storageKey, name: 'library', kind: 'upload', mediaType: 'text/plain', format },
      ...{ byteSize: bytes.byteLength, sha256: digestOf(bytes) },
    });
    return id;
  };
  const jobWith = (libraryUse: ReturnType<typeof libraryUseOf>): SubmitJobRequest => ({
    jobType: 'simulation',
    simulator: 'noop',
    simulationParams: { libraryUse },
  });
  const traces = async (): Promise<number> => {
    const [row] = await home.db.query<{ n: number }[]>(
      `select (select count(*) from ligand_libraries where account_id = $1)::int
         + (select count(*) from ligand_library_records r join ligand_libraries l on l.id = r.library_id where l.account_id = $1)::int as n`,
      [actor.accountId],
    );
    return row?.n ?? -1;
  };
  const copies = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const page of home.store.list(`accounts/${actor.accountId}/libraries/`))
      keys.push(...page.map(({ key }) => key));
    return keys;
  };

  it('is read once, whoever asks, and every record is found by its bytes in the unpacked copy', async () => {
    for (const content of [TABLE, gzipSync(TABLE)]) {
      const artifactId = await register(content, 'csv');
      const [first, second] = await Promise.all([
        libraries.open(actor, artifactId),
        libraries.open(actor, artifactId),
      ]);
      expect(second.id).to.equal(first.id);
      expect((await libraries.open(actor, await register(content, 'csv'))).id, 'the same bytes').to.equal(
        first.id,
      );
      expect(first).to.include({ recordCount: 4, taskCount: 3, unreadableCount: 1 });
      expect(first.propertyNames).to.deep.equal(['MW']);
      expect(new Set(reads).size, 'files that were read').to.equal(1);
      reads = [];
      const copy = await home.store.hash(first.storageKey ?? '');
      expect(copy).to.deep.equal({ byteSize: TABLE.length, sha256: sha256(TABLE) });
      const loaded = await withRecords(home.db, jobWith(libraryUseOf(first, PREPARATION)));
      const records = loaded.simulationParams?.libraryUse?.records ?? [];
      expect(records.map(({ ligandId }) => ligandId)).to.deep.equal(['ethanol', 'broken', 'methane']);
      for (const { source } of records) {
        if (source.kind !== 'record') throw new Error('a record of a file has its place');
        const bytes = TABLE.slice(source.start, source.end);
        expect(sha256(bytes)).to.equal(source.sha256);
        expect([bytes, source.line, source.heavyAtoms]).to.deep.equal(
          source.fault === null
            ? source.line === 2
              ? ['CCO', 2, 3]
              : ['C', 5, 1]
            : ['not a SMILES', 4, null],
        );
      }
      expect(withoutRecords(loaded)).to.deep.equal(jobWith(libraryUseOf(first, PREPARATION)));
    }
    expect(await copies()).to.have.length(2);
  });

  it('has the ligands that were meant, whatever program or vendor wrote it', async () => {
    for (const [what, [format, content, wanted]] of Object.entries(DIALECTS)) {
      const library = await libraries.open(actor, await register(content, format));
      const rows = await home.db.query<{ id: string; start: number; end: number; fault: string | null }[]>(
        `select ligand_id as id, start_byte::int as start, end_byte::int as end, fault
         from ligand_library_records where library_id = $1 order by ordinal`,
        [library.id],
      );
      const bytes = Buffer.from(content);
      const found = rows.map(({ id, start, end, fault }, at) => {
        const structure = bytes.toString('utf8', start, end);
        const length = format === 'sdf' ? wanted[at]?.[1]?.length : undefined;
        return [id, fault === null ? structure.slice(0, length) : null];
      });
      expect(found, what).to.deep.equal(wanted.map(([id, structure]) => [id, structure]));
    }
  });

  it('knows which further columns do not stay with its ligands, and a batch over it says so', async () => {
    const names = Array.from({ length: 34 }, (_, n) => `p${n}`);
    const table = `smiles,name,${names.join(',')}\nC,a,${names.map((_, n) => n).join(',')}\n`;
    const library = await libraries.open(actor, await register(table, 'csv'));
    expect(library.propertyNames).to.deep.equal(names.slice(0, 32));
    expect(library.losses).to.deep.equal({ leftOut: ['p32', 'p33'], cut: [], withoutColumn: [] });
    expect((await libraries.open(actor, await register(TABLE, 'csv'))).losses).to.equal(null);
  });

  it('gives a job the ligands of chosen records, equal ones as their first', async () => {
    const library = await libraries.open(actor, await register(TABLE, 'csv'));
    const idsOf = async (only: number[]): Promise<unknown> => {
      const loaded = await withRecords(home.db, jobWith(libraryUseOf(library, PREPARATION, { only })));
      return loaded.simulationParams?.libraryUse?.records?.map(({ ligandId }) => ligandId);
    };
    expect(await idsOf([3, 1])).to.deep.equal(['ethanol', 'methane']);
    expect(await idsOf([0, 1, 2])).to.deep.equal(['ethanol', 'broken']);
    const rows = await home.db.query<{ ligand_id: string; same_as: number | null; properties: unknown }[]>(
      'select ligand_id, same_as, properties from ligand_library_records where library_id = $1 order by ordinal',
      [library.id],
    );
    expect(rows.map((row) => Object.values(row))).to.deep.equal([
      ['ethanol', null, { MW: '46' }],
      ['spirit', 0, { MW: '46' }],
      ['broken', null, { MW: '1' }],
      ['methane', null, { MW: '16' }],
    ]);
  });

  it('gives them in an order that the seed alone decides', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${'C'.repeat(n + 1)} m${n}`);
    const orderOf = async (text: readonly string[], shuffledBy?: number): Promise<readonly string[]> => {
      const library = await libraries.open(actor, await register(text.join('\n'), 'smi'));
      const order = shuffledBy === undefined ? {} : { shuffledBy };
      const loaded = await withRecords(home.db, jobWith(libraryUseOf(library, PREPARATION, order)));
      return loaded.simulationParams?.libraryUse?.records?.map(({ ligandId }) => ligandId) ?? [];
    };
    const given = await orderOf(lines);
    const shuffled = await orderOf(lines, 7);
    expect(shuffled).not.to.deep.equal(given);
    expect(shuffled).to.have.members(given);
    expect(await orderOf(lines.toReversed(), 7)).to.deep.equal(shuffled);
    expect(await orderOf(lines, 8)).not.to.deep.equal(shuffled);
    const fewer = await orderOf(lines.slice(1), 7);
    expect(fewer).to.deep.equal(shuffled.filter((id) => id !== 'm0'));
  });

  it('stays a day after it was opened last, and as long as a batch names it', async () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, n) => `C${'N'.repeat(n)} s${n}`).join('\n');
    const artifacts = [
      await register(lines(3), 'smi'),
      await register(lines(4), 'smi'),
      await register(lines(5), 'smi'),
    ];
    const [idle, named, opened] = await Promise.all(artifacts.map((id) => libraries.open(actor, id)));
    await home.db.query(
      `update ligand_libraries set used_at = now() - interval '25 hours' where account_id = $1`,
      [actor.accountId],
    );
    await libraries.open(actor, artifacts[2] ?? '');
    await home.db.query(
      `insert into docking_batches (id, account_id, user_id, name, engine, parameters, library_id, library_sha256, ligand_count, shard_size)
       values ($1, $2, $3, 'b', 'noop', 'null', $4, 'x', 4, 1)`,
      [uuidv7(), actor.accountId, actor.userId, named?.id],
    );
    await sweepLibraries({ db: home.db, store: home.store });
    const left = await home.db.query<{ id: string }[]>(
      'select id from ligand_libraries where account_id = $1',
      [actor.accountId],
    );
    const ids = left.map(({ id }) => id);
    expect(ids).to.include.members([named?.id, opened?.id]);
    expect(ids).not.to.include(idle?.id);
    expect(await copies()).to.include.members([named?.storageKey, opened?.storageKey]);
    expect(await copies()).not.to.include(idle?.storageKey);
    // What is asked for again is indexed anew.
    expect((await libraries.open(actor, artifacts[0] ?? '')).id).not.to.equal(idle?.id);
  });

  it('is forgotten by whoever made it, unless it was there before, was opened since, or is named by a batch', async () => {
    const lines = (name: string): string => `C ${name}\nCC other\n`;
    const alone = await libraries.open(actor, await register(lines('alone'), 'smi'));
    const before = [await traces(), (await copies()).length];
    const artifactId = await register(lines('refused'), 'smi');
    const [one, two] = await Promise.all([
      libraries.open(actor, artifactId),
      libraries.open(actor, artifactId),
    ]);
    const [maker, guest] = one.madeAt === null ? [two, one] : [one, two];
    expect(guest).to.deep.equal({ ...maker, madeAt: null });
    // The guest has opened the library since, and may be about to name it.
    for (const opened of [guest, maker]) await libraries.forget(opened);
    expect((await libraries.open(actor, artifactId)).id).to.equal(maker.id);
    const lone = await libraries.open(actor, await register(lines('lone'), 'smi'));
    await libraries.forget(lone);
    expect(await copies()).not.to.include(lone.storageKey);
    expect((await libraries.open(actor, await register(lines('lone'), 'smi'))).id).not.to.equal(lone.id);
    await home.db.query(
      `insert into docking_batches (id, account_id, user_id, name, engine, parameters, library_id, library_sha256, ligand_count, shard_size)
       values ($1, $2, $3, 'b', 'noop', 'null', $4, 'x', 2, 1)`,
      [uuidv7(), actor.accountId, actor.userId, alone.id],
    );
    await libraries.forget(alone);
    expect(await copies()).to.include(alone.storageKey);
    // Two libraries of two records each have come, with a copy of each.
    expect([await traces(), (await copies()).length]).to.deep.equal([
      Number(before[0]) + 6,
      Number(before[1]) + 2,
    ]);
  });

  it('is opened also by a request that meets it between its own two looks, and so not forgotten', async () => {
    const artifactId = await register('C met\nCC other\n', 'smi');
    const made: LibraryOfRequest[] = [];
    const db: typeof home.db = Object.assign(Object.create(home.db), {
      query: async (...asked: Parameters<typeof home.db.query>): Promise<unknown> => {
        const answer: unknown = await home.db.query(...asked);
        if (made.length === 0) made.push(await libraries.open(actor, artifactId));
        return answer;
      },
    });
    const confirmations = createConfirmations('ab'.repeat(32));
    const guest = await createLibraries({ db, store: home.store, confirmations }).open(actor, artifactId);
    for (const maker of made) await libraries.forget(maker);
    expect(guest).to.deep.equal({ ...made[0], madeAt: null });
    expect((await libraries.open(actor, artifactId)).id).to.equal(guest.id);
  });

  it('may be a list of a request, which is one library however often it is sent', async () => {
    const ligand = (ligandId: string, smiles: string): LigandIdentity => ({
      ...{ ligandId, label: ligandId, source: { kind: 'smiles', smiles }, preparation: PREPARATION },
    });
    const list = [ligand('a', 'CCO'), ligand('b', 'C'), ligand('c', 'CCO')];
    const [first, second] = [await libraries.openList(actor, list), await libraries.openList(actor, list)];
    expect(second).to.deep.equal({ ...first, madeAt: null });
    expect(first).to.include({ recordCount: 3, taskCount: 2, storageKey: null });
    const loaded = await withRecords(home.db, jobWith(libraryUseOf(first, PREPARATION)));
    expect(loaded.simulationParams?.libraryUse?.records).to.deep.equal(list.slice(0, 2));
    expect((await libraries.openList(actor, list.slice(1))).id).to.not.equal(first.id);
  });

  it('is refused with a code, and leaves no row and no object', async () => {
    const before = [await traces(), (await copies()).length];
    const stranger = (await newAccount(home.db, 0)).accountId;
    const cases: readonly (readonly [string, string, string])[] = [
      [uuidv7(), 'INPUT_NOT_FOUND', 'libraryArtifactId'],
      ['no id', 'INPUT_NOT_FOUND', 'libraryArtifactId'],
      [await register('C a\n', 'smi', stranger), 'INPUT_NOT_FOUND', 'libraryArtifactId'],
      [await register('C a\n', 'pdb'), 'ARTIFACT_MISMATCH', 'smi, csv, sdf'],
      [await register('# none\n', 'smi'), 'LIBRARY_EMPTY', 'no record'],
      [await register('C\n'.repeat(10_001), 'smi'), 'LIBRARY_TOO_LARGE', '10000'],
      [await register('Compound,Structure\na,CCO\n', 'csv'), 'LIBRARY_COLUMN_MISSING', 'Compound, Structure'],
      [await register(Buffer.from('C a\n', 'utf16le'), 'smi'), 'LIBRARY_UNREADABLE', 'UTF-16'],
      [await register(`C a\nC ${'x'.repeat(10_000_000)}`, 'smi'), 'LIBRARY_RECORD_TOO_LARGE', 'Line 2'],
      [await register(packedBomb(), 'smi'), 'LIBRARY_TOO_LARGE', 'unpacked file'],
    ];
    for (const [artifactId, code, text] of cases) {
      const error = await refusalOf(libraries.open(actor, artifactId));
      expect(error).to.include({ code });
      expect(String(error)).to.include(text);
    }
    expect([await traces(), (await copies()).length]).to.deep.equal(before);
  });

  it('is refused where the file was changed after it was registered', async () => {
    const artifactId = await register('C a\nCC b\n', 'smi');
    const { storageKey } = await home.db.getRepository(ArtifactEntity).findOneByOrFail({ id: artifactId });
    await home.store.put(storageKey, Buffer.from('C a\nCN b\n'), 'text/plain');
    const before = [await traces(), (await copies()).length];
    expect(await refusalOf(libraries.open(actor, artifactId))).to.include({ code: 'CHECKSUM_MISMATCH' });
    expect([await traces(), (await copies()).length]).to.deep.equal(before);
  });

  it('keeps its copy when the sweep looks for what a crash left, and the sweep removes what it left', async () => {
    const library = await libraries.open(actor, await register('C a\nCCC b\n', 'smi'));
    const orphan = { id: uuidv7(), key: `accounts/${actor.accountId}/libraries/orphan` };
    await home.store.put(orphan.key, Buffer.from('C a\n'), 'text/plain');
    await home.db.query('insert into stored_requests (request_key, job_id) values ($1, $2)', [
      orphan.key,
      orphan.id,
    ]);
    await home.db.query(`update stored_requests set stored_at = now() - interval '2 hours'`);
    await sweepRequests(home);
    const left = await copies();
    expect(left).to.include(library.storageKey);
    expect(left).to.not.include(orphan.key);
  });
});
