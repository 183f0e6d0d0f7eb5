import { expect } from 'chai';

import { joinBody, sliceBody } from '../../../api/http/library-slices.ts';

const LIGANDS = Array.from({ length: 601 }, (_, index) => ({ ligandId: `l${String(index)}` }));

describe('long lists of ligands between threads', () => {
  for (const [what, body] of [
    ['a job', { jobType: 'simulation', simulationParams: { ligandLibrary: LIGANDS, seed: 1 } }],
    ['a batch', { name: 'screen', ligands: LIGANDS, dryRun: true }],
  ] as const)
    it(`travel in slices from ${what}, and are whole again afterwards`, async () => {
      const sliced = sliceBody(structuredClone(body));
      expect(sliced.librarySlices.map((slice) => (JSON.parse(slice) as unknown[]).length)).to.deep.equal([
        250, 250, 101,
      ]);
      expect(sliced.body).not.to.include('ligandId');
      expect(await joinBody(sliced)).to.deep.equal(body);
    });

  for (const body of [
    { name: 'x' },
    { ligands: [] },
    { simulationParams: { ligandLibrary: 'none' } },
    [1],
    null,
  ])
    it(`leave ${JSON.stringify(body)} as it is`, async () => {
      const sliced = sliceBody(structuredClone(body));
      expect(sliced.librarySlices).to.deep.equal([]);
      expect(await joinBody(sliced)).to.deep.equal(body);
    });
});
