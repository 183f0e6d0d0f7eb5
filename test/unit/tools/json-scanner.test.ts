/** The scanner takes what JSON.parse takes, wherever a text is cut, except for what may be understood in two ways. */
import { expect } from 'chai';
import fc from 'fast-check';

import { JsonScanner } from '../../../src/tools/json-scanner.ts';
import type { ScanBounds } from '../../../src/tools/json-scanner.ts';
import { readJson } from '../../../src/tools/json-value.ts';
import { TextFault } from '../../../src/tools/pieces.ts';

const BOUNDS: ScanBounds = { depth: 64, values: 1000, openMembers: 3, keptCharacters: 4 };
/** Texts on both sides of every rule of the grammar. */
const TEXTS = [
  ...[
    '0',
    '-0',
    '-1',
    '1.5',
    '1e5',
    '1E+5',
    '-1.25e-7',
    '0.1',
    '12345678901234567890',
    '1e308',
    '123',
    '0e0',
  ],
  ...[
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '1e',
    '1e+',
    '--1',
    '0x1',
    '1_0',
    'NaN',
    'Infinity',
    '-Infinity',
    '1 2',
    '00',
  ],
  ...['true', 'false', 'null', 'True', 'nul', 'nulll', 'truefalse', 'true false', 'undefined', 't', 'n'],
  ...[
    '""',
    '"a"',
    '"\\""',
    '"\\\\"',
    '"\\/"',
    '"\\b\\f\\n\\r\\t"',
    '"\\u0041"',
    '"\\u00e9\\uD83D\\uDE00"',
    '"é😀"',
  ],
  ...[
    '"',
    '"a',
    '"\\"',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\U0041"',
    '"\n"',
    '"\t"',
    '"\u0000"',
    '"\u001f"',
    "'a'",
  ],
  ...['"\u007f"', '"\u2028\u2029"', '"\u0080"', '"\\u0000"', '"a" "b"', '"a""b"', '"\\', '"\\u', '"\\u004'],
  ...['[]', '[ ]', '[1]', '[1,2]', '[ 1 , 2 ]', '[[],{}]', '[1,"a",null,true,{}]', '[[[[]]]]'],
  ...[
    '[',
    ']',
    '[1',
    '[1,',
    '[,]',
    '[,1]',
    '[1,]',
    '[1,,2]',
    '[1 2]',
    '[1}',
    '[]]',
    '[][]',
    '[1]1',
    '[1],',
    '[:]',
  ],
  ...['{}', '{ }', '{"a":1}', '{"a":{"b":[]}}', '{ "a" : 1 , "b" : 2 }', '{"":0}', '{"a":"b"}'],
  ...[
    '{',
    '}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{1:2}',
    '{a:1}',
    '{"a":1]',
  ],
  ...['{"a"::1}', '{:1}', '{"a","b"}', '{"a":1,,"b":2}', '{null:1}', '{[]:1}', '["a":1]', '{"a":1}}', '{{}}'],
  ...[
    '',
    ' ',
    '\n',
    ' 1 ',
    '\t[\r\n1\n]\n',
    '\u00a01',
    '\ufeff1',
    '1\u0000',
    '/**/1',
    '// 1',
    '1,',
    ',1',
    ':',
    '\v1',
  ],
];

/** What JSON.parse makes of a text; undefined where the text is no JSON. */
function oracle(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What the scanner makes of bytes that are cut before each of the places. */
function read(bytes: Uint8Array, places: readonly number[]): Promise<unknown> {
  const cuts = [0, ...places.map((place) => place % (bytes.byteLength + 1)), bytes.byteLength];
  const sorted = cuts.toSorted((a, b) => a - b);
  const pieces = sorted.slice(1).map((to, index) => bytes.subarray(sorted[index], to));
  return readJson(
    (async function* () {
      yield* await Promise.resolve(pieces);
    })(),
  );
}

const faultOf = (text: string, bounds: ScanBounds = BOUNDS): string | null => {
  const nothing = (): void => undefined;
  const listener = { open: nothing, close: nothing, name: nothing, text: nothing, value: nothing };
  const scanner = new JsonScanner(listener, bounds);
  try {
    scanner.write(text);
    scanner.end();
    return null;
  } catch (error) {
    if (error instanceof TextFault) return error.message;
    throw error;
  }
};

const places = fc.array(fc.nat(), { maxLength: 6 });
const plain = fc
  .jsonValue({ stringUnit: 'binary' })
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

describe('the scanner of JSON', () => {
  it('agrees with JSON.parse on every rule of the grammar, wherever the text is cut', async () => {
    for (const text of TEXTS) {
      const bytes = Buffer.from(text);
      const expected = oracle(text);
      expect(await read(bytes, []), JSON.stringify(text)).to.deep.equal(expected);
      const everywhere = Array.from({ length: bytes.byteLength }, (_, index) => index);
      expect(await read(bytes, everywhere), `${JSON.stringify(text)} byte by byte`).to.deep.equal(expected);
    }
  });

  it('answers the value of any JSON, however it is written and cut', async () => {
    await fc.assert(
      fc.asyncProperty(plain, fc.constantFrom(undefined, 1, '\t'), places, async (value, space, cuts) => {
        const text = JSON.stringify(value, null, space);
        expect(await read(Buffer.from(text), cuts)).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it('refuses what JSON.parse refuses when a text is damaged in one place', async () => {
    const damage = fc.constantFrom(
      '',
      ',',
      ':',
      '"',
      '\\',
      '[',
      ']',
      '{',
      '}',
      '0',
      '-',
      '.',
      'e',
      'u',
      ' ',
      '\n',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(plain, fc.nat(), damage, places, async (value, place, put, cuts) => {
        const text = JSON.stringify(value);
        const at = place % text.length;
        // The cut may leave half a character, which is another one in UTF-8.
        const damaged = (text.slice(0, at) + put + text.slice(at + 1)).toWellFormed();
        const expected = oracle(damaged);
        const found = await read(Buffer.from(damaged), cuts);
        // What two readers could understand in two ways is none here, though JSON.parse takes it.
        if (found === undefined && expected !== undefined) {
          expect(isAmbiguous(damaged, expected), damaged).to.equal(true);
        } else expect(found).to.deep.equal(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('is none where the bytes are no UTF-8, wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 6 }), places, async (odd, cuts) => {
        const bytes = Buffer.concat([Buffer.from('"é'), odd, Buffer.from('😀"')]);
        let expected: unknown;
        try {
          expected = oracle(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
        } catch {
          expected = undefined;
        }
        expect(await read(bytes, cuts)).to.equal(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps to each of its bounds', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(faultOf(nested(64))).to.equal(null);
    expect(faultOf(nested(65))).to.include('too deep');
    expect(faultOf(`[${'0,'.repeat(998)}0]`)).to.equal(null);
    expect(faultOf(`[${'0,'.repeat(999)}0]`)).to.include('too many values');
    expect(faultOf(`[${'[],'.repeat(500)}0]`), 'empty ones count').to.include('too many values');
    expect(faultOf('{"a":{"d":0},"b":{"d":0},"c":0}')).to.equal(null);
    expect(faultOf('{"a":0,"b":0,"c":0,"d":0}')).to.include('too many members');
    expect(faultOf('{"a":{"a":{"a":{"a":0}}}}')).to.include('too many members');
    expect(faultOf('[{"a":0},{"a":0},{"a":0},{"a":0}]'), 'one after the other').to.equal(null);
    expect(faultOf(`{"${'n'.repeat(256)}":0}`)).to.equal(null);
    expect(faultOf(`{"${'n'.repeat(257)}":0}`)).to.include('name');
    expect(faultOf('1'.repeat(1025))).to.include('too long');
    expect(faultOf(`0.${'0'.repeat(1022)}`)).to.equal(null);
  });

  it('tells the beginning of a long string, and its length', () => {
    const told: unknown[] = [];
    const nothing = (): void => undefined;
    const text = (kept: string, length: number): void => void told.push([kept, length]);
    const scanner = new JsonScanner(
      { open: nothing, close: nothing, name: nothing, text, value: nothing },
      BOUNDS,
    );
    for (const part of ['["abc', 'd","ab', '\\n', 'cdef', 'g","', '"]']) scanner.write(part);
    scanner.end();
    expect(told).to.deep.equal([
      ['abcd', 4],
      ['ab\nc', 8],
      ['', 0],
    ]);
  });
});

/** Whether JSON.parse had to choose: a name twice, a number that is infinite, half a character, or `__proto__`. */
function isAmbiguous(text: string, value: unknown): boolean {
  const values: unknown[] = [value];
  let names = 0;
  for (let next = values.pop(); next !== undefined || values.length > 0; next = values.pop()) {
    if (typeof next === 'string' && !next.isWellFormed()) return true;
    if (next === Infinity || next === -Infinity) return true;
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) {
      const own = Object.keys(next);
      names += own.length;
      if (own.some((name) => name === '__proto__' || !name.isWellFormed())) return true;
    }
    values.push(...(Object.values(next) as unknown[]));
  }
  return names < text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
}
