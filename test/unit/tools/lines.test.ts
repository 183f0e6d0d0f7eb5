import { expect } from 'chai';
import fc from 'fast-check';

import { isNumber, readLines } from '../../../src/tools/lines.ts';
import type { LineBounds } from '../../../src/tools/lines.ts';
import { cutInto } from '../../support/read-outputs.ts';

async function linesOf(text: string, pieceBytes: number, bounds?: LineBounds): Promise<string[] | null> {
  const lines: string[] = [];
  const take = (line: string): boolean => lines.push(line) > 0;
  return (await readLines(cutInto(Buffer.from(text), pieceBytes), take, bounds)) ? lines : null;
}

describe('the lines of a file that an instance wrote', () => {
  it('are whole, wherever the file is cut and however lines end', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\r\n', ' ') });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (written, pieceBytes) => {
        const expected = written.split('\n').map((line) => line.replace(/\r$/, ''));
        if (written === '' || written.endsWith('\n')) expected.pop();
        expect(await linesOf(written, pieceBytes)).to.deep.equal(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('are as many and as long as those of an honest file, and no more is read of another', async () => {
    const bounds = { lineBytes: 3, lines: 2 };
    expect(await linesOf('abc\nabc\n', 2, bounds)).to.deep.equal(['abc', 'abc']);
    expect(await linesOf('abc\nabc', 2, bounds)).to.deep.equal(['abc', 'abc']);
    expect(await linesOf('abc\nabcd', 2, bounds)).to.equal(null);
    expect(await linesOf('a\nb\nc', 2, bounds)).to.equal(null);
    let left = 0;
    const pieces = (async function* () {
      for (left = 100; left > 0; left -= 1) yield await Promise.resolve(Buffer.from('xx'));
    })();
    expect(await readLines(pieces, () => true, bounds)).to.equal(false);
    expect(left).to.be.greaterThan(95);
  });

  it('are read until one is refused', async () => {
    const taken: string[] = [];
    const take = (line: string): boolean => taken.push(line) < 2;
    expect(await readLines(cutInto(Buffer.from('a\nb\nc\n'), 10), take)).to.equal(false);
    expect(taken).to.deep.equal(['a', 'b']);
  });

  it('hold numbers that are written plainly', () => {
    for (const text of ['1', ' -1.50 ', '007']) expect(isNumber(text), text).to.equal(true);
    for (const text of ['', ' ', '1e5', '.5', '1.', '+1', 'NaN'])
      expect(isNumber(text), text).to.equal(false);
  });
});
