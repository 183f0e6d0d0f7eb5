import { expect } from 'chai';

import { parseJson } from '../../../src/tools/parse-json.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text));
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('JSON that an instance wrote', () => {
  it('is read as it is', () => {
    const value = {
      a: [1, -2.5e3, null, true, 'é😀', { 'b:c': '"[,' }],
      '': {},
      constructor: { prototype: 1 },
    };
    expect(parse(JSON.stringify(value))).to.deep.equal(value);
    expect(parse('"x"')).to.equal('x');
    expect(parse(nested(64))).to.not.equal(undefined);
  });

  it('is none when it is deeper or larger than an honest file, whatever its size', () => {
    expect(parse(nested(65))).to.equal(undefined);
    expect(parse(nested(5_000))).to.equal(undefined);
    expect(parse('['.repeat(4 * 2 ** 20))).to.equal(undefined);
    expect(parse(`[${'[],'.repeat(500_000)}[]]`)).to.equal(undefined);
    expect(parse(`"${'x'.repeat(2 ** 24)}"`)).to.equal(undefined);
  });

  it('is none when two readers could understand it in two ways', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":{"b":1},"a":2}',
      '[{"b":1,"b":2}]',
      '{"__proto__":{"a":1}}',
      '{"a":[{"__proto__":1}]}',
      '[1e999]',
      '["\\ud800"]',
      '{"\\udc00":1}',
      '\ufeff{}',
      '{',
      '',
      '[1,]',
    ])
      expect(parse(text), JSON.stringify(text)).to.equal(undefined);
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22])), 'no UTF-8').to.equal(undefined);
  });
});
