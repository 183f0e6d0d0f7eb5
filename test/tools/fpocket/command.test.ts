/** The requests that `dockyard pockets` makes of its options, and the pockets that it shows. */
import { expect } from 'chai';

import { submitJobBody } from '../../../api/jobs/submit-schemas.ts';
import { pocketsEstimateOf, pocketsRequestOf } from '../../../src/tools/fpocket/command.ts';
import { findPockets } from '../../../src/tools/fpocket/found.ts';

const BOX = { centerAngstrom: [1, 2, 3.25], sizeAngstrom: [18, 20.5, 40] };
const POCKET = {
  ...{ rank: 1, score: 0.51234, druggabilityScore: null, volumeAngstrom3: 501.6, polarityScore: 4 },
  ...{ centerAngstrom: [1.04, 2, 3], box: BOX, residues: [{ chain: 'A' }, { chain: 'A' }], alphaSpheres: [] },
};
const resultsOf = (report: unknown) => ({
  read: (kind: string, name: string) =>
    Promise.resolve(
      kind === 'pockets' && name === 'pockets.json' && report !== null
        ? Buffer.from(JSON.stringify(report))
        : null,
    ),
});

describe('dockyard pockets', () => {
  it('asks for what the options say, and for the service’s defaults otherwise', () => {
    const source = { kind: 'pdb', pdbId: '1HPV' } as const;
    const bare = { jobType: 'simulation', simulator: 'fpocket' } as const;
    expect(pocketsRequestOf({}, source)).to.deep.equal({
      ...bare,
      simulationParams: { receptorPdbId: '1HPV' },
    });
    const options = { chains: ['A'], assembly: 'asymmetric', model: 2, maxPockets: 5 };
    const request = pocketsRequestOf(options, source);
    expect(submitJobBody.validate(request).error?.message).to.equal(undefined);
    expect(pocketsEstimateOf(options, 2e6)).to.deep.equal({
      ...bare,
      simulationParams: {
        ...{ receptorChains: ['A'], receptorAssemblyId: 'asymmetric', receptorModel: 2, maxPockets: 5 },
      },
      metadata: { totalSizeGB: 0.002 },
    });
    expect(pocketsEstimateOf({}, null)).not.to.have.property('metadata');
  });

  it('tells programs the box of each pocket as the verified report has it, and people a table', async () => {
    const found = await findPockets(resultsOf({ pockets: [POCKET], clock: { seed: 1 } }));
    const { polarityScore: _, residues: _residues, alphaSpheres: _spheres, ...kept } = POCKET;
    expect(found?.data).to.deep.equal({ pockets: [{ ...kept, residueCount: 2 }] });
    expect(found?.rows).to.deep.equal([[1, '0.512', null, '502', '1.0, 2.0, 3.0', 2]]);
    expect(found?.note).to.contain('pockets.json');
  });

  it('says that there is no pocket, and nothing of a job without a report or with one of another kind', async () => {
    const none = await findPockets(resultsOf({ pockets: [] }));
    expect([none?.rows, none?.note]).to.deep.equal([[], 'fpocket found no pocket.']);
    const { box: _box, ...boxless } = POCKET;
    for (const report of [null, [], { pockets: 1 }, { pockets: [boxless] }])
      expect(await findPockets(resultsOf(report)), JSON.stringify(report)).to.equal(null);
  });
});
