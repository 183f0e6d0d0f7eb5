import { createHash } from 'node:crypto';

import { expect } from 'chai';

import type {
  FlexibleResidue,
  LigandPreparation,
  ReceptorPreparation,
  SimulationParams,
  SubmitJobRequest,
} from '../../../src/domain/requests.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { PinnedFiles } from '../../../src/tools/tool.ts';
import { DEFAULT_PREPARATION } from '../../../src/tools/autodock-vina/parameters.ts';
import { preparationDigests, preparationIdentity } from '../../../src/tools/autodock-vina/specs.ts';
import { artifact, docking, ligand, PINNED, preparing, without } from './requests.ts';

const vina = createToolRegistry({ testTools: '' }).find('autodock-vina');
const NONE = { cached: false, staleField: null, verified: [] };
const TOOLCHAIN = 'ef'.repeat(32);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const digests = (request: SubmitJobRequest, pinned: PinnedFiles = PINNED) =>
  preparationDigests(request, pinned, TOOLCHAIN);
const session = (request: SubmitJobRequest) =>
  vina.work.sessionSpec(request, { effectiveSeed: 42, inputs: PINNED });

/** The failures of a job whose entry is not to be had. */
const FAILURES = { absent: 'RECEPTOR_NOT_FOUND', unreachable: 'RECEPTOR_FETCH_FAILED' };

describe('autodock-vina: what a session is told', () => {
  it('says everything that a docking depends on, defaults applied', () => {
    const own = digests(docking());
    expect(session(docking())).to.deep.equal({
      seed: 42,
      exhaustiveness: 8,
      numModes: 9,
      energyRangeKcalMol: 3,
      receptor: {
        source: { kind: 'pdb', pdbId: '1A28' },
        sha256: 'cd'.repeat(32),
        assemblyId: '1',
        model: 1,
        chains: null,
        identitySha256: own.receptorIdentitySha256,
      },
      preparation: {
        protonationPh: 7.4,
        protonationMethod: 'pdb2pqr-propka',
        forceField: 'AMBER',
        fixedProtonationStates: [],
        removeComponents: [],
        retainComponents: [],
      },
      preparationSha256: own.preparationSha256,
      box: {
        centerAngstrom: null,
        sizeAngstrom: null,
        ligand: { componentId: 'STR', chain: null, residue: null },
        residues: null,
      },
      nativeReference: null,
    });
    const explicit = without(docking({ boxCenterAngstrom: [1, 2, 3], boxSizeAngstrom: 20 }), 'pocketLigand');
    expect(session(explicit)['box']).to.deep.equal({
      centerAngstrom: [1, 2, 3],
      sizeAngstrom: [20, 20, 20],
      ligand: null,
      residues: null,
    });
  });

  it('names the scoring function only where it is not the usual one, and it changes no digest of the receptor', () => {
    const usual = docking({ scoringFunction: 'vina' });
    expect(session(usual)).to.deep.equal(session(docking())).and.not.have.property('scoringFunction');
    const vinardo = docking({ scoringFunction: 'vinardo' });
    expect(session(vinardo)).to.deep.equal({ ...session(docking()), scoringFunction: 'vinardo' });
    expect(digests(vinardo)).to.deep.equal(digests(docking()));
    expect(vina.work.taskSpec(vinardo, 'task', 0, NONE)).to.deep.equal(
      vina.work.taskSpec(docking(), 'task', 0, NONE),
    );
  });

  it('never opens a session with the seed that Vina reads as random', () => {
    for (const effectiveSeed of [0, null]) {
      expect(() => vina.work.sessionSpec(docking(), { effectiveSeed, inputs: PINNED })).to.throw('seed');
    }
  });

  it('digests receptor and preparation in their canonical form', () => {
    expect(digests(docking())).to.deep.equal({
      receptorIdentitySha256: sha256(
        `{"assemblyId":"1","chains":null,"model":1,"sha256":"${'cd'.repeat(32)}"}`,
      ),
      preparationSha256: sha256(
        '{"fixedProtonationStates":[],"forceField":"AMBER","protonationMethod":"pdb2pqr-propka","protonationPh":7.4,"removeComponents":[],"retainComponents":[]}',
      ),
      toolchainSha256: TOOLCHAIN,
      workerImageDigest: `sha256:${TOOLCHAIN}`,
      cacheKey: sha256(
        `${digests(docking()).receptorIdentitySha256}\n${digests(docking()).preparationSha256}\n${TOOLCHAIN}\n`,
      ),
    });
  });

  it('names a preparation by its repair only where that is not the default', () => {
    const repair = (value?: 'none' | 'far'): SubmitJobRequest =>
      preparing({ ...(value === undefined ? {} : { repair: value }) });
    expect(digests(repair('far'))).to.deep.equal(digests(docking()));
    expect(digests(repair())).to.deep.equal(digests(docking()));
    expect(session(repair('far'))['preparation']).to.not.have.property('repair');
    expect(session(repair('none'))['preparation']).to.include({ repair: 'none' });
    expect(digests(repair('none')).cacheKey).to.not.equal(digests(docking()).cacheKey);
  });

  it('takes component ids in capitals and small letters for the same', () => {
    const retain = (...retainComponents: string[]): SubmitJobRequest => preparing({ retainComponents });
    expect(digests(retain('zn', 'Hem', 'ZN'))).to.deep.equal(digests(retain('HEM', 'ZN')));
    const native = { componentId: 'str', chain: 'A', residue: 1 };
    const request = docking({ dockingValidation: { nativeReference: native } });
    expect(vina.work.taskSpec(request, 'control', 0, NONE)).to.include({ id: 'native:STR:A:1' });
  });

  it('knows a preparation by what it depends on, and by nothing else', () => {
    const key = digests(docking({ receptorChains: ['A', 'B'] })).cacheKey;
    expect(
      digests(docking({ receptorChains: ['B', 'A', 'B'], seed: 7, exhaustiveness: 1 })).cacheKey,
    ).to.equal(key);
    expect(digests(docking({ receptorChains: ['A'] })).cacheKey).to.not.equal(key);
    expect(digests(docking({ receptorChains: ['A', 'B'], receptorModel: 2 })).cacheKey).to.not.equal(key);
    const other: PinnedFiles = new Map([['receptor/source', { storageKey: 'k', sha256: '01'.repeat(32) }]]);
    expect(digests(docking({ receptorChains: ['A', 'B'] }), other).cacheKey).to.not.equal(key);
    expect(
      preparationDigests(docking({ receptorChains: ['A', 'B'] }), PINNED, '00'.repeat(32)).cacheKey,
    ).to.not.equal(key);
    expect(digests(docking({ receptorAssemblyId: 'deposited' }))).to.deep.equal(
      digests(docking({ receptorAssemblyId: 'asymmetric' })),
    );
  });

  it('knows residues by place and waters by distance where they are used, and keeps every other digest', () => {
    const base = {
      protonationPh: 7.4,
      addHydrogens: true,
      protonationMethod: 'pdb2pqr-propka',
      forceField: 'AMBER',
      fixedProtonationStates: [],
      removeComponents: [],
      retainComponents: [],
    } as const;
    const prepared = (more: Partial<ReceptorPreparation>, params: Partial<SimulationParams> = {}): string =>
      digests(docking({ ...params, receptorPreparation: { ...base, ...more } as ReceptorPreparation }))
        .preparationSha256;
    const plain = prepared({});
    expect(plain).to.equal(digests(docking()).preparationSha256);
    expect(prepared({ removeResidues: [], retainResidues: [] }), 'empty lists ask for nothing').to.equal(
      plain,
    );

    const [one, other] = [
      { chain: 'A', residue: 9 },
      { chain: 'A', residue: 10, insertionCode: 'B' },
    ];
    const kept = prepared({ retainResidues: [one, other] });
    expect(prepared({ retainResidues: [other, { ...one, insertionCode: ' ' }, one] })).to.equal(kept);
    expect(new Set([plain, kept, prepared({ removeResidues: [one, other] })]).size).to.equal(3);

    const near = (of: 'box' | 'ligand', angstrom = 3) => ({ retainWatersWithin: { angstrom, of } });
    const box = prepared(near('box'));
    expect(new Set([plain, box, prepared(near('ligand')), prepared(near('box', 4))]).size).to.equal(4);
    // The waters are those near one box or ligand, so another box or ligand makes another receptor.
    expect(prepared(near('box'), { boxSizeAngstrom: 30 })).to.not.equal(box);
    expect(prepared(near('ligand'), { boxSizeAngstrom: 30 })).to.equal(prepared(near('ligand')));
    expect(prepared(near('ligand'), { pocketLigand: 'str' })).to.equal(prepared(near('ligand')));
    expect(prepared(near('ligand'), { pocketLigandChain: 'B' })).to.not.equal(prepared(near('ligand')));
    expect(prepared({}, { boxSizeAngstrom: 30 })).to.equal(plain);
  });

  it('knows side chains that turn where they are used, in any order, and stages them for the ligands', () => {
    const [one, other] = [
      { chain: 'A', residue: 725, residueName: 'GLN' as const },
      { chain: 'A', residue: 41, insertionCode: ' ' },
    ];
    const flexible = (...flexibleResidues: FlexibleResidue[]): SubmitJobRequest =>
      docking({ receptorPreparation: { ...DEFAULT_PREPARATION, flexibleResidues } });
    const plain = digests(docking());
    expect(digests(flexible()), 'an empty list asks for nothing').to.deep.equal(plain);
    expect(session(flexible())).to.deep.equal(session(docking()));
    const turning = digests(flexible(one, other));
    expect(turning.cacheKey).to.not.equal(plain.cacheKey);
    expect(digests(flexible(other, one))).to.deep.equal(turning);
    expect(session(flexible(one, other))['preparation']).to.deep.include({
      flexibleResidues: [
        { chain: 'A', residue: 41, insertionCode: '' },
        { chain: 'A', residue: 725, insertionCode: '', residueName: 'GLN' },
      ],
    });

    const files = ['receptor/prepared.pdbqt', 'receptor/flexible.pdbqt', 'receptor/prepared.pdb', 'box.json'];
    expect(vina.inputs.taskInputs(flexible(one), 'task', 0, NONE).prepared).to.deep.equal(files);
    expect(vina.inputs.taskInputs(flexible(one), 'control', 0, NONE).prepared).to.include.members(files);
    expect(vina.inputs.taskInputs(docking(), 'task', 0, NONE).prepared).to.deep.equal([
      'receptor/prepared.pdbqt',
      'box.json',
    ]);
    const kept = ['receptor/prepared.pdb', 'receptor/prepared.pdbqt', 'receptor/preparation.json'];
    expect(vina.inputs.cachedOutputs(docking())).to.deep.equal(kept);
    expect(vina.inputs.cachedOutputs(flexible(one))).to.have.members([...kept, 'receptor/flexible.pdbqt']);
  });

  it('tells the session of residues by place and of waters', () => {
    const request = docking({
      receptorPreparation: {
        protonationPh: 7.4,
        addHydrogens: true,
        protonationMethod: 'pdb2pqr-propka',
        forceField: 'AMBER',
        fixedProtonationStates: [{ chain: 'A', residue: 110, residueName: 'HIS', state: 'epsilon' }],
        removeComponents: [],
        retainComponents: [],
        retainResidues: [{ chain: 'A', residue: 7 }],
        retainWatersWithin: { angstrom: 3.5, of: 'ligand' },
      },
    });
    expect(session(request)['preparation']).to.deep.include({
      fixedProtonationStates: [
        { chain: 'A', residue: 110, insertionCode: '', residueName: 'HIS', state: 'epsilon', reason: null },
      ],
      retainResidues: [{ chain: 'A', residue: 7, insertionCode: '' }],
      retainWatersWithin: {
        angstrom: 3.5,
        of: 'ligand',
        ligand: { componentId: 'STR', chain: null, residue: null },
      },
    });
    expect(session(request)['preparation']).to.not.have.property('removeResidues');
  });

  it('names the field of a sent preparation that differs', () => {
    const own = digests(docking());
    const stale = (change: Partial<typeof own>): string | null => {
      const preparedReceptor = { ...own, ...change };
      const request = docking({ dockingExecution: { shardSize: 1, preparedReceptor } });
      const identity = preparationIdentity(request, PINNED, TOOLCHAIN);
      expect(identity.cacheKey).to.equal(own.cacheKey);
      return identity.staleField;
    };
    expect(stale({})).to.equal(null);
    const other = '99'.repeat(32);
    for (const field of ['receptorIdentitySha256', 'preparationSha256', 'toolchainSha256'] as const) {
      expect(stale({ [field]: other, cacheKey: other })).to.equal(field);
    }
    expect(stale({ cacheKey: other })).to.equal('cacheKey');
    expect(stale({ workerImageDigest: `sha256:${other}` })).to.equal('workerImageDigest');
    expect(preparationIdentity(docking(), PINNED, TOOLCHAIN).staleField).to.equal(null);
  });

  it('says of each ligand what it is and how it is protonated', () => {
    const request = without(
      docking({
        ligandLibrary: [
          ligand('s'),
          ligand('c', { kind: 'ccd', componentId: 'BEN' }),
          ligand('f', { kind: 'artifact', artifact: artifact('sdf') }),
        ],
      }),
      'ligandIdentity',
    );
    const source = (ordinal: number): unknown => vina.work.taskSpec(request, 'task', ordinal, NONE)['source'];
    expect(vina.work.taskSpec(request, 'task', 0, NONE)).to.deep.equal({
      ligandId: 's',
      label: 'the s',
      source: { kind: 'smiles', smiles: 'Oc1ccccc1' },
      protonationPh: 7.4,
    });
    expect(source(1)).to.deep.equal({ kind: 'ccd', componentId: 'BEN' });
    expect(source(2)).to.deep.equal({
      kind: 'artifact',
      artifactId: 'id-sdf',
      format: 'sdf',
      sha256: 'ab'.repeat(32),
    });
  });

  it('says that charges stay as given or protons move only where that was asked, and it changes no digest of the receptor', () => {
    const asked = (choice: Partial<LigandPreparation> = {}): SubmitJobRequest => {
      const given = ligand('s');
      const preparation = { ...given.preparation, ...choice };
      return without(docking({ ligandLibrary: [{ ...given, preparation }] }), 'ligandIdentity');
    };
    const spec = (request: SubmitJobRequest): unknown => vina.work.taskSpec(request, 'task', 0, NONE);
    expect(spec(asked({ protonation: 'as_given' }))).to.include({
      protonation: 'as_given',
      protonationPh: 7.4,
    });
    expect(spec(asked({ tautomer: 'likely' }))).to.include({ tautomer: 'likely', protonationPh: 7.4 });
    expect(spec(asked({ states: 'likely' }))).to.include({ states: 'likely', protonationPh: 7.4 });
    expect(spec(asked({ states: 'single' }))).to.deep.equal(spec(asked()));
    expect(spec(asked({ protonation: 'model', tautomer: 'as_sent' }))).to.deep.equal(spec(asked()));
    expect(spec(asked())).to.not.have.property('protonation');
    expect(digests(asked({ protonation: 'as_given', tautomer: 'likely' }))).to.deep.equal(digests(asked()));
  });

  it('tells the preparation what it may use again, and the control its name', () => {
    const native = { componentId: 'STR', chain: 'A', residue: 1 };
    const request = docking({ dockingValidation: { nativeReference: native } });
    expect(
      vina.work.taskSpec(request, 'prepare', 0, { ...NONE, cached: true, staleField: 'cacheKey' }),
    ).to.deep.equal({
      cached: true,
      staleField: 'cacheKey',
    });
    expect(vina.work.taskSpec(request, 'control', 0, NONE)).to.deep.equal({
      id: 'native:STR:A:1',
      protonationPh: 7.4,
    });
    expect(session(request)['nativeReference']).to.deep.equal({ ...native, insertionCode: '' });
  });
});

describe('autodock-vina: files of a job', () => {
  const files = (request: SubmitJobRequest) => vina.inputs.stored(request);
  const shared = artifact('sdf', 'shared');
  const library = without(
    docking({
      receptorArtifact: artifact('mmcif'),
      ligandLibrary: [
        ligand('a'),
        ligand('b', { kind: 'artifact', artifact: shared }),
        ligand('c', { kind: 'artifact', artifact: artifact('mol2') }),
        ligand('d', { kind: 'artifact', artifact: shared }),
      ],
      dockingExecution: {
        shardSize: 1,
        preparedReceptor: { ...digests(docking()), artifact: artifact('pdbqt') },
      },
    }),
    'ligandIdentity',
    'receptorPdbId',
  );

  it('are the receptor and each ligand file once; a sent prepared receptor is not one', () => {
    expect(files(library)).to.deep.equal([
      { storageKey: 'accounts/a/uploads/mmcif', name: 'receptor/source' },
      { storageKey: 'accounts/a/uploads/shared', name: 'ligands/1' },
      { storageKey: 'accounts/a/uploads/mol2', name: 'ligands/2' },
    ]);
    const scene = without(docking({}, { sceneFile: 'accounts/a/uploads/x.pdb' }), 'receptorPdbId');
    expect(files(scene)).to.deep.equal([{ storageKey: 'accounts/a/uploads/x.pdb', name: 'receptor/source' }]);
    expect(vina.inputs.structures(scene)).to.deep.equal([]);
    expect(files(docking({ receptorPdbId: '1hpv' }))).to.deep.equal([]);
    expect(vina.inputs.structures(docking({ receptorPdbId: '1hpv' }))).to.deep.equal([
      { pdbId: '1HPV', name: 'receptor/source', failures: FAILURES },
    ]);
  });

  it('go to the task that reads them, and the prepared receptor to every docking', () => {
    const prepared = ['receptor/prepared.pdbqt', 'box.json'];
    expect(vina.inputs.taskInputs(library, 'task', 0, NONE)).to.deep.equal({ inputs: [], prepared });
    for (const ordinal of [1, 3]) {
      expect(vina.inputs.taskInputs(library, 'task', ordinal, NONE)).to.deep.equal({
        inputs: [{ from: 'ligands/1', as: 'ligand/source' }],
        prepared,
      });
    }
    expect(vina.inputs.taskInputs(library, 'prepare', 0, NONE)).to.deep.equal({
      inputs: [{ from: 'receptor/source', as: 'receptor/source' }],
      prepared: [],
    });
    expect(vina.inputs.taskInputs(library, 'control', 0, NONE)).to.deep.equal({
      inputs: [],
      prepared: [...prepared, 'control/native_reference.sdf'],
    });
  });
});
