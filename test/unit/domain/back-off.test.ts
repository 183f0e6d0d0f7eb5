import { expect } from 'chai';

import { backOff } from '../../../src/domain/back-off.ts';

describe('back-off', () => {
  it('doubles from the first wait to the longest, and stays there', () => {
    const waits = backOff(200, 1000);
    const first = Array.from({ length: 5 }, () => waits.next().value);
    expect(first).to.deep.equal([200, 400, 800, 1000, 1000]);
  });
});
