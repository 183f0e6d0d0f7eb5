/**
 * Receptors and boxes into which nothing can be docked: the job fails with the code of the first fault and names the
 * residue or component; nothing is charged, and the hold is released at once.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { docking, dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import { smilesLigand, storeArtifact } from '../support/docking-ligands.ts';
import type { Json } from '../support/docking-ligands.ts';
import { inLongRuns } from '../support/long.ts';
import { sideBySide } from '../support/side-by-side.ts';

const RELEASED_WITHIN_MS = 30_000;
const CASES_AT_ONCE = 3;
const FAR_AWAY = { boxCenterAngstrom: [500, 500, 500], boxSizeAngstrom: 20, pocketLigand: undefined };

interface Refusal {
  readonly code: string;
  /** The words that the message must contain. */
  readonly names: RegExp;
  readonly receptor: string;
  readonly params: Json;
  /** Whether the long runs alone have the case; `science/autodock-vina/tests/receptor` has each of them without a stack. */
  readonly isLong?: true;
}

describe('docking into what cannot be docked into', function () {
  this.timeout(JOB_SECONDS * 1000);
  let api: TestApi;
  const { test, start } = sideBySide(CASES_AT_ONCE);
  const longTest = inLongRuns(test);
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    start();
  });

  const structure = (name: string): string =>
    readFileSync(join(repositoryRoot, 'test', 'fixtures', 'structures', name), 'utf8');
  const example = readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8');

  const refusals: Readonly<Record<string, Refusal>> = {
    'a chain that the file has not': {
      code: 'RECEPTOR_CHAIN_NOT_FOUND',
      names: /\bQ\b/,
      receptor: example,
      params: { receptorChains: ['Q'] },
    },
    'a pocket ligand that the file has not': {
      code: 'POCKET_LIGAND_NOT_FOUND',
      names: /HEM/,
      receptor: example,
      params: { pocketLigand: 'HEM' },
      isLong: true,
    },
    'a pocket ligand that is there twice': {
      code: 'POCKET_LIGAND_AMBIGUOUS',
      names: /STR.*A.*B/,
      receptor: example,
      params: { receptorAssemblyId: 'asymmetric', receptorChains: undefined, pocketLigandChain: undefined },
      isLong: true,
    },
    'a residue to retain that the file has not': {
      code: 'RECEPTOR_RESIDUE_NOT_FOUND',
      names: /A:4711/,
      receptor: example,
      params: { receptorPreparation: { retainResidues: [{ chain: 'A', residue: 4711 }] } },
      isLong: true,
    },
    'a flexible residue that has no side chain': {
      code: 'RECEPTOR_RESIDUE_NOT_FLEXIBLE',
      names: /A:GLY 722 has no side chain/,
      receptor: example,
      params: { receptorPreparation: { flexibleResidues: [{ chain: 'A', residue: 722 }] } },
      isLong: true,
    },
    'a native reference that the file has not': {
      code: 'NATIVE_REFERENCE_NOT_FOUND',
      names: /STR/,
      receptor: example,
      params: { dockingValidation: { nativeReference: { componentId: 'STR', chain: 'A', residue: 999 } } },
      isLong: true,
    },
    'a box in empty space': {
      code: 'BOX_EMPTY',
      names: /box/i,
      receptor: example,
      params: { ...FAR_AWAY, pocketLigandChain: undefined },
      isLong: true,
    },
    'a file that was cut off': {
      code: 'RECEPTOR_UNREADABLE',
      names: /incomplete/,
      receptor: example.slice(0, example.indexOf('\n', example.length * 0.4) + 1),
      params: {},
      isLong: true,
    },
    'a file that is no structure': {
      code: 'RECEPTOR_UNREADABLE',
      names: /PDB/,
      receptor: 'once upon a time\n',
      params: {},
    },
    'a side chain in the place of its neighbour': {
      code: 'RECEPTOR_CLASH',
      names: /PHE.*778|778.*PHE/,
      receptor: clashing(example),
      params: {},
    },
    'a residue that nothing is known of': {
      code: 'RECEPTOR_UNKNOWN_COMPONENT',
      names: /XQX.*67|67.*XQX/,
      // A cysteine of the deposited structure is oxidised; under this name the dictionary has something else.
      receptor: structure('1hvr.pdb').replaceAll('CSO', 'XQX'),
      params: {
        ...{ receptorChains: undefined, pocketLigand: 'XK2', pocketLigandChain: undefined },
        // So far from the box it would be cut to alanine.
        receptorPreparation: { repair: 'none' },
      },
      isLong: true,
    },
  };

  for (const [name, { code, names, receptor, params, isLong = false }] of Object.entries(refusals)) {
    (isLong ? longTest : test)(`fails for ${name} with ${code}, charged nothing`, async () => {
      const owner = await api.account();
      const receptorArtifact = await storeArtifact(api, owner.liveKey, receptor, 'pdb');
      const ligandLibrary = [smilesLigand('phenol', 'Oc1ccccc1'), smilesLigand('aniline', 'Nc1ccccc1')];
      const { jobId, heldCents } = await dockingCustomer(api, owner.liveKey).submitted(
        docking({ receptorArtifact, ligandLibrary, ...params }),
      );
      const failed = (await api.reaches(owner.liveKey, jobId, 'FINALIZING', 'FAILED')).body;
      const failedAt = performance.now();
      const status = failed.status === 'FAILED' ? failed : (await api.ends(owner.liveKey, jobId, 30)).body;
      expect(performance.now() - failedAt).to.be.below(RELEASED_WITHIN_MS);
      expectFailure(status, code, names);
      const { tasks } = (await api.call(owner.liveKey, 'GET', `jobs/${jobId}/tasks`)).body;
      for (const task of tasks) expect(task).to.include({ state: 'FAILED', attempts: 0 });
      expect(status.cost).to.include({ chargedCents: 0, releasedCents: heldCents });
      const balance = await api.call(owner.liveKey, 'GET', 'credits/balance');
      expect(balance.body).to.include({ held_cents: 0, available_cents: 100_000 });
    });
  }

  function expectFailure(status: Answer['body'], code: string, names: RegExp): void {
    expect(status.status).to.equal('FAILED');
    expect(status.failures, JSON.stringify(status.failures)).to.have.length(1);
    expect(status.failures[0]).to.include({ index: null, code });
    expect(status.failures[0].message).to.match(names);
    expect(status.progress).to.include({ completed: 0, failed: 2 });
  }
});

/** 1A28 with the side chain of MET 759 of chain A placed on the ring of PHE 778. */
function clashing(pdb: string): string {
  const place = (residue: string, atom: string): string =>
    new RegExp(`^ATOM .{7} ${atom.padEnd(3)} ${residue}.{4}(.{24})`, 'm').exec(pdb)?.[1] ?? '';
  return [
    ['CG', 'CG'],
    ['SD', 'CD1'],
    ['CE', 'CE1'],
  ].reduce((text, [from = '', to = '']) => {
    const [mine, theirs] = [place('MET A 759', from), place('PHE A 778', to)];
    expect(mine, from).to.have.length(24);
    expect(theirs, to).to.have.length(24);
    return text.replace(mine, theirs);
  }, pdb);
}
