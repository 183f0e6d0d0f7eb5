/** Libraries as programs and vendors write them: which ligands are read, what they are called, and what stays with them. */
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import type { LibraryFormat } from '../../../src/domain/requests.ts';
import { readLibrary } from '../../../src/tools/ligand-library/library.ts';

type Read = readonly (readonly [id: string, structure: string, tags?: Readonly<Record<string, string>>])[];

const BENZENE = [
  ['', '  -OEChem-01012612002D', ''].join('\n'),
  '  6  6  0     0  0  0  0  0  0999 V2000',
  ...Array.from(
    { length: 6 },
    (_, n) => `    ${n}.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0`,
  ),
  ...Array.from({ length: 6 }, (_, n) => `  ${n + 1}  ${((n + 1) % 6) + 1}  ${(n % 2) + 1}  0  0  0  0`),
  'M  END',
].join('\n');
const V3000 = [
  'salt\n  Mrv2311\n',
  '  0  0  0     0  0            999 V3000',
  ...[
    'BEGIN CTAB',
    'COUNTS 4 2 0 0 0',
    'BEGIN ATOM',
    '1 C 0 0 0 0',
    '7 C 1 0 0 0',
    '9 O 2 0 0 0 CHG=-1',
    '12 Na 5 0 0 0 CHG=1',
  ].map((line) => `M  V30 ${line}`),
  ...['END ATOM', 'BEGIN BOND', '1 1 1 7', '2 1 7 9', 'END BOND', 'END CTAB'].map((line) => `M  V30 ${line}`),
  'M  END',
].join('\n');

const FILES: Readonly<Record<string, readonly [LibraryFormat, string, Read]>> = {
  'SMILES of ZINC': [
    'smi',
    'smiles zinc_id\nCCO ZINC000000895034\nCO ZINC01532526\n',
    [
      ['ZINC000000895034', 'CCO'],
      ['ZINC01532526', 'CO'],
    ],
  ],
  'SMILES of Enamine, with tabs and further columns': [
    'smi',
    'SMILES\tidnumber\tMW\nCCO\tZ 1234\t46.07\n',
    [['Z-1234', 'CCO']],
  ],
  'SMILES of eMolecules': [
    'smi',
    'isosmiles version_id parent_id\nC[C@H](N)O 1001 1000\n',
    [['1001-1000', 'C[C@H](N)O']],
  ],
  'SMILES without names or heading': [
    'smi',
    'CCO\nCO',
    [
      ['ligand-1', 'CCO'],
      ['ligand-2', 'CO'],
    ],
  ],
  'SMILES with blank lines, comments and blanks at the ends': [
    'smi',
    '\n# set 1\n  CCO  a \n\n#b\nCO b\n',
    [
      ['a', 'CCO'],
      ['b', 'CO'],
    ],
  ],
  'SMILES of an old Macintosh': [
    'smi',
    'CCO a\rCO b\r',
    [
      ['a', 'CCO'],
      ['b', 'CO'],
    ],
  ],
  'SMILES with names in Greek and with accents': [
    'smi',
    'CCO α-thujone é\nCO β\n',
    [
      ['thujone-e', 'CCO'],
      ['ligand-2', 'CO'],
    ],
  ],
  'table of drugs, with another column that names': [
    'csv',
    'Drug,SMILES,CAS\nethanol,CCO,64-17-5\n,CO,67-56-1\n',
    [
      ['ethanol', 'CCO', { CAS: '64-17-5' }],
      ['67-56-1', 'CO', { CAS: '67-56-1' }],
    ],
  ],
  'table of ChEMBL': [
    'csv',
    '"ChEMBL ID";"Name";"Molecular Weight";"Smiles"\n"CHEMBL545";"ETHANOL";"46.07";"CCO"\n"CHEMBL14688";"";"32.04";"CO"\n',
    [
      ['ETHANOL', 'CCO', { 'ChEMBL ID': 'CHEMBL545', 'Molecular Weight': '46.07' }],
      ['CHEMBL14688', 'CO', { 'ChEMBL ID': 'CHEMBL14688', 'Molecular Weight': '32.04' }],
    ],
  ],
  'table of PubChem, with stereo in one of two columns': [
    'csv',
    'cid,cmpdname,mw,canonicalsmiles,isosmiles\n5950,Alanine,89.09,CC(C(=O)O)N,C[C@@H](C(=O)O)N\n',
    [['Alanine', 'C[C@@H](C(=O)O)N', { cid: '5950', mw: '89.09', canonicalsmiles: 'CC(C(=O)O)N' }]],
  ],
  'table of pandas, with its index': [
    'csv',
    ',SMILES,ID,logP\n0,CCO,m1,-0.1\n1,CO,m2,\n',
    [
      ['m1', 'CCO', { logP: '-0.1' }],
      ['m2', 'CO', {}],
    ],
  ],
  'table of Excel in German, with the mark of UTF-8 and CR LF': [
    'csv',
    '\uFEFFName;SMILES;pIC50\r\nEthanol;CCO;4,5\r\nMethanol;CO;3,2\r\n',
    [
      ['Ethanol', 'CCO', { pIC50: '4,5' }],
      ['Methanol', 'CO', { pIC50: '3,2' }],
    ],
  ],
  'table of DataWarrior': [
    'csv',
    'Structure [idcode]\tSmiles\tCompound Name\tcLogP\ngC`@\tCCO\tethanol\t-0.2\n',
    [['ethanol', 'CCO', { 'Structure [idcode]': 'gC`@', cLogP: '-0.2' }]],
  ],
  'table with quotes, commas and line breaks in cells': [
    'csv',
    'smiles,name,note\n"CCO","ethyl, ""alcohol""","two\nlines"\nCO,b,\n',
    [
      ['ethyl-alcohol', 'CCO', { note: 'two lines' }],
      ['b', 'CO', {}],
    ],
  ],
  'table with blanks after its commas': [
    'csv',
    'name, smiles, mw\na, CCO, 46\n',
    [['a', 'CCO', { mw: '46' }]],
  ],
  'table with tabs and no heading': [
    'csv',
    'CCO\ta\t46\nCO\tb\t32\n',
    [
      ['a', 'CCO', { 'column 3': '46' }],
      ['b', 'CO', { 'column 3': '32' }],
    ],
  ],
  'table with rows that are shorter and longer than the heading': [
    'csv',
    'smiles,name,a\nCCO,x\nCO,y,1,2\n',
    [
      ['x', 'CCO', {}],
      ['y', 'CO', { a: '1', 'column 4': '2' }],
    ],
  ],
  'table of Mcule': [
    'csv',
    'SMILES,Catalog ID,Price USD\nCCO,MCULE-1,$5\n',
    [['MCULE-1', 'CCO', { 'Price USD': '$5' }]],
  ],
  'SD file of a vendor, with numbered tags': [
    'sdf',
    `${BENZENE}\n>  <Catalog_ID>  (1) \nV001-2345\n\n> <Salt_Data>\n\n\n>  <MW>\n78.11\n\n$$$$\n`,
    [['V001-2345', BENZENE, { Catalog_ID: 'V001-2345', MW: '78.11' }]],
  ],
  'SD file of Windows, whose last record has no end': [
    'sdf',
    `a${BENZENE}\n`.replaceAll('\n', '\r\n'),
    [['a', `a${BENZENE}`.replaceAll('\n', '\r\n')]],
  ],
  'SD file in V3000': ['sdf', `${V3000}\n$$$$\n`, [['salt', V3000]]],
};

describe('a ligand library of a program or vendor', () => {
  for (const [what, [format, content, wanted]] of Object.entries(FILES))
    it(`is read as it was meant: ${what}`, async () => {
      for (const bytes of [Buffer.from(content), gzipSync(content)]) {
        const found: (readonly [string, string, Record<string, string>])[] = [];
        for await (const { ligandId, start, end, properties, fault } of readLibrary([bytes], format)) {
          expect(fault).to.equal(null);
          const structure = Buffer.from(content).toString('utf8', start, end);
          found.push([
            ligandId,
            format === 'sdf' ? structure.slice(0, wanted[0]?.[1].length) : structure,
            Object.fromEntries(properties),
          ]);
        }
        expect(found).to.deep.equal(wanted.map(([id, structure, tags]) => [id, structure, tags ?? {}]));
      }
    });

  it('tells how large its molecules are, salts without their counter-ion', async () => {
    const sizes = async (content: string, format: LibraryFormat): Promise<(number | null)[]> => {
      const found: (number | null)[] = [];
      for await (const { heavyAtoms } of readLibrary([Buffer.from(content)], format)) found.push(heavyAtoms);
      return found;
    };
    expect(
      await sizes(`${BENZENE}\n$$$$\n${V3000}\n$$$$\nx\n\n\nno counts\nM  END\n$$$$\n`, 'sdf'),
    ).to.deep.equal([6, 3, null]);
    expect(await sizes('CC(=O)[O-].[Na+] a\nC1CC\n', 'smi')).to.deep.equal([4, 3]);
  });
});
