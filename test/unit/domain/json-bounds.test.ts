import { expect } from 'chai';

import { createJsonMeter, excessOf, isWithinDepth } from '../../../src/domain/json-bounds.ts';

const BOUNDS = { depth: 4, values: 10, members: 3 };
const excess = (text: string) => excessOf(Buffer.from(text), BOUNDS);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('the bounds of a JSON text', () => {
  it('are told from its bytes: levels and values, however they are written', () => {
    expect(excess('1')).to.equal(null);
    expect(excess(nested(4))).to.equal(null);
    expect(excess(nested(5))).to.equal('depth');
    expect(excess('[[],[],[]]')).to.equal(null);
    expect(excess(JSON.stringify(Array(9).fill(0)))).to.equal(null);
    expect(excess(JSON.stringify(Array(11).fill(0)))).to.equal('values');
    expect(excess(`[${Array(8).fill('{}').join(',')}]`), 'empty objects count').to.equal('values');
  });

  it('count the members of each object by itself, equal names each time', () => {
    expect(excess('{"a":1,"b":2,"c":3}')).to.equal(null);
    expect(excess('{"a":1,"b":2,"c":3,"d":4}')).to.equal('members');
    expect(excess('{"a":1,"a":1,"a":1,"a":1}')).to.equal('members');
    expect(excess('[{"a":1,"b":2},{"a":1,"b":2}]')).to.equal(null);
    expect(excess('{"a":{"a":1,"b":2},"b":2,"c":3}')).to.equal(null);
    expect(excess('{"a":{"b":1},"b":2,"c":3,"d":4}')).to.equal('members');
  });

  it('do not count what stands in a string, escaped quotes or not', () => {
    expect(excess(JSON.stringify({ [`a":[[[[[[`]: `\\"[[[[[,,,,,,,,,,,,{:` }))).to.equal(null);
    expect(excess(`"${'\\\\'.repeat(3)}",`)).to.equal(null);
    expect(excess('"é😀[[[[["')).to.equal(null);
  });

  it('are the same of a text that comes in pieces, wherever it is cut', () => {
    const text = Buffer.from(JSON.stringify({ a: ['\\"é[', 1], b: { c: '"\\' } }));
    for (let cut = 0; cut <= text.byteLength; cut += 1) {
      const meter = createJsonMeter(BOUNDS);
      expect([
        meter.read(text.subarray(0, cut)),
        meter.read(text.subarray(cut)),
        meter.values(),
        meter.members(),
      ]).to.deep.equal([null, null, 6, 3]);
    }
  });

  it('are told of a text of any size and depth without falling over', () => {
    const wide = { depth: 2 ** 30, values: 2 ** 30, members: 2 ** 30 };
    expect(excessOf(Buffer.alloc(2 ** 20, '['), wide)).to.equal(null);
    expect(excess(']'.repeat(1000) + '[')).to.equal(null);
    expect(excess('')).to.equal(null);
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
