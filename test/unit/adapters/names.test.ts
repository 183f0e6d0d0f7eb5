/** The table of ordinary names: every row is the molecule that its InChIKey and its component say. */
import { expect } from 'chai';
import rdkit from '@rdkit/rdkit';

import { foldName, openDictionary } from '../../../src/adapters/chemistry/dictionary.ts';
import { molBlockOf } from '../../../src/adapters/chemistry/molblock.ts';
import { openNames, readNames } from '../../../src/adapters/chemistry/names.ts';
import { findTool } from '../../../src/stack/tools.ts';

describe('the table of ordinary names', function () {
  this.timeout(60_000);
  const rows = readNames();

  it('has each name once, and its molecule as the InChIKey and the component say', async () => {
    const module = await rdkit.default();
    const keyOf = (text: string): string => {
      const mol = module.get_mol(text);
      if (mol === null) return 'no molecule';
      const key = module.get_inchikey_for_inchi(mol.get_inchi());
      mol.delete();
      return key;
    };
    const dictionary = openDictionary(findTool('ccd', process.env));
    expect(rows.length).to.be.greaterThan(250);
    for (const { names, smiles, inchiKey, source } of rows) {
      expect(keyOf(smiles), names[0]).to.equal(inchiKey);
      const [, isomer, id = ''] = /^CCD( isomer)? (\w+)$/.exec(source) ?? [];
      const record = dictionary?.record(id);
      if (id === '' || record === null || record === undefined) {
        expect(source, names[0]).to.be.oneOf(['B3DB', 'not looked up']);
        continue;
      }
      const key = keyOf(molBlockOf(record));
      // Of an isomer only the skeleton is the same.
      expect(isomer === undefined ? key : key.slice(0, 14), names[0]).to.equal(
        isomer === undefined ? inchiKey : inchiKey.slice(0, 14),
      );
    }
    const folded = rows.flatMap(({ names }) => names.map(foldName));
    expect(new Set(folded).size).to.equal(folded.length);
  });

  it('is asked by any name, however it is written, and by InChIKey', () => {
    const known = openNames();
    for (const name of ['Paracetamol', 'ACETAMINOPHEN', 'cane sugar', '1,4-Dioxane', "hunig's base"])
      expect(known.byName(name), name).not.to.equal(null);
    expect(known.byInchiKey('MYPYJXKWCTUITO-LYRMYLQWSA-N')?.names).to.deep.equal(['vancomycin']);
    expect(known.byName('paracetamo')).to.equal(null);
  });
});
