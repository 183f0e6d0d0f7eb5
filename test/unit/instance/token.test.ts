import { expect } from 'chai';
import fc from 'fast-check';

import { signInstanceToken, verifyInstanceToken } from '../../../src/services/execution/instances/token.ts';

const SECRET = 'ab'.repeat(32);
const claims = { jobId: '01a1fc57-9869-7426-b02c-1856c7f876f4', slot: 2, generation: 3, expiresAt: 1000 };

describe('the token of an instance', () => {
  it('brings back its claims until it expires', () => {
    const token = signInstanceToken(SECRET, claims);
    expect(verifyInstanceToken(SECRET, token, 999)).to.deep.equal(claims);
    expect(verifyInstanceToken(SECRET, token, 1000)).to.equal(null);
  });

  it('is refused under another secret', () => {
    expect(verifyInstanceToken('cd'.repeat(32), signInstanceToken(SECRET, claims), 0)).to.equal(null);
  });

  it('is refused whatever character is changed', () => {
    const token = signInstanceToken(SECRET, claims);
    fc.assert(
      fc.property(fc.nat(token.length - 2), fc.string({ minLength: 1, maxLength: 3 }), (at, text) => {
        const changed = token.slice(0, at) + text + token.slice(at + text.length);
        return changed === token || verifyInstanceToken(SECRET, changed, 0) === null;
      }),
    );
  });

  it('no text is taken for a token, and none throws', () => {
    fc.assert(fc.property(fc.string(), (text) => verifyInstanceToken(SECRET, text, 0) === null));
    fc.assert(
      fc.property(fc.string(), (text) => verifyInstanceToken(SECRET, `dki1.${text}.${text}`, 0) === null),
    );
  });
});
