import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { StagedInput } from '../../../src/contracts/instance.ts';
import { createInputFolder } from '../../../src/instance/inputs.ts';

describe('the inputs on an instance', () => {
  let folder = '';
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path.slice(1));
    response.end(path.slice(1));
  });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockyard-test-inputs-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  /** An input whose bytes are its content. */
  const inputOf = (name: string, content: string): StagedInput => ({
    ...{ name, storageKey: content, byteSize: content.length },
    sha256: createHash('sha256').update(content).digest('hex'),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${content}`,
  });

  it('are known by name and digest: the same is fetched once, other bytes of that name take its place', async () => {
    const inputs = createInputFolder(folder);
    const { signal } = new AbortController();
    const fetched = async (content: string): Promise<string> => {
      const paths = await inputs.fetch([inputOf('prepared/one', content)], signal);
      return readFile(paths['prepared/one'] ?? '', 'utf8');
    };
    for (const content of ['first', 'first', 'second', 'second', 'first'])
      expect(await fetched(content)).to.equal(content);
    expect(asked).to.deep.equal(['first', 'second', 'first']);
    await inputs.close();
  });

  it('of one name that are asked for at once are fetched one after the other', async () => {
    const inputs = createInputFolder(folder);
    const { signal } = new AbortController();
    const contents = Array.from({ length: 8 }, (_, at) => `content-${at % 2}`);
    await Promise.all(contents.map((content) => inputs.fetch([inputOf('two', content)], signal)));
    expect(await readFile(join(folder, 'two'), 'utf8')).to.equal('content-1');
    await inputs.close();
  });

  it('that could not be fetched are fetched again', async () => {
    const inputs = createInputFolder(folder);
    const { signal } = new AbortController();
    const wrong = { ...inputOf('three', 'bytes'), byteSize: 1 };
    const refused = await inputs.fetch([wrong], signal).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'INPUT_DIGEST_MISMATCH' });
    const paths = await inputs.fetch([inputOf('three', 'bytes')], signal);
    expect(await readFile(paths['three'] ?? '', 'utf8')).to.equal('bytes');
    await inputs.close();
  });

  describe('that are small parts of one object', () => {
    const PARTS = 500;
    const SIZE = 40;
    const object = Buffer.from(
      Array.from({ length: PARTS }, (_, n) => `part ${n} `.padEnd(SIZE, '.')).join(''),
    );
    const ranges: string[] = [];
    let failures = 0;
    const store = createServer((request, response) => {
      const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      ranges.push(`${from}-${to}`);
      const bytes = object.subarray(Number(from), Number(to) + 1);
      response.statusCode = failures > 0 ? 503 : bytes.byteLength === 0 ? 416 : 206;
      failures = Math.max(0, failures - 1);
      response.end(bytes);
    });
    before(async () => new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve)));
    after(() => void store.close());
    beforeEach(() => void ranges.splice(0));

    const part = (n: number, count = 1): StagedInput => {
      const range = { start: n * SIZE, end: (n + count) * SIZE };
      const bytes = object.subarray(range.start, range.end);
      return {
        ...{ name: `records/${n}-${count}`, storageKey: 'library', byteSize: count * SIZE, range },
        sha256: createHash('sha256').update(bytes).digest('hex'),
        url: `http://127.0.0.1:${(store.address() as AddressInfo).port}/library`,
      };
    };
    const read = async (
      inputs: ReturnType<typeof createInputFolder>,
      parts: readonly StagedInput[],
    ): Promise<string[]> => {
      const paths = await inputs.fetch(parts, new AbortController().signal);
      return Promise.all(parts.map(({ name }) => readFile(paths[name] ?? '', 'utf8')));
    };
    const textOf = (n: number, count = 1): string => object.toString('utf8', n * SIZE, (n + count) * SIZE);

    it('are read with those that follow, whichever tasks ask for them, and each has its own bytes', async () => {
      const inputs = createInputFolder(join(folder, 'ahead'));
      const shard = Array.from({ length: 10 }, (_, n) => n);
      expect(
        await read(
          inputs,
          shard.map((n) => part(n)),
        ),
      ).to.deep.equal(shard.map((n) => textOf(n)));
      for (let n = 10; n < PARTS; n += 1) expect(await read(inputs, [part(n)])).to.deep.equal([textOf(n)]);
      const firsts = [0, 64, 128, 192, 256, 320, 384, 448].map((n) => n * SIZE);
      expect(ranges).to.deep.equal(firsts.map((from) => `${from}-${from + 64 * SIZE - 1}`));
      await inputs.close();
    });

    it('count with the digest that the job named alone', async () => {
      const inputs = createInputFolder(join(folder, 'digests'));
      await read(inputs, [part(0)]);
      for (const wrong of [
        { ...part(1), name: 'records/other', sha256: part(2).sha256 },
        { ...part(PARTS - 1), name: 'records/beyond', range: { start: 19_990, end: 20_030 } },
        { ...part(PARTS), name: 'records/outside', byteSize: SIZE },
      ])
        expect(await read(inputs, [wrong]).catch((error: unknown) => error)).to.include({
          code: 'INPUT_DIGEST_MISMATCH',
        });
      await inputs.close();
    });

    it('are read anew where the reading that was begun before has failed', async () => {
      const inputs = createInputFolder(join(folder, 'failures'));
      failures = 1;
      const both = await Promise.allSettled([read(inputs, [part(3)]), read(inputs, [part(4)])]);
      expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
      expect(await read(inputs, [part(3), part(4)])).to.deep.equal([textOf(3), textOf(4)]);
      await inputs.close();
    });

    it('are read alone where they are large', async () => {
      const inputs = createInputFolder(join(folder, 'large'));
      expect(await read(inputs, [part(0, 450), part(450)])).to.deep.equal([textOf(0, 450), textOf(450)]);
      expect(ranges.toSorted()).to.deep.equal(['0-17999', '18000-20559']);
      await inputs.close();
    });
  });
});
