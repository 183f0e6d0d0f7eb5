/** Exports of docking results: what is in them, that the same request is the same export, and what becomes of failed attempts. */
import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';

import type { ExportInput } from '../../src/contracts/docking.ts';
import type { ExportStart } from '../../src/adapters/temporal/client.ts';
import { exportPrefix } from '../../src/contracts/names.ts';
import type { Actor } from '../../src/domain/access.ts';
import type { CreateExportRequest } from '../../src/domain/docking-exports.ts';
import { createDockingExports } from '../../src/services/docking/exports/index.ts';
import { sweepExports } from '../../src/services/docking/exports/sweep.ts';
import { failExport, writeExport } from '../../src/services/docking/exports/write.ts';
import { createFileTurns } from '../../src/services/file-turns.ts';
import { addRun, dock, dockedBatch, dockedRecord, storePosesOf } from '../support/docking-batch.ts';
import type { DockedBatch } from '../support/docking-batch.ts';
import { eventsOf } from '../support/events-of.ts';
import { suiteHome } from '../support/home.ts';
import { createDiversity } from '../../src/adapters/chemistry/diversity.ts';
import { suiteDiversity } from '../support/diversity.ts';
import { suitePatterns } from '../support/patterns.ts';
import { codeOf } from '../support/refusals.ts';

const actorOf = ({ accountId, userId }: Pick<DockedBatch, 'accountId' | 'userId'>): Actor => ({
  ...{ kind: 'key', accountId, userId, plan: 'free', keyId: randomUUID(), environment: 'live' },
  scopes: ['jobs:read'],
});
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('exports of docking results', () => {
  const home = suiteHome();
  const patterns = suitePatterns();
  const diversity = suiteDiversity();
  let batch: DockedBatch;
  let started: ExportInput[] = [];
  let ways: (ExportStart | undefined)[] = [];
  const log = { warn: (): void => undefined };
  const workflows = {
    startExport: async (input: ExportInput, way?: ExportStart): Promise<void> => {
      started.push(input);
      ways.push(way);
    },
  };
  const services = (): ReturnType<typeof createDockingExports> =>
    createDockingExports({ db: home.db, patterns, diversity, workflows, log });
  const ask = async (body: Partial<CreateExportRequest> = {}, of = batch) => {
    const request = { format: 'csv', sort: 'affinity', ...body } as const;
    return (await services().create(actorOf(of), { kind: 'batch', id: of.batchId }, request)).export;
  };
  const turns = () => createFileTurns(home.db, { ofAccount: 4, inProcess: 4 });
  const make = async (exportId: string, of = batch) => {
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    await writeExport({ db: home.db, store: home.store, turns: turns() }, exportId, options);
    return (await services().get(actorOf(of), exportId)).export;
  };
  const bytesOf = async ({ artifact }: Awaited<ReturnType<typeof ask>>): Promise<Buffer> => {
    const opened = await home.store.read(artifact?.storage_key ?? '');
    const pieces: Buffer[] = [];
    for await (const piece of opened?.stream ?? []) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  };
  const linesOf = async (made: Awaited<ReturnType<typeof ask>>): Promise<string[][]> =>
    (await bytesOf(made))
      .toString('utf8')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
  /** Stores poses of a ligand, as its commit does. */
  const storePoses = async (ordinal: number, modes: number, of = batch, note = 'short'): Promise<string> => {
    const text = Array.from(
      { length: modes },
      (_, at) =>
        `l${ordinal}\n     RDKit          3D\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n` +
        `>  <ligandId>  (${at + 1}) \nl${ordinal}\n\n>  <mode>  (${at + 1}) \n${at + 1}\n\n>  <note>  (${at + 1}) \n${note}\n\n$$$$\n`,
    ).join('');
    return storePosesOf(home, of, ordinal, Buffer.from(text));
  };

  before(async () => {
    batch = await dockedBatch(home, 9, [2]);
    const warnings = [{ code: 'STEREO_UNSPECIFIED', message: 'one of two' }];
    await home.db.query(`update ligand_libraries set property_names = '{vendor}' where id = $1`, [
      batch.libraryId,
    ]);
    await home.db.query(
      `update ligand_library_records set label = '=1+1, "so"' where library_id = $1 and ligand_id = 'l1'`,
      [batch.libraryId],
    );
    await home.db.query(
      `update ligand_library_records set smiles = 'C1CC' where library_id = $1 and ligand_id = 'l5'`,
      [batch.libraryId],
    );
    await dock(home.db, batch.jobId, {
      0: dockedRecord([-7, -6], [[725], [718]]),
      1: dockedRecord([-9, -8], [[725, 718]], {
        warnings,
        smilesInput: 'CC(=O)O',
        smilesDocked: 'CC(=O)[O-]',
        descriptors: {
          ...{ molecularWeight: 60.052, logP: 0.091, tpsa: 37.3, donors: 1, acceptors: 1, rotatableBonds: 0 },
          ...{ qed: 0.43, alerts: ['PAINS: x', 'NIH: y'], scaffold: '' },
        },
        ...{ secondAffinityKcalMol: -6.5, secondRank: 2 },
      }),
      2: dockedRecord([-8], [[718]], { formalCharge: -1, ligandEfficiency: null }),
    });
    await home.db.query(
      `update tasks set state = case ordinal when 4 then 'RUNNING' when 5 then 'FAILED' when 7 then 'CANCELLED' else state end,
         failure_code = case when ordinal = 5 then 'LIGAND_EMBED_FAILED' end, failure_message = case when ordinal = 5 then 'no shape' end
       where job_id = $1 and kind = 'task' and ordinal between 4 and 7`,
      [batch.jobId],
    );
    for (const ordinal of [0, 1, 2]) await storePoses(ordinal, 2);
  });
  beforeEach(() => {
    [started, ways] = [[], []];
  });

  it('have what is there of a running batch, and say that it is not all', async () => {
    const asked = await ask();
    expect(asked).to.deep.include({
      ...{ status: 'QUEUED', complete: false, result_count: 6, artifact: null, failure: null },
      ...{ batch_id: batch.batchId, run_id: null, format: 'csv' },
    });
    expect(started).to.deep.equal([
      { exportId: asked.id, accountId: batch.accountId, format: 'csv', results: 6 },
    ]);
    const made = await make(asked.id);
    expect(made.status).to.equal('SUCCEEDED');
    const bytes = await bytesOf(made);
    expect(made.artifact).to.deep.include({
      byte_size: bytes.byteLength,
      sha256: sha256(bytes),
      kind: 'export',
    });
    const [header, ...rows] = bytes.toString('utf8').trimEnd().split('\r\n');
    expect(header).to.equal(
      'rank,ligand_id,label,status,best_affinity_kcal_mol,ligand_efficiency,size_independent_efficiency,pose_count,plausible_pose_count,heavy_atoms,formal_charge,smiles_input,smiles_docked,molecular_weight,log_p,tpsa,h_bond_donors,h_bond_acceptors,rotatable_bonds,qed,alerts,scaffold,second_affinity_kcal_mol,second_rank,key_interactions,cluster,states_docked,state_cost_kcal_mol,warnings,failure_code,failure_message,run_id,result_id,cached_from_result_id,library_line,input_vendor',
    );
    expect(rows.map((row) => row.split(',').slice(0, 2))).to.deep.equal([
      ['1', 'l1'],
      ['2', 'l2'],
      ['3', 'l2-again'],
      ['4', 'l0'],
      ['', 'l5'],
      ['', 'l7'],
    ]);
    expect(rows[0]).to.match(
      /^1,l1,"'=1\+1, ""so""",SUCCEEDED,-9,0\.25,2\.5,2,2,9,0,CC\(=O\)O,CC\(=O\)\[O-\],60.052,0.091,37.3,1,1,0,0.43,PAINS: x; NIH: y,,-6.5,2,hydrogen_bond:A:GLN718; hydrogen_bond:A:GLN725,,,,STEREO_UNSPECIFIED,,,/,
    );
    expect(rows[1]).to.match(
      new RegExp(
        `^2,l2,Label 2,SUCCEEDED,-8,,2.5,1,1,9,-1,C,C,(,){11}hydrogen_bond:A:GLN718,,,,,,,${batch.runId},`,
      ),
    );
    expect(rows[2]).to.match(/,10,$/);
    expect(rows[4]).to.match(/^,l5,Label 5,FAILED,,,,,,,,C1CC,(,){16},LIGAND_EMBED_FAILED,no shape,/);
    expect(rows[4]).to.match(/,6,v5$/);
  });

  it('are the same for the same request over the same results, and others after more results or at the end', async () => {
    const own = await dockedBatch(home, 3);
    await dock(home.db, own.jobId, { 1: dockedRecord([-5]) });
    const [first, ...same] = await Promise.all([ask({}, own), ask({}, own), ask({}, own)]);
    expect(same.map(({ id }) => id)).to.deep.equal([first?.id, first?.id]);
    expect((await ask({ topN: 1 }, own)).id).not.to.equal(first?.id);
    await dock(home.db, own.jobId, { 0: dockedRecord([-6]) });
    const later = await ask({}, own);
    expect([later.id === first?.id, later.result_count]).to.deep.equal([false, 2]);
    // The first export still has what was there when it was asked for.
    expect((await linesOf(await make(first?.id ?? '', own))).map(([, id]) => id)).to.deep.equal([
      'ligand_id',
      'l1',
    ]);
    await home.db.query(`update jobs set status = 'CANCELLED', finished_at = now() where id = $1`, [
      own.jobId,
    ]);
    const final = await ask({}, own);
    expect([final.id === later.id, final.complete, final.result_count]).to.deep.equal([false, true, 2]);
    const [a, b] = await Promise.all([
      ask({ interaction: ['hydrogen_bond:A:GLN725', 'hydrogen_bond:A:GLN718'] }),
      ask({ interaction: ['hydrogen_bond:A:GLN718', 'hydrogen_bond:A:GLN725', 'hydrogen_bond:A:GLN718'] }),
    ]);
    expect(a.id).to.equal(b.id);
  });

  it('have the filters, the order and the number of the results, with ranks among all docked ligands', async () => {
    const idsOf = async (body: Partial<CreateExportRequest>): Promise<string[]> => {
      const asked = await ask(body);
      const [, ...rows] = await linesOf(await make(asked.id));
      expect(rows).to.have.length(asked.result_count);
      return rows.map(([rank, id]) => `${rank}:${id}`);
    };
    expect(await idsOf({ topN: 2 })).to.deep.equal(['1:l1', '2:l2']);
    expect(await idsOf({ smarts: 'C(=O)[O-]' })).to.deep.equal(['1:l1']);
    expect(await idsOf({ descriptor: ['logP<=1'] })).to.deep.equal(['1:l1']);
    expect(await idsOf({ affinityAtMost: -8, sort: 'ligandId' })).to.deep.equal([
      '1:l1',
      '2:l2',
      '3:l2-again',
    ]);
    expect(await idsOf({ sort: 'efficiency', topN: 2 })).to.deep.equal(['4:l0', '1:l1']);
    expect(await idsOf({ status: 'FAILED' })).to.deep.equal([':l5']);
    expect(await idsOf({ warning: 'STEREO_UNSPECIFIED' })).to.deep.equal(['1:l1']);
    expect(await idsOf({ label: 'Label ' })).to.deep.equal(['2:l2', '4:l0', ':l5', ':l7']);
    const interaction = ['hydrogen_bond:A:GLN725', 'hydrogen_bond:A:GLN718'];
    expect(await idsOf({ interaction })).to.deep.equal(['1:l1']);
    expect(await idsOf({ interaction, maxMissing: 1 })).to.deep.equal(['1:l1', '2:l2', '3:l2-again', '4:l0']);
  });

  it('are those of the best that differ most, each structure once, as a table or as SMILES to be docked again', async () => {
    const picked = await ask({ topN: 3, diverse: 2 });
    expect(picked).to.include({ result_count: 2 });
    const lines = await linesOf(await make(picked.id));
    expect(lines.slice(1).map(([rank, id]) => `${rank}:${id}`)).to.deep.equal(['1:l1', '2:l2']);
    const smiles = await make((await ask({ format: 'smi', topN: 4, diverse: 3 })).id);
    expect((await bytesOf(smiles)).toString('utf8')).to.equal('CC(=O)O\tl1\nC\tl2\nC\tl0\n');
    expect(smiles.artifact).to.deep.include({ name: 'results.smi', format: 'smi' });
    const away = createDockingExports({
      ...{ db: home.db, patterns, workflows, log },
      diversity: createDiversity({ command: null, log }),
    });
    const request = { format: 'csv', sort: 'affinity', topN: 3, diverse: 2 } as const;
    const refused = away.create(actorOf(batch), { kind: 'batch', id: batch.batchId }, request);
    expect(await codeOf(refused)).to.equal('SERVICE_UNAVAILABLE');
  });

  it('are Parquet with the types of the columns and nulls', async () => {
    const made = await make((await ask({ format: 'parquet' })).id);
    const bytes = await bytesOf(made);
    const file = new Uint8Array(bytes).buffer;
    const rows = await parquetReadObjects({ file });
    expect(rows).to.have.length(6);
    expect(rows[0]).to.deep.include({
      ...{
        rank: 1,
        ligand_id: 'l1',
        label: '=1+1, "so"',
        best_affinity_kcal_mol: -9,
        warnings: 'STEREO_UNSPECIFIED',
      },
      ...{ failure_code: null, input_vendor: 'v1', library_line: 2 },
    });
    expect(rows[1]).to.deep.include({ ligand_efficiency: null, formal_charge: -1 });
    expect(rows[4]).to.deep.include({ rank: null, status: 'FAILED', best_affinity_kcal_mol: null });
    expect(made.artifact).to.deep.include({ name: 'results.parquet', format: 'parquet' });
  });

  it('are SDF of the best or of all modes, under the ids of the library, with receptor and box beside them', async () => {
    await home.db.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
       select gen_random_uuid(), $1, $2, 'prepare', 0, 'k' || name, name, kind, 'text/plain', null, 1, 'x'
       from (values ('receptor/prepared.pdb', 'prepared_receptor'), ('box.json', 'box'), ('receptor/preparation.json', 'preparation_report')) f (name, kind)`,
      [batch.accountId, batch.jobId],
    );
    const best = await make((await ask({ format: 'sdf' })).id);
    expect(best.query.poses).to.equal('best');
    expect(best.beside.map(({ name }) => name)).to.deep.equal(['box.json', 'receptor/prepared.pdb']);
    const text = (await bytesOf(best)).toString('utf8');
    const records = text.split('$$$$\n').slice(0, -1);
    expect(records.map((record) => record.split('\n')[0])).to.deep.equal(['l1', 'l2', 'l2-again', 'l0']);
    expect(records[2]).to.match(/> +<ligandId>[^\n]*\nl2-again\n\n/);
    expect(records[0]).to.include('> <rank>\n1\n\n> <label>\n=1+1, "so"\n\n');
    expect(records[0])
      .to.include('> <warnings>\nSTEREO_UNSPECIFIED\n\n')
      .and.to.include('> <input_vendor>\nv1\n\n');
    const all = await make((await ask({ format: 'sdf', poses: 'all', topN: 1 })).id);
    expect((await bytesOf(all)).toString('utf8').match(/<mode>[^\n]*\n\d/g)).to.have.length(2);
  });

  it('of any size are stored in parts, whole and with the digest that is told', async () => {
    const own = await dockedBatch(home, 5);
    const ordinals = [0, 1, 2, 3, 4];
    await dock(home.db, own.jobId, Object.fromEntries(ordinals.map((at) => [at, dockedRecord([at - 9])])));
    const note = 'n'.repeat(4 * 1024 * 1024);
    for (const ordinal of ordinals) await storePoses(ordinal, 1, own, note);
    const asked = await ask({ format: 'sdf' }, own);
    const parts: number[] = [];
    const store: typeof home.store = {
      ...home.store,
      putPart: (...part) => {
        parts.push(part[3].byteLength);
        return home.store.putPart(...part);
      },
    };
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    await writeExport({ db: home.db, store, turns: turns() }, asked.id, options);
    const { export: made } = await services().get(actorOf(own), asked.id);
    expect(made).to.deep.include({ status: 'SUCCEEDED', failure: null });
    const bytes = await bytesOf(made);
    expect(parts).to.have.length.above(2);
    expect([bytes.byteLength, sha256(bytes)]).to.deep.equal([
      made.artifact?.byte_size,
      made.artifact?.sha256,
    ]);
    const records = bytes.toString('utf8').split('$$$$\n').slice(0, -1);
    expect(records.map((record) => record.split('\n')[0])).to.deep.equal(['l0', 'l1', 'l2', 'l3', 'l4']);
    for (const record of records) expect(record.includes(`\n${note}\n`)).to.equal(true);
  });

  it('end as failed where poses have changed, name the ligand, leave nothing in the store, and are made anew by the same request', async () => {
    const own = await dockedBatch(home, 2);
    await dock(home.db, own.jobId, { 0: dockedRecord([-5]), 1: dockedRecord([-4]) });
    await storePoses(0, 1, own);
    const key = await storePoses(1, 1, own);
    const whole = await home.store.read(key);
    const pieces: Buffer[] = [];
    for await (const piece of whole?.stream ?? []) pieces.push(piece as Buffer);
    await home.store.put(key, Buffer.from('other'), 'text/plain');
    const asked = await ask({ format: 'sdf' }, own);
    const failed = await make(asked.id, own);
    expect(failed).to.deep.include({ status: 'FAILED', artifact: null });
    expect(failed.failure).to.deep.equal({
      code: 'EXPORT_SOURCE_CHANGED',
      message: 'The poses of the ligand l1 are not stored as they were verified.',
    });
    const left: string[] = [];
    for await (const page of home.store.list(exportPrefix(own.accountId, asked.id)))
      left.push(...page.map((object) => object.key));
    for await (const page of home.store.listMultiparts(exportPrefix(own.accountId, asked.id)))
      left.push(...page.map((upload) => upload.key));
    expect(left).to.deep.equal([]);
    await home.store.put(key, Buffer.concat(pieces), 'text/plain');
    const again = await ask({ format: 'sdf' }, own);
    expect([again.id, again.status, again.failure]).to.deep.equal([asked.id, 'QUEUED', null]);
    // The workflow that has failed may not have closed, and a third request finds the one that was started in its place.
    await ask({ format: 'sdf' }, own);
    expect(ways).to.deep.equal(['once', 'anew', 'once']);
    expect((await make(again.id, own)).status).to.equal('SUCCEEDED');
    const told = await eventsOf(home.db, own.accountId, 'docking.');
    expect(told.map(({ type }) => type)).to.deep.equal(['docking.export.failed', 'docking.export.made']);
  });

  it('keep the file of one attempt where two make the same export, and stay as they have ended', async () => {
    const { id } = await ask({ topN: 3 });
    const [one, two] = await Promise.all([make(id), make(id)]);
    expect([one.status, two.id]).to.deep.equal(['SUCCEEDED', id]);
    const made = await make(id);
    expect(one.artifact?.artifact_id ?? made.artifact?.artifact_id).to.equal(made.artifact?.artifact_id);
    const keys: string[] = [];
    for await (const page of home.store.list(exportPrefix(batch.accountId, id)))
      keys.push(...page.map((object) => object.key));
    expect(keys).to.deep.equal([made.artifact?.storage_key]);
    await failExport(home.db, id, 'EXPORT_CANCELLED', 'late');
    expect((await make(id)).status).to.equal('SUCCEEDED');
  });

  it('are those of a run, and of the newest run of each ligand', async () => {
    const own = await dockedBatch(home, 2);
    await dock(home.db, own.jobId, { 0: dockedRecord([-5]), 1: dockedRecord([-4]) });
    const next = await dockedBatch(home, 2);
    await home.db.query('delete from docking_runs where job_id = $1', [next.jobId]);
    await home.db.query(`delete from tasks where job_id = $1 and kind = 'task' and ordinal = 0`, [
      next.jobId,
    ]);
    await addRun(home, { ...own, jobId: next.jobId }, randomUUID(), 2);
    // The newest run of l1 has not ended, so that l1 is in no export of the batch.
    const waiting = await ask({}, own);
    expect((await linesOf(await make(waiting.id, own))).map(([, id]) => id)).to.deep.equal([
      'ligand_id',
      'l0',
    ]);
    await dock(home.db, next.jobId, { 1: dockedRecord([-9]) });
    const rows = await linesOf(await make((await ask({}, own)).id, own));
    expect(rows.slice(1).map(([rank, id, , , affinity]) => [rank, id, affinity])).to.deep.equal([
      ['1', 'l1', '-9'],
      ['2', 'l0', '-5'],
    ]);
    const of = { kind: 'run', id: own.runId } as const;
    const { export: first } = await services().create(actorOf(own), of, { format: 'csv', sort: 'affinity' });
    expect([first.run_id, first.batch_id, first.result_count]).to.deep.equal([own.runId, null, 2]);
    expect((await make(first.id, own)).status).to.equal('SUCCEEDED');
  });

  it('of nothing are refused with what is there, and leave no row; strangers find nothing', async () => {
    const empty = await dockedBatch(home, 2);
    const count = async (): Promise<unknown> =>
      home.db.query('select count(*)::int as n from docking_exports where batch_id = $1', [empty.batchId]);
    const refusal = await ask({}, empty).catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'NOTHING_TO_EXPORT');
    expect(refusal).to.have.property('message', 'No ligand has ended yet. The work is still going on.');
    expect(await codeOf(ask({ affinityAtMost: -50 }))).to.equal('NOTHING_TO_EXPORT');
    expect(await codeOf(ask({ format: 'sdf', status: 'FAILED' }))).to.equal('NOTHING_TO_EXPORT');
    expect(await count()).to.deep.equal([{ n: 0 }]);
    expect(started).to.deep.equal([]);
    const { id } = await ask();
    const stranger = actorOf(empty);
    expect(await codeOf(services().get(stranger, id))).to.equal('NOT_FOUND');
    expect(await codeOf(services().get(stranger, 'none'))).to.equal('NOT_FOUND');
    const of = { kind: 'batch', id: batch.batchId } as const;
    expect(await codeOf(services().create(stranger, of, { format: 'csv', sort: 'affinity' }))).to.equal(
      'NOT_FOUND',
    );
  });

  it('are started by the sweep where no workflow makes them, and what attempts have left is removed', async () => {
    const own = await dockedBatch(home, 1);
    await dock(home.db, own.jobId, { 0: dockedRecord([-5]) });
    const lost = await ask({}, own);
    await home.db.query(`update docking_exports set created_at = now() - interval '1 hour' where id = $1`, [
      lost.id,
    ]);
    started = [];
    const sweep = (): Promise<void> => sweepExports({ db: home.db, store: home.store, workflows });
    await sweep();
    expect(started.filter(({ exportId }) => exportId === lost.id)).to.have.length(1);
    const made = await make(lost.id, own);
    const stray = `${exportPrefix(own.accountId, lost.id)}stray-results.csv`;
    await home.store.put(stray, Buffer.from('x'), 'text/csv');
    await sweep();
    expect(await home.store.head(stray)).not.to.equal(null);
    await home.db.query(`update docking_exports set finished_at = now() - interval '3 hours' where id = $1`, [
      lost.id,
    ]);
    started = [];
    await sweep();
    expect(await home.store.head(stray)).to.equal(null);
    expect(await home.store.head(made.artifact?.storage_key ?? '')).not.to.equal(null);
    expect(started.filter(({ exportId }) => exportId === lost.id)).to.deep.equal([]);
  });
});
