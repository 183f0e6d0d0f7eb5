/** The contract of every object store: objects, copies, lists. Signed requests and parts have files of their own. */
import { buffer } from 'node:stream/consumers';

import { expect } from 'chai';

import type { TestStore } from '../support/object-store.ts';
import { digestOf, gather, send, STORE_KINDS, UNUSUAL_KEYS } from '../support/stores.ts';

for (const kind of STORE_KINDS) {
  describe(`object store contract, ${kind.name}`, () => {
    let test: TestStore;
    before(async () => {
      test = await kind.open();
    });

    const put = (key: string, text: string): Promise<void> =>
      test.store.put(key, Buffer.from(text), 'text/plain');
    const text = async (key: string, range?: { start: number; end?: number }): Promise<string | null> => {
      const object = await test.store.read(key, range);
      return object === null ? null : (await buffer(object.stream)).toString();
    };

    /** The size and digest of a copy; the test asks for what the answer to the copy does not tell. */
    const copied = async (from: string, to: string, contentType: string): Promise<unknown> => {
      const copy = await test.store.copy(from, to, contentType);
      if (copy === null) return null;
      if (kind.name.startsWith('S3')) expect(copy.sha256, 'computed by the store').to.be.a('string');
      const head = await test.store.head(to);
      expect(copy.byteSize, 'where it is told').to.be.oneOf([head?.byteSize, null]);
      return { byteSize: head?.byteSize, sha256: copy.sha256 ?? (await test.store.hash(to))?.sha256 };
    };
    const refused = (call: Promise<unknown>): Promise<boolean> =>
      call.then(
        () => false,
        () => true,
      );
    const factsOf = (content: string) => ({
      byteSize: Buffer.byteLength(content),
      sha256: digestOf(content),
    });

    for (const name of UNUSUAL_KEYS) {
      it(`keeps ${JSON.stringify(name.slice(0, 50))} apart from all other keys`, async () => {
        const key = `unusual/${name}`;
        await put(key, name);
        expect(await test.store.head(key)).to.include({
          key,
          byteSize: Buffer.byteLength(name),
          contentType: 'text/plain',
        });
        expect(await text(key)).to.equal(name);
        expect(await copied(key, `copied/${name}`, 'text/csv')).to.deep.equal(factsOf(name));
        const listed = await gather(test.store.list('copied/'));
        expect(listed.map((object) => object.key)).to.deep.equal([`copied/${name}`]);
        const { url } = await test.store.signGet(key, { expiresInSeconds: 60 });
        expect(await (await fetch(url)).text()).to.equal(name);
        await test.store.remove([`copied/${name}`]);
        expect(await test.store.head(`copied/${name}`)).to.equal(null);
        expect(await test.store.head(key), 'the original stays').to.not.equal(null);
      });
    }

    it('keeps empty objects', async () => {
      await put('empty/one', '');
      expect(await test.store.head('empty/one')).to.include({ byteSize: 0 });
      expect(await text('empty/one')).to.equal('');
      expect(await test.store.hash('empty/one')).to.deep.equal({ byteSize: 0, sha256: digestOf('') });
      expect(await copied('empty/one', 'empty/two', 'text/plain')).to.deep.equal(factsOf(''));
      const listed = await gather(test.store.list('empty/'));
      expect(listed.map(({ key, byteSize }) => [key, byteSize])).to.deep.equal([
        ['empty/one', 0],
        ['empty/two', 0],
      ]);
    });

    it('stores bytes that are made while they are sent, and again when they are sent again', async () => {
      const pieces = Array.from({ length: 200 }, (_, index) => String(index).repeat(5_000));
      const whole = pieces.join('');
      let opened = 0;
      const body = {
        ...factsOf(whole),
        async *open() {
          opened += 1;
          for (const piece of pieces) yield Buffer.from(piece);
        },
      };
      for (let turn = 1; turn <= 2; turn += 1) {
        await test.store.put('made/one', body, 'text/plain');
        expect(await test.store.hash('made/one')).to.deep.equal(factsOf(whole));
        expect(await test.store.head('made/one')).to.include({ contentType: 'text/plain' });
        expect(opened).to.equal(turn);
      }
      if (!test.store.enforcesPartChecksums) return;
      const other = { ...body, sha256: digestOf('other bytes') };
      expect(await refused(test.store.put('made/two', other, 'text/plain'))).to.equal(true);
      expect(await test.store.head('made/two')).to.equal(null);
    });

    it('replaces an object by a repeated put', async () => {
      await put('again/one', 'first');
      const [before] = await gather(test.store.list('again/'));
      await put('again/one', 'second!');
      expect(await text('again/one')).to.equal('second!');
      const [after] = await gather(test.store.list('again/'));
      expect(after?.byteSize).to.equal(7);
      expect(Number(after?.modifiedAt)).to.be.at.least(Number(before?.modifiedAt));
      expect(Math.abs(Date.now() - Number(after?.modifiedAt))).to.be.below(60_000);
    });

    describe('copy', () => {
      const signed = async (key: string, body: string): Promise<void> => {
        const terms = { expiresInSeconds: 60, contentType: 'text/plain', sha256: digestOf(body) };
        expect(await send(await test.store.signPut(key, terms), body)).to.be.oneOf([200, 201]);
      };

      it('answers size and digest of the bytes, with or without a digest at the PUT', async () => {
        await signed('copy/signed', 'signed bytes');
        await put('copy/plain', 'plain bytes');
        expect(await copied('copy/signed', 'copies/1', 'text/plain')).to.deep.equal(factsOf('signed bytes'));
        expect(await copied('copy/plain', 'copies/2', 'text/csv')).to.deep.equal(factsOf('plain bytes'));
        const head = await test.store.head('copies/2');
        expect(head).to.include({ contentType: 'text/csv', byteSize: 11 });
        expect(head?.sha256).to.be.oneOf([digestOf('plain bytes'), null]);
      });

      it("answers size and digest of the copy's real bytes when the source changed", async () => {
        await signed('copy/changed', 'as announced');
        await test.tamper('copy/changed', 'other bytes, and more of them');
        const recorded = await test.store.head('copy/changed');
        expect(recorded?.sha256, 'a HEAD repeats the old digest, or tells none').to.be.oneOf([
          digestOf('as announced'),
          null,
        ]);
        const changed = factsOf('other bytes, and more of them');
        expect(await copied('copy/changed', 'copies/3', 'text/plain')).to.deep.equal(changed);
        expect(await test.store.hash('copies/3')).to.deep.equal(changed);
      });

      it('answers the new digest when a copy is repeated after a change, whatever was copied before', async () => {
        await signed('copy/twice', 'first');
        await test.store.copy('copy/twice', 'copies/4', 'text/plain');
        await test.tamper('copy/twice', 'second!');
        expect(await copied('copy/twice', 'copies/4', 'text/plain')).to.deep.equal(factsOf('second!'));
        await test.tamper('copies/4', 'third');
        expect(await test.store.hash('copies/4'), 'a stream never lies').to.deep.equal({
          byteSize: 5,
          sha256: digestOf('third'),
        });
      });
    });

    it('answers nothing for what is missing, and removes it without complaint', async () => {
      expect(await test.store.head('missing')).to.equal(null);
      expect(await test.store.read('missing')).to.equal(null);
      expect(await test.store.read('missing', { start: 1 })).to.equal(null);
      expect(await test.store.hash('missing')).to.equal(null);
      expect(await test.store.copy('missing', 'copies/5', 'text/plain')).to.equal(null);
      expect(await test.store.head('copies/5')).to.equal(null);
      expect(await gather(test.store.list('missing/'))).to.deep.equal([]);
      await put('there', 'x');
      await test.store.remove(['missing', 'there', 'missing/too']);
      expect(await test.store.head('there'), 'what is there goes').to.equal(null);
      await test.store.remove([]);
    });

    it('reads ranges, and hashes with progress', async () => {
      await put('read/one', '0123456789');
      expect(await text('read/one')).to.equal('0123456789');
      expect(await text('read/one', { start: 7 })).to.equal('789');
      expect(await text('read/one', { start: 2, end: 4 })).to.equal('234');
      expect(await text('read/one', { start: 8, end: 50 })).to.equal('89');
      const part = await test.store.read('read/one', { start: 2, end: 4 });
      part?.stream.destroy();
      expect(part?.byteSize).to.equal(3);
      const seen: number[] = [];
      const hashed = await test.store.hash('read/one', (bytes) => seen.push(bytes));
      expect(hashed).to.deep.equal({ byteSize: 10, sha256: digestOf('0123456789') });
      expect(seen.at(-1)).to.equal(10);
    });

    it('lists and removes more than one page, and nothing beside it', async () => {
      const keys = Array.from({ length: 1_100 }, (_, index) => `many/${String(index).padStart(4, '0')}`);
      await put('many-others', 'x');
      for (let from = 0; from < keys.length; from += 50) {
        await Promise.all(keys.slice(from, from + 50).map((key) => put(key, 'x')));
      }
      const pages: number[] = [];
      const listed: string[] = [];
      for await (const page of test.store.list('many/')) {
        pages.push(page.length);
        listed.push(...page.map((object) => object.key));
      }
      expect(listed).to.deep.equal(keys);
      expect(Math.max(...pages)).to.be.at.most(1_000);
      await test.store.remove(keys);
      expect(await gather(test.store.list('many/'))).to.deep.equal([]);
      await test.store.remove(keys);
      expect(await test.store.head('many-others')).to.not.equal(null);
    });

    it('says when it is not there', async () => {
      await test.store.ping();
      const failure = await test.elsewhere.ping().catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
    });
  });
}
