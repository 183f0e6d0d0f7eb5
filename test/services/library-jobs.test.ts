/** Jobs over a ligand library: what their tasks read, what their ranking lists, and what a dry run answers. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { ArtifactEntity } from '../../entities/storage.ts';
import type { SimulationParams, SubmitJobRequest } from '../../src/domain/requests.ts';
import { createInputFolder } from '../../src/instance/inputs.ts';
import { createJobFiles } from '../../src/services/execution/claim/job-files.ts';
import { finishedJob } from '../../src/services/docking/records/finished.ts';
import { loadJob } from '../../src/services/job-records/request.ts';
import { dryRunReport } from '../../src/services/docking/dry-run.ts';
import { createLibraries, libraryUseOf } from '../../src/services/libraries/libraries.ts';
import type { OpenedLibrary } from '../../src/services/libraries/libraries.ts';
import { createConfirmations } from '../../src/services/ligands/confirmation.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { newAccount } from '../support/admissions.ts';
import { dock, dockedBatch, dockedRecord } from '../support/docking-batch.ts';
import { suiteHome } from '../support/home.ts';
import { NO_SIZES } from '../support/prices.ts';
import { runningJob } from '../support/running-job.ts';
import { digestOf } from '../support/stores.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const PREPARATION = { protonationPh: 7.4, addHydrogens: true, generate3d: true } as const;
const TABLE = 'name,smiles,MW\nethanol,CCO,46\nspirit,CCO,46\nbroken,not SMILES,\nbenzene,c1ccccc1,78\n';
const LIMITS = { maxInstances: 1, slotsPerInstance: 2, vcpusPerInstance: 2 };
const SETTINGS = {
  ...{ instanceSlots: 2, instanceVcpus: 2, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 1, taskTimeoutSeconds: 60 },
};

async function listed<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

describe('a job over a library', () => {
  const home = suiteHome();
  const tools = createToolRegistry({ testTools: TEST_TOOLS });
  let library: OpenedLibrary;

  before(async () => {
    const { accountId } = await newAccount(home.db, 0);
    const [id, storageKey] = [uuidv7(), `accounts/${accountId}/uploads/table`];
    await home.store.put(storageKey, Buffer.from(TABLE), 'text/csv');
    await home.db.getRepository(ArtifactEntity).insert({
      ...{
        id,
        accountId,
        storageKey,
        name: 'table.csv',
        kind: 'upload',
        mediaType: 'text/csv',
        format: 'csv',
      },
      ...{ byteSize: TABLE.length, sha256: digestOf(TABLE) },
    });
    const confirmations = createConfirmations('ab'.repeat(32));
    library = await createLibraries({ db: home.db, store: home.store, confirmations }).open(
      { accountId },
      id,
    );
  });

  const started = async (toolId: string, params: SimulationParams = {}) => {
    const libraryUse = libraryUseOf(library, PREPARATION);
    const request: SubmitJobRequest = {
      ...{ jobType: 'simulation', simulator: toolId },
      simulationParams: { ...params, libraryUse },
    };
    const inputs = libraryUse.file === null ? [] : [libraryUse.file];
    return runningJob(home, [], { request, inputs, toolId, simulator: toolId });
  };

  it('has a task for each record that equals none before it, and each task reads its own bytes alone', async () => {
    const { jobId } = await started('noop');
    const rows = await home.db.query<{ item_id: string }[]>(
      `select item_id from tasks where job_id = $1 and kind = 'task' order by ordinal`,
      [jobId],
    );
    expect(rows.map(({ item_id: id }) => id)).to.deep.equal(['ethanol', 'broken', 'benzene']);
    const job = await loadJob(home.db, home.store, jobId);
    const files = await createJobFiles(
      { db: home.db, store: home.store, urlSeconds: 900 },
      job,
      tools.find('noop'),
    );
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-records-'));
    const inputs = createInputFolder(folder);
    try {
      const context = await files.context('task');
      const read = async (ordinal: number): Promise<string[]> => {
        const reads = await files.taskInputs('task', ordinal, context);
        const staged = await files.inputs(
          'task',
          reads.map(({ from }) => from),
        );
        const paths = await inputs.fetch(staged, AbortSignal.timeout(30_000));
        return Promise.all(Object.values(paths).map((path) => readFile(path, 'utf8')));
      };
      expect(await read(0)).to.deep.equal(['CCO']);
      expect(await read(1), 'a record that cannot be read').to.deep.equal([]);
      expect(await read(2)).to.deep.equal(['c1ccccc1']);
      const [staged] = await files.inputs('task', ['ligands/record-2']);
      if (staged?.range === undefined) return expect.fail('the record is a part of the file');
      const { start } = staged.range;
      for (const [range, code] of [
        [{ start: start - 1, end: start + 7 }, 'INPUT_DIGEST_MISMATCH'],
        [{ start: 10_000, end: 10_008 }, 'INPUT_DIGEST_MISMATCH'],
      ] as const) {
        const other = { ...staged, name: `other-${range.start}`, range };
        const refused: unknown = await inputs
          .fetch([other], AbortSignal.timeout(30_000))
          .catch((error: unknown) => error);
        expect(refused).to.include({ code });
      }
    } finally {
      await inputs.close();
      await rm(folder, { recursive: true });
    }
  });

  it('ranks each id of equal records, and tells what the table says of it', async () => {
    const { jobId } = await started('autodock-vina');
    await home.db.query(
      `insert into docking_results (id, job_id, ordinal, execution, ligand_id, best_affinity_kcal_mol, smiles_input, smiles_docked,
         formal_charge, warnings)
       values (gen_random_uuid(), $1, 0, 1, 'ethanol', -2, 'CCO', 'CCO', 0, '[{"code":"B","message":"b"},{"code":"A","message":"a"},{"code":"A","message":"c"}]'),
         (gen_random_uuid(), $1, 2, 1, 'benzene', -4, 'c1ccccc1', 'c1ccccc1', 0, '[]')`,
      [jobId],
    );
    await home.db.query(
      `update tasks set state = case ordinal when 0 then 'SUCCEEDED' when 1 then 'RUNNING' else 'PENDING' end
       where job_id = $1 and kind = 'task'`,
      [jobId],
    );
    const job = await finishedJob(home.db.manager, { jobId, numbers: [], libraryId: library.id });
    const docked = await listed(job.docked());
    expect(
      docked.map(({ ligandId, listed, warningCodes }) => [ligandId, listed?.sameAs, warningCodes]),
    ).to.deep.equal([
      ['benzene', null, []],
      ['ethanol', null, ['A', 'B']],
      ['spirit', 'ethanol', ['A', 'B']],
    ]);
    expect(docked.map(({ listed }) => listed?.properties)).to.deep.equal([
      { MW: '78' },
      { MW: '46' },
      { MW: '46' },
    ]);
    const tasks = await listed(job.tasks());
    expect(tasks.map(({ itemId, ordinal, isDocked }) => [itemId, ordinal, isDocked])).to.deep.equal([
      ['ethanol', 0, true],
      ['spirit', 0, true],
      ['broken', 1, false],
      ['benzene', 2, true],
    ]);
    expect(job.propertyNames).to.deep.equal(['MW']);
    expect(
      tasks.map(({ state }) => state),
      'what nobody decided is cancelled in the files of the end',
    ).to.deep.equal(['SUCCEEDED', 'SUCCEEDED', 'CANCELLED', 'CANCELLED']);
  });

  it('of more ligands than a page is read to its end, and each ligand once, where pages end among equal ones, too', async () => {
    const [count, equal] = [2_100, Array.from({ length: 40 }, (_, at) => 980 + at)];
    const { jobId, libraryId } = await dockedBatch(home, count, equal);
    // Scores that are equal, too, so that a page of the ranking ends within one score.
    const scoreOf = (ordinal: number): number => -4 - (ordinal % 3);
    const records = Array.from({ length: 1_500 }, (_, ordinal) => [
      ordinal,
      dockedRecord([scoreOf(ordinal)]),
    ]);
    await dock(home.db, jobId, Object.fromEntries(records) as Parameters<typeof dock>[2]);
    const names = (ordinal: number): readonly string[] =>
      equal.includes(ordinal) ? [`l${ordinal}`, `l${ordinal}-again`] : [`l${ordinal}`];
    const job = await finishedJob(home.db.manager, { jobId, numbers: [], libraryId });
    expect((await listed(job.tasks())).map(({ itemId }) => itemId)).to.deep.equal(
      Array.from({ length: count }, (_, ordinal) => names(ordinal)).flat(),
    );
    const ranked = records
      .flatMap((_, ordinal) => names(ordinal).map((name) => ({ name, score: scoreOf(ordinal) })))
      .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
    expect((await listed(job.docked())).map(({ ligandId }) => ligandId)).to.deep.equal(
      ranked.map(({ name }) => name),
    );
  });

  it('that is a dry run answers counts by code and warning, and the price of what can be docked', async () => {
    const { jobId } = await started('autodock-vina', { dryRun: true });
    await home.db.query(
      `update tasks set state = case ordinal when 1 then 'FAILED' else 'SUCCEEDED' end,
         failure_code = case ordinal when 1 then 'LIGAND_PARSE_FAILED' end where job_id = $1 and kind = 'task'`,
      [jobId],
    );
    await home.db.query(
      `insert into docking_preparations (job_id, ordinal, states, warnings) values ($1, 0, 1, '[{"code":"A","message":"a"},{"code":"A","message":"b"}]'),
         ($1, 2, 4, '[{"code":"A","message":"a"},{"code":"B","message":"b"}]')`,
      [jobId],
    );
    const quotes = createQuotes(loadPriceBook(), {
      current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
    });
    const deps = { db: home.db, store: home.store, tools, quotes, settings: SETTINGS };
    const { price, ...counts } = await dryRunReport(deps, jobId);
    expect(counts).to.deep.equal({
      ...{ ligands: 3, ready: 2, failures: { LIGAND_PARSE_FAILED: 1 } },
      warnings: { A: 2, B: 1 },
      states: { 1: 1, 4: 1 },
    });
    const job = await loadJob(home.db, home.store, jobId);
    const vina = tools.find('autodock-vina');
    const dry = vina.planning.price(
      job.request,
      vina.planning.plan(job.request, LIMITS),
      loadPriceBook(),
      NO_SIZES,
    );
    expect(dry).to.deep.include({ storageMicro: 0, egressMicro: 0 });
    expect(dry.model === 'fixed' && dry.classes.every(({ perTaskMicro }) => perTaskMicro === 0)).to.equal(
      true,
    );
    expect(price?.estimated_cost, 'the price of two ligands').to.be.above(dry.startFeeMicro / 1e6);
    expect(price).to.include({ currency: 'USD', credit_currency: 'GBP' });
  });
});
