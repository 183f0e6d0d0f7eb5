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
});
