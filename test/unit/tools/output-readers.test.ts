import { expect } from 'chai';

import { JSON_BOUNDS } from '../../../src/tools/json-value.ts';
import { asJson, byPieces } from '../../../src/tools/output-readers.ts';
import { cutInto } from '../../support/read-outputs.ts';

const MEBIBYTE = 1024 * 1024;
const FEW = 1000;

describe('the readers of outputs', () => {
  it('say what they take: pieces the same for any size, JSON more with each value that the bytes may be', () => {
    const pieces = byPieces(() => Promise.resolve(null));
    expect(pieces.memoryBytes(64 * MEBIBYTE))
      .to.equal(pieces.memoryBytes(1))
      .and.below(16 * MEBIBYTE);
    const [json, small] = [asJson(() => null), asJson(() => null, { values: FEW })];
    expect(json.memoryBytes(100_000)).to.be.above(50 * 100_000);
    expect(json.memoryBytes(16 * MEBIBYTE)).to.be.above(100 * JSON_BOUNDS.values + 16 * MEBIBYTE);
    const perByte = (small.memoryBytes(2 * MEBIBYTE) - small.memoryBytes(MEBIBYTE)) / MEBIBYTE;
    expect(perByte, 'the values are bounded, the text is not').to.equal(2);
  });

  it('answer what is made of the value, which is undefined where there is none', async () => {
    const reader = asJson((value) => Promise.resolve([value]), { values: 3 });
    expect(await reader.read(cutInto(Buffer.from('[1,2]'), 1))).to.deep.equal([[1, 2]]);
    expect(await reader.read(cutInto(Buffer.from('[1,2,3]'), 1))).to.deep.equal([undefined]);
  });
});
