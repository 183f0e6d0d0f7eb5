import { expect } from 'chai';
import fc from 'fast-check';

import { createTokenReader, signInstanceToken } from '../../../src/services/execution/instances/token.ts';

const SECRET = 'ab'.repeat(32);
const claims = { jobId: '01a1fc57-9869-7426-b02c-1856c7f876f4', slot: 2, generation: 3, expiresAt: 1000 };

// One reader for all, which has read genuine tokens before and after whatever else it is shown.
const read = createTokenReader(SECRET);

describe('the token of an instance', () => {
  it('brings back its claims until it expires', () => {
    const token = signInstanceToken(SECRET, claims);
    expect(read(token, 999)).to.deep.equal(claims);
    expect(read(token, 1000)).to.equal(null);
    expect(read(token, 999), 'a token that is known').to.deep.equal(claims);
  });

  it('is refused under another secret', () => {
    expect(createTokenReader('cd'.repeat(32))(signInstanceToken(SECRET, claims), 0)).to.equal(null);
  });

  it('of a further secret is taken, and one of more instances than are remembered', () => {
    const further = createTokenReader('cd'.repeat(32), [SECRET]);
    const tokens = Array.from({ length: 10_050 }, (_, slot) =>
      signInstanceToken(SECRET, { ...claims, slot }),
    );
    for (const round of [0, 1])
      expect(
        tokens.every((token, slot) => further(token, round)?.slot === slot),
        `round ${String(round)}`,
      ).to.equal(true);
  });

  it('is refused whatever character is changed', () => {
    const token = signInstanceToken(SECRET, claims);
    fc.assert(
      fc.property(fc.nat(token.length - 2), fc.string({ minLength: 1, maxLength: 3 }), (at, text) => {
        const changed = token.slice(0, at) + text + token.slice(at + text.length);
        return changed === token || read(changed, 0) === null;
      }),
    );
  });

  it('no text is taken for a token, and none throws', () => {
    fc.assert(fc.property(fc.string(), (text) => read(text, 0) === null));
    fc.assert(fc.property(fc.string(), (text) => read(`dki1.${text}.${text}`, 0) === null));
  });
});
