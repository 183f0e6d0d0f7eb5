// A receiver of webhooks in Node that survives repeats and wrong order. It needs npm's standardwebhooks:
//
//   npm install standardwebhooks
//   DOCKYARD_WEBHOOK_SECRETS=whsec_… PORT=4000 node receiver.mjs
//
// An event that has come before changes nothing, and an event that is older than what is known of its job changes nothing either.
// It prints a line for each change. What is known lies in memory here; keep it in the database of your program, in the transaction of your work.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { Webhook } from 'standardwebhooks';

// While a secret rotates both are given, with a blank between them.
const webhooks = (process.env.DOCKYARD_WEBHOOK_SECRETS ?? '').split(' ').map((secret) => new Webhook(secret));
const seen = new Set();
const jobs = new Map();

function verified(body, headers) {
  for (const webhook of webhooks)
    try {
      return webhook.verify(body, headers);
    } catch {
      // Another secret may have signed it.
    }
  return null;
}

function take({ id, type, timestamp, data }) {
  if (seen.has(id)) return;
  seen.add(id);
  const { jobId, status } = data;
  if (status === undefined) return;
  // Events come in no promised order; the newest one tells where the job stands.
  if ((jobs.get(jobId)?.timestamp ?? '') >= timestamp) return;
  jobs.set(jobId, { timestamp, status });
  console.log(`${jobId} ${status} (${type})`);
}

const server = createServer(async (request, response) => {
  const event = verified((await buffer(request)).toString(), request.headers);
  response.writeHead(event === null ? 400 : 204).end();
  if (event !== null) take(event);
});
server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => console.log('listening'));
