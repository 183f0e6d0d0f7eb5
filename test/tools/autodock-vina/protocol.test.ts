/** A docking protocol and the parameters of a request are two spellings of one thing. */
import { expect } from 'chai';
import fc from 'fast-check';

import type { ReceptorPreparation, SimulationParams } from '../../../src/domain/requests.ts';
import { preparationOf } from '../../../src/tools/autodock-vina/parameters.ts';
import type { DockingParams } from '../../../src/tools/autodock-vina/parameters.ts';
import { protocolOfRecord, recordOfProtocol } from '../../../src/tools/autodock-vina/screening.ts';
import { protocolOf, simulationParamsOf } from '../../../src/tools/autodock-vina/protocol.ts';
import { artifact } from './requests.ts';

const some = fc.constantFrom;
const optional = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });

const residue = fc
  .tuple(some('A', 'A-2', '_'), fc.integer({ min: -9, max: 40 }), some(undefined, '', ' ', 'B'))
  .map(([chain, number, code]) => ({
    ...{ chain, residue: number },
    ...(code === undefined ? {} : { insertionCode: code }),
  }));
const component = some('STR', 'str', 'ZN', 'nap', 'HEM');
const edge = fc.integer({ min: 1, max: 100 });
const coordinate = fc.double({ min: -300, max: 300, noNaN: true });
const state = fc
  .tuple(residue, some('ASP', 'GLU'), some('anionic', 'neutral'), some(undefined, 'seen in the density'))
  .map(([place, residueName, own, reason]) => ({
    ...{ ...place, residueName, state: own },
    ...(reason === undefined ? {} : { reason }),
  }));
const turning = fc
  .tuple(residue, some(undefined, 'HIS', 'MET'))
  .map(([place, residueName]) => ({ ...place, ...(residueName === undefined ? {} : { residueName }) }));

const preparation = optional({
  protonationPh: some(7.4, 0, 6.5),
  addHydrogens: fc.constant(true),
  protonationMethod: some('pdb2pqr-propka', 'meeko'),
  forceField: some('AMBER', 'CHARMM', 'PARSE'),
  fixedProtonationStates: fc.array(state, { maxLength: 4 }),
  removeComponents: fc.array(component, { maxLength: 4 }),
  retainComponents: fc.array(component, { maxLength: 4 }),
  removeResidues: fc.array(residue, { maxLength: 4 }),
  retainResidues: fc.array(residue, { maxLength: 4 }),
  retainWatersWithin: fc.record({ angstrom: some(3, 4.5), of: some('box', 'ligand') }),
  flexibleResidues: fc.array(turning, { maxLength: 4 }),
  repair: some('none', 'far', 'box'),
}) as fc.Arbitrary<Partial<ReceptorPreparation>>;

/** Parameters of any kind, contradictions included: the mapping judges nothing. */
const parameters = optional({
  receptorPdbId: some('1a28', '1HPV'),
  receptorAssemblyId: some('1', '2', 'deposited', 'Asymmetric'),
  receptorModel: some(1, 2, 9999),
  receptorChains: fc.array(some('A', 'B', 'C'), { minLength: 1, maxLength: 4 }),
  receptorPreparation: preparation,
  dockingValidation: optional({
    nativeReference: fc.tuple(component, residue).map(([componentId, place]) => ({ componentId, ...place })),
    requiredRmsdAngstrom: some(0.1, 2, 20),
  }),
  pocketLigand: component,
  pocketLigandChain: some('A', 'B'),
  pocketLigandResidue: fc.integer({ min: -9999, max: 99999 }),
  pocketResidues: fc.array(residue, { minLength: 1, maxLength: 4 }),
  boxCenterAngstrom: fc.tuple(coordinate, coordinate, coordinate),
  boxSizeAngstrom: fc.oneof(edge, fc.tuple(edge, edge, edge)),
  exhaustiveness: some(1, 8, 128),
  numModes: some(1, 9, 100),
  energyRangeKcalMol: some(0.1, 3, 100),
  scoringFunction: some('vina', 'vinardo'),
  seed: fc.oneof(fc.constant(0), fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
}) as fc.Arbitrary<DockingParams>;

describe('a docking protocol', () => {
  it('that is written as parameters and read again is the same, and so is all that a session is told of it', () => {
    fc.assert(
      fc.property(parameters, (params) => {
        const protocol = protocolOf(params);
        const written = simulationParamsOf(protocol);
        expect(protocolOf(written)).to.deep.equal(protocol);
        expect(simulationParamsOf(protocolOf(written)), 'there is one spelling').to.deep.equal(written);
        expect(preparationOf(written)).to.deep.equal(preparationOf(params));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps its receptor: an entry, a stored file, or none that the parameters name', () => {
    for (const params of [{ receptorPdbId: '1A28' }, { receptorArtifact: artifact('mmcif') }, {}] as const)
      expect(simulationParamsOf(protocolOf(params))).to.deep.equal(params);
  });

  it('that is written as an experiment or batch and read again is the same, with the seed of a record', () => {
    const source = { kind: 'pdb', pdbId: '1A28' } as const;
    fc.assert(
      fc.property(parameters, (params) => {
        const { receptorArtifact: _file, ...rest } = params;
        const centres = [params.boxCenterAngstrom, params.pocketLigand, params.pocketResidues];
        fc.pre(centres.filter((centre) => centre !== undefined).length === 1);
        const protocol = protocolOf({ ...rest, receptorPdbId: '1A28', seed: params.seed || 1 });
        const { receptor, parameters: record } = recordOfProtocol(protocol, source);
        expect(protocolOfRecord(receptor, record)).to.deep.equal(protocol);
      }),
      { numRuns: 300 },
    );
  });

  it('has every seed from 1 to 2147483647 as it is, and none where a job draws one', () => {
    for (const seed of [1, 42, 2_147_483_647]) {
      expect(protocolOf({ seed }).search.seed).to.equal(seed);
      expect(simulationParamsOf(protocolOf({ seed }))).to.deep.equal({ seed });
    }
    for (const drawn of [{}, { seed: 0 }] satisfies SimulationParams[]) {
      expect(protocolOf(drawn).search.seed).to.equal(null);
      expect(simulationParamsOf(protocolOf(drawn))).to.deep.equal({});
    }
  });
});
