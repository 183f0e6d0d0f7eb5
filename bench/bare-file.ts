/** The bare server that files of the web app are compared with: Koa, and one file in memory with the headers of ours. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import Koa from 'koa';

const [, , file = ''] = process.argv;
const content = readFileSync(file);
const app = new Koa();
app.use((context) => {
  context.set({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Content-Encoding': 'br',
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  });
  context.body = content;
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' ? address?.port : undefined);
process.once('disconnect', () => process.exit(0));
