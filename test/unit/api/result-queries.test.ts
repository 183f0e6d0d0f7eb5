/** What a query of results may ask, and the words with which anything else is refused. */
import { expect } from 'chai';

import { resultListQuery } from '../../../api/docking/result-schemas.ts';

const BOND = 'hydrogen_bond:A:GLN725';

function refusal(query: object): string {
  return resultListQuery.validate(query, { abortEarly: false }).error?.message ?? 'accepted';
}

describe('queries of results', () => {
  it('take one interaction or several, of any type, chain, number and insertion code', () => {
    for (const interaction of [BOND, [BOND, 'hydrophobic:B-2:LEU-5C'], ['metal_coordination:_:ZN1']])
      expect(refusal({ interaction })).to.equal('accepted');
    const asked: unknown = resultListQuery.validate({ interaction: BOND }).value;
    expect(asked).to.deep.equal({ interaction: [BOND], sort: 'affinity', limit: 100 });
  });

  it('say how an interaction is named where it is none', () => {
    for (const interaction of ['GLN725', 'bond:A:GLN725', 'hydrogen_bond:A:GLN', 'hydrogen_bond::GLN725'])
      expect(refusal({ interaction })).to.contain(
        'must be TYPE:CHAIN:RESIDUE, such as hydrogen_bond:A:GLN725',
      );
  });

  it('ask for seven interactions at most, and let fewer be missing than there are different ones', () => {
    const many = Array.from({ length: 8 }, (_, n) => `hydrophobic:A:LEU${n + 1}`);
    expect(refusal({ interaction: many })).to.contain('must contain less than or equal to 7 items');
    expect(refusal({ interaction: many.slice(1), maxMissing: 6 })).to.equal('accepted');
    for (const query of [{ interaction: [BOND, BOND], maxMissing: 1 }, { maxMissing: 0 }])
      expect(refusal(query)).to.contain(
        '"maxMissing" must be less than the number of different interactions',
      );
  });

  it('refuse orders, states, codes and sizes that there are not', () => {
    for (const query of [
      { sort: 'rank' },
      { status: 'DONE' },
      { warning: 'a b' },
      { limit: 1001 },
      { limit: 0 },
    ])
      expect(refusal(query)).to.not.equal('accepted');
  });
});
