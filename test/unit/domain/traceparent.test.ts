import { expect } from 'chai';
import fc from 'fast-check';

import { formatTraceparent, parseTraceparent } from '../../../src/domain/traceparent.ts';

const hex = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(''))
    .filter((text) => /[^0]/.test(text));

describe('traceparent', () => {
  it('is read as it was written', () => {
    const places = fc.record({ traceId: hex(32), spanId: hex(16), isRecorded: fc.boolean() });
    fc.assert(
      fc.property(places, (place) => {
        expect(parseTraceparent(formatTraceparent(place))).to.deep.equal(place);
      }),
    );
  });

  it('is none where its form or its ids are wrong, so that a wrong header is as good as no header', () => {
    const [traceId, spanId] = ['a'.repeat(32), 'b'.repeat(16)];
    const wrong = [
      ...['', 'x', `01-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}`, `00-${traceId}-${spanId}-01-x`],
      ...[`00-${traceId.toUpperCase()}-${spanId}-01`, `00-${'0'.repeat(32)}-${spanId}-01`],
      ...[`00-${traceId}-${'0'.repeat(16)}-01`, `00-${traceId}-${spanId}-01\n`],
    ];
    for (const text of wrong) expect(parseTraceparent(text), text).to.equal(null);
    expect(parseTraceparent(`00-${traceId}-${spanId}-03`)?.isRecorded).to.equal(true);
  });
});
