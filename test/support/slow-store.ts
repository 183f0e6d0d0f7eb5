/**
 * A proxy before a store that makes reads of uploaded files slow: everything passes, but whole reads of uploads trickle
 * until the test releases them.
 */
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The proxy, and what has gone through it. */
export interface SlowStore {
  readonly url: string;
  /** The reads that trickle now, and the most that trickled at one time. */
  readonly reading: { now: number; most: number };
  /** How often the parts of an upload were listed, which each completion does once. */
  readonly listings: { count: number };
  /** From now on every read is as fast as the store. */
  release(): void;
  close(): Promise<void>;
}

const CHUNK_BYTES = 16 * 1024;
const PAUSE_MS = 250;
const UPLOADED_FILE = /^\/[^/]+\/accounts\/[^/]+\/uploads\/[^?]+(\?x-id=GetObject)?$/;

/**
 * Starts the proxy in front of a store. Signatures stay valid, because the proxy sends the store the host name that was
 * signed.
 */
export async function startSlowStore(storeUrl: string): Promise<SlowStore> {
  const reading = { now: 0, most: 0 };
  const listings = { count: 0 };
  let released = false;

  const trickle = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    reading.now += 1;
    reading.most = Math.max(reading.most, reading.now);
    try {
      for await (const chunk of from) {
        const bytes: Buffer = chunk;
        for (let at = 0; at < bytes.byteLength && !to.destroyed; at += CHUNK_BYTES) {
          to.write(bytes.subarray(at, at + CHUNK_BYTES));
          if (!released) await sleep(PAUSE_MS);
        }
      }
      to.end();
    } finally {
      reading.now -= 1;
    }
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (request.method === 'GET' && path.includes('uploadId=')) listings.count += 1;
    const isFile = request.method === 'GET' && UPLOADED_FILE.test(path);
    const { method = 'GET', headers } = request;
    const onward = httpRequest(new URL(path, storeUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (isFile && !released) trickle(answer, response).catch(() => response.destroy());
      else answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reading,
    listings,
    release: () => (released = true),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
