import { expect } from 'chai';

import { isRecord } from '../../../src/domain/is-record.ts';

describe('objects from outside', () => {
  it('are records only when they have fields', () => {
    expect([{}, { a: 1 }].map(isRecord)).to.deep.equal([true, true]);
    expect([null, undefined, [], 'text', 0, () => undefined].map(isRecord)).to.deep.equal(
      Array(6).fill(false),
    );
  });
});
