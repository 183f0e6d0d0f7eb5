import { Readable } from 'node:stream';

import { expect } from 'chai';

import type { ObjectStore } from '../../../src/adapters/storage/storage.ts';
import {
  ObjectSizeError,
  readAtMost,
  readExactly,
} from '../../../src/services/stored-objects/read-object.ts';
import { PIECE_BYTES } from '../../../src/tools/pieces.ts';
import { wholeOf } from '../../support/read-outputs.ts';
import { refusalOf } from '../../support/refusals.ts';

/** A store of one object, which announces a size and streams the given chunks. */
function storeOf(announced: number, chunks: readonly unknown[]) {
  const stream = Readable.from(chunks);
  const store: Pick<ObjectStore, 'read'> = {
    read: (key) => Promise.resolve(key === 'there' ? { stream, byteSize: announced, etag: null } : null),
  };
  return { store, stream };
}
const bytes = (text: string): Buffer => Buffer.from(text);
const exactly = async (store: Pick<ObjectStore, 'read'>, key: string, byteSize: number): Promise<string> =>
  (await wholeOf(readExactly(store, key, byteSize))).toString();

/** Works for so many milliseconds. */
function pause(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

describe('reading an object', () => {
  it('answers its bytes, and nothing for what is missing', async () => {
    const whole = () => storeOf(6, [bytes('abc'), bytes(''), bytes('def')]).store;
    expect(await exactly(whole(), 'there', 6)).to.equal('abcdef');
    expect(Buffer.from((await readAtMost(whole(), 'there', 6)) ?? []).toString()).to.equal('abcdef');
    expect(await refusalOf(exactly(whole(), 'elsewhere', 6))).to.be.instanceOf(Error);
    expect(await readAtMost(whole(), 'elsewhere', 6)).to.equal(null);
  });

  it('takes no byte of one that has another size, or more than may be read', async () => {
    const exact = storeOf(7, [bytes('abcdefg')]);
    const refusal = await refusalOf(exactly(exact.store, 'there', 6));
    expect(refusal).to.be.instanceOf(ObjectSizeError).and.include({ byteSize: 7 });
    const most = storeOf(7, [bytes('abcdefg')]);
    expect(String(await refusalOf(readAtMost(most.store, 'there', 6)))).to.include('at most 6');
    for (const { stream } of [exact, most]) expect(stream.destroyed).to.equal(true);
  });

  it('gives a large chunk in small pieces, and the event loop back before each of them', async () => {
    let rounds = 0;
    const timer = setInterval(() => (rounds += 1), 0);
    const { store } = storeOf(40 * PIECE_BYTES + 1, [Buffer.alloc(40 * PIECE_BYTES + 1)]);
    const pieces: number[] = [];
    for await (const piece of readExactly(store, 'there', 40 * PIECE_BYTES + 1)) {
      pause(2);
      pieces.push(piece.byteLength);
    }
    clearInterval(timer);
    expect(pieces).to.deep.equal([...Array.from({ length: 40 }, () => PIECE_BYTES), 1]);
    expect(rounds, 'timers ran meanwhile').to.be.greaterThan(20);
  });

  it('is left at once by a reader who has seen enough', async () => {
    const { store, stream } = storeOf(6, [bytes('abc'), bytes('def')]);
    for await (const piece of readExactly(store, 'there', 6)) {
      expect(Buffer.from(piece).toString()).to.equal('abc');
      break;
    }
    expect(stream.destroyed).to.equal(true);
  });

  it('takes no more bytes than were announced, and not fewer', async () => {
    expect(
      await refusalOf(exactly(storeOf(3, [bytes('abc'), bytes('d')]).store, 'there', 3)),
    ).to.be.instanceOf(Error);
    expect(await refusalOf(exactly(storeOf(3, [bytes('ab')]).store, 'there', 3))).to.be.instanceOf(Error);
    expect(await refusalOf(exactly(storeOf(3, ['abc']).store, 'there', 3))).to.be.instanceOf(Error);
    expect(await refusalOf(readAtMost(storeOf(3, [bytes('ab')]).store, 'there', 3))).to.be.instanceOf(Error);
    expect(await refusalOf(readAtMost(storeOf(3, ['abc']).store, 'there', 3))).to.be.instanceOf(Error);
  });
});
