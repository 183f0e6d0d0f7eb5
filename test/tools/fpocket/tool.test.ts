import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { chargePence } from '../../../src/domain/charge.ts';
import { quote } from '../../../src/domain/pricing.ts';
import type { SimulationParams, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { dropUnused } from '../../../src/domain/unused-fields.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { viewScript } from '../../../src/tools/fpocket/finish.ts';
import { fpocket } from '../../../src/tools/fpocket/index.ts';
import type { FinishedTask } from '../../../src/tools/finished.ts';
import { endOf, textOf } from '../../support/finished-job.ts';

const LIMITS = { maxInstances: 8, slotsPerInstance: 2, vcpusPerInstance: 2 };
const ARTIFACT = {
  ...({ schema: 'svc.docking.artifact/v1', artifactId: 'a' } as const),
  ...{ storageKey: 'accounts/a/uploads/u/1a28.pdb', sha256: 'b'.repeat(64) },
  ...{ byteSize: 10, mediaType: 'chemical/x-pdb', format: 'pdb' as const },
};
const search = (
  simulationParams: SimulationParams,
  rest: Partial<SubmitJobRequest> = {},
): SubmitJobRequest => ({ jobType: 'simulation', simulator: 'fpocket', simulationParams, ...rest });
const codeOf = (request: SubmitJobRequest, estimate = false): unknown => {
  try {
    fpocket.request.check(request, estimate);
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe('fpocket: a request', () => {
  it('names exactly one structure, in a format that holds one', () => {
    expect(codeOf(search({ receptorPdbId: '1a28' }))).to.equal(null);
    expect(codeOf(search({ receptorArtifact: ARTIFACT }))).to.equal(null);
    expect(codeOf(search({}, { sceneFile: 'accounts/a/uploads/u/1.cif' }))).to.equal(null);
    expect(codeOf(search({}))).to.equal('INPUT_MISSING');
    expect(codeOf(search({ receptorPdbId: '1a28', receptorArtifact: ARTIFACT }))).to.equal('INPUT_CONFLICT');
    expect(codeOf(search({ receptorPdbId: '1a28' }, { sceneFile: 'x' }), true)).to.equal('INPUT_CONFLICT');
    expect(codeOf(search({ receptorArtifact: { ...ARTIFACT, format: 'sdf' } }))).to.equal('VALIDATION_ERROR');
  });

  it('may be without a structure at an estimate, and is one task', () => {
    expect(codeOf(search({}), true)).to.equal(null);
    expect(codeOf(search({ receptorPdbId: '1a28' }, { taskCount: 1 }))).to.equal(null);
    expect(codeOf(search({ receptorPdbId: '1a28' }, { taskCount: 2 }))).to.equal('TASK_COUNT_MISMATCH');
  });

  it('is warned of every other parameter, which is dropped', () => {
    const sent = search({
      receptorPdbId: '1a28',
      maxPockets: 3,
      receptorModel: 2,
      seed: 7,
      exhaustiveness: 8,
    });
    const { request, unused } = dropUnused(sent, { id: fpocket.about.id, ...fpocket.request });
    expect(unused).to.deep.equal(['simulationParams.seed', 'simulationParams.exhaustiveness']);
    expect(request.simulationParams).to.deep.equal({
      receptorPdbId: '1a28',
      maxPockets: 3,
      receptorModel: 2,
    });
  });

  it('makes one task of one core that reads the structure, whose session is told selection, number and clock', () => {
    const request = search({ receptorArtifact: ARTIFACT, receptorChains: ['B', 'A'], maxPockets: 4 });
    const plan = fpocket.planning.plan(request, LIMITS);
    expect(plan).to.include({ unit: 'task', taskCount: 1, instances: 1, vcpusPerInstance: 1 });
    expect(fpocket.planning.itemIds(request, plan)).to.have.length(1);
    expect(fpocket.inputs.stored(request)).to.deep.equal([
      { storageKey: ARTIFACT.storageKey, name: 'receptor/source' },
    ]);
    const inputs = new Map([['receptor/source', { storageKey: 'k', sha256: 'd'.repeat(64) }]]);
    const effectiveSeed = fpocket.planning.seed(request, () => 42);
    const spec = fpocket.work.sessionSpec(request, { effectiveSeed, inputs });
    expect(spec).to.include({ maxPockets: 4, clockSeconds: 1 });
    expect(spec['receptor']).to.deep.include({
      ...{ source: { kind: 'artifact', artifactId: 'a' }, sha256: 'd'.repeat(64) },
      ...{ assemblyId: '1', model: 1, chains: ['A', 'B'] },
    });
    const [entry, ...others] = fpocket.inputs.structures(search({ receptorPdbId: '1a28' }));
    expect(entry).to.include({ pdbId: '1A28', name: 'receptor/source' });
    expect(others).to.deep.equal([]);
  });
});

describe('fpocket: its price', () => {
  const book = loadPriceBook();
  const heldFor = (totalBytes: number): number => {
    const request = search({ receptorPdbId: '1a28' });
    const plan = fpocket.planning.plan(request, LIMITS);
    const price = fpocket.planning.price(request, plan, book, { bytes: null, totalBytes });
    return quote('book', 790_000, price, 1).estimatedMicro;
  };

  it('is fixed by the size of the file, and an entry without bytes has that of the default size', () => {
    expect(heldFor(0)).to.equal(heldFor(500_000)).and.to.equal(heldFor(1_000_000));
    expect(heldFor(1_000_001)).to.be.greaterThan(heldFor(1_000_000));
    expect(heldFor(4_000_001)).to.be.greaterThan(heldFor(4_000_000)).and.to.equal(heldFor(1e9));
    expect(fpocket.planning.defaultInputBytes).to.equal(500_000);
  });

  it('is nothing for a search that fails', () => {
    const request = search({ receptorPdbId: '1a28' });
    const price = fpocket.planning.price(request, fpocket.planning.plan(request, LIMITS), book, {
      bytes: null,
      totalBytes: 0,
    });
    const offer = quote('book', 790_000, price, 1);
    expect(offer.heldPence).to.be.greaterThan(0);
    expect(chargePence(offer, [])).to.equal(0);
  });
});

describe('fpocket: what is made at the end', () => {
  const task = (pocketCount: unknown): FinishedTask => ({
    ...({ kind: 'task', ordinal: 0, itemId: 'structure', state: 'SUCCEEDED', failureCode: null } as const),
    isDocked: false,
    summary: { pocketCount },
  });
  const scriptOf = async (pocketCount: unknown): Promise<string> => {
    const request = search({ receptorPdbId: '1a28' });
    const [file] = await fpocket.outputs.finishFiles(request, endOf([task(pocketCount)]));
    return textOf(file);
  };

  it('is a view of every pocket, made from their number alone', async () => {
    const [three, none] = [await scriptOf(3), await scriptOf(0)];
    expect(three).to.equal(viewScript(3));
    expect(three).to.include('load pockets/pocket3_vert.pqr').and.not.to.include('pocket4');
    expect(none).to.include('zoom structure').and.not.to.include('pocket1');
  });

  it('takes nothing else that an instance told', async () => {
    for (const told of ['1\nquit', 1.5, -1, 21, null, undefined, Number.NaN]) {
      expect(await scriptOf(told), String(told)).to.equal(viewScript(0));
    }
    const failed = { ...task(1), state: 'FAILED' as const, summary: null };
    expect(await fpocket.outputs.finishFiles(search({}), endOf([failed]))).to.deep.equal([]);
  });

  it('is told by a page of the documentation, and every code of the session has words', () => {
    expect(existsSync(join(repositoryRoot, fpocket.about.docsPage))).to.equal(true);
    const known = [...fpocket.codes.failures, ...fpocket.codes.warnings].flatMap(({ codes }) =>
      Object.keys(codes),
    );
    const source = ['tool', 'program', 'selected', 'pockets'].map((name) =>
      readFileSync(join(repositoryRoot, `science/fpocket/src/dockyard_fpocket/${name}.py`), 'utf8'),
    );
    const used = [...source.join('').matchAll(/"((?:POCKETS|RECEPTOR)_[A-Z_]+)"/g)].map(([, code]) => code);
    expect(used).to.include('POCKETS_NO_ATOMS');
    for (const code of used) expect(known).to.include(code);
  });
});
