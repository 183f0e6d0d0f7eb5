import { expect } from 'chai';

import { enrichmentOf } from '../../../src/domain/enrichment.ts';

/** A ranking of so many ligands, those at these places (from 0) active. */
const ranking = (count: number, actives: readonly number[]) =>
  Array.from({ length: count }, (_, place) => ({ score: place - count, isActive: actives.includes(place) }));

describe('enrichment of a ranking', () => {
  it('is that of RDKit (CalcAUC, CalcEnrichment, CalcBEDROC), with an interval that holds the area as often as it says', () => {
    const few = enrichmentOf(ranking(40, [0, 1, 3, 7, 12, 25]));
    expect(few?.rocAuc).to.be.closeTo(0.838_235_294_1, 1e-9);
    expect(few?.rocAucInterval[0]).to.be.closeTo(0.589_511_287, 1e-6);
    expect(few?.rocAucInterval[1]).to.be.closeTo(0.943_992_209, 1e-6);
    expect(few).to.deep.include({ ligands: 40, actives: 6 });
    expect(few?.bedroc).to.be.closeTo(0.771_168_152, 1e-9);
    expect([few?.ef1, few?.ef5]).to.deep.equal([1 / 0.15, 1 / 0.15]);
    const many = enrichmentOf(ranking(400, [0, 2, 5, 9, 20, 60, 150, 399]).toReversed());
    expect(many?.rocAuc).to.be.closeTo(0.803_252_551, 1e-9);
    expect(many?.bedroc).to.be.closeTo(0.553_193_724, 1e-9);
    expect([many?.ef1, many?.ef5]).to.deep.equal([25, 10]);
  });

  it('leaves a wide interval where a few actives come before a few others altogether', () => {
    const perfect = enrichmentOf(ranking(8, [0, 1, 2]));
    expect(perfect?.rocAuc).to.equal(1);
    expect(perfect?.rocAucInterval[0]).to.be.closeTo(0.566_156_768, 1e-6);
    expect(perfect?.rocAucInterval[1]).to.equal(1);
    const worst = enrichmentOf(ranking(8, [5, 6, 7]));
    expect(worst?.rocAucInterval[0]).to.equal(0);
    expect(worst?.rocAucInterval[1]).to.be.closeTo(1 - 0.566_156_768, 1e-6);
  });

  it('puts ligands without a score last, at one place, and equal scores at one place', () => {
    const marked = [
      { score: -9, isActive: true },
      { score: -8, isActive: false },
      { score: null, isActive: true },
      { score: null, isActive: false },
    ];
    expect(enrichmentOf(marked)?.rocAuc).to.equal((1 + 1 + 0 + 0.5) / 4);
    expect(enrichmentOf(marked.map(({ isActive }) => ({ score: -7, isActive })))?.rocAuc).to.equal(0.5);
  });

  it('is none where all are alike', () => {
    expect(enrichmentOf(ranking(10, []))).to.equal(null);
    expect(enrichmentOf([])).to.equal(null);
    expect(enrichmentOf(ranking(3, [0, 1, 2]))).to.equal(null);
  });
});
