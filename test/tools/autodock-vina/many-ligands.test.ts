/** When the ligands of `dockyard dock` are docked as a batch. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { dockScreening } from '../../../src/tools/autodock-vina/command/screening.ts';

describe('the ligands of dockyard dock', () => {
  it('are a batch where they are more than 20, however the file is written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-many-'));
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, index) => `${'C'.repeat(index + 1)} c${index}\n`).join('');
    try {
      writeFileSync(join(folder, '20.smi'), lines(20));
      writeFileSync(join(folder, '21.smi'), lines(21));
      writeFileSync(join(folder, '21.smi.gz'), gzipSync(lines(21)));
      writeFileSync(join(folder, 'table.csv'), `smiles,name\n${lines(21).replaceAll(' ', ',')}`);
      writeFileSync(join(folder, 'wrong.csv'), 'Compound;Structure\na;CCO\n');
      const found: string[] = [];
      for (const ligands of ['20.smi', '21.smi', '21.smi.gz', 'table.csv', 'wrong.csv', 'gone.smi', 'a.mol2'])
        if ((await dockScreening.manyLigands({ receptor: '1A28', ligands }, folder)) !== null)
          found.push(ligands);
      expect(found).to.deep.equal(['21.smi', '21.smi.gz', 'table.csv']);
      expect(await dockScreening.manyLigands({ receptor: '1A28' }, folder)).to.equal(null);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
