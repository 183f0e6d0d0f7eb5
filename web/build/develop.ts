/** `npm run web`: the app as it is worked on, on the stack that runs (`npm start`), or on the one whose address is given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createServer } from 'vite';

import { compileMessages } from './messages.ts';
import { web } from './paths.ts';
import { configOf } from './vite.config.ts';

const apiUrl = process.argv[2] ?? runningApi();
await compileMessages();
const server = await createServer(configOf({ apiUrl }));
server.watcher.on('change', (file) => {
  if (file.endsWith('en.json')) void compileMessages();
});
await server.listen();
server.printUrls();
console.log(`  The API is ${apiUrl}.`);

function runningApi(): string {
  const home = process.env['DOCKYARD_HOME'] ?? join(web, '../.dockyard');
  const endpoints: unknown = JSON.parse(readFileSync(join(home, 'endpoints.json'), 'utf8'));
  if (typeof endpoints === 'object' && endpoints !== null && 'apiUrl' in endpoints)
    return String(endpoints.apiUrl);
  throw new Error('No stack runs: npm start.');
}
