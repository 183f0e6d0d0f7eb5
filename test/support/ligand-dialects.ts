/** Libraries as programs and vendors write them, and what is read of each; every door takes all of them. */
import type { LibraryFormat } from '../../src/domain/requests.ts';

/** The records of a file in its order; one without a structure fails alone, one that equals an earlier one is docked as that. */
type Read = readonly (readonly [
  id: string,
  structure: string | null,
  tags?: Readonly<Record<string, string>>,
])[];

/** A record of an SD file with a blank title. */
export const BENZENE = [
  ['', '  -OEChem-01012612002D', ''].join('\n'),
  '  6  6  0     0  0  0  0  0  0999 V2000',
  ...Array.from(
    { length: 6 },
    (_, n) => `    ${n}.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0`,
  ),
  ...Array.from({ length: 6 }, (_, n) => `  ${n + 1}  ${((n + 1) % 6) + 1}  ${(n % 2) + 1}  0  0  0  0`),
  'M  END',
].join('\n');
/** A salt as an extended MOL block. */
export const V3000 = [
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

/** Files by what they are: their format, their content, and the ligands that they have. */
export const DIALECTS: Readonly<Record<string, readonly [LibraryFormat, string, Read]>> = {
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
    'isosmiles version_id parent_id\nC[C@H](N)C(=O)O 1001 1000\nCCO 1003 1002\n',
    [
      ['1001', 'C[C@H](N)C(=O)O'],
      ['1003', 'CCO'],
    ],
  ],
  'SMILES with a heading of two words and names of several': [
    'smi',
    'smiles name\nCCO ethyl alcohol\nCC(=O)O acetic acid\n',
    [
      ['ethyl-alcohol', 'CCO'],
      ['acetic-acid', 'CC(=O)O'],
    ],
  ],
  'SMILES of ZINC20, with tabs and further columns': [
    'smi',
    'smiles\tzinc_id\tinchikey\tmwt\tlogp\nCCO\tZINC000000895034\tLFQSCWFLJHTTHZ-UHFFFAOYSA-N\t46.07\t-0.1\n',
    [['ZINC000000895034', 'CCO']],
  ],
  'SMILES with the extension of ChemAxon': [
    'smi',
    'C[C@H](O)CN |&1:1| Z77\nC[C@@H](O)CCN |o1:1| Z78\n',
    [
      ['Z77', 'C[C@H](O)CN |&1:1|', { cxsmiles: '&1:1' }],
      ['Z78', 'C[C@@H](O)CCN |o1:1|', { cxsmiles: 'o1:1' }],
    ],
  ],
  'SMILES with one name for different structures and for equal ones': [
    'smi',
    'CCO Z1\nCCCO Z2\nCCCCO Z1\nCCO Z1\nCCC Z1-2\n',
    [
      ['Z1', 'CCO'],
      ['Z2', 'CCCO'],
      ['Z1-2', 'CCCCO'],
      ['Z1-3', 'CCO'],
      ['Z1-2-2', 'CCC'],
    ],
  ],
  'table of BindingDB': [
    'csv',
    'BindingDB Reactant_set_id\tLigand SMILES\tLigand InChI\tMonomerID\tKi (nM)\n1\tCC(=O)Nc1ccc(O)cc1\tInChI=1S/x\t50001\t12\n2\tCn1cnc2c1c(=O)n(C)c(=O)n2C\tInChI=1S/y\t50002\t>1000\n',
    [
      [
        '50001',
        'CC(=O)Nc1ccc(O)cc1',
        { 'BindingDB Reactant_set_id': '1', 'Ligand InChI': 'InChI=1S/x', 'Ki (nM)': '12' },
      ],
      [
        '50002',
        'Cn1cnc2c1c(=O)n(C)c(=O)n2C',
        { 'BindingDB Reactant_set_id': '2', 'Ligand InChI': 'InChI=1S/y', 'Ki (nM)': '>1000' },
      ],
    ],
  ],
  'table with a row that has no SMILES': [
    'csv',
    'ID,SMILES\na,CCO\nb,\nc,CCCO\n',
    [
      ['a', 'CCO'],
      ['b', null],
      ['c', 'CCCO'],
    ],
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
