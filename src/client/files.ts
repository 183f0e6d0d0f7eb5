/** Files from the object store: a download is kept only when its digest is the announced one. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { CLIENT_CODES, ClientError } from './errors.ts';
import { proxyWords } from './proxy.ts';
import { withRetry } from './retry.ts';
import { lostConnection, retryAfterOf } from './transport.ts';
import type { Transport } from './transport.ts';
import type { OutputItem } from './types.ts';

const OK = 200;
const FORBIDDEN = 403;

/** SHA-256 of a file, in hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(asBytes(chunk));
  return hash.digest('hex');
}

/**
 * Fetches an output into a file, which appears only when size and digest are right; its folder is made where it is not
 * there.
 * @throws ClientError DIGEST_MISMATCH, TRANSFER_REFUSED (403: the address has expired, list the outputs again).
 */
export async function fetchOutput(
  { retry }: Pick<Transport, 'retry'>,
  output: Pick<OutputItem, 'url' | 'sha256' | 'byteSize' | 'name'>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const unfinished = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await withRetry(retry, signal, async () => {
      const url = new URL(output.url);
      const answer = await get(url, signal);
      const status = answer.statusCode ?? 0;
      if (status !== OK) throw refusedTransfer(status, answer.headers['retry-after'], await text(answer));
      const found = await store(url, answer, unfinished, signal);
      if (found.sha256 === output.sha256 && found.byteSize === output.byteSize) return;
      throw new ClientError(
        `${output.name} has ${found.byteSize} bytes with SHA-256 ${found.sha256}; announced were ${output.byteSize} bytes with ${output.sha256}.`,
        { status, code: CLIENT_CODES.digestMismatch },
      );
    });
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/**
 * A GET by Node's own HTTP client: the `fetch` of Node 24 ends the whole process when a server closes the connection
 * while the disk is the slower one (undici issue 5360).
 */
async function get(url: URL, signal: AbortSignal | undefined): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  try {
    return await new Promise<http.IncomingMessage>((resolve, reject) => {
      request(url, signal === undefined ? {} : { signal }, resolve)
        .on('error', reject)
        .end();
    });
  } catch (error) {
    throw signal?.aborted === true ? error : lostConnection(url, error, proxyWords);
  }
}

async function store(
  url: URL,
  body: AsyncIterable<Uint8Array>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly sha256: string; readonly byteSize: number }> {
  const hash = createHash('sha256');
  let byteSize = 0;
  const measure = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      byteSize += chunk.byteLength;
      done(null, chunk);
    },
  });
  try {
    await pipeline(body, measure, createWriteStream(path));
  } catch (error) {
    // Another attempt mends neither a full disk nor a folder without rights, but it may mend a broken connection.
    const syscall = error instanceof Error && 'syscall' in error ? error.syscall : null;
    const isLocal = syscall === 'open' || syscall === 'write';
    throw signal?.aborted === true || isLocal ? error : lostConnection(url, error, proxyWords);
  }
  return { sha256: hash.digest('hex'), byteSize };
}

function refusedTransfer(status: number, retryAfter: string | undefined, body: string): ClientError {
  const code = /<Code>([^<]+)<\/Code>/.exec(body)?.[1];
  const reason = code === undefined ? '' : ` (${code})`;
  const advice = status === FORBIDDEN ? ' The address may have expired; ask for a new one.' : '';
  return new ClientError(`The object store answered ${status}${reason}.${advice}`, {
    status,
    code: CLIENT_CODES.transferRefused,
    retryAfterSeconds: retryAfterOf(
      new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    ),
  });
}

function asBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('A file stream without encoding gives bytes.');
}
