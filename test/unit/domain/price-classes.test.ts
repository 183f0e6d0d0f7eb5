import { expect } from 'chai';
import fc from 'fast-check';

import { decodeClasses, encodeClasses, requireClassesOf } from '../../../src/domain/price-classes.ts';
import type { PriceClass } from '../../../src/domain/pricing.ts';

describe('price classes in a plan', () => {
  it('are read as they were written, whatever their names and order', () => {
    const classes = fc.array(fc.oneof(fc.constantFrom('a', 'b'), fc.string()));
    fc.assert(
      fc.property(classes, (list) => {
        expect(decodeClasses(encodeClasses(list), list.length)).to.deep.equal(list);
      }),
    );
  });

  it('are small: runs of one class are one pair, and 10,000 tasks that alternate stay below 50 kB', () => {
    expect(encodeClasses(['s', 's', 'l', 's'])).to.deep.equal({
      names: ['s', 'l'],
      runs: [0, 2, 1, 1, 0, 1],
    });
    const names = ['up to 50 residues', 'up to 400 residues'];
    const mixed = Array.from({ length: 10_000 }, (_, at) => names[at % 2] ?? '');
    expect(JSON.stringify(encodeClasses(mixed)).length).to.be.below(50_000);
    expect(JSON.stringify(encodeClasses(Array(10_000).fill(names[0]))).length).to.be.below(100);
  });

  it('that are no list of all tasks are refused', () => {
    const names = ['s'];
    for (const runs of [[0, 2], [0, 4], [1, 3], [0], [0, -3], [0, 1.5, 0, 1.5], []])
      expect(() => decodeClasses({ names, runs }, 3), JSON.stringify(runs)).to.throw('price classes');
  });

  it('must be those that the price counts', () => {
    const prices: PriceClass[] = [
      { class: 's', tasks: 2, perTaskMicro: 1 },
      { class: 'l', tasks: 1, perTaskMicro: 9 },
    ];
    requireClassesOf(prices, ['s', 'l', 's']);
    requireClassesOf(prices.slice(1), null);
    requireClassesOf([], null);
    for (const classes of [null, ['s', 'l', 'l'], ['s', 's', 's'], ['s', 's', 'l', 'x'], []])
      expect(() => requireClassesOf(prices, classes), String(classes)).to.throw('class');
  });
});
