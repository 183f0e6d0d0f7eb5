import { expect } from 'chai';

import { createByteBudget } from '../../../src/services/stored-objects/byte-budget.ts';
import type { ByteBudget } from '../../../src/services/stored-objects/byte-budget.ts';
import { refusalOf } from '../../support/refusals.ts';

/** Work that holds bytes until the test ends it. */
function held(budget: ByteBudget, bytes: number, order: number[]) {
  const gate = Promise.withResolvers<null>();
  const done = budget.hold(bytes, async () => {
    order.push(bytes);
    await gate.promise;
  });
  return { done, end: () => gate.resolve(null) };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a budget of bytes', () => {
  it('lets in what fits and makes the rest wait', async () => {
    const budget = createByteBudget(100);
    const order: number[] = [];
    const [first, second, third] = [held(budget, 60, order), held(budget, 40, order), held(budget, 1, order)];
    await settled();
    expect(order).to.deep.equal([60, 40]);
    second.end();
    await settled();
    expect(order).to.deep.equal([60, 40, 1]);
    first.end();
    third.end();
    await Promise.all([first.done, second.done, third.done]);
  });

  it('passes nobody who waits: a large one comes before the small ones that asked after it', async () => {
    const budget = createByteBudget(100);
    const order: number[] = [];
    const small = held(budget, 50, order);
    const large = held(budget, 100, order);
    const later = [1, 2, 3].map((bytes) => held(budget, bytes, order));
    await settled();
    expect(order).to.deep.equal([50]);
    small.end();
    await settled();
    expect(order).to.deep.equal([50, 100]);
    large.end();
    await settled();
    expect(order).to.deep.equal([50, 100, 1, 2, 3]);
    for (const one of later) one.end();
  });

  it('gets its bytes back from work that fails, and never waits for more than there is', async () => {
    const budget = createByteBudget(10);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await refusalOf(budget.hold(10, () => Promise.reject(new Error('broken'))))).to.include({
        message: 'broken',
      });
    }
    expect(await refusalOf(budget.hold(11, () => Promise.resolve()))).to.be.instanceOf(RangeError);
    expect(await budget.hold(10, () => Promise.resolve('in'))).to.equal('in');
    expect(await budget.hold(0, () => Promise.resolve('nothing'))).to.equal('nothing');
  });
});
