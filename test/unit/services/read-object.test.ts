import { Readable } from 'node:stream';

import { expect } from 'chai';

import type { ObjectStore } from '../../../src/adapters/storage/storage.ts';
import {
  ObjectSizeError,
  readAtMost,
  readExactly,
} from '../../../src/services/execution/commit/read-object.ts';
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

describe('reading an object whole', () => {
  it('answers its bytes, and nothing for what is missing', async () => {
    const whole = () => storeOf(6, [bytes('abc'), bytes(''), bytes('def')]).store;
    expect(Buffer.from((await readExactly(whole(), 'there', 6)) ?? []).toString()).to.equal('abcdef');
    expect(Buffer.from((await readAtMost(whole(), 'there', 6)) ?? []).toString()).to.equal('abcdef');
    expect(await readExactly(whole(), 'elsewhere', 6)).to.equal(null);
    expect(await readAtMost(whole(), 'elsewhere', 6)).to.equal(null);
  });

  it('takes no byte of one that has another size, or more than may be read', async () => {
    const exact = storeOf(7, [bytes('abcdefg')]);
    const refusal = await refusalOf(readExactly(exact.store, 'there', 6));
    expect(refusal).to.be.instanceOf(ObjectSizeError).and.include({ byteSize: 7 });
    const most = storeOf(7, [bytes('abcdefg')]);
    expect(String(await refusalOf(readAtMost(most.store, 'there', 6)))).to.include('at most 6');
    for (const { stream } of [exact, most]) expect(stream.destroyed).to.equal(true);
  });

  it('takes no more bytes than were announced, and not fewer', async () => {
    expect(
      await refusalOf(readExactly(storeOf(3, [bytes('abc'), bytes('d')]).store, 'there', 3)),
    ).to.be.instanceOf(Error);
    expect(await refusalOf(readAtMost(storeOf(3, [bytes('ab')]).store, 'there', 3))).to.be.instanceOf(Error);
    expect(await refusalOf(readAtMost(storeOf(3, ['abc']).store, 'there', 3))).to.be.instanceOf(Error);
  });
});
