import { expect } from 'chai';

import { isWithinDepth, measureJson } from '../../../src/domain/json-bounds.ts';

const BOUNDS = { depth: 4, values: 10 };
const measure = (text: string) => measureJson(Buffer.from(text), BOUNDS);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('the bounds of a JSON text', () => {
  it('are told from its bytes: levels and values, however they are written', () => {
    expect(measure('1')).to.deep.equal({ members: 0 });
    expect(measure(nested(4))).to.deep.equal({ members: 0 });
    expect(measure(nested(5))).to.equal(null);
    expect(measure('[[],[],[]]')).to.deep.equal({ members: 0 });
    expect(measure(JSON.stringify(Array(9).fill(0)))).to.deep.equal({ members: 0 });
    expect(measure(JSON.stringify(Array(11).fill(0)))).to.equal(null);
    expect(measure(`[${Array(8).fill('{}').join(',')}]`), 'empty objects count').to.equal(null);
  });

  it('do not count what stands in a string, escaped quotes or not', () => {
    const tricky = JSON.stringify({ [`a":[[[[[[`]: `\\"[[[[[,,,,,,,,,,,,{:` });
    expect(measure(tricky)).to.deep.equal({ members: 1 });
    expect(measure(`"${'\\\\'.repeat(3)}",`)).to.deep.equal({ members: 0 });
    expect(measure('"é😀[[[[["')).to.deep.equal({ members: 0 });
  });

  it('count each member, of equal names too', () => {
    expect(measure('{"a":1,"a":{"b":2}}')).to.deep.equal({ members: 3 });
  });

  it('are told of a text of any size and depth without falling over', () => {
    expect(measureJson(Buffer.alloc(2 ** 20, '['), { depth: 2 ** 30, values: 2 ** 30 })).to.deep.equal({
      members: 0,
    });
    expect(measure(']'.repeat(1000) + '[')).to.not.equal(null);
    expect(measure('')).to.deep.equal({ members: 0 });
  });
});

describe('the depth of a value', () => {
  it('is counted in arrays and objects', () => {
    expect(isWithinDepth(1, 0)).to.equal(true);
    expect(isWithinDepth([], 0)).to.equal(false);
    expect(isWithinDepth({ a: [{ b: 'c' }] }, 3)).to.equal(true);
    expect(isWithinDepth({ a: [{ b: 'c' }] }, 2)).to.equal(false);
    expect(isWithinDepth(JSON.parse(nested(100_000)), 64)).to.equal(false);
  });
});
