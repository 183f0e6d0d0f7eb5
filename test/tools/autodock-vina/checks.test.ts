import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import type { ErrorCode } from '../../../src/domain/errors.ts';
import type {
  FixedProtonationState,
  ReceptorPreparation,
  SubmitJobRequest,
} from '../../../src/domain/requests.ts';
import { checkDocking } from '../../../src/tools/autodock-vina/checks.ts';
import type { DOCKING_REFUSALS } from '../../../src/tools/autodock-vina/codes.ts';
import { REFERENCE_FORMATS, FIXED_STATES } from '../../../src/domain/requests.ts';
import { artifact, docking, ligand, preparing, without } from './requests.ts';

interface Refusal {
  readonly code: string;
  readonly message: string;
}

const refusal = (request: SubmitJobRequest, estimate = false): Refusal | null => {
  try {
    checkDocking(request, estimate);
    return null;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.publicMessage };
    throw error;
  }
};
const refuses = (
  request: SubmitJobRequest,
  code: ErrorCode | keyof typeof DOCKING_REFUSALS,
  ...words: string[]
): void => {
  const found = refusal(request);
  expect(found?.code, JSON.stringify(found)).to.equal(code);
  for (const word of words) expect(found?.message).to.include(word);
};
const ASP25 = { chain: 'A', residue: 25, residueName: 'ASP', state: 'neutral' } as const;

describe('autodock-vina: what is refused at once', () => {
  it('takes a complete job from each source of receptor and ligands', () => {
    expect(refusal(docking())).to.equal(null);
    const plain = without(docking(), 'receptorPdbId');
    expect(refusal({ ...plain, sceneFile: 'accounts/a/x.pdb' })).to.equal(null);
    for (const format of ['pdb', 'mmcif'] as const) {
      expect(refusal(docking({ receptorArtifact: artifact(format) }))?.code).to.equal('INPUT_CONFLICT');
      expect(refusal(without(docking({ receptorArtifact: artifact(format) }), 'receptorPdbId'))).to.equal(
        null,
      );
    }
    const library = without(docking({ ligandLibrary: [ligand('a'), ligand('b')] }), 'ligandIdentity');
    expect(refusal({ ...library, taskCount: 2 })).to.equal(null);
  });

  it('asks for exactly one receptor and one source of ligands, naming the fields', () => {
    const fields = ['receptorPdbId', 'receptorArtifact', 'sceneFile'];
    refuses(without(docking(), 'receptorPdbId'), 'INPUT_MISSING', ...fields);
    refuses(docking({}, { sceneFile: 'x' }), 'INPUT_CONFLICT', 'receptorPdbId', 'sceneFile');
    refuses(without(docking(), 'ligandIdentity'), 'INPUT_MISSING', 'ligandIdentity', 'ligandLibrary');
    refuses(docking({ ligandLibrary: [ligand('a')] }), 'INPUT_CONFLICT', 'ligandIdentity', 'ligandLibrary');
  });

  it('asks for one centre of the box, and a size beside an explicit one', () => {
    const bare = without(docking(), 'pocketLigand');
    refuses(bare, 'BOX_MISSING', 'boxCenterAngstrom', 'pocketLigand', 'pocketResidues');
    refuses(docking({ boxCenterAngstrom: [0, 0, 0] }), 'BOX_CONFLICT', 'boxCenterAngstrom', 'pocketLigand');
    const explicit = without(docking({ boxCenterAngstrom: [0, 0, 0] }), 'pocketLigand');
    refuses(explicit, 'BOX_SIZE_REQUIRED', 'boxSizeAngstrom');
    expect(
      refusal(without(docking({ boxCenterAngstrom: [0, 0, 0], boxSizeAngstrom: 20 }), 'pocketLigand')),
    ).to.equal(null);
    expect(refusal(docking({ boxSizeAngstrom: 20 }))).to.equal(null);
    expect(
      refusal(without(docking({ pocketResidues: [{ chain: 'A', residue: 1 }] }), 'pocketLigand')),
    ).to.equal(null);
    refuses(without(docking({ pocketLigandChain: 'A' }), 'pocketLigand'), 'BOX_MISSING', 'pocketLigandChain');
    refuses(
      without(
        docking({ pocketLigandResidue: 1, pocketResidues: [{ chain: 'A', residue: 1 }] }),
        'pocketLigand',
      ),
      'BOX_CONFLICT',
      'pocketLigandResidue',
    );
  });

  it('counts ligands as taskCount does', () => {
    refuses(docking({}, { taskCount: 2 }), 'TASK_COUNT_MISMATCH', '2', '1 ligand');
    expect(refusal(docking({}, { taskCount: 1 }))).to.equal(null);
    refuses(docking({}, { taskCount: 10_001 }), 'VALIDATION_ERROR', 'taskCount');
  });

  it('refuses an id that two ligands have, and receptors in formats that hold none', () => {
    const library = (...ligands: ReturnType<typeof ligand>[]): SubmitJobRequest =>
      without(docking({ ligandLibrary: ligands }), 'ligandIdentity');
    refuses(library(ligand('a'), ligand('b'), ligand('a')), 'VALIDATION_ERROR', 'ligandLibrary.2.ligandId');
    refuses(
      without(docking({ receptorArtifact: artifact('pdbqt') }), 'receptorPdbId'),
      'VALIDATION_ERROR',
      'receptorArtifact.format',
    );
  });

  it('refuses preparations that contradict themselves', () => {
    refuses(
      preparing({ removeComponents: ['ZN', 'hem'], retainComponents: ['HEM'] }),
      'VALIDATION_ERROR',
      'removeComponents',
      'HEM',
    );
    expect(refusal(preparing({ removeComponents: ['ZN'], retainComponents: ['HEM'] }))).to.equal(null);
    refuses(
      preparing({ fixedProtonationStates: [ASP25, { ...ASP25, insertionCode: ' ', state: 'anionic' }] }),
      'VALIDATION_ERROR',
      'A:25',
    );
    const other = preparing({ fixedProtonationStates: [ASP25, { ...ASP25, insertionCode: 'B' }] });
    expect(refusal(other)).to.equal(null);
  });

  it('refuses a state that a residue cannot have, and says which it can have', () => {
    const fixed = (residueName: keyof typeof FIXED_STATES, state: string): SubmitJobRequest =>
      preparing({
        fixedProtonationStates: [
          ASP25,
          { chain: 'B', residue: 1, residueName, state },
        ] as FixedProtonationState[],
      });
    const all = new Set(Object.values(FIXED_STATES).flat());
    for (const residueName of ['ASP', 'GLU', 'HIS', 'LYS', 'CYS', 'TYR'] as const) {
      const states: readonly string[] = FIXED_STATES[residueName];
      for (const state of all) {
        if (states.includes(state)) expect(refusal(fixed(residueName, state))).to.equal(null);
        else
          refuses(
            fixed(residueName, state),
            'VALIDATION_ERROR',
            'fixedProtonationStates.1.state',
            `${residueName} can be ${states.join(' or ')}, not ${state}`,
          );
      }
    }
    expect(refusal(fixed('HIS', 'anionic'), true)?.code, 'an estimate too').to.equal('VALIDATION_ERROR');
  });

  it('refuses a residue that is to be removed and retained', () => {
    const place = { chain: 'A', residue: 7 };
    refuses(
      preparing({ removeResidues: [{ ...place, insertionCode: ' ' }], retainResidues: [place] }),
      'VALIDATION_ERROR',
      'removeResidues',
      'A:7',
    );
    const other = preparing({
      removeResidues: [{ ...place, insertionCode: 'B' }],
      retainResidues: [place, place],
    });
    expect(refusal(other)).to.equal(null);
  });

  it('refuses a side chain that is to turn twice, or to turn and be removed', () => {
    const place = { chain: 'A', residue: 41 };
    const twice = preparing({
      flexibleResidues: [place, { ...place, insertionCode: ' ', residueName: 'HIS' }],
    });
    refuses(twice, 'VALIDATION_ERROR', 'flexibleResidues', 'A:41', 'more than once');
    expect(refusal(twice, true)?.code, 'an estimate too').to.equal('VALIDATION_ERROR');
    refuses(
      preparing({ flexibleResidues: [place], removeResidues: [place] }),
      'VALIDATION_ERROR',
      'A:41 is to be flexible and removed',
    );
    const others = preparing({
      flexibleResidues: [place, { ...place, insertionCode: 'B' }, { chain: 'B', residue: 41 }],
      removeResidues: [{ chain: 'A', residue: 42 }],
      retainResidues: [place],
    });
    expect(refusal(others)).to.equal(null);
  });

  it('takes waters at the ligand only where the request names one', () => {
    const waters = (of: 'box' | 'ligand'): Partial<ReceptorPreparation> => ({
      retainWatersWithin: { angstrom: 3, of },
    });
    expect(refusal(preparing(waters('ligand')))).to.equal(null);
    const boxed = (request: SubmitJobRequest): SubmitJobRequest => ({
      ...without(request, 'pocketLigand'),
      simulationParams: {
        ...without(request, 'pocketLigand').simulationParams,
        boxCenterAngstrom: [0, 0, 0],
        boxSizeAngstrom: 20,
      },
    });
    const explicit = boxed(preparing(waters('ligand')));
    refuses(explicit, 'PREPARATION_CONFLICT', 'retainWatersWithin', 'pocketLigand', 'nativeReference');
    expect(refusal(explicit, true)?.code).to.equal('PREPARATION_CONFLICT');
    expect(refusal(boxed(preparing(waters('box'))))).to.equal(null);
    const native = { componentId: 'STR', chain: 'A', residue: 1 };
    const named = { ...explicit.simulationParams, dockingValidation: { nativeReference: native } };
    expect(refusal({ ...explicit, simulationParams: named })).to.equal(null);
    const open = without(preparing(waters('ligand')), 'pocketLigand');
    expect(refusal(open, true), 'an estimate leaves the box out').to.equal(null);
  });

  it('leaves a ligand file of whatever format to its own task, in a library and alone', () => {
    for (const format of REFERENCE_FORMATS) {
      const entry = ligand('a', { kind: 'artifact', artifact: artifact(format) });
      const library = without(docking({ ligandLibrary: [ligand('b'), entry] }), 'ligandIdentity');
      expect(refusal(library), format).to.equal(null);
      expect(refusal(docking({ ligandIdentity: entry })), format).to.equal(null);
    }
  });

  it('refuses a pH or a force field that the method meeko cannot honour', () => {
    expect(refusal(preparing({ protonationMethod: 'meeko' }))).to.equal(null);
    refuses(
      preparing({ protonationMethod: 'meeko', protonationPh: 5 }),
      'PREPARATION_CONFLICT',
      'protonationPh',
    );
    for (const forceField of ['CHARMM', 'PARSE'] as const) {
      refuses(preparing({ protonationMethod: 'meeko', forceField }), 'PREPARATION_CONFLICT', forceField);
      expect(refusal(preparing({ forceField }))).to.equal(null);
    }
    expect(refusal(preparing({ protonationPh: 5 }))).to.equal(null);
  });

  it('lets an estimate leave inputs out, but not contradict itself', () => {
    const bare: SubmitJobRequest = { jobType: 'simulation', simulator: 'vina' };
    expect(refusal(bare, true)).to.equal(null);
    expect(refusal({ ...bare, taskCount: 500 }, true)).to.equal(null);
    for (const stray of [{ pocketLigandResidue: 1 }, { pocketLigandChain: 'A' }]) {
      expect(refusal({ ...bare, simulationParams: stray }, true)).to.equal(null);
      const centred = { ...stray, pocketResidues: [{ chain: 'A', residue: 1 }] };
      expect(refusal({ ...bare, simulationParams: centred }, true)?.code).to.equal('BOX_CONFLICT');
    }
    expect(refusal(docking({ boxCenterAngstrom: [0, 0, 0] }), true)?.code).to.equal('BOX_CONFLICT');
    expect(refusal(docking({ ligandLibrary: [ligand('a')] }), true)?.code).to.equal('INPUT_CONFLICT');
    expect(refusal(docking({}, { taskCount: 3 }), true)?.code).to.equal('TASK_COUNT_MISMATCH');
  });
});
