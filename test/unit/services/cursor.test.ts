import { expect } from 'chai';

import { decodeCursor, encodeCursor, pageOf } from '../../../src/services/cursor.ts';

describe('cursor', () => {
  it('gives back the place it was made of', () => {
    expect(decodeCursor(encodeCursor(['3', 'ünï/c"', '']), 3)).to.deep.equal(['3', 'ünï/c"', '']);
  });

  it('refuses what no list answered', () => {
    for (const cursor of [
      '',
      'nonsense',
      encodeCursor(['one']),
      encodeCursor(['a', '\0']),
      Buffer.from('[1,2]').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ]) {
      expect(() => decodeCursor(cursor, 2), cursor).to.throw('cursor');
    }
  });

  it('ends when no row is left', () => {
    const cut = (rows: string[]) => pageOf(rows, 2, (row) => [row]);
    expect(cut(['a', 'b', 'c'])).to.deep.equal({ rows: ['a', 'b'], nextCursor: encodeCursor(['b']) });
    expect(cut(['a', 'b']).nextCursor).to.equal(null);
    expect(cut([]).nextCursor).to.equal(null);
  });
});
