/**
 * The API of a stack whose instances are processes of their own, and whose lost instances are noticed sooner than in
 * production. For suites that kill an instance; the suites of a process share the stack, because its tools with packs are
 * offered only some seconds after its start.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openTestApi } from './api.ts';
import type { TestApi } from './api.ts';
import { tuned } from './tuning.ts';

/** The API, and the archive that the service fetches deposited structures from. */
export interface ProcessApi extends TestApi {
  /** Puts an entry into the archive, as `1A28.cif`. */
  deposit(name: string, content: Uint8Array): void;
}

const QUICK_LOSSES = tuned({
  computeHeartbeatSeconds: 8,
  computePickupSeconds: 8,
  contactSeconds: 0.5,
  silenceSeconds: 3,
  goneConfirmSeconds: 0.5,
  goneMinAgeSeconds: 1,
});
/** Each slot starts Python and what it needs anew, which takes longer than docking the small ligands of these suites. */
const ONE_SLOT = { DOCKYARD_INSTANCE_SLOTS: '1' };

let shared: Promise<ProcessApi> | null = null;
const closing: (() => Promise<unknown>)[] = [];

/** The API that the suites of this process share. */
export function processApi(): Promise<ProcessApi> {
  shared ??= open();
  return shared;
}

async function open(): Promise<ProcessApi> {
  const entries = new Map<string, Uint8Array>();
  const archive = createServer((request, answer) => {
    const content = entries.get((request.url ?? '').slice(1));
    if (content === undefined) answer.writeHead(404).end();
    else answer.end(content);
  });
  await new Promise<void>((resolve) => archive.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    archive.closeAllConnections();
    await new Promise((resolve) => archive.close(resolve));
  });
  const { port } = archive.address() as AddressInfo;
  const api = await openTestApi({
    ...QUICK_LOSSES,
    ...ONE_SLOT,
    DOCKYARD_STRUCTURES_URL: `http://127.0.0.1:${port}`,
  });
  return { ...api, deposit: (name, content) => void entries.set(name, content) };
}

after('closes the archive of structures', async () => {
  for (const close of closing) await close();
});
