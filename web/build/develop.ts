/** `npm run web`: the app as it is worked on, on the stack that runs (`npm start`), or on the one whose address is given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createServer } from 'vite';

import { compileMessages } from './messages.ts';
import { web } from './paths.ts';
import { configOf } from './vite.config.ts';

const apiUrl = process.argv[2] ?? runningApi();
if (apiUrl === null) {
  console.error('No stack runs here: start one with npm start, or name one: npm run web -- http://HOST:PORT');
  process.exit(1);
}
await compileMessages();
const server = await createServer(configOf({ apiUrl }));
server.watcher.on('change', (file) => {
  if (file.endsWith('en.json')) void compileMessages();
});
await server.listen();
for (const address of server.resolvedUrls?.local ?? []) console.log(`  Web app  ${address}`);
console.log(`  API      ${apiUrl}`);

function runningApi(): string | null {
  const home = process.env['DOCKYARD_HOME'] ?? join(web, '../.dockyard');
  try {
    const endpoints: unknown = JSON.parse(readFileSync(join(home, 'endpoints.json'), 'utf8'));
    const isThere = typeof endpoints === 'object' && endpoints !== null && 'apiUrl' in endpoints;
    return isThere ? String(endpoints.apiUrl) : null;
  } catch {
    return null;
  }
}
