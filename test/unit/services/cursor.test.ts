import { expect } from 'chai';
import fc from 'fast-check';

import { decodeCursor, encodeCursor, pageOf, scopeOf } from '../../../src/services/cursor.ts';
import type { CursorScope } from '../../../src/services/cursor.ts';

const WHO = { accountId: 'a1' };
const SCOPE = scopeOf('jobs', WHO, { limit: 2, status: 'RUNNING', jobName: undefined });

const refused = (scope: CursorScope, cursor: string, parts = 2): unknown =>
  expect(() => decodeCursor(scope, cursor, parts), cursor).to.throw('cursor');

describe('cursor', () => {
  it('gives back the place it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }).filter((part) => !part.includes('\0'))), (place) => {
        // Half of a surrogate pair is no text; no list answers one.
        fc.pre(place.every((part) => part.isWellFormed()));
        expect(decodeCursor(SCOPE, encodeCursor(SCOPE, place), place.length)).to.deep.equal(place);
      }),
    );
  });

  it('is refused by another list, account or query; another size of the page is none', () => {
    const cursor = encodeCursor(SCOPE, ['a', 'b']);
    for (const other of [
      scopeOf('tasks', WHO, { status: 'RUNNING' }),
      scopeOf('jobs', { accountId: 'a2' }, { status: 'RUNNING' }),
      scopeOf('jobs', WHO, { status: 'QUEUED' }),
      scopeOf('jobs', WHO, {}),
      scopeOf('jobs', WHO, { status: 'RUNNING', jobName: 'x' }),
      scopeOf('jobs', WHO, { statu: 'sRUNNING' }),
    ])
      refused(other, cursor);
    const same = scopeOf('jobs', WHO, { limit: 100, cursor, jobName: undefined, status: 'RUNNING' });
    expect(decodeCursor(same, cursor, 2)).to.deep.equal(['a', 'b']);
  });

  it('is refused when anything of it was changed, cut off or added', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), fc.base64String({ minLength: 1 }), (a, b, at, text) => {
        const cursor = encodeCursor(SCOPE, [a, b]);
        const changed = cursor.slice(0, at % cursor.length) + text;
        fc.pre(changed !== cursor);
        refused(SCOPE, changed);
        refused(SCOPE, `${cursor}${text}`);
        refused(SCOPE, cursor.slice(0, at % cursor.length));
      }),
    );
  });

  it('is refused when no list answered it', () => {
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const cursor of [
      ...['', 'nonsense', encode([1, 2]), encode({}), encode(null), encode('text'), encode(['a', 'b'])],
      ...[
        encodeCursor(SCOPE, ['one']),
        encodeCursor(SCOPE, ['a', '\0']),
        `${encodeCursor(SCOPE, ['a', 'b'])}=`,
      ],
    ])
      refused(SCOPE, cursor);
  });

  it('ends when no row is left', () => {
    const cut = (rows: string[]) => pageOf(SCOPE, rows, 2, (row) => [row]);
    expect(cut(['a', 'b', 'c'])).to.deep.equal({ rows: ['a', 'b'], nextCursor: encodeCursor(SCOPE, ['b']) });
    expect(cut(['a', 'b']).nextCursor).to.equal(null);
    expect(cut([]).nextCursor).to.equal(null);
  });
});
