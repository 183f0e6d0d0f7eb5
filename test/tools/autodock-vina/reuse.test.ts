/** Keys of reuse: equal for all that makes the same bytes, different for everything else. */
import { expect } from 'chai';
import fc from 'fast-check';

import type { JobLigand, SimulationParams, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { reuseKeys } from '../../../src/tools/autodock-vina/reuse.ts';
import type { ReuseFacts } from '../../../src/tools/tool.ts';
import { artifact, docking, ligand, without } from './requests.ts';

const FACTS: ReuseFacts = {
  ...{ accountId: 'account', cacheKey: 'prepared', effectiveSeed: 42, toolchainSha256: 'code' },
};
const requestOf = (ligandLibrary: JobLigand[], params: Partial<SimulationParams> = {}): SubmitJobRequest =>
  without(docking({ ...params, ligandLibrary: ligandLibrary as never }), 'ligandIdentity');
const keysOf = (request: SubmitJobRequest, facts: ReuseFacts = FACTS) => reuseKeys(request, facts);
const keyOf = (one: JobLigand, params: Partial<SimulationParams> = {}, facts: ReuseFacts = FACTS) =>
  keysOf(requestOf([one], params), facts)[0];
const record = (more: object = {}): JobLigand => ({
  ...ligand('a'),
  source: {
    ...{ kind: 'record', format: 'smi', line: 7, start: 10, end: 20, sha256: 'cd'.repeat(32) },
    ...{ heavyAtoms: 7, fault: null },
    ...more,
  },
});

describe('the key of reuse of a ligand', () => {
  it('does not depend on the other ligands, on their order or on where a record stands', () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ids, fc.nat(), (names, seed) => {
        const library = names.map((name) => ligand(name));
        const turned = [...library.slice(seed % names.length), ...library.slice(0, seed % names.length)];
        const keys = new Map(names.map((name, index) => [name, keysOf(requestOf(library))[index]]));
        expect(new Set(keys.values()).size, 'each ligand has its own').to.equal(names.length);
        for (const [index, { ligandId }] of turned.entries())
          expect(keysOf(requestOf(turned))[index]).to.equal(keys.get(ligandId));
      }),
      { numRuns: 50 },
    );
    expect(keyOf(record({ line: 9, start: 400, end: 410, heavyAtoms: null }))).to.equal(keyOf(record()));
    expect(keyOf(ligand('a'), { cpuThreads: 4 })).to.equal(keyOf(ligand('a')));
  });

  it('differs with everything on which the bytes of a result depend', () => {
    const one = ligand('a');
    const keys = [
      keyOf(one),
      keyOf(one, { exhaustiveness: 9 }),
      keyOf(one, { numModes: 10 }),
      keyOf(one, { energyRangeKcalMol: 4 }),
      keyOf(one, { scoringFunction: 'vinardo' }),
      keyOf(one, { boxSizeAngstrom: [20, 20, 20] }),
      keyOf(one, { pocketLigandChain: 'A' }),
      ...(['accountId', 'cacheKey', 'toolchainSha256'] as const).map((name) =>
        keyOf(one, {}, { ...FACTS, [name]: 'another' }),
      ),
      keyOf(one, {}, { ...FACTS, effectiveSeed: 43 }),
      keyOf(ligand('b')),
      keyOf({ ...one, label: 'another' }),
      keyOf(ligand('a', { kind: 'smiles', smiles: 'CCO' })),
      keyOf(ligand('a', { kind: 'ccd', componentId: 'EOH' })),
      keyOf(ligand('a', { kind: 'artifact', artifact: artifact('sdf') })),
      keyOf({ ...one, preparation: { ...one.preparation, protonationPh: 7 } }),
      keyOf(record()),
      keyOf(record({ sha256: 'ef'.repeat(32) })),
    ];
    for (const key of keys) expect(key).to.match(/^[0-9a-f]{64}$/);
    expect(new Set(keys).size).to.equal(keys.length);
  });

  it('is none where no earlier result can stand for the ligand', () => {
    expect(keyOf(record({ fault: 'no SMILES' }))).to.equal(null);
    expect(keyOf(ligand('a'), { dryRun: true })).to.equal(null);
    expect(keyOf(ligand('a'), {}, { ...FACTS, effectiveSeed: null })).to.equal(null);
  });
});
