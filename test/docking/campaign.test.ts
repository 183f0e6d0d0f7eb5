/**
 * `npm run test:science`: a batch of 500 real molecules, with salts, metals and dyes among them as chemists registered them, docked by
 * AutoDock Vina at exhaustiveness 1 through the public API. None is lost, ranking, results and exports say the same, each pose is the
 * molecule that it should be, and what was docked is what is charged.
 *
 * `DOCKYARD_CAMPAIGN_LIGANDS=100` makes a short one.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import type { DockingBatchResponse, DockingExportRequest, DockingResult } from '../../src/client/types.ts';
import { verifyReceipt } from '../../src/services/receipts/verify.ts';
import type { DockingBench } from '../support/docking.ts';
import { openDockingBench, root } from '../support/docking.ts';
import { until } from '../support/until.ts';

const LIGANDS = Number(process.env['DOCKYARD_CAMPAIGN_LIGANDS'] ?? 500);
const BATCH_MS = 100 * 60_000;
/** Of this list most molecules are ligands; metals and mixtures are not. */
const LEAST_DOCKED = 0.9;
/** A hold is rounded up to a penny, a charge down. */
const ROUNDING_PENCE = 1;

type Batch = DockingBatchResponse['batch'];

/** A pose of an export, as RDKit reads it. */
interface Pose {
  readonly id: string;
  readonly charge: number;
  readonly heavyAtoms: number;
  readonly isDocked: boolean;
  readonly isWhole: boolean;
}

describe(`a batch of ${String(LIGANDS)} real molecules`, function () {
  this.timeout(BATCH_MS);
  let bench: DockingBench;
  let folder = '';
  let library: ReadonlyMap<string, string> = new Map();
  let request: object = {};
  let batch: Batch;
  let results: DockingResult[] = [];
  before(async () => {
    bench = await openDockingBench();
    folder = await bench.scratch('campaign');
  });
  after(() => bench.close());

  const ended = async (name: string): Promise<Batch> => {
    const { client } = bench;
    const { batch: begun, jobId } = await client.docking.createBatch({ ...request, name });
    await client.waitForEnd(jobId);
    return (await client.docking.batch(begun.id)).batch;
  };
  const all = async (batchId: string): Promise<DockingResult[]> => {
    const found: DockingResult[] = [];
    for await (const result of bench.client.docking.results({ batchId }, { sort: 'affinity' }))
      found.push(result);
    return found;
  };
  const exported = async (wanted: DockingExportRequest): Promise<string> => {
    const { client } = bench;
    const { export: made } = await client.docking.waitForExport({ batchId: batch.id }, wanted);
    expect(made, JSON.stringify(made.failure)).to.include({ status: 'SUCCEEDED', complete: true });
    const path = join(folder, `${made.id}.${wanted.format}`);
    await client.downloadArtifact(made.artifact?.artifact_id ?? '', path);
    return path;
  };
  const docked = (): DockingResult[] => results.filter(({ status }) => status === 'SUCCEEDED');

  it('has one result for each molecule, and says why of each that was not docked', async () => {
    const { client } = bench;
    const table = join(folder, 'library.csv');
    expect(await bench.reference('real_library.py', 'library', String(LIGANDS), table)).to.equal(LIGANDS);
    library = new Map(
      rowsOf(await readFile(table, 'utf8')).map(({ name = '', smiles = '' }) => [name, smiles]),
    );
    const [receptor, ligands] = await Promise.all([
      stored(join(root, 'examples', '1a28', '1a28.pdb'), 'pdb'),
      stored(table, 'csv'),
    ]);
    request = {
      receptor: { source: { kind: 'artifact', artifact: receptor }, chains: ['A'] },
      libraryArtifactId: ligands.artifactId,
      parameters: {
        box: { derivation: { kind: 'ligand', componentId: 'STR', chain: 'A' } },
        protocol: { exhaustiveness: 1, numModes: 3, seed: 42 },
      },
    };
    batch = await ended('campaign');
    results = await all(batch.id);
    expect(results.map(({ ligand_id: id }) => id).sort()).to.deep.equal([...library.keys()].sort());
    const failed = results.filter(({ status }) => status === 'FAILED');
    const codes = failed.map(({ failure }) => failure?.code ?? 'NONE');
    console.log(`      ${String(docked().length)} docked; failed: ${JSON.stringify(tally(codes))}`);
    console.log(`      warnings: ${JSON.stringify(tally(docked().flatMap(warningsOf)))}`);
    expect(docked().length + failed.length).to.equal(LIGANDS);
    expect(docked().length).to.be.at.least(LEAST_DOCKED * LIGANDS);
    for (const { ligand_id: id, failure } of failed) {
      expect(failure?.code, id).to.match(/^LIGAND_/);
      expect(failure?.message, id).to.match(/\w/);
    }
    const { failures, progress } = await client.status(batch.job_id);
    expect(progress).to.include({ total: batch.counts.total, completed: batch.counts.succeeded });
    expect(progress).to.include({ failed: batch.counts.failed });
    expect(failures.length).to.be.at.most(failed.length);
    expect(batch).to.include({
      ligand_count: LIGANDS,
      status: failed.length > 0 ? 'PARTIALLY_SUCCEEDED' : 'SUCCEEDED',
    });
    // Equal molecules are docked once and listed each.
    expect(batch.counts.succeeded + batch.counts.failed)
      .to.equal(batch.counts.total)
      .and.at.most(LIGANDS);
  });

  it('is ranked the same by results, ranking.csv and the exports', async () => {
    const { client } = bench;
    const ranks = docked().map(({ rank }) => rank);
    expect(ranks).to.deep.equal(ranks.map((_rank, at) => at + 1));
    const scores = docked().map(({ best_affinity_kcal_mol: best }) => best ?? Infinity);
    expect(scores).to.deep.equal(scores.toSorted((a, b) => a - b));
    const line = (result: DockingResult): string =>
      [
        ...[result.rank ?? '', result.ligand_id, result.best_affinity_kcal_mol ?? '', result.status],
        ...[result.failure?.code ?? '', result.smiles_input ?? '', result.smiles_docked ?? ''],
        ...[result.formal_charge ?? '', [...new Set(warningsOf(result))].sort().join('; ')],
        result.input_properties['nsc'] ?? '',
      ].join(' ');
    const cells = (names: readonly string[]) => (row: Readonly<Record<string, string>>) =>
      names.map((name) => row[name] ?? `no ${name}`).join(' ');
    const shared = ['smiles_input', 'smiles_docked', 'formal_charge', 'warnings', 'input_nsc'];
    const listed = results.map(line).sort();
    const ranking = join(folder, 'ranking.csv');
    for await (const output of client.outputs(batch.job_id, { kind: 'ranking' }))
      await client.download(output, ranking);
    const ranked = ['rank', 'ligandId', 'best_affinity_kcal_mol', 'status', 'failure_code', ...shared];
    expect(
      rowsOf(await readFile(ranking, 'utf8'))
        .map(cells(ranked))
        .sort(),
    ).to.deep.equal(listed);
    const csv = rowsOf(await readFile(await exported({ format: 'csv' }), 'utf8'));
    const columns = ['rank', 'ligand_id', 'best_affinity_kcal_mol', 'status', 'failure_code', ...shared];
    expect(csv.map(cells(columns)).sort()).to.deep.equal(listed);
    expect(csv.slice(0, docked().length).map(({ rank }) => Number(rank))).to.deep.equal(ranks);
  });

  it('has poses that are the molecules that were docked, with their charges and stereo', async () => {
    const poses = (await bench.reference(
      'real_library.py',
      ...['poses', await exported({ format: 'sdf' })],
    )) as readonly Pose[];
    expect(poses.map(({ id }) => id)).to.deep.equal(docked().map(({ ligand_id: id }) => id));
    const wrong = poses.filter(({ charge, heavyAtoms, isDocked, isWhole }, at) => {
      const { formal_charge: told, heavy_atoms: atoms } = docked()[at] ?? {};
      return !(isDocked && isWhole && charge === told && heavyAtoms === atoms);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('costs what was docked, by the prices of the estimate', async () => {
    const { client } = bench;
    const { executions, chargedCents } = await client.bill(batch.job_id);
    const [bill] = executions;
    const tasks = bill?.lines.reduce((sum, line) => sum + (line.tasks ?? 0), 0);
    expect(tasks, 'tasks of the bill').to.equal(batch.counts.succeeded);
    const once = new Map(docked().map((result) => [result.smiles_input, result]));
    const { heldCents } = await client.estimate({
      ...{ jobType: 'simulation', simulator: 'autodock-vina' },
      simulationParams: {
        ...{ exhaustiveness: 1, numModes: 3 },
        ligandLibrary: [...once.values()].map(({ ligand_id: ligandId, smiles_input: smiles }) => ({
          ...{ ligandId, label: ligandId, source: { kind: 'smiles' as const, smiles: smiles ?? '' } },
        })),
      },
    });
    expect(once.size).to.equal(batch.counts.succeeded);
    expect(chargedCents).to.be.within(heldCents - ROUNDING_PENCE, heldCents);
    expect(bill).to.include({ chargedCents, releasedCents: (bill?.heldCents ?? 0) - chargedCents });
  });

  it('is taken from before by an equal batch, for the start fee, and its receipt proves it', async () => {
    const { client } = bench;
    const again = await ended('again');
    const taken = await all(again.id);
    const facts = ({ ligand_id: id, best_affinity_kcal_mol: best, failure }: DockingResult): string =>
      [id, best, failure?.code].join(' ');
    expect(taken.map(facts)).to.deep.equal(results.map(facts));
    expect(taken.filter(({ cached_from_result_id: from }) => from !== null)).to.have.length(docked().length);
    const { chargedCents, executions } = await client.bill(again.job_id);
    expect(executions[0]?.lines.map(({ kind }) => kind)).to.deep.equal(['start_fee']);
    expect(chargedCents).to.be.at.most(ROUNDING_PENCE);
    await until('the receipt is signed', async () => {
      const receipt = await client.docking.runReceipt(again.run_id).catch(() => null);
      return receipt !== null && verifyReceipt(receipt, await client.receiptKeys()).ok;
    });
  });

  const stored = async (path: string, format: 'pdb' | 'csv') => {
    const { storageKey } = await bench.client.upload({ path });
    return (await bench.client.registerArtifact({ storageKey, format })).artifact;
  };
});

function warningsOf({ warnings }: DockingResult): string[] {
  return warnings.map(({ code }) => code);
}

function tally(codes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** The rows of a CSV by the names of its columns. */
function rowsOf(text: string): Record<string, string>[] {
  const [header = [], ...rows] = text.trimEnd().split(/\r?\n/).map(cellsOf);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}

function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
