import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { ligandInputOf, placeLigands } from '../../../src/tools/autodock-vina/command/inputs.ts';
import { sizesOf } from '../../../src/tools/autodock-vina/command/request.ts';
import { refusalOf } from '../../support/refusals.ts';

const ARTIFACT = {
  schema: 'svc.docking.artifact/v1',
  artifactId: '01890a5d-ac96-774b-bcce-b302099a8057',
  storageKey: 'accounts/a/uploads/u/1a28.pdb',
  sha256: 'a'.repeat(64),
  byteSize: 10,
  mediaType: 'chemical/x-pdb',
  format: 'pdb',
} as const;

describe('the ligands of dockyard dock', () => {
  it('are read packed and unpacked, and refused by what is wrong with the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-ligands-'));
    try {
      const packed = gzipSync('CCO ethanol\nC methane\n');
      for (const [name, content] of Object.entries({
        ...{ 'plain.smi': 'CCO ethanol\nC methane\n', 'packed.SMI.GZ': packed, 'packed.smi': packed },
        ...{ 'cut.smi.gz': packed.subarray(0, 20), 'wide.csv': Buffer.from('smiles', 'utf16le') },
      }))
        writeFileSync(join(folder, name), content);
      for (const name of ['plain.smi', 'packed.SMI.GZ', 'packed.smi']) {
        const { ligands } = await ligandInputOf(name, folder);
        expect(ligands.map(({ ligandId }) => ligandId)).to.deep.equal(['ethanol', 'methane']);
      }
      const named = 'C one\nxo broken\nC again\n';
      writeFileSync(join(folder, 'notes.smi'), named);
      const { text, notes } = await ligandInputOf('notes.smi', folder);
      expect(text).to.equal('3 records, 1 equal to others (docked and charged once), 1 unreadable');
      expect(notes).to.deep.equal([
        'Line 2: The text is no SMILES: its character 1 is "x".',
        'Line 3: again equals one.',
        'Records that cannot be read are left out, and cost nothing.',
      ]);
      for (const [name, code, message] of [
        ['cut.smi.gz', 'LIBRARY_UNREADABLE', /^cut\.smi\.gz: .*cannot be unpacked/],
        ['wide.csv', 'LIBRARY_UNREADABLE', /^wide\.csv: .*UTF-16/],
        ['missing.smi', 'USAGE_INPUT', /^missing\.smi is not there/],
      ] as const) {
        const refused = await refusalOf(ligandInputOf(name, folder));
        expect(refused).to.have.property('code', code);
        expect((refused as Error).message).to.match(message);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a single ligand of dockyard dock', () => {
  it('is sent as the file that it is: SDF, MOL2 and PDBQT, packed or not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-single-'));
    try {
      const record = 'hit 7\n  x\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END';
      for (const [name, content, format, ligandId, sent] of [
        ['one.mol', record, 'sdf', 'hit-7', `${record}\n$$$$\n`],
        ['Hit 7.mol2', '@<TRIPOS>MOLECULE\n', 'mol2', 'Hit-7', '@<TRIPOS>MOLECULE\n'],
        ['hit.PDBQT.gz', gzipSync('ROOT\n'), 'pdbqt', 'hit', 'ROOT\n'],
      ] as const) {
        writeFileSync(join(folder, name), content);
        const { ligands } = await ligandInputOf(name, folder);
        const registered: unknown[] = [];
        const register = async (file: { path: string; format: string; contentType: string }) => {
          registered.push([readFileSync(file.path, 'utf8'), file.format]);
          expect(file.contentType).to.match(/^chemical\/x-/);
          return { ...ARTIFACT, format };
        };
        const [placed] = await placeLigands({ register }, ligands);
        expect([placed?.ligand.ligandId, registered]).to.deep.equal([ligandId, [[sent, format]]]);
        expect(sizesOf(ligands)).to.deep.equal([null]);
      }
      expect(await refusalOf(ligandInputOf('gone.mol2', folder))).to.have.property('code', 'USAGE_INPUT');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
