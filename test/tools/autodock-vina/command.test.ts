import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { submitJobBody } from '../../../api/jobs/submit-schemas.ts';
import {
  boxSize,
  energyRange,
  method,
  point,
  seed,
  states,
  tautomer,
  watersWithin,
} from '../../../src/tools/autodock-vina/command/options.ts';
import {
  depositedLigand,
  fixedStates,
  flexibleResidues,
  nativeLigand,
  pocketResidues,
  receptorParts,
} from '../../../src/tools/autodock-vina/command/residues.ts';
import { dockEstimateOf, dockRequestOf, sizesOf } from '../../../src/tools/autodock-vina/command/request.ts';
import { chainIds, ph, receptorInputOf } from '../../../src/tools/receptor-file.ts';
import { estimateJobBody } from '../../../api/estimates/schemas.ts';
import { createBatchBody } from '../../../api/docking/record-schemas.ts';
import type { ReceptorIdentity } from '../../../src/domain/docking-records.ts';
import { dockScreening } from '../../../src/tools/autodock-vina/command/screening.ts';
import type { DockingParams } from '../../../src/tools/autodock-vina/parameters.ts';
import { dockingClasses, pricedDocking } from '../../../src/tools/autodock-vina/price.ts';
import { protocolOf } from '../../../src/tools/autodock-vina/protocol.ts';
import { dockingScreening } from '../../../src/tools/autodock-vina/screening.ts';
import type { PlannableRequest } from '../../../src/tools/tool.ts';
import { poundsToPence } from '../../../src/cli/customer/submit.ts';

const ARTIFACT = {
  schema: 'svc.docking.artifact/v1',
  artifactId: '01890a5d-ac96-774b-bcce-b302099a8057',
  storageKey: 'accounts/a/uploads/u/1a28.pdb',
  sha256: 'a'.repeat(64),
  byteSize: 10,
  mediaType: 'chemical/x-pdb',
  format: 'pdb',
} as const;

const neverStored = (): never => {
  throw new Error('An entry of the archive is not stored.');
};

describe('options of dockyard dock', () => {
  const refusesAll = (read: (text: string) => unknown, texts: readonly string[]): void => {
    for (const text of texts) expect(() => read(text), text).to.throw('It ');
  };

  it('name deposited ligands by component, with chain and residue where they are told', () => {
    expect(depositedLigand('STR:A:1')).to.deep.equal({
      componentId: 'STR',
      chain: 'A',
      residue: 1,
      insertionCode: null,
    });
    expect(depositedLigand('478:_:-20B')).to.include({ chain: '_', residue: -20, insertionCode: 'B' });
    expect(depositedLigand('sti')).to.deep.equal({
      componentId: 'STI',
      chain: null,
      residue: null,
      insertionCode: null,
    });
    refusesAll(depositedLigand, ['', ':A:1', 'STR:A:', 'STR:A:x', 'STR:A:1:2', 'ST R', 'TOOLONGID:A:1']);
    refusesAll(nativeLigand, ['LIG_B:B:1', '', 'STR:A:x']);
    refusesAll(depositedLigand, ['STR:A:-10000', 'STR:A:1ABCDE', `STR:${'A'.repeat(17)}:1`]);
  });

  it('name deposited ligands as widely as the contract does, in jobs, experiments and batches', async () => {
    for (const [text, ligand] of [
      ['LIG_B:B:1', { componentId: 'LIG_B', chain: 'B', residue: 1, insertionCode: null }],
      ['L-1:A-2:-9999ab', { componentId: 'L-1', chain: 'A-2', residue: -9999, insertionCode: 'ab' }],
    ] as const) {
      const boxFromLigand = depositedLigand(text);
      expect(boxFromLigand).to.deep.equal(ligand);
      const options = { receptor: '1A28', ligands: 'a.smi', boxFromLigand };
      const job = dockRequestOf(options, { kind: 'pdb', pdbId: '1A28' }, [
        { ligand: { ligandId: 'x', label: 'x', structure: { kind: 'smiles', smiles: 'C' } }, artifact: null },
      ]);
      expect(submitJobBody.validate(job).error?.message).to.equal(undefined);
      const screening = dockScreening.prepare(options, '/');
      const placed = await screening.place({
        progress: () => undefined,
        upload: neverStored,
        register: neverStored,
        uploadFolder: neverStored,
      });
      const { parameters } = screening;
      const batch = { name: 'x', receptor: placed, parameters, libraryArtifactId: ARTIFACT.artifactId };
      expect(createBatchBody.validate(batch).error?.message).to.equal(undefined);
    }
  });

  it('are points, sizes, seeds, pH, chains and amounts, and nothing that only looks like one', () => {
    expect(point('-1.5, 2,.5')).to.deep.equal([-1.5, 2, 0.5]);
    expect([boxSize('22'), boxSize('22,20.5,24')]).to.deep.equal([22, [22, 20.5, 24]]);
    expect([seed('-5'), seed('0'), ph('7.4'), ph('0')]).to.deep.equal([-5, 0, 7.4, 0]);
    expect(chainIds('A, B,A')).to.deep.equal(['A', 'B']);
    expect(['2', '£2.5', '0.05', '12.34'].map(poundsToPence)).to.deep.equal([200, 250, 5, 1234]);
    refusesAll(point, ['1,2', '1,2,3,4', '1,2,x', '', '1e3,0,0', 'NaN,1,1']);
    refusesAll(boxSize, ['0.5', '101', '20,20', '', '20,20,0']);
    refusesAll(seed, ['1.5', '2147483648', 'x', '']);
    refusesAll(ph, ['-1', '14.1', 'seven', '']);
    refusesAll(chainIds, ['', 'A,,B', 'A B']);
    refusesAll(poundsToPence, ['-1', '1.234', 'free', '', '1,50']);
  });

  it('name side chains that turn by chain, residue and the name that the file has', () => {
    expect(flexibleResidues('A:41')).to.deep.equal([{ chain: 'A', residue: 41 }]);
    expect(flexibleResidues('A:HIS41, A-2:met-5B')).to.deep.equal([
      { chain: 'A', residue: 41, residueName: 'HIS' },
      { chain: 'A-2', residue: -5, insertionCode: 'B', residueName: 'MET' },
    ]);
    expect(flexibleResidues('HIS:A:41, GLN:725,met:A,TRP')).to.deep.equal([
      { chain: 'A', residue: 41, residueName: 'HIS' },
      { residueName: 'GLN', residue: 725 },
      { chain: 'A', residueName: 'MET' },
      { residueName: 'TRP' },
    ]);
    refusesAll(flexibleResidues, ['', 'A:', 'A:41,', 'A:B:41:5']);
    for (const name of ['GLY', 'ALA', 'PRO', 'HID']) {
      expect(() => flexibleResidues(`A:1,A:${name}2`)).to.throw(`${name} has no side chain that turns`);
    }
    expect(flexibleResidues('A:1,A:2,A:3,A:4')).to.have.length(4);
    expect(() => flexibleResidues('A:1,A:2,A:3,A:4,A:5')).to.throw('At most 4');
  });

  it('name what stays, what goes, where the box is and which state is fixed, within the bounds of the service', () => {
    expect(receptorParts('zn, A:301,_:-5b')).to.deep.equal([
      { components: ['ZN'], residues: [] },
      { components: [], residues: [{ chain: 'A', residue: 301 }] },
      { components: [], residues: [{ chain: '_', residue: -5, insertionCode: 'b' }] },
    ]);
    expect(receptorParts('NAP:A,NAP:A:301B,NAP:ABC:1')).to.deep.equal([
      { components: [], residues: [{ residueName: 'NAP', chain: 'A' }] },
      { components: [], residues: [{ residueName: 'NAP', chain: 'A', residue: 301, insertionCode: 'B' }] },
      { components: [], residues: [{ residueName: 'NAP', chain: 'ABC', residue: 1 }] },
    ]);
    expect(pocketResidues('A:41,HIS:A:145,A:HIS145,str')).to.deep.equal([
      { chain: 'A', residue: 41 },
      { residueName: 'HIS', chain: 'A', residue: 145 },
      { residueName: 'HIS', chain: 'A', residue: 145 },
      { residueName: 'STR' },
    ]);
    expect(fixedStates('ASP:A:25=neutral,HIS=delta')).to.deep.equal([
      { chain: 'A', residue: 25, residueName: 'ASP', state: 'neutral' },
      { residueName: 'HIS', state: 'delta' },
    ]);
    expect(fixedStates('A:ASP:25=neutral,b:his57=Both')).to.deep.equal([
      { chain: 'A', residue: 25, residueName: 'ASP', state: 'neutral' },
      { chain: 'b', residue: 57, residueName: 'HIS', state: 'both' },
    ]);
    expect(watersWithin('0')).to.deep.equal({ angstrom: 0, of: 'box' });
    expect(watersWithin('ligand:3.5')).to.deep.equal({ angstrom: 3.5, of: 'ligand' });
    expect([energyRange('0.1'), energyRange('100'), method('meeko')]).to.deep.equal([0.1, 100, 'meeko']);
    refusesAll(receptorParts, ['', 'Z N', 'A-B', 'A:', 'A:1:2:3', 'ZN,,NAP']);
    refusesAll(pocketResidues, ['', 'A:', 'A 41', 'A:41;A:42:1']);
    refusesAll(fixedStates, ['', 'A:25=neutral', 'A:ASP:25', 'neutral']);
    refusesAll(watersWithin, ['', '10.1', '-1', 'pocket:3', 'ligand:']);
    refusesAll(energyRange, ['0', '0.09', '101', 'x', '']);
    refusesAll(method, ['', 'propka', 'Meeko']);
    expect(() => pocketResidues('A:-10000')).to.throw('number of a residue is -9999 to 99999');
    expect(() => fixedStates('A:ASP:25=cationic')).to.throw('ASP can be anionic or neutral, not cationic');
    expect(() => fixedStates('A:SER:25=neutral')).to.throw('SER has no state to fix');
  });

  it('take a file that is there as a file, else a PDB id', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-receptor-'));
    try {
      for (const name of ['1abc', 'x.pdb', 'y.CIF', 'z.pdb.gz']) writeFileSync(join(folder, name), '');
      expect(receptorInputOf('1a28', folder)).to.deep.equal({ kind: 'pdb', pdbId: '1A28' });
      expect(receptorInputOf('x.pdb', folder)).to.include({ kind: 'file', format: 'pdb' });
      expect(receptorInputOf('y.CIF', folder)).to.include({ format: 'mmcif' });
      expect(receptorInputOf('z.pdb.gz', folder)).to.include({ format: 'pdb' });
      expect(() => receptorInputOf('z.gz', folder)).to.throw('no file here');
      expect(() => receptorInputOf('1abc', folder)).to.throw('cannot be a receptor');
      expect(() => receptorInputOf('missing.pdb', folder)).to.throw('no file here');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the job of dockyard dock', () => {
  const ligands = [
    ['CCO', 'ethanol'],
    ['CC(=O)O', 'acid'],
  ].map(([smiles = '', name = '']) => ({
    ligand: { ligandId: name, label: name, structure: { kind: 'smiles' as const, smiles } },
    artifact: null,
  }));
  const base = { receptor: '1a28.pdb', ligands: 'a.smi' };

  it('says nothing that it was not told, so that the service has its defaults', () => {
    const request = dockRequestOf(
      { ...base, boxFromLigand: depositedLigand('STR:A:1') },
      { kind: 'pdb', pdbId: '1A28' },
      ligands,
    );
    expect(request).to.deep.equal({
      jobType: 'simulation',
      simulator: 'autodock-vina',
      simulationParams: {
        receptorPdbId: '1A28',
        pocketLigand: 'STR',
        pocketLigandChain: 'A',
        pocketLigandResidue: 1,
        ligandLibrary: [
          { ligandId: 'ethanol', label: 'ethanol', source: { kind: 'smiles', smiles: 'CCO' } },
          { ligandId: 'acid', label: 'acid', source: { kind: 'smiles', smiles: 'CC(=O)O' } },
        ],
      },
    });
  });

  it('matches the contract with every option, and its price asks for the same protocol', () => {
    const options = {
      ...base,
      chains: ['A'],
      assembly: 'asymmetric',
      center: [1, 2, 3] as const,
      size: [20, 21, 22] as const,
      ph: 6.5,
      asGiven: true as const,
      model: 2,
      retain: receptorParts('ZN,A:301'),
      retainWaters: watersWithin('3'),
      remove: receptorParts('SO4,B:7'),
      fix: fixedStates('A:ASP:25=neutral'),
      method: method('pdb2pqr-propka'),
      energyRange: 4.5,
      repair: 'none' as const,
      flexible: flexibleResidues('A:gln725,A:-41B'),
      seed: 42,
      exhaustiveness: 16,
      modes: 3,
      scoring: 'vinardo' as const,
      validate: nativeLigand('STR:A:1B'),
      requireControl: 2,
    };
    const [first] = ligands;
    if (first === undefined) throw new Error('no ligand');
    const stored = { ...first, artifact: { ...ARTIFACT, format: 'sdf' as const } };
    const request = dockRequestOf(options, { kind: 'artifact', artifact: ARTIFACT }, [stored]);
    const { error } = submitJobBody.validate(request, { abortEarly: false });
    expect(error?.message).to.equal(undefined);
    const { receptorArtifact, ligandLibrary, ...protocol } = request.simulationParams ?? {};
    expect(receptorArtifact).to.deep.equal(ARTIFACT);
    expect(ligandLibrary?.[0]).to.deep.include({
      preparation: { protonationPh: 6.5, protonation: 'as_given' },
    });
    expect(protocol.receptorPreparation).to.deep.equal({
      protonationPh: 6.5,
      retainComponents: ['ZN'],
      retainResidues: [{ chain: 'A', residue: 301 }],
      retainWatersWithin: { angstrom: 3, of: 'box' },
      removeComponents: ['SO4'],
      removeResidues: [{ chain: 'B', residue: 7 }],
      fixedProtonationStates: [{ chain: 'A', residue: 25, residueName: 'ASP', state: 'neutral' }],
      repair: 'none',
      flexibleResidues: [
        { chain: 'A', residue: 725, residueName: 'GLN' },
        { chain: 'A', residue: -41, insertionCode: 'B' },
      ],
    });
    expect(protocol).to.include({ scoringFunction: 'vinardo', energyRangeKcalMol: 4.5, receptorModel: 2 });
    const asked = dockEstimateOf(options, [7, null]);
    const sources = [
      { kind: 'smiles', smiles: 'CCCCCCC' },
      { kind: 'ccd', componentId: 'UNK' },
    ];
    expect(asked.simulationParams).to.deep.include(protocol);
    expect(asked.simulationParams?.ligandLibrary?.map(({ source }) => source)).to.deep.equal(sources);
  });

  it('asks for the price of the job that it submits: by the sizes of SMILES, and not by those of stored records', () => {
    const ligands = [
      { kind: 'smiles' as const, smiles: 'Oc1ccccc1' },
      { kind: 'file' as const, format: 'sdf' as const, content: Buffer.from('C') },
    ].map((structure, index) => ({ ligandId: String(index), label: 'x', structure }));
    expect(sizesOf(ligands)).to.deep.equal([7, null]);
  });

  it('says the same in an experiment or batch, which the contract takes, at the price of its sizes', async () => {
    const options = {
      ...base,
      boxFromResidues: pocketResidues('A:41,A:145'),
      size: 22 as const,
      ph: 6.5,
      tautomer: tautomer('likely'),
      states: states('likely'),
      fix: fixedStates('A:ASP:25=neutral'),
      flexible: flexibleResidues('A:41'),
      exhaustiveness: 16,
      scoring: 'vinardo' as const,
    };
    const screening = dockScreening.prepare({ ...options, receptor: '1A28' }, '/');
    const receptor = await screening.place({
      progress: () => undefined,
      upload: neverStored,
      register: neverStored,
      uploadFolder: neverStored,
    });
    const { parameters, ligandPreparation } = screening;
    expect(ligandPreparation).to.deep.equal({
      ...{ protonationPh: 6.5, tautomer: 'likely', states: 'likely' },
    });
    const batch = {
      name: 'x',
      receptor,
      parameters,
      ligandPreparation,
      libraryArtifactId: ARTIFACT.artifactId,
    };
    const { error, value } = createBatchBody.validate(batch, { abortEarly: false });
    expect(error?.message).to.equal(undefined);
    const params = dockingScreening.paramsOf(value?.receptor as ReceptorIdentity, value?.parameters ?? null);
    const job = dockRequestOf(options, { kind: 'pdb', pdbId: '1A28' }, []).simulationParams ?? {};
    const { ligandLibrary: _none, ...same } = job;
    expect(protocolOf(params)).to.deep.equal(protocolOf({ ...same, seed: 1 } as DockingParams));
    const price = screening.estimateOf([10, null, 250]);
    expect(estimateJobBody.validate(price).error?.message).to.equal(undefined);
    expect(dockingClasses(price as PlannableRequest, { taskCount: 3 })).to.deep.equal([
      ...['atoms-1-20-states', 'atoms-21-30-states', 'atoms-56-100-states'],
    ]);
    const again = dockScreening.estimateOfRecord(
      {
        ...{ receptor_identity: value?.receptor, parameters: value?.parameters },
        ligand_preparation: ligandPreparation,
      },
      [10, null, 250],
    );
    const book = (request: object | null) => pricedDocking(request as PlannableRequest).fields;
    expect(book(again)).to.deep.equal(book(price));
  });

  it('is refused for what a job takes and a record does not', () => {
    for (const [wrong, text] of [
      [{ seed: 0 }, '1 to 2147483647'],
      [{ assembly: 'XAU' }, '1 to 9999, deposited or asymmetric'],
      [{ boxFromResidues: pocketResidues('A:1') }, 'not both'],
      [{ fix: fixedStates('A:ASP:25=neutral,A:ASP:25=anionic') }, 'A:25 twice'],
      [{ asGiven: true as const, tautomer: tautomer('likely') }, 'give one of them'],
      [{ asGiven: true as const, states: states('likely') }, 'give one of them'],
    ] as const)
      expect(() =>
        dockScreening.prepare({ receptor: '1A28', center: [1, 2, 3], size: 20, ...wrong }, '/'),
      ).to.throw(text);
  });
});
