import { expect } from 'chai';
import fc from 'fast-check';

import { encodeCursor, pageOf, readCursor, scopeOf } from '../../../src/services/cursor.ts';
import type { CursorScope, PlaceKind } from '../../../src/services/cursor.ts';

const WHO = { accountId: 'a1' };
const SCOPE = scopeOf('jobs', WHO, { limit: 2, status: 'RUNNING', jobName: undefined });

const TEXTS = ['text', 'text'] as const;
const refused = (scope: CursorScope, cursor: string, kinds: readonly PlaceKind[] = TEXTS): unknown =>
  expect(() => readCursor(scope, cursor, kinds), cursor).to.throw('cursor');

describe('cursor', () => {
  it('gives back the place it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }).filter((part) => !part.includes('\0'))), (place) => {
        // Half of a surrogate pair is no text; no list answers one.
        fc.pre(place.every((part) => part.isWellFormed()));
        const kinds = place.map(() => 'text' as const);
        expect(readCursor(SCOPE, encodeCursor(SCOPE, place), kinds)).to.deep.equal(place);
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
    expect(readCursor(same, cursor, TEXTS)).to.deep.equal(['a', 'b']);
    expect(readCursor(SCOPE, undefined, TEXTS)).to.equal(null);
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

  it('is refused where a part is of another kind than the parts of the list', () => {
    const time = '2026-01-01T00:00:00.000000Z';
    const id = '0199a0b0-0000-7000-8000-000000000001';
    const kinds = ['time', 'uuid', 'ordinal', 'number'] as const;
    const place = (...parts: readonly string[]): string => encodeCursor(SCOPE, parts);
    expect(readCursor(SCOPE, place(time, id, '-1', '-7.5'), kinds)).to.deep.equal([time, id, '-1', '-7.5']);
    expect(readCursor(SCOPE, place(time, id, '41', ''), kinds)).to.deep.equal([time, id, '41', '']);
    for (const cursor of [
      place('yesterday', id, '0', '0'),
      place('-Infinity', id, '0', '0'),
      place('2026-02-30T00:00:00.000000Z', id, '0', '0'),
      place(time, 'x', '0', '0'),
      place(time, '', '0', '0'),
      place(time, id, '-2', '0'),
      place(time, id, '9999999999', '0'),
      place(time, id, '1e1', '0'),
      place(time, id, '0', 'NaN'),
      place(time, id, '0', '1; drop'),
    ])
      refused(SCOPE, cursor, kinds);
  });

  it('ends when no row is left', () => {
    const cut = (rows: string[]) => pageOf(SCOPE, rows, 2, (row) => [row]);
    expect(cut(['a', 'b', 'c'])).to.deep.equal({ rows: ['a', 'b'], nextCursor: encodeCursor(SCOPE, ['b']) });
    expect(cut(['a', 'b']).nextCursor).to.equal(null);
    expect(cut([]).nextCursor).to.equal(null);
  });
});
