import { expect } from 'chai';

import type { DockedLigand } from '../../../src/domain/docking-results.ts';
import type { FinishedTask } from '../../../src/tools/finished.ts';
import { dockingFinishFiles } from '../../../src/tools/autodock-vina/finish.ts';
import { DEFAULT_PREPARATION } from '../../../src/tools/autodock-vina/parameters.ts';
import { endOf, textOf } from '../../support/finished-job.ts';
import { docking, ligand, without } from './requests.ts';

const labels: Readonly<Record<string, string>> = {
  b: 'plain',
  a: '=HYPERLINK("http://x","y")',
  'c:1': '2,4-D "the weed killer"',
  bad: '-)',
  late: '@x',
};
const request = without(
  docking({ ligandLibrary: Object.entries(labels).map(([id, label]) => ({ ...ligand(id), label })) }),
  'ligandIdentity',
);
const ended = (ordinal: number, itemId: string, more: Partial<FinishedTask>): FinishedTask => ({
  kind: 'task',
  ordinal,
  itemId,
  state: 'SUCCEEDED',
  summary: null,
  failureCode: null,
  isDocked: false,
  ...more,
});
const DESCRIPTORS = {
  ...{ molecularWeight: 45.085, logP: -0.035, tpsa: 26.02, donors: 1, acceptors: 1, rotatableBonds: 0 },
  ...{ qed: 0.412, alerts: ['PAINS: x', 'NIH: y'], scaffold: '' },
};
const docked = (ordinal: number, ligandId: string, bestAffinityKcalMol: number): DockedLigand => ({
  ...{ ordinal, ligandId, bestAffinityKcalMol },
  ligandEfficiency: 0.5,
  poseCount: 9,
  sizeIndependentEfficiency: 3.25,
  bestPoseFailedChecks: ordinal,
  plausiblePoseCount: 8,
  ...{ smilesInput: '[NH3+]CC', smilesDocked: 'CC[NH3+]', formalCharge: 1, warningCodes: [], listed: null },
  ...{ descriptors: DESCRIPTORS, secondAffinityKcalMol: -5.5, secondRank: 2, states: null },
});
const PREPARE = ended(0, 'prepare', {
  kind: 'prepare',
  summary: { box: { centerAngstrom: [10, 20, -30], sizeAngstrom: [2, 4, 6], receptorHeavyAtoms: 100 } },
});
const TASKS: FinishedTask[] = [
  ended(0, 'control', { kind: 'control', summary: { bestAffinityKcalMol: -99 } }),
  PREPARE,
  ended(0, 'b', { isDocked: true }),
  ended(1, 'a', { isDocked: true }),
  ended(2, 'c:1', { isDocked: true }),
  ended(3, 'bad', { state: 'FAILED', failureCode: 'LIGAND_PARSE_FAILED' }),
  ended(4, 'late', { state: 'CANCELLED' }),
];
const DOCKED = [docked(2, 'c:1', -9.125), docked(1, 'a', -7.5), docked(0, 'b', -7.5)];
const file = (name: string, job = endOf(TASKS, DOCKED), of = request): Promise<string> =>
  textOf(dockingFinishFiles(of, job).find((one) => one.name === name));

describe('autodock-vina: ranking.csv', () => {
  it('ranks docked ligands in the order of the records, controls apart, and lists the others without a rank', async () => {
    expect((await file('ranking.csv')).split('\r\n')).to.deep.equal([
      'rank,ligandId,label,best_affinity_kcal_mol,ligand_efficiency,pose_count,status,failure_code,size_independent_efficiency,failed_checks,plausible_poses,scoring_function,smiles_input,smiles_docked,formal_charge,warnings,molecular_weight,log_p,tpsa,h_bond_donors,h_bond_acceptors,rotatable_bonds,qed,alerts,scaffold,second_affinity_kcal_mol,second_rank',
      '1,c:1,"2,4-D ""the weed killer""",-9.125,0.5,9,SUCCEEDED,,3.25,2,8,vina,[NH3+]CC,CC[NH3+],1,,45.085,-0.035,26.02,1,1,0,0.412,PAINS: x; NIH: y,,-5.5,2',
      '2,a,"\'=HYPERLINK(""http://x"",""y"")",-7.5,0.5,9,SUCCEEDED,,3.25,1,8,vina,[NH3+]CC,CC[NH3+],1,,45.085,-0.035,26.02,1,1,0,0.412,PAINS: x; NIH: y,,-5.5,2',
      '3,b,plain,-7.5,0.5,9,SUCCEEDED,,3.25,0,8,vina,[NH3+]CC,CC[NH3+],1,,45.085,-0.035,26.02,1,1,0,0.412,PAINS: x; NIH: y,,-5.5,2',
      ",bad,'-),,,,FAILED,LIGAND_PARSE_FAILED,,,,vina,Oc1ccccc1,,,,,,,,,,,,,,",
      ",late,'@x,,,,CANCELLED,,,,,vina,Oc1ccccc1,,,,,,,,,,,,,,",
      '',
    ]);
  });

  it('names the function that scored, and leaves empty what a result does not tell', async () => {
    const params = { ...request.simulationParams, scoringFunction: 'vinardo' as const };
    const nothing = { sizeIndependentEfficiency: null, bestPoseFailedChecks: null, plausiblePoseCount: null };
    const old = {
      ...nothing,
      descriptors: null,
      secondAffinityKcalMol: null,
      secondRank: null,
      states: null,
    };
    const job = endOf([ended(0, 'b', { isDocked: true })], [{ ...docked(0, 'b', -7), ...old }]);
    expect(await file('ranking.csv', job, { ...request, simulationParams: params })).to.contain(
      '\r\n1,b,plain,-7,0.5,9,SUCCEEDED,,,,,vinardo,[NH3+]CC,CC[NH3+],1,,,,,,,,,,,,\r\n',
    );
  });

  it('tells of a job with likely states how many each ligand has, and the cost of the one with the poses', async () => {
    const [first, ...others] = request.simulationParams?.ligandLibrary ?? [];
    if (first === undefined) expect.fail('the request has no ligand');
    const likely = { ...first, preparation: { ...first.preparation, states: 'likely' as const } };
    const asked = {
      ...request,
      simulationParams: { ...request.simulationParams, ligandLibrary: [likely, ...others] },
    };
    const each = [0, 0.5].map((costKcalMol) => ({
      ...{ smiles: 'C', formalCharge: 0, costKcalMol, bestAffinityKcalMol: -7 - 2 * costKcalMol },
    }));
    const job = endOf(TASKS, [{ ...docked(0, 'b', -8), states: { onPaper: 9, won: 2, each } }]);
    const lines = (await file('ranking.csv', job, asked)).split('\r\n');
    expect(lines[0]).to.match(/,second_rank,states_docked,state_cost_kcal_mol$/);
    expect(lines[1]).to.match(/,-5.5,2,2,0.5$/);
    expect(lines[2]).to.match(/,vina,Oc1ccccc1,,,,,,,,,,,,,,,,$/);
  });

  it('has the further columns of a library for each of its ids, and no formula of them', async () => {
    const listed = (label: string, sameAs: string | null, properties: Record<string, string>) => ({
      ...{
        listed: { label, sameAs, properties, smiles: 'C1CC' },
        warningCodes: ['LIGAND_DESALTED', 'STEREO_UNSPECIFIED'],
      },
    });
    const ligands = [
      { ...docked(0, 'a', -7), ...listed('A', null, { MW: '46', note: '=1+1' }) },
      { ...docked(0, 'b', -7), ...listed('B, again', 'a', { MW: '-5' }) },
    ];
    const failed = ended(1, 'c', {
      state: 'FAILED',
      failureCode: 'LIGAND_PARSE_FAILED',
      ...listed('C', null, { MW: '1' }),
    });
    const job = { ...endOf([PREPARE, failed], ligands), propertyNames: ['MW', 'note', '__proto__'] };
    const lines = (await file('ranking.csv', job)).split('\r\n');
    expect(lines[0]).to.match(/,second_rank,input_MW,input_note,input___proto__$/);
    expect(lines[1]).to.match(/^1,a,A,.*,1,LIGAND_DESALTED; STEREO_UNSPECIFIED,.*,46,'=1\+1,$/);
    expect(lines[2]).to.match(/^2,b,"B, again",.*,-5,,$/);
    expect(lines[3]).to.equal(',c,C,,,,FAILED,LIGAND_PARSE_FAILED,,,,vina,C1CC,,,,,,,,,,,,,,,1,,');
    expect(await file('view.pml', job), 'an equal ligand has no files').to.not.include('ligands/b/');
  });

  it('never has the lines of all ligands in one piece', async () => {
    const ligands = Array.from({ length: 500 }, (_, n) => docked(0, `l${n}`, n));
    const [ranking] = dockingFinishFiles(request, endOf([], ligands));
    if (typeof ranking?.body !== 'function') return expect.fail('the ranking is made in one piece');
    let longest = 0;
    for await (const piece of ranking.body()) longest = Math.max(longest, piece.length);
    expect(longest).to.be.below(400);
  });
});

describe('autodock-vina: view.pml', () => {
  it('loads the receptor and the poses of every docked ligand, best first, by relative paths', async () => {
    const loads = (await file('view.pml')).split('\n').filter((line) => line.startsWith('load '));
    expect(loads).to.deep.equal([
      'load receptor/prepared.pdb, receptor',
      'load ligands/c:1/poses.sdf, r1_c_1',
      'load ligands/a/poses.sdf, r2_a',
      'load ligands/b/poses.sdf, r3_b',
    ]);
  });

  it('loads the side chains that turned beside the poses, and shows those of the best', async () => {
    const flexibleResidues = [{ chain: 'A', residue: 725 }];
    const params = { receptorPreparation: { ...DEFAULT_PREPARATION, flexibleResidues } };
    const turning = { ...request, simulationParams: { ...request.simulationParams, ...params } };
    const lines = (await file('view.pml', endOf(TASKS, DOCKED), turning)).split('\n');
    const from = lines.indexOf('load ligands/c:1/flexible.pdb, r1_c_1_side_chains');
    expect(lines.slice(from + 1, from + 3)).to.deep.equal([
      'group turned, r1_c_1_side_chains',
      'load ligands/a/poses.sdf, r2_a',
    ]);
    expect(lines).to.include.members(['disable r2_a_side_chains', 'show sticks, turned and not elem H']);
    expect(await file('view.pml')).to.not.include('side_chains');
  });

  it('loads the best hundred of a large library, and says how many more there are', async () => {
    const many = Array.from({ length: 120 }, (_, i) => docked(i, `l${i}`, i - 120));
    const lines = (await file('view.pml', endOf([PREPARE], many))).split('\n');
    const loads = lines.filter((line) => line.startsWith('load ligands/'));
    expect(loads).to.have.length(100);
    expect(loads[0]).to.equal('load ligands/l0/poses.sdf, r001_l0');
    expect(lines.find((line) => line.includes('ranking.csv'))).to.include('20 more');
  });

  it('draws the twelve edges of the box', async () => {
    const edges = [...(await file('view.pml')).matchAll(/^ {4}\(\((.+)\), \((.+)\)\),$/gm)];
    expect(edges).to.have.length(12);
    const lengths = edges.map(([, from = '', to = '']) => {
      const [a, b] = [from, to].map((corner) => corner.split(',').map(Number));
      return Math.hypot(...(a ?? []).map((value, axis) => value - (b?.[axis] ?? 0)));
    });
    expect(lengths.toSorted()).to.deep.equal([2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6]);
    const xs = new Set(
      edges.flatMap(([, from = '', to = '']) => [from, to].map((c) => Number(c.split(',')[0]))),
    );
    expect([...xs].toSorted()).to.deep.equal([11, 9]);
  });

  it('has no word of a customer but ids, and is not made without a receptor', async () => {
    expect(await file('view.pml')).to.not.include('HYPERLINK');
    const unprepared = endOf(TASKS.filter((task) => task.kind !== 'prepare'));
    const names = dockingFinishFiles(request, unprepared).map(({ name }) => name);
    expect(names).to.deep.equal(['ranking.csv']);
  });
});
