import { expect } from 'chai';

import { readLigands } from '../../../src/tools/autodock-vina/command/ligands/index.ts';
import type { NamedLigand } from '../../../src/tools/autodock-vina/command/ligands/index.ts';

const idsOf = (ligands: readonly NamedLigand[]): string[] => ligands.map(({ ligandId }) => ligandId);
const smilesOf = (ligands: readonly NamedLigand[]): string[] =>
  ligands.map(({ structure }) => (structure.kind === 'smiles' ? structure.smiles : '?'));

const mol = (title: string, extra = ''): string =>
  `${title}\n  Dockyard\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n${extra}$$$$\n`;

describe('files of ligands', () => {
  it('are SMILES and names, with comments, blank lines, a heading and any line ends', () => {
    const found = readLigands(
      'a.SMI',
      'smiles name\r\n# drugs\r\nCCO ethanol\n\nCC(=O)O\tacetic acid\n[NH4+]\n',
    );
    expect(smilesOf(found)).to.deep.equal(['CCO', 'CC(=O)O', '[NH4+]']);
    expect(idsOf(found)).to.deep.equal(['ethanol', 'acetic-acid', 'ligand-3']);
    expect(found.map(({ label }) => label)).to.deep.equal(['ethanol', 'acetic acid', 'ligand-3']);
    expect(found.map(({ line }) => line)).to.deep.equal([3, 5, 6]);
  });

  it('are told apart by ids that the API takes, whatever their names', () => {
    const names = ['same', 'same', 'same-2', '(±)-α', '…', 'é'.repeat(300), '1,2-diol'];
    const ids = idsOf(readLigands('a.smi', names.map((name) => `C ${name}`).join('\n')));
    expect(new Set(ids).size).to.equal(names.length);
    for (const id of ids) expect(id).to.match(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/);
    expect(ids.slice(0, 3)).to.deep.equal(['same', 'same-2', 'same-2-2']);
  });

  it('are tables with headings in any order, quotes and line breaks in cells', () => {
    const text = '\uFEFFMW;Name;Canonical_SMILES\n46;"ethyl; ""alcohol""\nabsolute";CCO\n;;\n60;acid;CC(=O)O';
    const found = readLigands('t.csv', text);
    expect(smilesOf(found)).to.deep.equal(['CCO', 'CC(=O)O']);
    expect(found[0]).to.include({
      ligandId: 'ethyl-alcohol-absolute',
      label: 'ethyl; "alcohol" absolute',
      line: 2,
    });
    expect(found[1]?.line).to.equal(5);
  });

  it('are tables without headings: SMILES, then name', () => {
    expect(idsOf(readLigands('t.csv', 'CCO,ethanol\nC[C@H](N)C(=O)O,alanine\n'))).to.deep.equal([
      'ethanol',
      'alanine',
    ]);
    expect(smilesOf(readLigands('t.tsv', 'CCO\tethanol'))).to.deep.equal(['CCO']);
  });

  it('are records of an SDF, each kept as it is', () => {
    const found = readLigands('x.sdf', `${mol('first', '> <logP>\n1.2\n\n')}${mol('')}`);
    expect(idsOf(found)).to.deep.equal(['first', 'ligand-2']);
    expect(found.map(({ line }) => line)).to.deep.equal([1, 11]);
    const [first] = found;
    expect(first?.structure).to.include({ kind: 'sdf' });
    if (first?.structure.kind === 'sdf') {
      expect(first.structure.record)
        .to.contain('> <logP>\n1.2\n')
        .and.match(/^first\n {2}Dockyard\n\n/);
      expect(first.structure.record.endsWith('\n$$$$\n')).to.equal(true);
    }
    expect(idsOf(readLigands('one.mol', mol('alone').replace('$$$$\n', '')))).to.deep.equal(['alone']);
  });

  it('are refused with the line that is wrong', () => {
    const refused: readonly (readonly [string, string, RegExp])[] = [
      ['a.xyz', 'C', /none of .*\.smi/],
      ['a.smi', '# nothing\n', /holds no ligand/],
      ['a.smi', `C one\n${'C'.repeat(4097)} long`, /^Line 2 has a SMILES of 4097/],
      ['a.smi', 'C\0C', /no text file/],
      ['a.csv', 'name,structure\nethanol,CCO', /none is smiles/],
      ['a.csv', 'smiles,name\nCCO,ethanol\n,lost', /^Line 3 has no SMILES/],
      ['a.csv', 'smiles,name\nCCO,"open', /line 2 is never closed/],
      ['a.sdf', 'no mol block\n$$$$\n', /line 1 has no "M {2}END"/],
      ['a.smi', 'C x\n'.repeat(10_001), /10000 are the most/],
    ];
    for (const [file, text, message] of refused) {
      expect(() => readLigands(file, text), file)
        .to.throw(message)
        .with.property('code', 'USAGE_LIGANDS');
    }
  });
});
