import { expect } from 'chai';

import { inspectReceptorBody } from '../../../api/receptors/schemas.ts';
import { inspectionText } from '../../../src/cli/customer/inspection-text.ts';
import { requestOf } from '../../../src/cli/customer/inspect.ts';
import type { ArtifactReference } from '../../../src/client/types.ts';
import { inspectionReport } from '../../tools/receptor-inspect/reports.ts';

describe('dockyard inspect', () => {
  it('asks for what the service takes', () => {
    const artifact: ArtifactReference = {
      ...{ schema: 'svc.docking.artifact/v1', artifactId: 'a', storageKey: 'k', sha256: 'a'.repeat(64) },
      ...{ byteSize: 1, mediaType: 'chemical/x-pdb', format: 'pdb' },
    };
    const options = { chains: ['A'], assembly: 'asymmetric', model: 2, ph: 6.5 };
    for (const source of [
      { kind: 'pdb', pdbId: '1A28' },
      { kind: 'artifact', artifact },
    ] as const) {
      const request = requestOf(source, options);
      expect(inspectReceptorBody.validate(request).error).to.equal(undefined);
      expect(request).to.deep.include({ assemblyId: 'asymmetric', model: 2, protonationPh: 6.5 });
      expect(requestOf(source, {})).to.deep.equal({ source });
    }
  });

  it('shows components with their boxes, and how to dock into the first ligand', () => {
    const text = inspectionText(inspectionReport(), '1a28.pdb');
    expect(text).to.match(/Would be prepared +yes\n/);
    expect(text).to.match(/STR:A:1 +ligand +23 +1 +removed +22\.853,10\.139,60\.282 +18,18,22\.46\n/);
    expect(text).to.contain('dockyard dock --receptor 1a28.pdb --ligands FILE --box-from-ligand STR:A:1\n');
  });

  it('names the residues of which a prediction is not sure', () => {
    const below50 = Array.from({ length: 13 }, (_, at) => `A:${at + 1}`);
    const pLDDT = { residues: 40, mean: 75.1, least: 31, below50 };
    const text = inspectionText(inspectionReport({ pLDDT }), 'af.pdb');
    expect(text).to.match(/pLDDT +75\.1 on average, 13 residues below 50: A:1, A:2, .*A:12 …\n/);
  });

  it('shows every refusal, and where nothing is bound the first pocket', () => {
    const pocket = {
      rank: 1,
      score: 0.4,
      centerAngstrom: [1, 2, 3],
      sizeAngstrom: [20, 21, 22],
      residues: [],
    };
    const report = inspectionReport({
      components: [],
      refusals: [
        { code: 'RECEPTOR_CLASH', message: 'CD of A:GLN 725 and \u001b[31m', names: [] },
        { code: 'RECEPTOR_MISSING_ATOMS', message: 'Heavy atoms are missing.', names: [] },
      ],
      pockets: { method: 'fpocket-rs 0.1.0', failure: null, pockets: [pocket] },
    });
    const text = inspectionText(report, 'x.pdb');
    expect(text).to.match(/Would be prepared +no: 2 refusals/);
    expect(text).to.contain('RECEPTOR_CLASH: ').and.to.contain('RECEPTOR_MISSING_ATOMS: Heavy atoms');
    expect(text).not.to.contain('\u001b');
    expect(text).to.contain('--ligands FILE --center 1,2,3 --size 20,21,22\n');
  });

  it('shows what it is given of a report that says less, or something else', () => {
    for (const report of [
      {},
      { components: 3, chains: [null, 1], histidines: [], pockets: { pockets: [{}] } },
    ])
      expect(inspectionText(report, 'x.pdb')).to.contain('Receptor');
  });
});
