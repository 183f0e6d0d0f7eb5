import { expect } from 'chai';

import { knownVersions, preferredWait } from '../../../api/http/conditional.ts';
import { mergeIdempotencyKeys, parseIdempotencyKey } from '../../../api/http/idempotency-key.ts';
import { parseRange } from '../../../api/http/range.ts';

describe('request headers', () => {
  it('read an idempotency key quoted or bare', () => {
    expect(parseIdempotencyKey(undefined)).to.equal(null);
    expect(parseIdempotencyKey('abcdefgh')).to.equal('abcdefgh');
    expect(parseIdempotencyKey('  "abcdefgh" ')).to.equal('abcdefgh');
    expect(parseIdempotencyKey('"abc\\"def\\\\"')).to.equal('abc"def\\');
    expect(parseIdempotencyKey('x'.repeat(255))).to.have.length(255);
  });

  it('refuse idempotency keys out of bounds, unended quotes and other characters', () => {
    for (const bad of [
      '1234567',
      'x'.repeat(256),
      '"abcdefgh',
      '"',
      '"abc"defgh"',
      'abcdefg\u00e9',
      '""',
      '',
      ' ',
    ]) {
      expect(() => parseIdempotencyKey(bad), bad).to.throw('Idempotency-Key');
    }
  });

  it('merge keys that agree and refuse those that do not', () => {
    expect(mergeIdempotencyKeys(null, undefined)).to.equal(null);
    expect(mergeIdempotencyKeys('a', undefined, 'a')).to.equal('a');
    expect(() => mergeIdempotencyKeys('a', 'b')).to.throw('must be equal');
  });

  it('read entity tags and waits', () => {
    expect(knownVersions('"a", W/"b",c')).to.deep.equal(['a', 'b']);
    expect(knownVersions(undefined)).to.deep.equal([]);
    expect([
      preferredWait('wait=5'),
      preferredWait('return=minimal; wait=3'),
      preferredWait('wait="99"'),
      preferredWait('await=9'),
      preferredWait(undefined),
    ]).to.deep.equal([5, 3, 25, null, null]);
  });

  it('read one range and ignore what is none', () => {
    expect(parseRange('bytes=0-')).to.deep.equal({ kind: 'from', start: 0, end: null });
    expect(parseRange('bytes=2-5')).to.deep.equal({ kind: 'from', start: 2, end: 5 });
    expect(parseRange('bytes=-7')).to.deep.equal({ kind: 'last', bytes: 7 });
    for (const none of [undefined, '', 'bytes=-', 'bytes=5-2', 'bytes=1-2,3-4', 'items=0-1'])
      expect(parseRange(none), String(none)).to.equal(null);
  });
});
