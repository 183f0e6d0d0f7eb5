import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { createSchemaScanner } from '../../../src/tools/stream-schema.ts';
import type { StreamSchema } from '../../../src/tools/stream-schema.ts';

const MOST_VALUES = 1000;
/** Longer than what is kept of a text. */
const LONG = 'x'.repeat(20_000);
const ANYTHING: StreamSchema = {};
const COUNT: StreamSchema = { type: 'integer', minimum: 0 };
const BLAST = join(import.meta.dirname, '../../../src/tools/blast');
const KNOWN = new Set([
  ...['type', 'required', 'properties', 'additionalProperties', 'items', 'minItems', 'maxItems', 'minLength'],
  ...['pattern', 'minimum', 'description', 'title', '$id', '$schema'],
]);

function fitsText(schema: StreamSchema, text: string): boolean {
  const scanner = createSchemaScanner(schema, MOST_VALUES);
  try {
    for (let at = 0; at < text.length; at += 3) scanner.write(text.slice(at, at + 3));
    scanner.end();
    return true;
  } catch {
    return false;
  }
}
const fits = (schema: StreamSchema, value: unknown): boolean => fitsText(schema, JSON.stringify(value));

describe('a JSON text that is judged while it is read', () => {
  it('is judged by keywords that are known, in each schema that is read this way', () => {
    const keywords = (schema: StreamSchema): string[] => [
      ...Object.keys(schema),
      ...Object.values(schema.properties ?? {}).flatMap(keywords),
      ...(schema.items === undefined ? [] : keywords(schema.items)),
    ];
    for (const name of ['report', 'facts']) {
      const schema = JSON.parse(readFileSync(join(BLAST, `${name}.schema.json`), 'utf8')) as StreamSchema;
      expect(keywords(schema).filter((keyword) => !KNOWN.has(keyword))).to.deep.equal([]);
    }
  });

  it('says of each value what it is', () => {
    const values = [null, true, 0, -1, 1.5, 2 ** 53, '', 'a', LONG, [], [1], {}, { a: 1 }];
    const cases: readonly (readonly [StreamSchema, readonly unknown[]])[] = [
      [ANYTHING, values],
      [{ type: 'string', minLength: 1 }, ['a', LONG]],
      [{ type: 'string', pattern: '^[ax]+$' }, ['a']],
      [COUNT, [0]],
      [{ type: 'array' }, [[], [1]]],
      [{ type: 'array', minItems: 1 }, [[1]]],
      [{ type: 'array', maxItems: 0 }, [[]]],
      [{ type: 'array', items: COUNT }, [[], [1]]],
      [{ type: 'array', items: { type: 'string' } }, [[]]],
      [{ type: 'object' }, [{}, { a: 1 }]],
      [{ type: 'object', additionalProperties: false }, [{}]],
      [{ type: 'object', required: ['a'], properties: { a: COUNT } }, [{ a: 1 }]],
      [{ type: 'object', additionalProperties: false, properties: { a: COUNT } }, [{}, { a: 1 }]],
      [{ type: 'object', properties: { a: { type: 'string' } } }, [{}]],
    ];
    for (const [schema, good] of cases)
      expect(
        values.filter((value) => fits(schema, value)),
        JSON.stringify(schema),
      ).to.deep.equal(good);
  });

  it('is looked for at the right place, whatever stands around it', () => {
    const item: StreamSchema = { type: 'object', required: ['b'], properties: { b: COUNT } };
    const schema: StreamSchema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'array', items: item } },
    };
    expect(fits(schema, { a: [{ b: 1 }, { c: { b: 'x' }, b: 2 }], b: 'x', c: [{ a: 0 }] })).to.equal(true);
    expect(fits(schema, { c: { a: [{ b: 1 }] } }), 'elsewhere').to.equal(false);
    expect(fits(schema, { a: [{ b: 1 }, {}] }), 'one of them').to.equal(false);
    expect(fits(schema, { a: { b: 1 } })).to.equal(false);
    expect(fits({ type: 'object', required: ['constructor'] }, {}), 'no member of a prototype').to.equal(
      false,
    );
  });

  it('is refused where it is no JSON, or has too many values', () => {
    for (const text of ['{}{}', '{', '', '{"a":1,"a":1}', '[1e999]'])
      expect(fitsText(ANYTHING, text), text).to.equal(false);
    expect(fits(ANYTHING, Array(MOST_VALUES - 1).fill(0))).to.equal(true);
    expect(fits(ANYTHING, Array(MOST_VALUES).fill(0))).to.equal(false);
  });
});
