/** The memory that the built web app takes of a process that serves it, told in bytes to the process that asks. */
import { webAppEndpoints } from '../api/web-app/index.ts';
import { readWebApp } from '../src/bin/process/web-app.ts';

// Not the resident memory, of which a process that has just started has more than it needs.
const used = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const before = used();
const app = await readWebApp();
if (app === null) throw new Error('The app has not been built.');
const endpoints = webAppEndpoints(app, 'http://127.0.0.1:9000');
const bytes = used() - before;
process.send?.(endpoints.length > 0 ? bytes : null);
process.disconnect();
