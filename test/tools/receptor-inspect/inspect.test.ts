import { expect } from 'chai';

import type { StagedOutput } from '../../../src/contracts/instance.ts';
import { quote } from '../../../src/domain/pricing.ts';
import type { ArtifactReference, InspectReceptorRequest } from '../../../src/domain/requests.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { LARGEST_REPORT_BYTES } from '../../../src/tools/receptor-inspect/report.ts';
import { inspectionJob, inspectionKey } from '../../../src/tools/receptor-inspect/request.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Verdict } from '../../../src/tools/tool.ts';
import { TEST_TOOLS } from '../../support/test-tools.ts';
import { inspectionReport } from './reports.ts';
import { NO_SIZES } from '../../support/prices.ts';
import { readsTexts } from '../../support/read-outputs.ts';

const LIMITS = { maxInstances: 8, slotsPerInstance: 2, vcpusPerInstance: 2 };
const ARTIFACT: ArtifactReference = {
  ...{ schema: 'svc.docking.artifact/v1', artifactId: 'a', storageKey: 'accounts/a/uploads/u/1a28.pdb' },
  ...{ sha256: 'b'.repeat(64), byteSize: 10, mediaType: 'chemical/x-pdb', format: 'pdb' },
};
const WANTED: InspectReceptorRequest = { source: { kind: 'artifact', artifact: ARTIFACT } };
const ENTRY: InspectReceptorRequest = { source: { kind: 'pdb', pdbId: '1a28' } };

/** The failures of a job whose entry is not to be had. */
const FAILURES = { absent: 'RECEPTOR_NOT_FOUND', unreachable: 'RECEPTOR_FETCH_FAILED' };

describe('the tool that inspects receptors', () => {
  const registry = createToolRegistry({ testTools: TEST_TOOLS });
  const tool = registry.find('receptor-inspect');

  it('runs jobs of the service, and is none that a request can name, however it is spelled', () => {
    expect(registry.ids()).to.include('receptor-inspect');
    for (const simulator of [
      'receptor-inspect',
      'Receptor Inspect',
      'RECEPTOR_INSPECT',
      ' receptor-inspect ',
    ]) {
      expect(() => registry.resolve({ jobType: 'simulation', simulator }), simulator)
        .to.throw('Use one of: autodock-vina, ')
        .with.property('code', 'UNSUPPORTED_SIMULATOR');
    }
  });

  it('is one task of one core without a price', () => {
    const request = inspectionJob(WANTED);
    const plan = tool.planning.plan(request, LIMITS);
    expect(plan).to.include({ taskCount: 1, instances: 1, slotsPerInstance: 1, vcpusPerInstance: 1 });
    expect(plan.steps).to.deep.equal([]);
    const offer = quote(
      'book',
      790_000,
      tool.planning.price(request, plan, loadPriceBook(), NO_SIZES),
      plan.taskCount,
    );
    expect(offer).to.include({ estimatedMicro: 0, heldPence: 0 });
  });

  it('reads the stored file, or has the entry fetched', () => {
    const [stored, entry] = [inspectionJob(WANTED), inspectionJob(ENTRY)];
    expect(tool.inputs.stored(stored)).to.deep.equal([
      { storageKey: ARTIFACT.storageKey, name: 'receptor/source' },
    ]);
    expect(tool.inputs.structures(stored)).to.deep.equal([]);
    expect([tool.inputs.stored(entry), tool.inputs.structures(entry)]).to.deep.equal([
      [],
      [{ pdbId: '1A28', name: 'receptor/source', failures: FAILURES }],
    ]);
    expect(
      tool.inputs.taskInputs(entry, 'task', 0, { cached: false, staleField: null, verified: [] }).inputs,
    ).to.deep.equal([{ from: 'receptor/source', as: 'receptor/source' }]);
  });

  it('tells its session which receptor, which part of it and which preparation', () => {
    const inputs = new Map([['receptor/source', { storageKey: 'k', sha256: 'b'.repeat(64) }]]);
    const wanted = { ...WANTED, assemblyId: 'deposited', model: 2, chains: ['B', 'A'], protonationPh: 6 };
    const spec = tool.work.sessionSpec(inspectionJob(wanted), { effectiveSeed: null, inputs });
    expect(spec).to.deep.include({ kind: 'receptor-inspect' });
    expect(spec['receptor']).to.deep.include({
      sha256: 'b'.repeat(64),
      ...{ assemblyId: 'asymmetric', model: 2, chains: ['A', 'B'] },
    });
    expect(spec['preparation']).to.deep.include({ protonationPh: 6, protonationMethod: 'pdb2pqr-propka' });
  });

  it('knows a report by the bytes, the part that is meant, the pH and the code, not by the name of the file', () => {
    const key = (wanted: InspectReceptorRequest, toolchain = 't'): string => inspectionKey(wanted, toolchain);
    const stored = (more: Partial<ArtifactReference>): InspectReceptorRequest => ({
      source: { kind: 'artifact', artifact: { ...ARTIFACT, ...more } },
    });
    const same = [
      stored({ artifactId: 'b', storageKey: 'elsewhere' }),
      { ...WANTED, assemblyId: '1', model: 1, protonationPh: 7.4 },
    ];
    for (const wanted of same) expect(key(wanted)).to.equal(key(WANTED));
    const others = [
      stored({ sha256: 'c'.repeat(64) }),
      ENTRY,
      ...[{ model: 2 }, { chains: ['A'] }, { assemblyId: '2' }, { protonationPh: 5 }].map((more) => ({
        ...WANTED,
        ...more,
      })),
    ];
    const keys = [key(WANTED), key(WANTED, 'u'), ...others.map((wanted) => key(wanted))];
    expect(new Set(keys).size).to.equal(keys.length);
    expect(key({ source: { kind: 'pdb', pdbId: '1A28' } })).to.equal(key(ENTRY));
  });

  it('takes a report and nothing else for one', async () => {
    const verdict = async (text: string, more: Partial<StagedOutput> = {}): Promise<Verdict> => {
      const output = {
        ...{ name: 'inspection.json', kind: 'inspection_report', mediaType: 'application/json' },
        ...{ format: 'json', byteSize: text.length, sha256: 'd'.repeat(64), ...more },
      };
      const item = { itemId: 'receptor' };
      return tool.outputs.verify(
        'task',
        item,
        [output],
        readsTexts(() => text),
      );
    };
    const good = inspectionReport();
    expect(await verdict(JSON.stringify(good))).to.equal(null);
    const { refusals: _, ...lacking } = good;
    const bad = [
      '',
      '{}',
      'once upon a time',
      JSON.stringify(lacking),
      JSON.stringify({ ...good, schema: 'dockyard.docking.inspection/v2' }),
      JSON.stringify({ ...good, refusals: [{ code: 'no code', message: 'x' }] }),
      JSON.stringify(good).replace('{', '{"schema":"x",'),
      JSON.stringify({ ...good, padding: 'x'.repeat(LARGEST_REPORT_BYTES) }),
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
    ];
    for (const text of bad) expect(await verdict(text), text.slice(0, 40)).to.include('no report');
    expect(await verdict(JSON.stringify(good), { name: 'x.json' })).to.include('x.json');
    expect(await verdict(JSON.stringify(good), { kind: 'log' })).to.include('log');
    expect(tool.outputs.largestBytes['inspection_report']).to.equal(LARGEST_REPORT_BYTES);
  });
});
