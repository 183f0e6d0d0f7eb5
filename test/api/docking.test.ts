/** Docking requests that are refused at once, and estimates, which may leave inputs out. */
import { expect } from 'chai';

import type { NewAccount } from '../../src/services/identity/index.ts';
import { NOTHING, testApi, withoutQuote } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';

type Params = Record<string, unknown>;

const ligand = (ligandId: string): Params => ({
  ligandId,
  label: ligandId,
  source: { kind: 'smiles', smiles: 'Oc1ccccc1' },
});
const COMPLETE: Params = { receptorPdbId: '1A28', ligandIdentity: ligand('phenol'), pocketLigand: 'STR' };
const docking = (params: Params, more: Params = {}): Params => ({
  jobType: 'simulation',
  simulator: 'autodock-vina',
  simulationParams: params,
  ...more,
});
const without = (params: Params, name: string): Params =>
  Object.fromEntries(Object.entries(params).filter(([other]) => other !== name));

describe('POST /jobs/submit and /jobs/estimate: docking', () => {
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    owner = await api.account();
  });

  const estimate = (body: unknown): Promise<Answer> => api.call(owner.testKey, 'POST', 'jobs/estimate', body);

  type Refusal = [string, Params, number, string, string];
  const refusals: Refusal[] = [
    ['no receptor', docking(without(COMPLETE, 'receptorPdbId')), 422, 'INPUT_MISSING', 'receptorPdbId'],
    ['two receptors', docking(COMPLETE, { sceneFile: 'x' }), 422, 'INPUT_CONFLICT', 'sceneFile'],
    ['no ligand', docking(without(COMPLETE, 'ligandIdentity')), 422, 'INPUT_MISSING', 'ligandLibrary'],
    [
      'a ligand and a library',
      docking({ ...COMPLETE, ligandLibrary: [ligand('a')] }),
      422,
      'INPUT_CONFLICT',
      'ligandIdentity',
    ],
    ['another count', docking(COMPLETE, { taskCount: 3 }), 422, 'TASK_COUNT_MISMATCH', '3'],
    ['no box', docking(without(COMPLETE, 'pocketLigand')), 422, 'BOX_MISSING', 'pocketLigand'],
    ['two boxes', docking({ ...COMPLETE, boxCenterAngstrom: [0, 0, 0] }), 422, 'BOX_CONFLICT', 'boxCenter'],
    [
      'a centre without size',
      docking({ ...without(COMPLETE, 'pocketLigand'), boxCenterAngstrom: [0, 0, 0] }),
      422,
      'BOX_SIZE_REQUIRED',
      'boxSizeAngstrom',
    ],
    [
      'a pH for meeko',
      docking({
        ...COMPLETE,
        receptorPreparation: { protonationMethod: 'meeko', protonationPh: 5 },
      }),
      422,
      'PREPARATION_CONFLICT',
      'protonationPh',
    ],
    [
      'a component that is removed and retained',
      docking({
        ...COMPLETE,
        receptorPreparation: { removeComponents: ['HEM'], retainComponents: ['HEM'] },
      }),
      400,
      'VALIDATION_ERROR',
      'HEM',
    ],
    [
      'a state that a histidine cannot have',
      docking({
        ...COMPLETE,
        receptorPreparation: {
          fixedProtonationStates: [{ chain: 'A', residue: 57, residueName: 'HIS', state: 'anionic' }],
        },
      }),
      400,
      'VALIDATION_ERROR',
      'HIS can be delta or epsilon or both',
    ],
    [
      'a residue that is removed and retained',
      docking({
        ...COMPLETE,
        receptorPreparation: {
          removeResidues: [{ chain: 'A', residue: 7 }],
          retainResidues: [{ chain: 'A', residue: 7, insertionCode: '' }],
        },
      }),
      400,
      'VALIDATION_ERROR',
      'A:7',
    ],
    ...(
      [
        [
          'five side chains that turn',
          [1, 2, 3, 4, 5].map((residue) => ({ chain: 'A', residue })),
          '4 items',
        ],
        ['a glycine that is to turn', [{ chain: 'A', residue: 722, residueName: 'GLY' }], 'residueName'],
        ['a side chain that is to turn twice', [41, 41].map((residue) => ({ chain: 'A', residue })), 'A:41'],
      ] as const
    ).map(([name, flexibleResidues, says]): Refusal => [
      name,
      docking({ ...COMPLETE, receptorPreparation: { flexibleResidues } }),
      400,
      'VALIDATION_ERROR',
      says,
    ]),
    [
      'waters at a ligand that nothing names',
      docking({
        ...without(COMPLETE, 'pocketLigand'),
        boxCenterAngstrom: [0, 0, 0],
        boxSizeAngstrom: 20,
        receptorPreparation: { retainWatersWithin: { angstrom: 3, of: 'ligand' } },
      }),
      422,
      'PREPARATION_CONFLICT',
      'retainWatersWithin',
    ],
    [
      'a library with an id twice',
      docking({ ...without(COMPLETE, 'ligandIdentity'), ligandLibrary: [ligand('a'), ligand('a')] }),
      400,
      'VALIDATION_ERROR',
      'ligandLibrary',
    ],
    [
      'a confirmation that is not genuine',
      docking({
        ...COMPLETE,
        ligandIdentity: {
          ...ligand('a'),
          confirmation: { token: 'x'.repeat(32), query: 'a', sourceId: '1' },
        },
      }),
      422,
      'LIGAND_CONFIRMATION_INVALID',
      'simulationParams.ligandIdentity.confirmation: the token is not genuine',
    ],
    [
      'an unknown receptor file',
      docking(without(COMPLETE, 'receptorPdbId'), { sceneFile: 'x' }),
      404,
      'INPUT_NOT_FOUND',
      'sceneFile',
    ],
  ];

  for (const [name, body, status, code, word] of refusals) {
    it(`refuses ${name} with ${code}, and leaves nothing`, async () => {
      const answer = await api.submit(owner.liveKey, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      expect(answer.body.code).to.equal(code);
      expect(answer.body.error).to.include(word);
      expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
    });
  }

  it('estimates without inputs: by taskCount, at the exhaustiveness and in the currencies of the submit', async () => {
    const bare = { jobType: 'simulation', simulator: 'Vina' };
    const one = await estimate(bare);
    expect(one.status, JSON.stringify(one.body)).to.equal(200);
    expect(one.body).to.include({ currency: 'USD', creditCurrency: 'GBP', hasLicenseFee: false });
    const many = await estimate({ ...bare, taskCount: 500 });
    const { breakdown } = many.body;
    expect(breakdown.compute).to.be.closeTo(500 * one.body.breakdown.compute, 1e-9);
    const sum = Object.values<number>(breakdown).reduce((total, part) => total + part, 0);
    expect(many.body.estimatedCost).to.be.closeTo(sum, 1e-9);
    expect(many.body.heldCents).to.equal(Math.ceil(many.body.estimatedCost * many.body.fxRate * 100 - 1e-9));
    const thorough = await estimate({ ...bare, taskCount: 500, simulationParams: { exhaustiveness: 32 } });
    expect(thorough.body.breakdown.compute).to.be.above(3 * breakdown.compute);
    const estimateOf = async (smiles: string): Promise<Params> => {
      const library = Array.from({ length: 500 }, (_, index) => ({
        ...ligand(`l${index}`),
        source: { kind: 'smiles', smiles },
      }));
      return (await estimate({ ...bare, simulationParams: { ligandLibrary: library } })).body;
    };
    // An ester of 24 heavy atoms is of the class that an estimate without ligands takes, and phenol is smaller.
    expect(withoutQuote(await estimateOf('CC(C)Cc1ccc(cc1)C(C)C(=O)Oc1ccc(cc1)C(C)C'))).to.deep.equal(
      withoutQuote(many.body),
    );
    expect((await estimateOf('Oc1ccccc1'))['estimatedCost']).to.be.below(many.body.estimatedCost);
  });

  it('estimates with a residue of a pocket ligand that is not named yet, which a submit needs', async () => {
    const bare = { jobType: 'simulation', simulator: 'autodock-vina' };
    const stray = { ...bare, simulationParams: { pocketLigandResidue: 1 } };
    const answer = await estimate(stray);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const refused = await api.submit(
      owner.liveKey,
      docking({ ...without(COMPLETE, 'pocketLigand'), pocketLigandResidue: 1 }),
    );
    expect([refused.status, refused.body.code]).to.deep.equal([422, 'BOX_MISSING']);
  });

  it('refuses an estimate that contradicts itself as the submit is refused', async () => {
    for (const [name, body, status, code] of refusals.filter(([, , , kind]) =>
      /CONFLICT|MISMATCH|CONFIRMATION/.test(kind),
    )) {
      const sent = without(body, 'sceneFile');
      if (name === 'two receptors') continue;
      const answer = await estimate(sent);
      expect([answer.status, answer.body.code], name).to.deep.equal([status, code]);
    }
  });
});
