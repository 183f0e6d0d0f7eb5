/**
 * Fetches one output into a file. Bytes that arrived before a break are kept in a part beside the file, and this run or a
 * later one asks for the rest by range. The file itself appears only when every byte has been read back and the digest is
 * the announced one.
 *
 * A download uses undici itself: the fetch of Node 24 ends the whole process when a store closes the connection while
 * the disk is the slower one (undici issue 5360).
 */
import { constants, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Agent, fetch } from 'undici';

import { CLIENT_CODES, ClientError, sha256OfFile } from '../../client/index.ts';
import type { OutputItem } from '../../client/types.ts';

/** The fields of an output that a download uses. */
export type Fetchable = Pick<OutputItem, 'name' | 'url' | 'byteSize' | 'sha256'>;

/** End of a download. */
export interface Fetched {
  /** `kept` when the whole file was there already, `resumed` when a part of the file was there. */
  readonly outcome: 'fetched' | 'resumed' | 'kept';
  readonly bytesMoved: number;
}

/** Settings of a download, and its way to a fresh address. */
export interface FetchTools {
  /** Asks the service for a fresh address, because the old one has expired. */
  readonly refresh: () => Promise<string>;
  readonly onBytes?: (count: number) => void;
  readonly firstPauseMs?: number;
}

/**
 * The agent is named at each call, because undici's default agent is shared with Node. Idle connections do not keep a
 * command alive. Commands that download nothing do not load undici.
 */
function openTransport(): Promise<Transport> {
  transport ??= import('undici').then((undici) => ({
    fetch: undici.fetch,
    dispatcher: new undici.Agent({ keepAliveTimeout: 1000 }),
  }));
  return transport;
}

interface Transport {
  readonly fetch: typeof fetch;
  readonly dispatcher: Agent;
}

let transport: Promise<Transport> | null = null;

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 300;
const PARTIAL_CONTENT = 206;
const FORBIDDEN = 403;
const UNSATISFIABLE = 416;

/** Fetches an output. @throws ClientError DIGEST_MISMATCH, TRANSFER_REFUSED, CONNECTION_LOST. */
export async function fetchToFile(output: Fetchable, path: string, tools: FetchTools): Promise<Fetched> {
  if (await isWhole(path, output)) return { outcome: 'kept', bytesMoved: 0 };
  // The part is named by the digest, so that a part that a later run finds is always one of the same bytes.
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${output.sha256.slice(0, 16)}.part`);
  const before = Math.min(await sizeOf(part), output.byteSize);
  let bytesMoved = await complete(output, part, tools);
  let isRight = await isWhole(part, output);
  if (!isRight && before > 0) {
    // A part that a former run left may be damaged; the download then starts anew instead of failing.
    await rm(part, { force: true });
    bytesMoved += await complete(output, part, tools);
    isRight = await isWhole(part, output);
  }
  if (!isRight) {
    const found = `${await sizeOf(part)} bytes with SHA-256 ${await sha256OfFile(part)}`;
    await rm(part, { force: true });
    throw new ClientError(
      `${output.name} has ${found}; announced were ${output.byteSize} bytes with ${output.sha256}. Nothing was kept.`,
      { status: 200, code: CLIENT_CODES.digestMismatch },
    );
  }
  await rename(part, path);
  return { outcome: before > 0 ? 'resumed' : 'fetched', bytesMoved };
}

/** Brings the part to its full size, over as many connections as that takes. */
async function complete(output: Fetchable, part: string, tools: FetchTools): Promise<number> {
  let url = output.url;
  let bytesMoved = 0;
  for (let attempt = 1; ; attempt += 1) {
    const size = await sizeOf(part);
    try {
      if (size < output.byteSize || output.byteSize === 0) {
        bytesMoved += await receive({ ...output, url }, part, size, tools);
      }
      return bytesMoved;
    } catch (error) {
      if (!(error instanceof ClientError) || attempt >= ATTEMPTS) throw error;
      if (error.status === FORBIDDEN) url = await tools.refresh();
      else if (error.status === UNSATISFIABLE) await rm(part, { force: true });
      else if (!error.passing) throw error;
      // Only connections that brought no bytes count as failed attempts.
      if ((await sizeOf(part)) > size) attempt = 0;
      await sleep((tools.firstPauseMs ?? FIRST_PAUSE_MS) * 2 ** attempt * Math.random());
    }
  }
}

async function receive(
  { url, byteSize }: Fetchable,
  part: string,
  start: number,
  { onBytes }: FetchTools,
): Promise<number> {
  const headers = {
    // Compressed bytes have neither the announced size nor ranges that fit.
    'accept-encoding': 'identity',
    ...(start === 0 ? {} : { range: `bytes=${start}-` }),
  };
  const { fetch: send, dispatcher } = await openTransport();
  const response = await send(url, { headers, dispatcher }).catch((error: unknown) => {
    throw lost(url, error);
  });
  if (!response.ok || response.body === null) throw await refusalOf(response);
  // A server that does not know ranges sends the whole file again, so the part starts anew.
  const isContinued = response.status === PARTIAL_CONTENT && start > 0;
  const way = isContinued ? constants.O_APPEND : constants.O_TRUNC;
  const file = await open(part, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | way, 0o644);
  let received = 0;
  try {
    for await (const chunk of readBody(url, response.body)) {
      await file.write(chunk);
      received += chunk.byteLength;
      onBytes?.(chunk.byteLength);
      if ((isContinued ? start : 0) + received > byteSize) return received;
    }
  } finally {
    await file.close();
  }
  if ((isContinued ? start : 0) + received < byteSize) throw lost(url, new Error('The answer ended early.'));
  return received;
}

/** The bytes of an answer; a broken connection is the client's error, a full disk is not. */
async function* readBody(
  url: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* body;
  } catch (error) {
    throw lost(url, error);
  }
}

function lost(url: string, cause: unknown): ClientError {
  const message = `${new URL(url).origin} cannot be reached or broke off.`;
  return new ClientError(message, { status: 0, code: CLIENT_CODES.connectionLost, cause });
}

async function refusalOf(response: Pick<Response, 'status' | 'text'>): Promise<ClientError> {
  const text = await response.text().catch(() => '');
  const reason = /<Code>([^<]{1,60})<\/Code>/.exec(text)?.[1];
  return new ClientError(
    `The object store answered ${response.status}${reason === undefined ? '' : ` (${reason})`}.`,
    { status: response.status, code: CLIENT_CODES.transferRefused },
  );
}

async function isWhole(path: string, { byteSize, sha256 }: Fetchable): Promise<boolean> {
  if ((await sizeOf(path)) !== byteSize) return false;
  return (await sha256OfFile(path).catch(() => '')) === sha256;
}

/** The size of a file; 0 when there is none. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? found.size : 0;
}
