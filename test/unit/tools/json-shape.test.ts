import { expect } from 'chai';

import {
  ANYTHING,
  countOf,
  hasShape,
  keptOf,
  listOf,
  matching,
  objectOf,
  SOME_TEXT,
} from '../../../src/tools/json-shape.ts';
import type { JsonShape } from '../../../src/tools/json-shape.ts';
import { cutInto } from '../../support/read-outputs.ts';

const MOST_VALUES = 1000;
/** Longer than what a shape keeps of a text. */
const LONG = 'x'.repeat(20_000);
const isOf = (shape: JsonShape, value: unknown): Promise<boolean> =>
  hasShape(cutInto(Buffer.from(JSON.stringify(value)), 3), shape, MOST_VALUES);

describe('the shape of a JSON text', () => {
  it('puts no part together that has more characters than a part of a report', async () => {
    const part = keptOf(100, () => true);
    const texts = (count: number): string[] => Array.from({ length: count }, () => 'x'.repeat(16_000));
    expect(await isOf(part, texts(4))).to.equal(true);
    expect(await isOf(part, texts(5))).to.equal(false);
    expect(
      await isOf(part, Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`${n}`, 'x'.repeat(700)]))),
    ).to.equal(false);
  });

  it('says of each value what it is', async () => {
    const values = [null, true, 0, -1, 1.5, 2 ** 53, '', 'a', LONG, [], [1], {}, { a: 1 }];
    const cases: readonly (readonly [JsonShape, readonly unknown[]])[] = [
      [ANYTHING, values],
      [SOME_TEXT, ['a', LONG]],
      [matching(/^[ax]+$/), ['a']],
      [countOf(), [0]],
      [countOf(undefined, -1), []],
      [listOf(ANYTHING), [[], [1]]],
      [listOf(ANYTHING, { least: 1 }), [[1]]],
      [listOf(countOf()), [[], [1]]],
      [listOf(SOME_TEXT), [[]]],
      [keptOf(2, (value) => Array.isArray(value)), [[], [1]]],
      [keptOf(1, () => true), [null, true, 0, -1, 1.5, 2 ** 53, '', 'a', [], {}]],
      [objectOf({}), [{}, { a: 1 }]],
      [objectOf({}, { isClosed: true }), [{}]],
      [objectOf({ a: countOf() }), [{ a: 1 }]],
      [objectOf({}, { optional: { a: countOf() }, isClosed: true }), [{}, { a: 1 }]],
      [objectOf({}, { optional: { a: SOME_TEXT } }), [{}]],
    ];
    for (const [shape, good] of cases) {
      const fits: unknown[] = [];
      for (const value of values) if (await isOf(shape, value)) fits.push(value);
      expect(fits, shape.kind).to.deep.equal(good);
    }
  });

  it('is looked for at the right place, whatever stands around it', async () => {
    const shape = objectOf({ a: listOf(objectOf({ b: countOf() })) });
    expect(await isOf(shape, { a: [{ b: 1 }, { c: { b: 'x' }, b: 2 }], b: 'x', c: [{ a: 0 }] })).to.equal(
      true,
    );
    expect(await isOf(shape, { c: { a: [{ b: 1 }] } }), 'elsewhere').to.equal(false);
    expect(await isOf(shape, { a: [{ b: 1 }, {}] }), 'one of them').to.equal(false);
    expect(await isOf(shape, { a: { b: 1 } })).to.equal(false);
    expect(await isOf(objectOf({ constructor: ANYTHING }), {}), 'no member of a prototype').to.equal(false);
  });

  it('is not that of a text that is no JSON, or has too many values', async () => {
    for (const text of ['{}{}', '{', '', '{"a":1,"a":1}', '[1e999]'])
      expect(await hasShape(cutInto(Buffer.from(text), 2), ANYTHING, MOST_VALUES), text).to.equal(false);
    expect(await isOf(ANYTHING, Array(MOST_VALUES - 1).fill(0))).to.equal(true);
    expect(await isOf(ANYTHING, Array(MOST_VALUES).fill(0))).to.equal(false);
  });

  it('puts parts of a text together and has them judged, however they are nested', async () => {
    const kept: unknown[] = [];
    const each = keptOf(9, (value) => kept.push(value) < 4);
    const shape = objectOf({ a: listOf(each) }, { optional: { b: each }, isClosed: true });
    const value = { a: [{ c: [1, { d: 'e' }], a: null }, 'x'], b: [[]] };
    expect(await isOf(shape, value)).to.equal(true);
    expect(kept).to.deep.equal([value.a[0], 'x', [[]]]);
    expect(await isOf(shape, { a: [1] }), 'the fourth').to.equal(false);
    expect(
      await isOf(
        keptOf(3, () => true),
        [1, 2],
      ),
    ).to.equal(true);
    expect(
      await isOf(
        keptOf(3, () => true),
        [1, 2, 3],
      ),
    ).to.equal(false);
    expect(
      await isOf(
        keptOf(3, () => true),
        [[[[]]]],
      ),
    ).to.equal(false);
    expect(
      await isOf(
        keptOf(3, () => true),
        LONG,
      ),
      'not the beginning for the whole',
    ).to.equal(false);
    let ends = 0;
    const counted = listOf(objectOf({}, { takes: () => (ends += 1) < 3 }));
    expect(await isOf(counted, [{}, { a: {} }])).to.equal(true);
    expect(await isOf(counted, [{}])).to.equal(false);
  });

  it('gives numbers and ends of lists away as they come', async () => {
    let [sum, lists] = [0, 0];
    const shape = listOf(
      listOf(
        countOf((count) => (sum += count)),
        { take: () => (lists += 1) },
      ),
    );
    expect(await isOf(shape, [[1, 2], [], [39]])).to.equal(true);
    expect([sum, lists]).to.deep.equal([42, 3]);
  });
});
