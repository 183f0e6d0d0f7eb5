/** Fetches one file over HTTPS with bounded waits, through the proxy that the environment names. */
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { EnvHttpProxyAgent, request } from 'undici';

import type { PackProgress } from './pack.ts';
import { complaintOfError } from './problems.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
const MOST_REDIRECTS = 5;

/** How a file is fetched. */
export interface DownloadOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: PackProgress;
  readonly signal: AbortSignal | undefined;
}

/** Downloads a file. @throws Error with one line that says why not. */
export async function downloadFile(url: string, file: string, options: DownloadOptions): Promise<void> {
  const { environment, progress, signal } = options;
  const httpProxy = environment['http_proxy'] ?? environment['HTTP_PROXY'];
  const httpsProxy = environment['https_proxy'] ?? environment['HTTPS_PROXY'];
  const noProxy = environment['no_proxy'] ?? environment['NO_PROXY'];
  const agent = new EnvHttpProxyAgent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    ...{ headersTimeout: IDLE_TIMEOUT_MS, bodyTimeout: IDLE_TIMEOUT_MS },
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    ...(noProxy === undefined ? {} : { noProxy }),
  });
  try {
    const { body, totalBytes } = await open(url, agent, signal, MOST_REDIRECTS);
    let done = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, callback) {
        done += chunk.length;
        progress.bytes(done, totalBytes);
        callback(null, chunk);
      },
    });
    await pipeline(body, meter, createWriteStream(file));
    if (totalBytes !== null && done !== totalBytes) throw new Error('the download ended early');
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`${new URL(url).host}: ${complaintOfError(error)}`, { cause: error });
  } finally {
    await agent.destroy();
  }
}

async function open(
  url: string,
  agent: EnvHttpProxyAgent,
  signal: AbortSignal | undefined,
  redirectsLeft: number,
): Promise<{ readonly body: Readable; readonly totalBytes: number | null }> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    headers: { 'user-agent': 'dockyard' },
    ...(signal === undefined ? {} : { signal }),
  });
  const { location } = headers;
  if (statusCode >= 300 && statusCode < 400 && typeof location === 'string' && redirectsLeft > 0) {
    await body.dump();
    const next = new URL(location, url);
    if (next.protocol !== new URL(url).protocol) throw new Error('redirected to another protocol');
    return open(next.href, agent, signal, redirectsLeft - 1);
  }
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`it answered HTTP ${statusCode}`);
  }
  const length = Number(headers['content-length']);
  return { body, totalBytes: Number.isInteger(length) ? length : null };
}
