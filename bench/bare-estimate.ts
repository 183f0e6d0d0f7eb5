/** The bare route that the public estimate is compared with: Koa, which reads a JSON body and answers the JSON that it was given. */
import { once } from 'node:events';
import { json } from 'node:stream/consumers';

import Koa from 'koa';

const [, , answer = '{}'] = process.argv;
const body: unknown = JSON.parse(answer);
const app = new Koa();
app.use(async (context) => {
  await json(context.req);
  context.body = body;
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' ? address?.port : undefined);
process.once('disconnect', () => process.exit(0));
