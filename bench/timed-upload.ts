// One upload by the client of a checkout, in a process of its own: `node timed-upload.ts <checkout> <file> <options>`.
// Prints `{ storageKey, seconds }`; the start of the process does not count.
import { join } from 'node:path';

import type { createClient, UploadOptions } from '../src/client/index.ts';

interface ClientModule {
  readonly createClient: typeof createClient;
}

/** The module is that of a checkout like this one, so its type is taken from here. */
async function load(path: string): Promise<ClientModule> {
  const module: unknown = await import(path);
  if (isClientModule(module)) return module;
  throw new Error(`${path} makes no client.`);
}

function isClientModule(module: unknown): module is ClientModule {
  return typeof module === 'object' && module !== null && 'createClient' in module;
}

const [, , checkout = '', path = '', text = '{}'] = process.argv;
const client = await load(join(checkout, 'src', 'client', 'index.ts'));
const parsed: unknown = JSON.parse(text);
const options: UploadOptions = typeof parsed === 'object' && parsed !== null ? parsed : {};
const uploads = client.createClient({
  apiUrl: process.env['DOCKYARD_API_URL'] ?? '',
  apiKey: process.env['DOCKYARD_API_KEY'] ?? '',
});
const startedAt = performance.now();
const { storageKey } = await uploads.upload({ path }, { checksum: true, stateFolder: null, ...options });
const seconds = (performance.now() - startedAt) / 1000;
process.stdout.write(`${JSON.stringify({ storageKey, seconds })}\n`);
