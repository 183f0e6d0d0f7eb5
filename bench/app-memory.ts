/** The memory that the built web app takes of a process that serves it, told in bytes to the process that asks. */
import { webAppEndpoints } from '../api/web-app/index.ts';
import { readWebApp } from '../src/bin/process/web-app.ts';

const resident = (): number => {
  globalThis.gc?.();
  return process.memoryUsage.rss();
};

const before = resident();
const app = await readWebApp();
if (app === null) throw new Error('The app has not been built.');
const endpoints = webAppEndpoints(app, 'http://127.0.0.1:9000');
const bytes = resident() - before;
process.send?.(endpoints.length > 0 ? bytes : null);
process.disconnect();
