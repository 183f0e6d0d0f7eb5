/**
 * `npm run test:science`: the same molecules docked again by AutoDock Vina. Under other names, and sent as a list and not as a file, the
 * earlier results stand for them, for the start fee alone; docked anew with the same seed they have the same bytes. The receipt of
 * each batch is proven.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import type { DockingBatchResponse } from '../../src/client/types.ts';
import { verifyReceipt } from '../../src/services/receipts/verify.ts';
import type { DockingBench } from '../support/docking.ts';
import { openDockingBench, root, smilesLigand } from '../support/docking.ts';
import { until } from '../support/until.ts';

const MINUTES = 60_000;
const MOLECULES = { phenol: 'Oc1ccccc1', pyridine: 'c1ccncc1', acetanilide: 'CC(=O)Nc1ccccc1' } as const;
const NAMES = Object.keys(MOLECULES);
/** Names of a ligand's files in which no time stands. */
const COMPARED = ['poses.sdf', 'poses.pdbqt'];

type Batch = DockingBatchResponse['batch'];

describe('the same molecules again', function () {
  this.timeout(20 * MINUTES);
  let bench: DockingBench;
  let request: object = {};
  let library = '';
  let first: Batch;
  before(async () => {
    bench = await openDockingBench();
    const folder = await bench.scratch('again');
    const path = join(folder, 'library.csv');
    const rows = Object.entries(MOLECULES).map(([name, smiles]) => `${name};"${smiles}"`);
    await writeFile(path, ['name;smiles', ...rows].join('\n'));
    const [receptor, ligands] = await Promise.all([
      stored(join(root, 'examples', '1a28', '1a28.pdb'), 'pdb'),
      stored(path, 'csv'),
    ]);
    library = ligands.artifactId;
    request = {
      receptor: { source: { kind: 'artifact', artifact: receptor }, chains: ['A'] },
      parameters: {
        box: { derivation: { kind: 'ligand', componentId: 'STR', chain: 'A' } },
        protocol: { exhaustiveness: 1, numModes: 3, seed: 42 },
      },
    };
    first = await ended('first', { libraryArtifactId: library });
  });
  after(() => bench.close());

  const stored = async (path: string, format: 'pdb' | 'csv') => {
    const { storageKey } = await bench.client.upload({ path });
    return (await bench.client.registerArtifact({ storageKey, format })).artifact;
  };
  const ended = async (name: string, more: object): Promise<Batch> => {
    const { client } = bench;
    const { batch, jobId } = await client.docking.createBatch({ ...request, ...more, name });
    await client.waitForEnd(jobId);
    const { batch: done } = await client.docking.batch(batch.id);
    expect(done).to.deep.include({ status: 'SUCCEEDED' });
    expect(done.counts).to.include({ total: NAMES.length, succeeded: NAMES.length });
    return done;
  };
  /** The digests of the compared files, by their names; names of ligands are replaced by what they are called in the first batch. */
  const filesOf = async ({ job_id: jobId }: Batch, prefix = ''): Promise<ReadonlyMap<string, string>> => {
    const files = new Map<string, string>();
    for await (const { name, sha256 } of bench.client.outputs(jobId)) {
      const isCompared = COMPARED.some((file) => name.endsWith(`/${file}`) && name.startsWith('ligands/'));
      if (isCompared) files.set(name.replace(`ligands/${prefix}`, 'ligands/'), sha256);
    }
    expect(files.size).to.equal(NAMES.length * COMPARED.length);
    return files;
  };
  const isProven = async ({ run_id: runId }: Batch): Promise<void> => {
    await until('the receipt is signed and proven', async () => {
      const receipt = await bench.client.docking.runReceipt(runId).catch(() => null);
      return receipt !== null && verifyReceipt(receipt, await bench.client.receiptKeys()).ok;
    });
  };

  it('under other names and as a list are taken from before, with the bytes that were verified, for the start fee', async () => {
    const ligands = Object.entries(MOLECULES).map(([name, smiles]) => smilesLigand(`new-${name}`, smiles));
    const again = await ended('renamed', { ligands });
    const taken: string[] = [];
    for await (const result of bench.client.docking.results({ batchId: again.id }, { sort: 'affinity' })) {
      expect(result.cached_from_result_id, result.ligand_id).not.to.equal(null);
      taken.push(result.ligand_id);
    }
    expect(taken.sort()).to.deep.equal(NAMES.map((name) => `new-${name}`).sort());
    expect(await filesOf(again, 'new-')).to.deep.equal(await filesOf(first));
    const { executions } = await bench.client.bill(again.job_id);
    expect(executions[0]?.lines.map(({ kind }) => kind)).to.deep.equal(['start_fee']);
    await isProven(again);
  });

  it('docked anew with one seed have the same bytes', async () => {
    const again = await ended('anew', { libraryArtifactId: library, reuse: 'never' });
    for await (const result of bench.client.docking.results({ batchId: again.id }, { sort: 'affinity' }))
      expect(result.cached_from_result_id, result.ligand_id).to.equal(null);
    expect(await filesOf(again)).to.deep.equal(await filesOf(first));
    await isProven(first);
    await isProven(again);
  });
});
