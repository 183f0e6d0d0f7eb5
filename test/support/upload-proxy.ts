/**
 * A bad network between a customer and the service: every call of the API and every PUT to the store passes through the
 * proxy, is counted, and may be cut off, damaged, refused or held. Signatures stay valid, because the store sees its
 * own host name.
 */
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Mischief to one exchange on its way. */
export type Mischief =
  | 'pass'
  /** The connection breaks before anything was passed on. */
  | 'cut'
  /** One byte of the body is changed. */
  | 'damage'
  /** The exchange is passed on, but its answer never comes back. */
  | 'swallow'
  /** The answer says, as the store would, that the address has expired. */
  | 'expire';

/** One exchange. */
export interface Passage {
  readonly method: string;
  readonly path: string;
  /** The part number of a PUT; null for any other exchange. */
  readonly part: number | null;
}

/** The network. */
export interface UploadProxy {
  readonly url: string;
  /** The part numbers whose PUT was answered with success, in that order. */
  readonly stored: number[];
  /** The calls of the API, as `METHOD path`. */
  readonly calls: string[];
  /** Decides about each exchange; the decision may wait. */
  mischief: (passage: Passage) => Mischief | Promise<Mischief>;
  /** Called for each part that was stored, before the client hears of it. */
  onStored: (part: number) => void;
  close(): Promise<void>;
}

const STORE = '/__store';

/** Starts a network in front of a service. */
export async function startUploadProxy(apiUrl: string): Promise<UploadProxy> {
  let storeOrigin = '';
  const proxy = {
    url: '',
    stored: [] as number[],
    calls: [] as string[],
    mischief: (): Mischief => 'pass',
    onStored: (): void => undefined,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  } as UploadProxy & { url: string };

  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    const isStore = path.startsWith(STORE);
    const number = isStore ? new URL(path, 'http://x').searchParams.get('partNumber') : null;
    const part = number === null ? null : Number(number);
    if (!isStore)
      proxy.calls.push(`${request.method ?? ''} ${path.slice('/api/v1'.length).split('?')[0] ?? ''}`);
    const fate = await proxy.mischief({ method: request.method ?? '', path, part });
    if (fate === 'cut') {
      request.socket.destroy();
      return;
    }
    const body = await buffer(request);
    if (fate === 'expire') {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return;
    }
    if (fate === 'damage') body.writeUInt8(body.readUInt8(0) ^ 1, 0);
    const target = new URL(isStore ? storeOrigin + path.slice(STORE.length) : apiUrl + path);
    const answer = await forward(request, target, body);
    if (fate === 'swallow') return;
    if (part !== null && answer.status === 200) {
      proxy.stored.push(part);
      proxy.onStored(part);
    }
    response.writeHead(answer.status, answer.headers);
    response.end(isStore ? answer.body : rewritten(answer.body));
  };
  const rewritten = (body: Buffer): string =>
    body
      .toString()
      .replaceAll(/"(uploadUrl|url)":"(https?:\/\/[^/"]+)\//g, (_all, name: string, origin: string) => {
        storeOrigin = origin;
        return `"${name}":"${proxy.url}${STORE}/`;
      });
  const server = createServer((request, response) => {
    passOn(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

interface Forwarded {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

function forward(request: IncomingMessage, target: URL, body: Buffer): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers, host: target.host, 'content-length': String(body.length) };
    const onward = httpRequest(target, { method: request.method ?? 'GET', headers }, (response) => {
      buffer(response).then((found) => {
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = response.headers;
        resolve({ status: response.statusCode ?? 502, headers: kept, body: found });
      }, reject);
    });
    onward.once('error', reject);
    onward.end(body);
  });
}
