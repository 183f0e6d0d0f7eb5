/**
 * Thirty shapes of files of vendors and databases. No file of theirs was at hand: some headings and tags are those that
 * documents and readers of public programs name (2026-11-28), others were written from memory. The records are made up
 * of common molecules, so that no collection is copied.
 */
import { expect } from 'chai';

import type { LibraryFormat } from '../../../src/domain/requests.ts';
import { readLibrary } from '../../../src/tools/ligand-library/library.ts';

const ETHANOL = 'CCO';
const CAFFEINE = 'Cn1cnc2c1c(=O)n(C)c(=O)n2C';
const SALT = 'CN(C)CCOC(c1ccccc1)c1ccccc1.Cl';

/** A record of an SD file: its title and its tags. */
const sdf = (title: string, tags: Readonly<Record<string, string>>): string =>
  [
    `${title}\n  vendor\n`,
    '  2  1  0  0  0  0  0  0  0  0999 V2000',
    '    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 O   0  0\n  1  2  1  0\nM  END',
    ...Object.entries(tags).map(([tag, value]) => `>  <${tag}>\n${value}\n`),
    '$$$$\n',
  ].join('\n');
const twice = (...rows: readonly (readonly [string, Readonly<Record<string, string>>])[]): string =>
  rows.map(([title, tags]) => sdf(title, tags)).join('');

type Vendor = readonly [
  format: LibraryFormat,
  content: string,
  ids: readonly string[],
  smiles?: readonly string[],
];

/** What each file is, and the ids and SMILES that its records have. */
const VENDORS: Readonly<Record<string, Vendor>> = {
  'Enamine, screening collection': [
    'sdf',
    twice(
      ['', { 'Catalog ID': 'Z1263529626', MW: '46.07' }],
      ['', { 'Catalog ID': 'Z28290384', MW: '46.07' }],
    ),
    ['Z1263529626', 'Z28290384'],
  ],
  'Enamine, with the line that tells a spreadsheet its separator': [
    'csv',
    `sep=,\nSMILES,CatalogId,MW\n${ETHANOL},Z2241135,46.07\n${CAFFEINE},Z57127551,194.19\n`,
    ['Z2241135', 'Z57127551'],
    [ETHANOL, CAFFEINE],
  ],
  'Enamine REAL': [
    'smi',
    `smiles\tid\ttype\treagent1_id\n${CAFFEINE}\tm_11____26044286____13231236\tM\t26044286\n${SALT}\ts_22____1____2\tS\t1\n`,
    ['m_11____26044286____13231236', 's_22____1____2'],
    [CAFFEINE, SALT],
  ],
  ChemBridge: [
    'sdf',
    twice(['', { ID: '5100275', MolWeight: '46', logP: '-0.1' }], ['', { ID: '5100276', MolWeight: '46' }]),
    ['5100275', '5100276'],
  ],
  MolPort: [
    'csv',
    `SMILES\tSMILES_CANONICAL\tMOLPORTID\tSTANDARD_INCHIKEY\tPRICERANGE_1MG\n${ETHANOL}\t${ETHANOL}\tMolPort-001-785-844\tLFQSCWFLJHTTHZ-UHFFFAOYSA-N\t<100\n`,
    ['MolPort-001-785-844'],
    [ETHANOL],
  ],
  'MolPort, canonical SMILES alone': [
    'csv',
    `SMILES_CANONICAL\tMOLPORTID\n${ETHANOL}\tMolPort-001-785-844\n`,
    ['MolPort-001-785-844'],
    [ETHANOL],
  ],
  'MolPort, SD file': [
    'sdf',
    twice(['', { PUBCHEM_EXT_DATASOURCE_REGID: 'MolPort-000-001', MOLPORTID: 'MolPort-000-001' }]),
    ['MolPort-000-001'],
  ],
  eMolecules: ['smi', `isosmiles version_id parent_id\n${CAFFEINE} 503011 503011\n`, ['503011'], [CAFFEINE]],
  ZINC22: ['smi', `${CAFFEINE}\tZINCbC000002jX1v\n`, ['ZINCbC000002jX1v'], [CAFFEINE]],
  'ZINC15, SD file': ['sdf', twice(['ZINC000001084', { zinc_id: 'ZINC000001084' }]), ['ZINC000001084']],
  Mcule: [
    'csv',
    `SMILES,Mcule ID,Mcule URL\n${ETHANOL},MCULE-7255294498,https://mcule.com/MCULE-7255294498/\n`,
    ['MCULE-7255294498'],
    [ETHANOL],
  ],
  'Mcule, a quote': [
    'csv',
    `Query Mcule ID,Quoted product SMILES,Supplier\nMCULE-1,${CAFFEINE},Acme\n`,
    ['MCULE-1'],
    [CAFFEINE],
  ],
  'Mcule, SD file': ['sdf', twice(['', { 'mcule ID': 'MCULE-2' }]), ['MCULE-2']],
  Specs: ['sdf', twice(['', { IDNUMBER: 'AA-504/20983005', Available: '12' }]), ['AA-504-20983005']],
  'Life Chemicals': ['sdf', twice(['', { IDNUMBER: 'F0001-0157', LogP: '1.2' }]), ['F0001-0157']],
  Asinex: ['sdf', twice(['', { ASINEX_ID: 'BAS 00094345', AVAILABLE: '5' }]), ['BAS-00094345']],
  Maybridge: ['sdf', twice(['', { Code: 'AC10001', Suppliername: 'Maybridge' }]), ['AC10001']],
  'Vitas-M': ['sdf', twice(['', { IDNUMBER: 'STK000001', MG: '10' }]), ['STK000001']],
  OTAVA: ['sdf', twice(['', { OTAVA_ID: '7019440037', MW: '46' }]), ['7019440037']],
  PubChem: [
    'sdf',
    twice(['2519', { PUBCHEM_COMPOUND_CID: '2519', PUBCHEM_OPENEYE_ISO_SMILES: CAFFEINE }]),
    ['2519'],
  ],
  'PubChem, SD file whose titles another program took away': [
    'sdf',
    twice(['', { PUBCHEM_COMPOUND_CID: '2519', PUBCHEM_IUPAC_NAME: '1,3,7-trimethylpurine-2,6-dione' }]),
    ['2519'],
  ],
  'PubChem, table': [
    'csv',
    `cid,cmpdname,canonicalsmiles,isosmiles\n5950,L-Alanine,CC(C(=O)O)N,C[C@@H](C(=O)O)N\n`,
    ['L-Alanine'],
    ['C[C@@H](C(=O)O)N'],
  ],
  ChEMBL: [
    'csv',
    `"ChEMBL ID";"Name";"Synonyms";"Smiles"\n"CHEMBL113";"CAFFEINE";"No-Doz|Vivarin";"${CAFFEINE}"\n"CHEMBL1";"";"";"${ETHANOL}"\n`,
    ['CAFFEINE', 'CHEMBL1'],
    [CAFFEINE, ETHANOL],
  ],
  'ChEMBL, file of its releases': [
    'csv',
    `chembl_id\tcanonical_smiles\tstandard_inchi\tstandard_inchi_key\nCHEMBL113\t${CAFFEINE}\tInChI=1S/x\tRYYVLZVUVIJVGH-UHFFFAOYSA-N\n`,
    ['CHEMBL113'],
    [CAFFEINE],
  ],
  BindingDB: [
    'csv',
    `BindingDB Reactant_set_id\tLigand SMILES\tBindingDB MonomerID\tBindingDB Ligand Name\n1\t${CAFFEINE}\t10849\tCaffeine\n`,
    ['10849'],
    [CAFFEINE],
  ],
  DrugBank: [
    'sdf',
    twice([
      '',
      { DATABASE_ID: 'DB00201', DATABASE_NAME: 'drugbank', DRUGBANK_ID: 'DB00201', GENERIC_NAME: 'Caffeine' },
    ]),
    ['DB00201'],
  ],
  'DrugBank, table of its links': [
    'csv',
    `DrugBank ID,Name,CAS Number,Drug Groups,InChIKey,SMILES\nDB00201,Caffeine,58-08-2,approved,RYYVLZVUVIJVGH-UHFFFAOYSA-N,${CAFFEINE}\n`,
    ['Caffeine'],
    [CAFFEINE],
  ],
  NCI: ['sdf', twice(['', { NSC: '5036', CAS_RN: '58-08-2' }]), ['5036']],
  FooDB: [
    'csv',
    `id,public_id,name,state,cas_number,moldb_smiles,moldb_inchikey\n2973,FDB002100,Caffeine,Solid,58-08-2,${CAFFEINE},RYYVLZVUVIJVGH-UHFFFAOYSA-N\n2974,FDB002101,,,,${ETHANOL},\n`,
    ['Caffeine', '2974'],
    [CAFFEINE, ETHANOL],
  ],
  COCONUT: [
    'sdf',
    twice(['', { coconut_id: 'CNP0228556', inchi: 'InChI=1S/x', SMILES: 'CO' }]),
    ['CNP0228556'],
  ],
  'COCONUT, table': [
    'csv',
    `identifier,canonical_smiles,standard_inchi,name\nCNP0228556.1,${CAFFEINE},InChI=1S/x,\n`,
    ['CNP0228556.1'],
    [CAFFEINE],
  ],
  ChEBI: [
    'sdf',
    twice(
      ['ChEBI', { 'ChEBI ID': 'CHEBI:27732', 'ChEBI Name': 'caffeine' }],
      ['', { 'ChEBI ID': 'CHEBI:16236' }],
    ),
    ['ChEBI', 'CHEBI-16236'],
  ],
  HMDB: [
    'sdf',
    twice(['', { DATABASE_ID: 'HMDB0001847', DATABASE_NAME: 'hmdb', SMILES: 'CO' }]),
    ['HMDB0001847'],
  ],
  DrugCentral: [
    'csv',
    `SMILES\tInChI\tInChIKey\tID\tINN\tCAS_RN\n${CAFFEINE}\tInChI=1S/x\tRYYVLZVUVIJVGH-UHFFFAOYSA-N\t463\tcaffeine\t58-08-2\n`,
    ['463'],
    [CAFFEINE],
  ],
  'Repurposing Hub, with lines of its own before the heading': [
    'csv',
    `!Release\t2020-03-24\n!Contact\thub\nbroad_id\tpert_iname\tqc_incompatible\tsmiles\nBRD-K02404261-001-03-6\tcaffeine\t0\t${CAFFEINE}\n`,
    ['caffeine'],
    [CAFFEINE],
  ],
  'a shop of inhibitors': [
    'csv',
    `Cat. No.,Product Name,CAS,M.Wt,SMILES\nHY-N1066,Caffeine,58-08-2,194.19,${CAFFEINE}\n`,
    ['Caffeine'],
    [CAFFEINE],
  ],
  'a shop of inhibitors, SD file': ['sdf', twice(['', { 'Cat.No.': 'S1234', Formula: 'C2H6O' }]), ['S1234']],
};

describe('files of vendors and databases', () => {
  for (const [vendor, [format, content, ids, smiles]] of Object.entries(VENDORS))
    it(vendor, async () => {
      const bytes = Buffer.from(content);
      const found: { id: string; structure: string; fault: string | null }[] = [];
      for await (const { ligandId, start, end, fault } of readLibrary([bytes], format))
        found.push({ id: ligandId, structure: bytes.toString('latin1', start, end), fault });
      expect(found.map(({ id }) => id)).to.deep.equal(ids);
      expect(found.map(({ fault }) => fault)).to.deep.equal(ids.map(() => null));
      if (smiles) expect(found.map(({ structure }) => structure)).to.deep.equal(smiles);
    });
});
