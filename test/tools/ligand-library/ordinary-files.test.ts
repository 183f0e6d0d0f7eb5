/** Libraries as people have them: exports of spreadsheet programs, of vendors and of databases, and files that are none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { LibraryFormat } from '../../../src/domain/requests.ts';
import { libraryNotes, libraryText, readLibraryFile } from '../../../src/tools/ligand-files.ts';
import { readLibrary } from '../../../src/tools/ligand-library/library.ts';
import type { LibraryEntry } from '../../../src/tools/ligand-library/library.ts';
import { refusalOf } from '../../support/refusals.ts';

const read = async (content: string | Uint8Array, format: LibraryFormat): Promise<LibraryEntry[]> => {
  const entries: LibraryEntry[] = [];
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for await (const entry of readLibrary([bytes], format)) entries.push(entry);
  return entries;
};
const named = async (content: string | Uint8Array, format: LibraryFormat): Promise<unknown[]> => {
  const bytes = Buffer.from(content);
  return (await read(bytes, format)).map(({ label, start, end, fault }) =>
    fault === null ? [label, bytes.toString('latin1', start, end)] : [label, fault],
  );
};
const mol = (title: string, tags: string): string =>
  `${title}\n  vendor\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n${tags}$$$$\n`;

describe('a ligand library as people have it', () => {
  it('comes from a spreadsheet program: with a mark and CR LF, with semicolons, or in the old encoding of Windows', async () => {
    expect(await named('\uFEFFName,SMILES\r\nethanol,CCO\r\n', 'csv')).to.deep.equal([['ethanol', 'CCO']]);
    expect(await named('Compound Name;Smiles;IC50 (nM)\nethanol;CCO;1,5\n', 'csv')).to.deep.equal([
      ['ethanol', 'CCO'],
    ]);
    const old = Buffer.from('name,\xa0,smiles\n\xe9thanol 5 \xb5M,\xa0, CCO\n', 'latin1');
    expect(await named(old, 'csv')).to.deep.equal([['éthanol 5 µM', 'CCO']]);
    expect(await named(Buffer.from('CCO \xe9thanol\n', 'latin1'), 'smi')).to.deep.equal([['éthanol', 'CCO']]);
    const [utf8] = await read('name,smiles\nβ-éthanol 乙醇,CCO\n', 'csv');
    expect(utf8).to.include({ label: 'β-éthanol 乙醇', ligandId: 'ethanol' });
  });

  it('has its SMILES under any heading with the word, where one alone may be meant', async () => {
    for (const heading of [
      'SMILES ',
      'canonical_smiles',
      'CanonicalSMILES',
      'Ligand SMILES',
      'Smiles_String',
      'cxsmiles',
    ])
      expect(await named(`"${heading}",id\nCCO,1\n`, 'csv'), heading).to.deep.equal([['1', 'CCO']]);
    expect(await named('ID,CANONICAL_SMILES,ISOMERIC_SMILES\nx,CC(N)O,C[C@H](N)O\n', 'csv')).to.deep.equal([
      ['x', 'C[C@H](N)O'],
    ]);
    for (const columns of ['Structure,ID', 'Drug SMILES,Salt SMILES', 'name,InChI'])
      expect(await refusalOf(read(`${columns}\nCCO,1\n`, 'csv')), columns).to.include({
        code: 'LIBRARY_COLUMN_MISSING',
      });
    for (const heading of ['SMILES Name', 'Structure\tName', 'CXSMILES id'])
      expect(await named(`${heading}\nCCO ethanol\n`, 'smi'), heading).to.deep.equal([['ethanol', 'CCO']]);
  });

  it('comes from a vendor: blank titles are named by a tag, and an extension of ChemAxon is kept with its SMILES and as a property', async () => {
    const tags = '>  <SUPPLIER>\nACME\n\n>  <IDNUMBER>\nSTK100\n\n';
    const [tagged, numbered, titled] = await read(mol('', tags) + mol('', '') + mol('mine', tags), 'sdf');
    expect([tagged?.label, numbered?.label, titled?.label]).to.deep.equal(['STK100', 'ligand-2', 'mine']);
    for (const [content, format] of [
      ['smiles\tid\nC[C@H](N)O |&1:1|\tZ1\n', 'csv'],
      ['C[C@H](N)O |&1:1| Z1\n', 'smi'],
    ] as const) {
      const [entry] = await read(content, format);
      expect(entry?.label).to.equal('Z1');
      expect(content.slice(entry?.start, entry?.end)).to.equal('C[C@H](N)O |&1:1|');
      expect(Object.fromEntries(entry?.properties ?? [])).to.deep.equal({ cxsmiles: '&1:1' });
    }
  });

  it('has names of any length', async () => {
    const long = 'N-(4-methoxyphenyl)-'.repeat(20);
    const ids = (await read(`CCO ${long}a\nCCN ${long}b\n`, 'smi')).map(({ ligandId }) => ligandId);
    expect(new Set(ids).size).to.equal(2);
    for (const id of ids) expect(id).to.match(/^.{91}-[0-9a-f]{8}$/);
  });

  it('says what a text that is no SMILES is, before anything is docked', async () => {
    expect(await named('CCO,ethanol\nethanol CCO\nC1CC ring\n', 'smi')).to.deep.equal([
      ['ligand-1', 'The SMILES has "," in it. Where that stands between the columns, call the file .csv.'],
      ['CCO', 'The text is no SMILES: its character 1 is "e". CCO looks like one: the SMILES comes first.'],
      ['ring', 'C1CC'],
    ]);
    const sound = [
      'N->[Pt+2]',
      'C%(100)CC%(100)',
      'F/C=C/F',
      '[2H]C',
      '*CCO',
      'c1cc[nH]c1',
      'C[C@@H](N)C(=O)[O-]',
      'C$C',
    ];
    expect((await read(sound.join('\n'), 'smi')).map(({ fault }) => fault)).to.deep.equal(
      sound.map(() => null),
    );
    for (const cell of ['#N/A', 'NULL', 'n.a.', '[Na', 'InChI=1S/CH4/h1H4'])
      expect((await read(`smiles,name\n${cell},x\n`, 'csv'))[0]?.fault, cell).to.be.a('string');
  });

  it('is refused by what it is where it is no text', async () => {
    const signs = {
      'PK\x03\x04': 'zip archive or a workbook',
      BZh9: 'bzip2',
      '\xd0\xcf\x11\xe0': 'workbook',
      '%PDF-': 'PDF',
    };
    for (const [sign, what] of Object.entries(signs)) {
      const error = await refusalOf(read(Buffer.from(`${sign}\0\0\0\0`, 'latin1'), 'csv'));
      expect(error).to.include({ code: 'LIBRARY_UNREADABLE' });
      expect(String(error)).to.contain(what).and.to.contain('CSV UTF-8');
    }
  });

  it('is read by the command line before anything is sent, with what is equal and what cannot be read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-library-'));
    const file = (name: string, content: string): Promise<Awaited<ReturnType<typeof readLibraryFile>>> => {
      writeFileSync(join(folder, name), content);
      return readLibraryFile(name, folder);
    };
    try {
      const facts = await file('a.smi', 'CCO a\nCCO b\nCC(C)C c\nxo d\n');
      expect(facts.sizes).to.deep.equal([3, 4, null]);
      expect(libraryText(facts)).to.equal(
        '4 records, 1 equal to others (docked and charged once), 1 unreadable',
      );
      expect(libraryNotes(facts)).to.deep.equal([
        'Line 4: The text is no SMILES: its character 1 is "x".',
        'Line 2: b equals a.',
      ]);
      expect(String(await refusalOf(file('b.smi', 'a,b\n')))).to.contain('none of the 1 records can be read');
      for (const [name, advice] of [
        ['a.zip', 'unpack it'],
        ['a.xlsx', 'CSV UTF-8'],
        ['a.mol2', 'obabel'],
        ['a.txt', 'call it .smi'],
        ['a.doc', 'the end of its name tells what it is'],
      ] as const)
        expect(String(await refusalOf(file(name, 'x'))), name).to.contain(advice);
      expect(await refusalOf(file('c.csv', ''))).to.include({ code: 'LIBRARY_EMPTY' });
      expect(String(await refusalOf(readLibraryFile('gone.smi', folder)))).to.contain(
        'gone.smi is not there',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
