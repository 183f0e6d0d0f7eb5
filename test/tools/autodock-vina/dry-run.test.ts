/** What an instance tells of a ligand that is only prepared: what counts is what its file proves. */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';
import { expect } from 'chai';

import { MOST_WARNINGS } from '../../../src/tools/autodock-vina/result.ts';
import { verifyDocking } from '../../../src/tools/autodock-vina/verify.ts';
import { readsTexts } from '../../support/read-outputs.ts';
import { LIGAND, reported } from './outputs.ts';

type Loose = Record<string, unknown>;

const found = (more: Loose = {}): Loose => ({
  ...{ ligandId: 'a', kind: 'ligand', label: 'A', source: { kind: 'smiles', smiles: 'CC(=O)O.[Na+]' } },
  ligand: { ...LIGAND, heavyAtoms: 4, smilesInput: 'CC(=O)O.[Na+]' },
  warnings: [{ code: 'LIGAND_DESALTED', message: 'a salt' }],
  ...more,
});
/** The file as a good session writes it. */
const fileOf = (preparation: Loose, more: Loose = {}): Loose => ({
  schema: 'dockyard.docking.preparation/v1',
  sha256: createHash('sha256')
    .update(canonicalize(preparation) ?? '')
    .digest('hex'),
  preparation,
  ...more,
});

const verdictOf = (itemId: string, name: string, text: string) =>
  verifyDocking(
    'task',
    { itemId, isDryRun: true },
    reported({ [name]: { text, kind: 'preparation', mediaType: 'application/json', format: 'json' } }),
    readsTexts(() => text),
  );
const verdict = (file: unknown) => verdictOf('a', 'ligands/a/preparation.json', JSON.stringify(file));

describe('autodock-vina: what a dry run has found of a ligand', () => {
  it('is recorded from a file with the digest of its content', async () => {
    expect(await verdict(fileOf(found()))).to.deep.equal({
      ...{ kind: 'preparation', heavyAtoms: 4, formalCharge: -1, states: null },
      ...{ smilesInput: 'CC(=O)O.[Na+]', smilesDocked: 'CC(=O)[O-]' },
      warnings: [{ code: 'LIGAND_DESALTED', message: 'a salt' }],
    });
  });

  it('is recorded with the number of its states, SMILES that a table holds and a bounded number of warnings', async () => {
    const many = Array.from({ length: MOST_WARNINGS + 1 }, () => ({
      code: 'STEREO_UNSPECIFIED',
      message: 'a',
    }));
    const each = [1, 2].map((state) => ({ state, smiles: 'C', formalCharge: 0, costKcalMol: 0 }));
    const ligand = { ...LIGAND, smilesInput: 'é' };
    const told = await verdict(fileOf(found({ ligand, warnings: many, states: { onPaper: 9, each } })));
    expect(told).to.have.property('warnings').with.length(MOST_WARNINGS);
    expect(told).to.include({ smilesInput: null, states: 2 });
  });

  it('is nothing where the file is of another format or digest, and the fault is named', async () => {
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [null, /is no preparation: it must be object/],
      [fileOf(found(), { schema: 'dockyard.docking.result/v2' }), /is no preparation: \/schema/],
      [fileOf(found({ ligand: { ...LIGAND, heavyAtoms: 0 } })), /\/preparation\/ligand\/heavyAtoms/],
      [fileOf(found(), { more: 1 }), /additional properties: more/],
      [fileOf(found(), { sha256: 'a'.repeat(64) }), /another digest than its content/],
      [{ ...fileOf(found()), preparation: found({ label: 'B' }) }, /another digest than its content/],
    ];
    for (const [value, fault] of cases) expect(await verdict(value)).to.match(fault);
  });

  it('is read from one file of the ligand, and from nothing else', async () => {
    const text = JSON.stringify(fileOf(found()));
    expect(await verdictOf('a', 'ligands/a/preparation.json', text)).to.include({ kind: 'preparation' });
    expect(await verdictOf('b', 'ligands/b/preparation.json', text)).to.include('is of "a"');
    expect(await verdictOf('a', 'ligands/b/preparation.json', text)).to.be.a('string');
    expect(await verdictOf('a', 'ligands/a/preparation.json', '{')).to.be.a('string');
  });
});
