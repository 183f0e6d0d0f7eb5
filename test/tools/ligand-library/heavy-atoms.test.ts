import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import fc from 'fast-check';

import { projectRoot } from '../../../src/stack/tools.ts';
import { heavyAtomsOf } from '../../../src/tools/ligand-library/heavy-atoms.ts';

/** Molecular formulas of public records, from which the numbers are counted. */
const DRUGS: readonly (readonly [string, string, number])[] = [
  ['aspirin, C9H8O4', 'CC(=O)Oc1ccccc1C(=O)O', 13],
  ['diclofenac, C14H11Cl2NO2', 'OC(=O)Cc1ccccc1Nc1c(Cl)cccc1Cl', 19],
  ['progesterone, C21H30O2', 'CC(=O)[C@H]1CC[C@@H]2[C@@]1(CC[C@H]3[C@H]2CCC4=CC(=O)CC[C@]34C)C', 23],
  [
    'amprenavir, C25H35N3O6S',
    'CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1',
    35,
  ],
  ['tryptamine, C10H12N2', 'NCCc1c[nH]c2ccccc12', 12],
  ['bromobenzene, C6H5Br', '[Br]c1ccccc1', 7],
  ['hydrogens of their own do not count', '[H]OC([2H])([H])[H]', 2],
  ['mercury does', '[Hg]', 1],
  ['diphenhydramine hydrochloride', 'CN(C)CCOC(c1ccccc1)c1ccccc1.Cl', 19],
  ['sodium salicylate', '[Na+].OC1=CC=CC=C1C([O-])=O', 10],
  ['ethane over a dot', 'C1.C1', 2],
  ['a ring of two digits', 'C%12CCCCC%12.O', 6],
  ['a number used twice', 'C1CC1.C1CC1', 3],
  ['nothing', '', 0],
];

describe('autodock-vina: heavy atoms of a SMILES', () => {
  for (const [name, smiles, atoms] of DRUGS)
    it(`counts ${String(atoms)}: ${name}`, () => {
      expect(heavyAtomsOf(smiles)).to.equal(atoms);
    });

  it('counts drugs of the bench as their letters say', () => {
    const lines = readFileSync(join(projectRoot, 'bench/ligands.smi'), 'utf8').trim().split('\n');
    for (const line of lines) {
      const [smiles = ''] = line.split(' ');
      const letters = smiles.replace(/\[([A-Za-z])[^\]]*\]/gu, '$1').replace(/Cl|Br/gu, 'X');
      expect(heavyAtomsOf(smiles), line).to.equal(letters.replace(/[^A-Za-z]/gu, '').length);
    }
  });

  it('answers any text, and a long one at once', () => {
    fc.assert(fc.property(fc.string(), (text) => heavyAtomsOf(text) <= text.length));
    const startedAt = performance.now();
    for (const piece of ['[', '[C', '.', 'C1.', '%11'])
      expect(heavyAtomsOf(piece.repeat(20_000))).to.be.at.most(20_000);
    expect(performance.now() - startedAt).to.be.below(20_000);
  });
});
