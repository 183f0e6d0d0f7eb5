import { Worker } from 'node:worker_threads';

import { expect } from 'chai';

import { JSON_BOUNDS, readJson } from '../../../src/tools/json-value.ts';
import type { JsonBounds } from '../../../src/tools/json-value.ts';
import { cutInto } from '../../support/read-outputs.ts';

const PIECE = 64 * 1024;
const parse = (text: string | Uint8Array, bounds?: JsonBounds): Promise<unknown> =>
  readJson(cutInto(Buffer.from(text), PIECE), bounds);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Reads the text that an expression makes in a thread whose heap has a limit, and answers the length of the value. */
function lengthReadWithin(megabytes: number, expression: string): Promise<unknown> {
  const code = `
    import { parentPort } from 'node:worker_threads';
    import { readJson } from ${JSON.stringify(import.meta.resolve('../../../src/tools/json-value.ts'))};
    import { cutInto } from ${JSON.stringify(import.meta.resolve('../../support/read-outputs.ts'))};
    const value = await readJson(cutInto(Buffer.from(${expression}), ${PIECE}));
    parentPort.postMessage(value.length);`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 4 },
  });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

describe('JSON that an instance wrote', () => {
  it('is read as it is', async () => {
    const value = {
      a: [1, -2.5e3, null, true, 'é😀', { 'b:c': '"[,' }],
      '': {},
      constructor: { prototype: 1 },
    };
    expect(await parse(JSON.stringify(value))).to.deep.equal(value);
    expect(await parse('"x"')).to.equal('x');
    expect(await parse(nested(64))).to.not.equal(undefined);
  });

  it('is read as it is however escapes and plain characters follow one another, in little memory', async () => {
    const texts = ['\n', 'a\n', `${'b'.repeat(300)}\n`, `\u0001${'é'.repeat(255)}`].map((text) =>
      text.repeat(2_000),
    );
    expect(await parse(JSON.stringify(texts))).to.deep.equal(texts);
    // One object for each escape would take 64 MB, and the thread would die.
    expect(await lengthReadWithin(24, `'"' + '\\\\n'.repeat(2_000_000) + '"'`)).to.equal(2_000_000);
  });

  it('is none when it is deeper or larger than an honest file, whatever its size', async () => {
    expect(await parse(nested(65))).to.equal(undefined);
    expect(await parse(nested(5_000))).to.equal(undefined);
    expect(await parse('['.repeat(4 * 2 ** 20))).to.equal(undefined);
    expect(await parse(`[${'[],'.repeat(500_000)}[]]`)).to.equal(undefined);
    expect(await parse(`"${'x'.repeat(2 ** 24)}"`)).to.equal(undefined);
  });

  it('has as many bytes and values as its reader allows, and not one more', async () => {
    expect(await parse('[1,2]', { ...JSON_BOUNDS, values: 3 })).to.deep.equal([1, 2]);
    expect(await parse('[1,2]', { ...JSON_BOUNDS, values: 2 })).to.equal(undefined);
    expect(await parse('[1,2]', { ...JSON_BOUNDS, bytes: 5 })).to.deep.equal([1, 2]);
    expect(await parse('[1,2]', { ...JSON_BOUNDS, bytes: 4 })).to.equal(undefined);
  });

  it('is none when two readers could understand it in two ways', async () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":{"b":1},"a":2}',
      '[{"b":1,"b":2}]',
      '{"\\u0061":1,"a":2}',
      '{"__proto__":{"a":1}}',
      '{"a":[{"__proto__":1}]}',
      '[1e999]',
      '["\\ud800"]',
      '["\\ud800x\\udc00"]',
      '["\\udc00\\ud800"]',
      '{"\\udc00":1}',
      '\ufeff{}',
      '{',
      '',
      '[1,]',
    ])
      expect(await parse(text), JSON.stringify(text)).to.equal(undefined);
    expect(await parse(Buffer.from([0x22, 0xff, 0x22])), 'no UTF-8').to.equal(undefined);
    expect(await parse(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), 'a surrogate').to.equal(undefined);
    expect(await parse(Buffer.from([0x22, 0xc3])), 'half a character').to.equal(undefined);
  });
});
