/** The archive that the services of a test fetch deposited structures from. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An archive on this machine. */
export interface Archive {
  readonly url: string;
  /** Files that were asked for, in their order. */
  readonly asked: readonly string[];
  /** Puts an entry into the archive, as `1A28.cif`; questions for one that is promised wait for it. */
  deposit(name: string, content: Uint8Array | Promise<Uint8Array>): void;
}

let shared: Promise<Archive> | null = null;
const closing: (() => Promise<unknown>)[] = [];

/** The archive that the suites of this process share; it is empty at first. */
export function testArchive(): Promise<Archive> {
  shared ??= open();
  return shared;
}

async function open(): Promise<Archive> {
  const entries = new Map<string, Uint8Array | Promise<Uint8Array>>();
  const asked: string[] = [];
  const archive = createServer((request, answer) => {
    const name = (request.url ?? '').slice(1);
    asked.push(name);
    const deposited = entries.get(name);
    if (deposited === undefined) answer.writeHead(404).end();
    else void Promise.resolve(deposited).then((content) => answer.end(content));
  });
  await new Promise<void>((resolve) => archive.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    archive.closeAllConnections();
    await new Promise((resolve) => archive.close(resolve));
  });
  const { port } = archive.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    deposit: (name, content) => void entries.set(name, content),
  };
}

after('closes the archive of structures', async () => {
  for (const close of closing) await close();
});
