/**
 * `npm run test:science`: a batch that stops by its rule, docked by AutoDock Vina with one slot and with three, ligand by ligand and ten
 * at a time. It stops at the same ligand, with the same ranking and the same poses. What failed is docked again where its code is named.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import type { DockingBatchResponse, DockingResult } from '../../src/client/types.ts';
import { openDockingBench, root } from '../support/docking.ts';
import type { DockingBench } from '../support/docking.ts';
import { endTestStack, startTestStack } from '../support/stack.ts';
import type { Stack } from '../../src/stack/stack.ts';

const MINUTES = 60_000;
/** Small molecules that dock in about a second, and one that nobody can read. */
const MOLECULES: readonly (readonly [name: string, smiles: string])[] = [
  ...[
    'phenol:Oc1ccccc1',
    'pyridine:c1ccncc1',
    'toluene:Cc1ccccc1',
    'aniline:Nc1ccccc1',
    'indole:c1ccc2[nH]ccc2c1',
  ],
  ...[
    'anisole:COc1ccccc1',
    'benzamide:NC(=O)c1ccccc1',
    'quinoline:c1ccc2ncccc2c1',
    'naphthalene:c1ccc2ccccc2c1',
  ],
  ...[
    'cyclohexanol:OC1CCCCC1',
    'thiophene:c1ccsc1',
    'furan:c1ccoc1',
    'imidazole:c1c[nH]cn1',
    'acetanilide:CC(=O)Nc1ccccc1',
  ],
  ...[
    'biphenyl:c1ccc(cc1)-c1ccccc1',
    'benzoic-acid:OC(=O)c1ccccc1',
    'cresol:Cc1ccc(O)cc1',
    'catechol:Oc1ccccc1O',
  ],
  ...[
    'resorcinol:Oc1cccc(O)c1',
    'hydroquinone:Oc1ccc(O)cc1',
    'chlorobenzene:Clc1ccccc1',
    'benzonitrile:N#Cc1ccccc1',
  ],
  ...[
    'styrene:C=Cc1ccccc1',
    'coumarin:O=c1ccc2ccccc2o1',
    'morpholine:C1COCCN1',
    'piperidine:C1CCNCC1',
    'broken:c1ccccc',
  ],
].map((text): [string, string] => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)]);
const RULE = { topN: 3, unchangedFor: 6 };
const SHARDS = [1, 10];

type Batch = DockingBatchResponse['batch'];

/** What a batch has found: where it stopped, its ranking, and the bytes of its poses. */
interface Found {
  readonly stop: Batch['stopped_at'];
  readonly ranked: readonly string[];
  readonly poses: readonly string[];
}

describe('a batch of AutoDock Vina that stops by its rule', function () {
  this.timeout(30 * MINUTES);
  let stack: Stack | undefined;
  let bench: DockingBench | undefined;
  const open = async (slots: number): Promise<DockingBench> => {
    stack = await startTestStack({
      settings: {
        ...{ DOCKYARD_RATE_LIMIT_SCALE: '100', DOCKYARD_MAX_INSTANCES_PER_JOB: '1' },
        ...{ DOCKYARD_INSTANCE_SLOTS: String(slots), DOCKYARD_INSTANCE_VCPUS: String(slots) },
      },
    });
    bench = await openDockingBench(stack);
    return bench;
  };
  const close = async (): Promise<void> => {
    await bench?.close();
    if (stack !== undefined) await endTestStack(stack);
    [bench, stack] = [undefined, undefined];
  };
  afterEach(close);

  const requestFor = async (of: DockingBench): Promise<object> => {
    const { client } = of;
    const path = join(await of.scratch('library'), 'library.csv');
    await writeFile(
      path,
      ['name;smiles', ...MOLECULES.map(([name, smiles]) => `${name};"${smiles}"`)].join('\n'),
    );
    const stored = async (file: string, format: 'pdb' | 'csv') => {
      const { storageKey } = await client.upload({ path: file });
      return (await client.registerArtifact({ storageKey, format })).artifact;
    };
    const [receptor, ligands] = await Promise.all([
      stored(join(root, 'examples', '1a28', '1a28.pdb'), 'pdb'),
      stored(path, 'csv'),
    ]);
    return {
      receptor: { source: { kind: 'artifact', artifact: receptor }, chains: ['A'] },
      libraryArtifactId: ligands.artifactId,
      parameters: {
        box: { derivation: { kind: 'ligand', componentId: 'STR', chain: 'A' } },
        protocol: { exhaustiveness: 1, numModes: 2, seed: 7 },
      },
      reuse: 'never',
    };
  };
  const ended = async ({ client }: DockingBench, request: object): Promise<Batch> => {
    const { batch, jobId } = await client.docking.createBatch({ name: 'stop', ...request });
    await client.waitForEnd(jobId);
    return (await client.docking.batch(batch.id)).batch;
  };
  const resultsOf = async ({ client }: DockingBench, batchId: string): Promise<readonly DockingResult[]> => {
    const results: DockingResult[] = [];
    for await (const result of client.docking.results({ batchId }, { sort: 'affinity' }))
      results.push(result);
    return results;
  };
  const foundIn = async (of: DockingBench, batch: Batch): Promise<Found> => {
    const results = await resultsOf(of, batch.id);
    const ranked = results.filter(({ status }) => status === 'SUCCEEDED');
    expect(batch.counts).to.include({ succeeded: ranked.length, total: MOLECULES.length });
    const failures = results.flatMap(({ failure }) => failure?.code ?? []);
    expect(new Set(failures), batch.id).to.be.a('set').that.includes('STOP_RULE');
    const poses = ranked.flatMap(({ artifacts, ligand_id: id }) =>
      artifacts.flatMap(({ kind, sha256 }) => (kind === 'poses' ? [`${id} ${sha256}`] : [])),
    );
    expect(poses).to.have.length(ranked.length);
    return {
      stop: batch.stopped_at,
      ranked: ranked.map(({ rank, ligand_id: id, best_affinity_kcal_mol: best }) => `${rank} ${id} ${best}`),
      poses,
    };
  };

  it('stops at the same ligand with one slot and with three, in shards of one and of ten', async () => {
    const found: Found[] = [];
    for (const slots of [1, 3]) {
      const of = await open(slots);
      const request = await requestFor(of);
      for (const shardSize of SHARDS) {
        const batch = await ended(of, { ...request, stopWhen: RULE, dockingExecution: { shardSize } });
        found.push(await foundIn(of, batch));
      }
      await close();
    }
    const [first] = found;
    expect(first?.stop?.place)
      .to.be.at.least(RULE.topN + RULE.unchangedFor)
      .and.below(MOLECULES.length);
    console.log(`      stopped at ${JSON.stringify(first?.stop)} of ${String(MOLECULES.length)}`);
    for (const other of found) expect(other).to.deep.equal(first);
  });

  it('docks again what failed where its code is named, in a run of its own whose answer counts', async () => {
    const of = await open(2);
    const { client } = of;
    const before = await ended(of, await requestFor(of));
    expect(before).to.include({ status: 'PARTIALLY_SUCCEEDED', runs: 1 });
    const failed = (await resultsOf(of, before.id)).filter(({ status }) => status === 'FAILED');
    expect(failed.map(({ ligand_id: id, failure }) => [id, failure?.code])).to.deep.equal([
      ['broken', 'LIGAND_PARSE_FAILED'],
    ]);
    const nothing = await client.docking.retryFailed(before.id, {}).catch((error: unknown) => error);
    expect(nothing).to.have.property('code', 'NOTHING_TO_RETRY');
    const { run, jobId } = await client.docking.retryFailed(before.id, { codes: ['LIGAND_PARSE_FAILED'] });
    expect(run).to.include({ batch_id: before.id, number: 2 });
    await client.waitForEnd(jobId);
    const { batch } = await client.docking.batch(before.id);
    expect(batch).to.include({ status: 'PARTIALLY_SUCCEEDED', runs: 2, job_id: jobId });
    expect(batch.counts).to.deep.equal(before.counts);
    const again = (await resultsOf(of, before.id)).find(({ ligand_id: id }) => id === 'broken');
    expect(again).to.include({ run_id: run.id, status: 'FAILED' });
    const { executions } = await client.bill(jobId);
    expect(executions[0]?.lines.map(({ kind }) => kind)).to.deep.equal(['start_fee']);
  });
});
